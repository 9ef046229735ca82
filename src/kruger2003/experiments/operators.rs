//! §3: every operation and every reduction against double precision.

use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::kruger2003::{
    AlgebraError, DiagonalMatrix, DiagonalOptions, Matrix, cl_mat_vec, cl_vec_op, cl_vec_reduce,
};
use crate::random::SplitMix64;
use crate::solver::{Csr, Operation, TextureSpace};
use crate::stream::{Format, Layout, Machine, Reduce, Stream};

use super::samples::{BOUND, vector, wide};

const CLAIM: Claim = Claim {
    id: "kruger2003/ops",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.1 to §3.3",
    statement: "clVecOp and clMatVec with CL_ADD, CL_SUB and CL_MULT, clVecReduce with CL_ADD, CL_MULT, \
                CL_MAX, CL_MIN and CL_ABS, with all operands or some (NULL), on vectors of any length.",
    paper: "as in double precision",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/operators",
    section: "§3",
    title: "Stream operations, products with a matrix and reductions against double precision",
    claims: &[CLAIM],
    run,
};

/// A product of n entries, or of n pairs, may be off by so many roundings an entry.
const ROUNDINGS: f64 = 2.0;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let longest = if options.quick { 10_001 } else { 1_048_577 };
    let lengths = [1, 2, 3, 5, 1000, 1024, longest];
    let [mut entries, mut matrices, mut sums, mut products] = [const { Vec::new() }; 4];
    for length in lengths {
        for packing in [Format::R32F, Format::Rgba32F] {
            let space = TextureSpace::new(machine, Layout::square(length, packing)?)?;
            entries.push(operations(&space)?);
            matrices.push(matrix_operations(&space)?);
            let [of_sums, of_products] = reductions(&space)?;
            sums.push(of_sums);
            products.push(of_products);
        }
    }
    let errors = [entries, matrices, sums].map(worst);
    let product = worst(products);
    let text = format!(
        "clVecOp {:.1e}, clMatVec {:.1e}, reductions {:.1e}; CL_MULT {product:.2} roundings an entry",
        errors[0], errors[1], errors[2]
    );
    let why = format!(
        "Lengths {lengths:?}, with one and with four entries a texel, of both signs. Relative differences, \
         within {BOUND:.0e}: a sum's to the sum of magnitudes. The product of all entries has one rounding \
         or, of two vectors, {ROUNDINGS} for each, so that is its bound."
    );
    let holds = errors.iter().all(|&error| error <= BOUND) && product <= ROUNDINGS;
    Ok(vec![CLAIM.judge(holds, text, why)])
}

/// The largest error of A x op y with all operands, without y, and without A and x, for a matrix with three
/// diagonals of both signs.
pub fn matrix_operations(space: &TextureSpace) -> Result<f64, BoxedError> {
    let n = space.layout().length();
    let mut random = SplitMix64::new(5);
    let entries = (0..n).flat_map(|row| [0, 1, 2].map(|next| (row, (row + next) % n)));
    let entries = entries.map(|(row, column)| (row, column, f64::from(random.signed() as f32)));
    let matrix = Csr::from_triplets(n, n, entries)?;
    let options = DiagonalOptions::default();
    let gpu = DiagonalMatrix::new(space.machine(), space.layout(), &matrix, options)?;
    let (x, y) = (vector(n, 1), vector(n, 2));
    let (xv, yv, mut z) = (space.vector(&x)?, space.vector(&y)?, space.zeros()?);
    let (mut product, y) = (vec![0.0; n], wide(&y));
    matrix.multiply(&wide(&x), &mut product)?;
    let mut errors = Vec::new();
    for op in Operation::ALL {
        // What a missing operand leaves: 0 of a sum or difference, 1 of a product.
        let none = if op == Operation::Multiply { 1.0 } else { 0.0 };
        let mut compare = |a: Option<(&dyn Matrix, &Stream)>, b: Option<&Stream>| {
            cl_mat_vec(space, op, a, b, &mut z)?;
            let pairs = product.iter().zip(&y);
            let expected = pairs
                .map(|(&left, &right)| op.of(a.map_or(none, |_| left), b.map_or(none, |_| right)));
            errors.push(difference(&z.read()?, &expected.collect::<Vec<_>>()));
            Ok::<(), AlgebraError>(())
        };
        let ax: (&dyn Matrix, &Stream) = (&gpu, &xv);
        compare(Some(ax), Some(&yv))?;
        compare(Some(ax), None)?;
        compare(None, Some(&yv))?;
    }
    Ok(worst(errors))
}

/// The largest error of all operations with both operands and with one. Behind a vector's last entry
/// zeros are expected.
pub fn operations(space: &TextureSpace) -> Result<f64, BoxedError> {
    let n = space.layout().length();
    let (x, y) = (vector(n, 1), vector(n, 2));
    let (xv, yv) = (space.vector(&x)?, space.vector(&y)?);
    let z = space.zeros()?;
    let (alpha, beta) = (0.75, -1.25);
    let mut errors = Vec::new();
    for op in Operation::ALL {
        let (ax, by) = (Some((alpha, &xv)), Some((beta, &yv)));
        // What a missing operand leaves: 0 of a sum or difference, 1 of a product.
        let none = if op == Operation::Multiply { 1.0 } else { 0.0 };
        for (left, right) in [(ax, by), (ax, None), (None, by)] {
            cl_vec_op(space, op, left, right, &z)?;
            let entry = |(&x, &y): (&f32, &f32)| {
                let a = left.map_or(none, |_| alpha * f64::from(x));
                let b = right.map_or(none, |_| beta * f64::from(y));
                op.of(a, b)
            };
            let mut expected: Vec<f64> = x.iter().zip(&y).map(entry).collect();
            let found = z.read_rect(z.full())?;
            expected.resize(found.len(), 0.0);
            errors.push(difference(&found, &expected));
        }
    }
    Ok(worst(errors))
}

/// The paper's enumerators.
const REDUCTIONS: [Reduce; 5] = [
    Reduce::Sum,
    Reduce::Product,
    Reduce::Maximum,
    Reduce::Minimum,
    Reduce::AbsoluteSum,
];

/// The largest error of all reductions but the product, of entries of both signs, and that of the product
/// in roundings an entry. A sum that cancels is measured against the sum of magnitudes.
pub fn reductions(space: &TextureSpace) -> Result<[f64; 2], BoxedError> {
    let n = space.layout().length();
    let (x, y) = (vector(n, 3), vector(n, 4));
    // Around one or minus one, above as often as below, so that no product leaves single precision.
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
