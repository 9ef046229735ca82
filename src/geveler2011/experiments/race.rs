//! Products and cycles in all five numberings on one core, on all cores and on the stream processor, in
//! turns (§4.3 to §4.5).
//!
//! All in double precision, as in the paper, with rows that end at rl, and A and j apart. A stream
//! processor that knows no double precision takes pairs of floats.

use std::thread::scope;

use crate::claim::BoxedError;
use crate::solver::multigrid::Start;
use crate::solver::{Csr, Hierarchy, HostSpace, MatrixHierarchy, Multigrid, VectorSpace};
use crate::stream::{Machine, StreamError};
use crate::timing::rig::{interval_of_median, samples, work};
use crate::timing::{Effort, PingPong, Work, median, one_core};

use super::super::elements::{Element, Numbering};
use super::super::multigrid::{Discretisation, Settings, device, host};
use super::super::problems::Setup;
use super::super::products::{Arithmetic, PairSpace, ProductSpace};

/// What all of it runs on.
pub const PROCESSORS: [&str; 3] = ["one core", "all cores", "stream processor"];

/// The number of the stream processor among these.
pub const DEVICE: usize = 2;

/// What products and cycles take on a level of a problem.
pub struct Race {
    /// The element.
    pub element: Element,
    /// The level.
    pub level: usize,
    /// Its unknowns.
    pub unknowns: usize,
    /// Entries of its matrix.
    pub entries: usize,
    /// Bytes of all matrices of all levels on the stream processor, in all five numberings.
    pub bytes: u64,
    /// Cycles that a solve takes in 2LV and in STO, in double precision on the CPU.
    pub counts: [usize; 2],
    /// Seconds of y ← A x, round by round, of three processors in each numbering.
    products: Vec<Vec<f64>>,
    /// Likewise of a cycle and the norm that tells whether to stop.
    cycles: Vec<Vec<f64>>,
}

impl Race {
    /// Lets products, which are short, and cycles run so often. All matrices are in memory at the same
    /// time.
    pub fn run(
        machine: &Machine,
        setup: Setup,
        (element, level): (Element, usize),
        [of_products, of_cycles]: [Effort; 2],
    ) -> Result<Self, BoxedError> {
        let settings = setup.settings();
        let problems = numbered(setup, element, level)?;
        let count = |problem| Ok::<_, BoxedError>(host::solve(problem, &settings)?.1.iterations);
        let before = machine.ledger().bytes_allocated;
        let contender = |problem| {
            Ok::<_, BoxedError>(Contender {
                on_all_cores: host::hierarchy(problem, &settings)?,
                on_device: device::hierarchy(machine, problem, &settings, arithmetic(machine))?,
            })
        };
        let contenders: Vec<_> = problems.iter().map(contender).collect::<Result<_, _>>()?;
        let entrants = || problems.iter().zip(&contenders);
        scope(|scope| {
            let mut products = Vec::new();
            let mut cycles = Vec::new();
            for (problem, contender) in entrants() {
                products.extend(contender.products(problem)?);
                cycles.push(one_core(scope, move |runs| {
                    let hierarchy = host::hierarchy(problem, &settings)?;
                    let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
                    let mut u = problem.start.clone();
                    runs.each(|_| cycle(&hierarchy, &mut multigrid, &problem.right_side, &mut u))
                }));
                cycles.extend(contender.cycles(problem, settings)?);
            }
            Ok(Self {
                element,
                level,
                unknowns: problems[0].matrices[0].rows(),
                entries: problems[0].matrices[0].entries(),
                bytes: machine.ledger().bytes_allocated - before,
                counts: [
                    count(&problems[Numbering::TwoLevel as usize])?,
                    count(&problems[Numbering::Stochastic as usize])?,
                ],
                products: samples(machine, of_products, &mut products)?,
                cycles: samples(machine, of_cycles, &mut cycles)?,
            })
        })
    }

    /// As in `Q1 level 9`.
    pub fn name(&self) -> String {
        format!("{:?} level {}", self.element, self.level)
    }

    /// Seconds of a product.
    pub fn product(&self, numbering: Numbering, processor: usize) -> f64 {
        median(self.products[place(numbering, processor)].clone())
    }

    /// MFlop/s of the product: an addition and a multiplication an entry.
    pub fn rate(&self, numbering: Numbering, processor: usize) -> f64 {
        2e-6 * self.entries as f64 / self.product(numbering, processor)
    }

    /// Seconds of a solve: of its cycles.
    pub fn solve(&self, numbering: Numbering, processor: usize) -> f64 {
        self.counts[0] as f64 * median(self.cycles[place(numbering, processor)].clone())
    }

    /// Whether a product is slower in one numbering than in another: the median of the ratios of all
    /// rounds lies above one with a confidence of 95 %.
    pub fn is_slower(&self, numbering: Numbering, than: Numbering, processor: usize) -> bool {
        let samples = |numbering| self.products[place(numbering, processor)].iter();
        let ratios = samples(numbering).zip(samples(than)).map(|(a, b)| a / b);
        interval_of_median(ratios.collect())[0] > 1.0
    }
}

/// The problem in all five numberings, assembled once.
fn numbered(
    setup: Setup,
    element: Element,
    level: usize,
) -> Result<Vec<Discretisation>, BoxedError> {
    let meshes = setup.meshes(level);
    let assembled = setup.discretise(&meshes, element, Numbering::TwoLevel)?;
    let others = Numbering::ALL[1..].iter();
    let others = others.map(|&numbering| assembled.renumbered(&meshes, element, numbering));
    let mut all: Vec<_> = others.collect();
    all.insert(0, assembled);
    Ok(all)
}

/// Where the samples of a numbering and a processor are.
fn place(numbering: Numbering, processor: usize) -> usize {
    PROCESSORS.len() * numbering as usize + processor
}

/// What the stream processor computes with.
pub fn arithmetic(machine: &Machine) -> Arithmetic {
    match machine.context().description().double_precision {
        true => Arithmetic::Native,
        false => Arithmetic::Pairs,
    }
}

/// The hierarchies of a numbering.
struct Contender {
    on_all_cores: MatrixHierarchy<HostSpace<f64>>,
    on_device: MatrixHierarchy<PairSpace>,
}

impl Contender {
    /// Products on each of the processors.
    fn products<'a>(&'a self, problem: &'a Discretisation) -> Result<[Work<'a>; 3], StreamError> {
        let matrix: &Csr<f64> = &problem.matrices[0];
        let ones = vec![1.0; matrix.rows()];
        let vectors = || PingPong::of_two(ones.clone()).from(ones.clone());
        let (mut one, mut all) = (vectors(), vectors());
        let level = self.on_device.level(0);
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

    /// Cycles on all cores and on the stream processor.
    fn cycles<'a>(
        &'a self,
        problem: &'a Discretisation,
        settings: Settings,
    ) -> Result<[Work<'a>; 2], BoxedError> {
        let host = &self.on_all_cores;
        let mut on_all_cores = Multigrid::new(host, settings.cycle)?;
        let mut u = problem.start.clone();
        let device = &self.on_device;
        let mut on_device = Multigrid::new(device, settings.cycle)?;
        let space = &device.level(0).space;
        let b = space.vector_of(&problem.right_side)?;
        let mut v = space.vector_of(&problem.start)?;
        Ok([
            work(move |_| cycle(host, &mut on_all_cores, &problem.right_side, &mut u)),
            work(move |_| cycle(device, &mut on_device, &b, &mut v)),
        ])
    }
}

/// A cycle, and the norm of the residual after it.
fn cycle<H: Hierarchy>(
    hierarchy: &H,
    multigrid: &mut Multigrid<'_, H>,
    b: &H::Vector,
    u: &mut H::Vector,
) -> Result<(), H::Error> {
    multigrid.cycle(Start::Given, b, u)?;
    hierarchy.residual_norm(b, u).map(drop)
}
