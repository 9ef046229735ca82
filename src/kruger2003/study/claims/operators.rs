//! §3: every operation and every reduction compared with double precision.

use crate::base::random::SplitMix64;
use crate::card::count::count;
use crate::claim::{BoxedError, difference, worst};
use crate::experiment::{Record, Study, Takes};
use crate::kruger2003::{DiagonalMatrix, Matrix, cl_mat_vec, cl_vec_op, cl_vec_reduce};
use crate::solver::{Csr, Operation, TextureSpace};
use crate::stream::{Layout, Reduce, Source, Stream, source};

use super::layouts::{PACKINGS, Side, as_fits, vector, wide};

/// All operations on vectors of several lengths.
pub static OPERATORS: Study = Study::measuring(
    "kruger2003/operators",
    "All operations on vectors of several lengths with either packing, compared with double precision",
    Takes::all::<Side>(),
    &[
        ("vec_op", "", "clVecOp: largest relative difference"),
        ("mat_vec", "", "clMatVec: largest relative difference"),
        ("reduce", "", "clVecReduce: largest difference, relative to the sum of magnitudes"),
        ("product", "", "CL_MULT of clVecReduce: rounding errors per entry"),
        ("longest", "", "entries of the longest vector"),
    ],
    |experiment, place| {
        let side = experiment.typed::<Side>()?.side as usize;
        let longest = side * side + 1;
        let [mut entries, mut matrices, mut sums, mut products] = [0.0_f64; 4];
        for length in [1, 2, 3, 5, 1000, 1024, longest] {
            for packing in PACKINGS {
                let space = TextureSpace::new(place.machine, Layout::square(length, packing)?)?;
                let [sum, product] = reductions(&space)?;
                entries = worst([entries, operations(&space)?]);
                matrices = worst([matrices, matrix_operations(&space)?]);
                (sums, products) = (worst([sums, sum]), worst([products, product]));
            }
        }
        Ok(Record::numbers([
            ("vec_op", entries),
            ("mat_vec", matrices),
            ("reduce", sums),
            ("product", products),
            ("longest", longest as f64),
        ]))
    },
);

const VECTOR_OP: Source = source!(stream, "vector_op");
const REDUCE: Source = source!(stream, "reduce");

/// Lengths of programs.
pub static PROGRAMS: Study = Study::measuring(
    "kruger2003/programs",
    "The lengths of the programs of a sum and of a product of vectors, in the instructions of NV30",
    Takes::nothing(),
    &[("{sum|product}", "", "instructions")],
    |_, _| {
        let mut record = Record::new();
        for (name, source, combine) in
            [("sum", &REDUCE, "((a) + (b))"), ("product", &VECTOR_OP, "((a) * (b))")]
        {
            let count = count(&source.assemble(&[("COMBINE(a, b)", combine)]))?;
            record.one(name, f64::from(count.instructions));
        }
        Ok(record)
    },
);

/// The largest error of an operation on these vectors; `run` executes it with both operands or with one. After the last
/// entry, zeros are expected.
fn operands(
    a: &[f64],
    b: &[f64],
    mut run: impl FnMut(Operation, bool, bool) -> Result<Vec<f32>, BoxedError>,
) -> Result<f64, BoxedError> {
    let mut errors = Vec::new();
    for op in Operation::ALL {
        // The value of a missing operand: 0 in a sum or difference, 1 in a product.
        let none = if op == Operation::Multiply { 1.0 } else { 0.0 };
        for (has_a, has_b) in [(true, true), (true, false), (false, true)] {
            let found = run(op, has_a, has_b)?;
            let or_none = |value: f64, has: bool| if has { value } else { none };
            let pairs = a.iter().zip(b);
            let expected = pairs.map(|(&a, &b)| op.of(or_none(a, has_a), or_none(b, has_b)));
            let mut expected: Vec<f64> = expected.collect();
            expected.resize(found.len(), 0.0);
            errors.push(difference(&found, &expected));
        }
    }
    Ok(worst(errors))
}

/// The largest error of A x op y, for a matrix with three diagonals of both signs.
fn matrix_operations(space: &TextureSpace) -> Result<f64, BoxedError> {
    let n = space.layout().length();
    let mut random = SplitMix64::new(5);
    let entries = (0..n).flat_map(|row| [0, 1, 2].map(|next| (row, (row + next) % n)));
    let entries = entries.map(|(row, column)| (row, column, f64::from(random.signed() as f32)));
    let matrix = Csr::from_triplets(n, n, entries)?;
    let options = as_fits(space.layout());
    let gpu = DiagonalMatrix::new(space.machine(), space.layout(), &matrix, options)?;
    let (x, y) = (vector(n, 1), vector(n, 2));
    let (xv, yv, mut z) = (space.vector(&x)?, space.vector(&y)?, space.zeros()?);
    let mut product = vec![0.0; n];
    matrix.multiply(&wide(&x), &mut product)?;
    let ax: (&dyn Matrix, &Stream) = (&gpu, &xv);
    operands(&product, &wide(&y), |op, a, b| {
        cl_mat_vec(space, op, a.then_some(ax), b.then_some(&yv), &mut z)?;
        Ok(z.read_rect(z.full())?)
    })
}

/// The largest error of α x op β y.
pub fn operations(space: &TextureSpace) -> Result<f64, BoxedError> {
    let n = space.layout().length();
    let (x, y) = (vector(n, 1), vector(n, 2));
    let (xv, yv, z) = (space.vector(&x)?, space.vector(&y)?, space.zeros()?);
    let (alpha, beta) = (0.75, -1.25);
    let scaled = |factor: f64, x: &[f32]| -> Vec<f64> {
        x.iter().map(|&entry| factor * f64::from(entry)).collect()
    };
    operands(&scaled(alpha, &x), &scaled(beta, &y), |op, a, b| {
        let (left, right) = (a.then_some((alpha, &xv)), b.then_some((beta, &yv)));
        cl_vec_op(space, op, left, right, &z)?;
        Ok(z.read_rect(z.full())?)
    })
}

/// The paper's enumerators.
const REDUCTIONS: [Reduce; 5] =
    [Reduce::Sum, Reduce::Product, Reduce::Maximum, Reduce::Minimum, Reduce::AbsoluteSum];

/// The largest error of all reductions except the product, of entries of both signs, and that of the product in
/// rounding errors per entry. A sum that cancels is compared with the sum of magnitudes.
pub fn reductions(space: &TextureSpace) -> Result<[f64; 2], BoxedError> {
    let n = space.layout().length();
    let (x, y) = (vector(n, 3), vector(n, 4));
    // Around one or minus one, above as often as below, so that products stay within single precision.
    let near_one = |v: &[f32]| -> Vec<f32> {
        let entry = |v: &f32| v.signum() * (1.0 + 1e-4 * (v.abs() - 0.5));
        v.iter().map(entry).collect()
    };
    let (mut errors, mut of_products) = (Vec::new(), Vec::new());
    for op in REDUCTIONS {
        let of = |v: &[f32]| match op {
            Reduce::Product => near_one(v),
            _ => v.to_vec(),
        };
        let (x, y) = (of(&x), of(&y));
        let (xv, yv) = (space.vector(&x)?, space.vector(&y)?);
        for second in [None, Some((&y, &yv))] {
            let factors = second.map_or(vec![1.0; n], |(y, _)| wide(y));
            let values: Vec<f64> = wide(&x).iter().zip(factors).map(|(x, y)| x * y).collect();
            let found = cl_vec_reduce(space, op, &xv, second.map(|(_, yv)| yv))?;
            let magnitude = values.iter().map(|v| v.abs());
            let (expected, scale) = match op {
                Reduce::Sum => (values.iter().sum(), magnitude.sum()),
                Reduce::AbsoluteSum => (magnitude.clone().sum(), magnitude.sum()),
                Reduce::Maximum => (values.iter().copied().fold(f64::MIN, f64::max), 1.0),
                Reduce::Minimum => (values.iter().copied().fold(f64::MAX, f64::min), 1.0),
                Reduce::Product => {
                    let product: f64 = values.iter().product();
                    (product, product.abs() * n as f64 / f64::from(1u32 << 24))
                }
            };
            let error = (found - expected).abs() / scale;
            match op {
                Reduce::Product => of_products.push(error),
                _ => errors.push(error),
            }
        }
    }
    Ok([worst(errors), worst(of_products)])
}
