//! Timed cases: products compared with their ceilings and with the CPU; cycles.

use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::solver::multigrid::Start;
use crate::solver::{
    Csr, CsrError, Hierarchy, HostSpace, MatrixHierarchy, Multigrid, Outcome, TextureSpace,
    VectorSpace,
};
use crate::stream::{Machine, Stream, StreamError};
use crate::timing::rig::work;
use crate::timing::{Bench, Case, PingPong, Work, own_core};

use crate::geveler2011::Setup;
use crate::geveler2011::device;
use crate::geveler2011::{
    Arithmetic, Discretisation, Ellpack, EllpackLayout, EllpackProduct, EllpackStorage, Entries,
    PairSpace, ProductSpace, RowFormat,
};
use crate::geveler2011::{Element, Numbering, Space};
use crate::geveler2011::{Settings, host};

/// ELLPACK-R with one entry per texel: the fewest fetches.
const ENDED: EllpackLayout = EllpackLayout { rows: RowFormat::EllpackR, entries: Entries::Packed };

/// A vector of ones for products in this arithmetic.
fn ones(machine: &Machine, n: usize, arithmetic: Arithmetic) -> Result<Stream, StreamError> {
    match arithmetic {
        Arithmetic::Single => TextureSpace::of(machine, n, arithmetic)?.vector_of(&vec![1.0; n]),
        _ => PairSpace::of(machine, n, arithmetic)?.vector_of(&vec![1.0; n]),
    }
}

/// A product, compared with as many fetches next to each other, and with the CPU's in double precision on all cores.
/// Native double precision has no ceiling: its programs cannot be counted. That of ELLPACK-R is ELLPACK's, except for
/// the saved fetches.
pub fn product(
    machine: &Machine,
    matrix: &Csr<f64>,
    layout: EllpackLayout,
    arithmetic: Arithmetic,
) -> Result<Case<'static>, BoxedError> {
    let storage = Rc::new(EllpackStorage::new(machine, matrix, layout)?);
    let product = EllpackProduct::new(machine, &storage, arithmetic)?;
    let one = || ones(machine, matrix.rows(), arithmetic);
    let mut pair = PingPong::new(2, one)?.from(one()?);
    let kernel = work(move |run| {
        let (x, y) = pair.of(run);
        product.multiply(x, y)
    });
    let mut case = match arithmetic {
        Arithmetic::Native => Case::new(kernel),
        _ => Case::with_ceiling(machine, kernel),
    };
    if let (RowFormat::EllpackR, Some((_, runs))) = (layout.rows, &mut case.ceiling) {
        let fetches = match layout.entries {
            Entries::Packed => 2.0,
            Entries::Apart => 3.0,
        };
        let (rows, entries) = (matrix.rows() as f64, storage.entries as f64);
        let padded = rows * (fetches * storage.row_length as f64 + 1.0);
        *runs = (fetches * entries + rows) / padded;
    }
    Ok(case.against(host_product(matrix.clone(), true)))
}

/// The CPU's product, on one core or on all.
fn host_product(matrix: Csr<f64>, on_all: bool) -> Work<'static> {
    let start = vec![1.0; matrix.rows()];
    let mut vectors = PingPong::of_two(start.clone()).from(start);
    work(move |run| {
        let (x, y) = vectors.of(run);
        if on_all { matrix.multiply_parallel(x, y) } else { matrix.multiply(x, y) }
    })
}

/// The GPU's arithmetic.
pub fn arithmetic(machine: &Machine) -> Arithmetic {
    if machine.description().double_precision { Arithmetic::Native } else { Arithmetic::Pairs }
}

/// A problem in one numbering, ready for products and cycles on one core, on all cores and on the GPU.
pub struct Contender {
    settings: Settings,
    matrix: Ellpack<f64>,
    on_all_cores: MatrixHierarchy<HostSpace<f64>>,
    on_gpu: MatrixHierarchy<PairSpace>,
    right_side: Vec<f64>,
    /// The prescribed boundary values, and zeros.
    pub start: Vec<f64>,
}

impl Contender {
    /// Prepares a problem for all processors, and its cycles on one core. The assembled matrices are not kept.
    pub fn new(
        machine: &Machine,
        problem: Discretisation,
        settings: Settings,
    ) -> Result<(Self, Work<'static>), BoxedError> {
        let contender = Self {
            settings,
            matrix: Ellpack::new(&problem.matrices[0]),
            on_all_cores: host::hierarchy(&problem, &settings)?,
            on_gpu: device::hierarchy(machine, &problem, &settings, arithmetic(machine))?,
            right_side: problem.right_side.clone(),
            start: problem.start.clone(),
        };
        let mut on_one_core = own_core(move |runs| {
            let hierarchy = host::hierarchy(&problem, &settings)?;
            let (b, mut u) = (problem.right_side, problem.start);
            drop((problem.matrices, problem.prolongations, problem.restrictions));
            let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
            runs.each(|_| cycle(&hierarchy, &mut multigrid, &b, &mut u))
        });
        // Its first run waits until the assembled matrices are gone.
        on_one_core(0)?;
        Ok((contender, on_one_core))
    }

    /// Solves on the CPU.
    pub fn solve(&self) -> Result<Outcome, CsrError> {
        let (host, mut u) = (&self.on_all_cores, self.start.clone());
        let criteria = self.settings.criteria(host.residual_norm(&self.right_side, &u)?);
        let mut multigrid = Multigrid::new(host, self.settings.cycle)?;
        Ok(multigrid.solve(&self.right_side, &mut u, &criteria, |_, _| ())?)
    }

    /// Products on each of the processors.
    pub fn products(&self) -> Result<[Work<'_>; 3], StreamError> {
        let matrix = &self.matrix;
        let ones = vec![1.0; matrix.lengths.len()];
        let vectors = || PingPong::of_two(ones.clone()).from(ones.clone());
        let (mut one, mut all) = (vectors(), vectors());
        let level = self.on_gpu.level(0);
        let mut streams =
            PingPong::new(2, || level.space.zeros())?.from(level.space.vector_of(&ones)?);
        Ok([
            work(move |run| {
                let (x, y) = one.of(run);
                matrix.multiply(x, y)
            }),
            work(move |run| {
                let (x, y) = all.of(run);
                matrix.multiply_parallel(x, y)
            }),
            work(move |run| {
                let (x, y) = streams.of(run);
                level.matrix.apply(&level.space, x, y)
            }),
        ])
    }

    /// Cycles on all cores and on the GPU.
    pub fn cycles(&self) -> Result<[Work<'_>; 2], BoxedError> {
        let (host, device) = (&self.on_all_cores, &self.on_gpu);
        let mut on_all_cores = Multigrid::new(host, self.settings.cycle)?;
        let mut u = self.start.clone();
        let mut on_gpu = Multigrid::new(device, self.settings.cycle)?;
        let space = &device.level(0).space;
        let b = space.vector_of(&self.right_side)?;
        let mut v = space.vector_of(&self.start)?;
        Ok([
            work(move |_| cycle(host, &mut on_all_cores, &self.right_side, &mut u)),
            work(move |_| cycle(device, &mut on_gpu, &b, &mut v)),
        ])
    }
}

/// A cycle, and the norm of the residual after it.
fn cycle<H: Hierarchy>(
    hierarchy: &H,
    multigrid: &mut Multigrid<H, &H>,
    b: &H::Vector,
    u: &mut H::Vector,
) -> Result<(), H::Error> {
    multigrid.cycle(Start::Given, b, u)?;
    hierarchy.residual_norm(b, u).map(drop)
}

/// The lines of `fragstream bench`.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), BoxedError> {
    let level = bench.pick(6, 8);
    let meshes = Setup::Circle.meshes(level);
    let n = Space::new(&meshes[level - 1], Element::Q1).dimension();
    bench.text(format_args!(
        "\nfinite elements: Q1 on level {level} of CIRCLE, {n} unknowns; the CPU's product is in double precision"
    ))?;
    let sorted = Setup::Circle.discretise(&meshes[level - 1..], Element::Q1, Numbering::Xyz)?;
    let matrix = &sorted.matrices[0];
    let (padded, paper) = (EllpackLayout::of_2003(), EllpackLayout::paper_2011());
    use Arithmetic::{Native, Pairs, Single};
    for (name, layout, arithmetic) in [
        ("product, ELLPACK, single", padded, Single),
        ("product, ELLPACK, pairs", padded, Pairs),
        ("product, ELLPACK, native", padded, Native),
        ("product, ELLPACK-R, single", ENDED, Single),
        ("product, ELLPACK-R, native", ENDED, Native),
        ("product, ELLPACK-R, separate A and j, single", paper, Single),
        ("product, ELLPACK-R, separate A and j, native", paper, Native),
    ] {
        bench.case(name, |machine| product(machine, matrix, layout, arithmetic))?;
    }
    let random =
        Setup::Circle.discretise(&meshes[level - 1..], Element::Q1, Numbering::Stochastic)?;
    bench.case("product, ELLPACK, single, STO", |machine| {
        product(machine, &random.matrices[0], padded, Single)
    })
}
