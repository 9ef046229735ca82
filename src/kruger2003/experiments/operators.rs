//! §3: every operation and every reduction against double precision.

use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::kruger2003::{cl_vec_op, cl_vec_reduce};
use crate::solver::{Operation, TextureSpace};
use crate::stream::{Format, Layout, Machine, Reduce};

use super::samples::{BOUND, judge, vector, wide};

const CLAIM: Claim = Claim {
    id: "kruger2003/ops",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.1, §3.3",
    statement: "clVecOp with CL_ADD, CL_SUB and CL_MULT, clVecReduce with CL_ADD, CL_MULT, CL_MAX, \
                CL_MIN and CL_ABS, with two operands or one (NULL), on vectors of any length.",
    paper: "as in double precision",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/operators",
    section: "§3",
    title: "Stream operations and reductions against double precision",
    claims: &[CLAIM],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let longest = if options.quick { 10_001 } else { 1_048_577 };
    let lengths = [1, 2, 3, 5, 1000, 1024, longest];
    let mut errors = Vec::new();
    for length in lengths {
        for packing in [Format::R32F, Format::Rgba32F] {
            let space = TextureSpace::new(machine, Layout::square(length, packing)?)?;
            errors.push(operations(&space)?);
            errors.push(reductions(&space)?);
        }
    }
    let remark = format!(
        "Lengths {lengths:?}, with one and with four entries a texel, of both signs. Sums are measured \
         against the sum of magnitudes; products of long vectors, near one in size, may be off by two \
         roundings an entry."
    );
    Ok(vec![judge(CLAIM, worst(errors), BOUND, remark)])
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
                match op {
                    Operation::Add => a + b,
                    Operation::Subtract => a - b,
                    Operation::Multiply => a * b,
                }
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

/// The largest error of all reductions, of entries of both signs. A sum that cancels is measured against
/// the sum of magnitudes, a product against two roundings a factor.
pub fn reductions(space: &TextureSpace) -> Result<f64, BoxedError> {
    let n = space.layout().length();
    let (x, y) = (vector(n, 3), vector(n, 4));
    // Around one or minus one, above as often as below, so that no product leaves single precision.
    let near_one = |v: &[f32]| -> Vec<f32> {
        let entry = |v: &f32| v.signum() * (1.0 + 1e-4 * (v.abs() - 0.5));
        v.iter().map(entry).collect()
    };
    let mut errors = Vec::new();
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
                    let roundings = 2.0 * n as f64 / f64::from(1u32 << 24);
                    (product, product.abs() * (roundings / BOUND).max(1.0))
                }
            };
            errors.push((found - expected).abs() / scale);
        }
    }
    Ok(worst(errors))
}
