//! Timed cases: products compared with their ceilings and with the CPU; cycles.

use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::solver::{Csr, TextureSpace};
use crate::stream::{Machine, Stream, StreamError};
use crate::timing::rig::work;
use crate::timing::{Bench, Case, PingPong, Work};

use crate::geveler2011::{
    Arithmetic, Element, EllpackLayout, EllpackProduct, EllpackStorage, Entries, Numbering,
    PairSpace, ProductSpace, RowFormat, Setup, Space,
};

/// ELLPACK-R with one entry per texel: the fewest fetches.
const ENDED: EllpackLayout = EllpackLayout { rows: RowFormat::EllpackR, entries: Entries::Packed };

/// A vector of ones for products in this arithmetic.
fn ones(machine: &Machine, n: usize, arithmetic: Arithmetic) -> Result<Stream, StreamError> {
    match arithmetic {
        Arithmetic::Single => TextureSpace::of(machine, n, arithmetic)?.vector_of(&vec![1.0; n]),
        _ => PairSpace::of(machine, n, arithmetic)?.vector_of(&vec![1.0; n]),
    }
}

/// A product, and what it reads.
pub fn kernel(
    machine: &Machine,
    matrix: &Csr<f64>,
    layout: EllpackLayout,
    arithmetic: Arithmetic,
) -> Result<(Work<'static>, Rc<EllpackStorage>), BoxedError> {
    let storage = Rc::new(EllpackStorage::new(machine, matrix, layout)?);
    let product = EllpackProduct::new(machine, &storage, arithmetic)?;
    let one = || ones(machine, matrix.rows(), arithmetic);
    let mut pair = PingPong::new(2, one)?.from(one()?);
    let kernel = work(move |run| {
        let (x, y) = pair.of(run);
        product.multiply(x, y)
    });
    Ok((kernel, storage))
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
    let (kernel, storage) = kernel(machine, matrix, layout, arithmetic)?;
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
