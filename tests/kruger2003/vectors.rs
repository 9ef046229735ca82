//! Vectors of kruger2003 and the operations on them agree with double precision, in every layout.

use fragstream::claim::difference;
use fragstream::kruger2003::{AlgebraError, cl_vec_op, cl_vec_reduce};
use fragstream::random::SplitMix64;
use fragstream::solver::{Operation, TextureSpace, VectorSpace};
use fragstream::stream::{Format, Layout, Machine, Reduce, Stream, StreamError};

use crate::common::{machine, wide};

const LENGTHS: [usize; 6] = [1, 2, 3, 5, 1000, 1_048_577];

/// Square with one and with four entries a texel, and lines.
fn layouts(machine: &Machine, length: usize) -> Vec<Layout> {
    let widest = machine.context().description().rectangle_limit;
    let widest = if length < 10_000 { 16 } else { widest };
    let mut layouts = vec![Layout::lines(length, Format::R32F, widest).unwrap()];
    layouts.extend(
        [Format::R32F, Format::Rgba32F].map(|packing| Layout::square(length, packing).unwrap()),
    );
    layouts
}

fn exact(op: Operation, a: f64, b: f64) -> f64 {
    match op {
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::Multiply => a * b,
    }
}

/// Nothing but zeros behind the last entry.
fn assert_padding(vector: &Stream) {
    let all = vector.read_rect(vector.full()).unwrap();
    let padding = &all[vector.layout().length()..];
    assert!(padding.iter().all(|&v| v == 0.0), "{}", vector.layout());
}

#[test]
fn every_operation_agrees_with_double_precision() {
    let machine = machine();
    for length in LENGTHS {
        let mut random = SplitMix64::new(length as u64);
        let (x, y) = (random.vector(length), random.vector(length));
        for layout in layouts(&machine, length) {
            let space = TextureSpace::new(&machine, layout).unwrap();
            let (xv, yv) = (space.vector(&x).unwrap(), space.vector(&y).unwrap());
            let z = space.zeros().unwrap();
            for op in Operation::ALL {
                let (alpha, beta) = (0.75, -1.25);
                let (xt, yt) = (Some((alpha, &xv)), Some((beta, &yv)));
                cl_vec_op(&space, op, xt, yt, &z).unwrap();
                let pairs = x.iter().zip(&y);
                let expected: Vec<f64> = pairs
                    .map(|(&a, &b)| exact(op, alpha * f64::from(a), beta * f64::from(b)))
                    .collect();
                let error = difference(&z.read().unwrap(), &expected);
                assert!(error < 3e-7, "{op:?} on {layout}: {error}");
                assert_padding(&z);
            }
        }
    }
}

#[test]
fn a_missing_operand_is_the_neutral_element() {
    let machine = machine();
    let x = SplitMix64::new(3).vector(7);
    for packing in [Format::R32F, Format::Rgba32F] {
        let space = TextureSpace::new(&machine, Layout::square(7, packing).unwrap()).unwrap();
        let xv = space.vector(&x).unwrap();
        let z = space.zeros().unwrap();
        for op in Operation::ALL {
            let term = Some((2.0, &xv));
            cl_vec_op(&space, op, term, None, &z).unwrap();
            let twice: Vec<f32> = x.iter().map(|v| 2.0 * v).collect();
            assert_eq!(z.read().unwrap(), twice);
            cl_vec_op(&space, op, None, term, &z).unwrap();
            let sign = if op == Operation::Subtract { -1.0 } else { 1.0 };
            let signed: Vec<f32> = twice.iter().map(|v| sign * v).collect();
            assert_eq!(z.read().unwrap(), signed, "{op:?}");
            let nothing = cl_vec_op(&space, op, None, None, &z);
            assert_eq!(nothing, Err(AlgebraError::NoOperand));
        }
    }
}

#[test]
fn a_vector_can_be_updated_by_itself() {
    let machine = machine();
    let x = SplitMix64::new(4).vector(11);
    let space = TextureSpace::new(&machine, Layout::square(11, Format::Rgba32F).unwrap()).unwrap();
    // Line 2 of the paper's conjugate gradients: r <- -r.
    let mut r = space.vector(&x).unwrap();
    let negate = |r: &Stream, target: &Stream| space.scale(-1.0, r, target);
    space.replace(&mut r, negate).unwrap();
    let negative: Vec<f32> = x.iter().map(|v| -v).collect();
    assert_eq!(r.read().unwrap(), negative);
}

/// Every reduction of x, and of the products of x and y, in double precision.
fn reductions(x: &[f64], y: Option<&[f64]>) -> Vec<(Reduce, f64)> {
    let values = || (0..x.len()).map(|i| x[i] * y.map_or(1.0, |y| y[i]));
    vec![
        (Reduce::Sum, values().sum()),
        (Reduce::AbsoluteSum, values().map(f64::abs).sum()),
        (Reduce::Maximum, values().fold(f64::MIN, f64::max)),
        (Reduce::Minimum, values().fold(f64::MAX, f64::min)),
        (Reduce::Product, values().product()),
    ]
}

#[test]
fn every_reduction_agrees_with_double_precision() {
    let machine = machine();
    for length in LENGTHS {
        let mut random = SplitMix64::new(length as u64 + 7);
        // Near one, so that a product of a million of them stays within single precision; on both
        // sides of it, and all above zero (or all below), so that padding with zero would be seen
        // in every minimum (or maximum).
        for sign in [1.0, -1.0] {
            let mut near_one = || -> Vec<f32> {
                (0..length)
                    .map(|_| 1.0 + 1e-4 * random.signed() as f32)
                    .collect()
            };
            let (x, y): (Vec<f32>, Vec<f32>) = (near_one(), near_one());
            let x: Vec<f32> = x.iter().map(|v| sign * v).collect();
            for layout in layouts(&machine, length) {
                let space = TextureSpace::new(&machine, layout).unwrap();
                let (xv, yv) = (space.vector(&x).unwrap(), space.vector(&y).unwrap());
                for (second, wide_y) in [(None, None), (Some(&yv), Some(wide(&y)))] {
                    for (op, expected) in reductions(&wide(&x), wide_y.as_deref()) {
                        let got = cl_vec_reduce(&space, op, &xv, second).unwrap();
                        let error = (got - expected).abs() / expected.abs();
                        // Each multiplication rounds by up to 2^-24, and near one mostly downwards.
                        let roundings = match op {
                            Reduce::Product => 2.0 * length as f64,
                            _ => 32.0,
                        };
                        let bound = roundings / f64::from(1u32 << 24);
                        assert!(error < bound, "{op:?} of {layout}: {got} {expected}");
                    }
                }
            }
        }
    }
}

#[test]
fn scaling_rounds_once_and_padding_is_never_the_largest_or_the_smallest() {
    let machine = machine();
    for length in [1, 2, 3, 5, 7, 1000] {
        // Below zero, so that a zero in the padding would be the largest.
        let x = SplitMix64::new(length as u64).vector(length);
        let x: Vec<f32> = x.iter().map(|v| v - 1.5).collect();
        for layout in layouts(&machine, length) {
            let space = TextureSpace::new(&machine, layout).unwrap();
            let (xv, z) = (space.vector(&x).unwrap(), space.zeros().unwrap());
            let term = Some((0.7, &xv));
            cl_vec_op(&space, Operation::Add, term, None, &z).unwrap();
            // A single multiplication has one rounding, and so one result.
            let scaled: Vec<f32> = x.iter().map(|v| 0.7 * v).collect();
            assert_eq!(z.read().unwrap(), scaled, "{layout}");
            // The largest and the smallest are found without rounding, in whatever order.
            let all = || x.iter().map(|&v| f64::from(v));
            for (op, expected) in [
                (Reduce::Maximum, all().fold(f64::MIN, f64::max)),
                (Reduce::Minimum, all().fold(f64::MAX, f64::min)),
            ] {
                let got = space.reduce(op, &xv, None).unwrap();
                assert_eq!(got, expected, "{op:?} of {layout}");
            }
        }
    }
}

#[test]
fn a_reduction_takes_as_many_passes_as_halvings_and_reads_back_one_texel() {
    let machine = machine();
    for (side, passes) in [(256, 8), (257, 9), (1, 1)] {
        let layout = Layout::square(side * side, Format::R32F).unwrap();
        let space = TextureSpace::new(&machine, layout).unwrap();
        let x = space.vector(&vec![1.0; side * side]).unwrap();
        space.reduce(Reduce::Sum, &x, Some(&x)).unwrap();
        machine.take_ledger();
        let sum = space.reduce(Reduce::Sum, &x, Some(&x)).unwrap();
        let ledger = machine.take_ledger();
        assert_eq!(sum, (side * side) as f64);
        assert_eq!(ledger.total().passes, passes);
        assert_eq!((ledger.texels_read_back, ledger.uploads), (1, 0));
    }
}

#[test]
fn a_texture_space_is_a_vector_space() {
    let machine = machine();
    let (x, y) = (
        SplitMix64::new(5).vector(1000),
        SplitMix64::new(6).vector(1000),
    );
    for layout in layouts(&machine, 1000) {
        let space = TextureSpace::new(&machine, layout).unwrap();
        let xv = space.vector(&x).unwrap();
        let mut yv = space.vector(&y).unwrap();
        let mut z = VectorSpace::zeros(&space).unwrap();
        let expect = |f: fn(f64, f64) -> f64| -> Vec<f64> {
            wide(&x)
                .iter()
                .zip(wide(&y))
                .map(|(&x, y)| f(x, y))
                .collect()
        };
        space.subtract(&xv, &yv, &mut z).unwrap();
        assert!(difference(&z.read().unwrap(), &expect(|x, y| x - y)) < 1e-6);
        space.copy(&yv, &mut z).unwrap();
        assert_eq!(z.read().unwrap(), y);
        space.axpy(&mut z, 0.5, &xv).unwrap();
        assert!(difference(&z.read().unwrap(), &expect(|x, y| y + 0.5 * x)) < 1e-6);
        space.xpby(&mut yv, 0.5, &xv).unwrap();
        assert!(difference(&yv.read().unwrap(), &expect(|x, y| x + 0.5 * y)) < 1e-6);
    }
}

#[test]
fn operands_of_other_layouts_are_refused() {
    let machine = machine();
    let layout = Layout::square(100, Format::R32F).unwrap();
    let space = TextureSpace::new(&machine, layout).unwrap();
    let x = space.zeros().unwrap();
    let z = space.zeros().unwrap();
    for other in [
        Layout::square(99, Format::R32F).unwrap(),
        Layout::square(100, Format::Rgba32F).unwrap(),
        Layout::lines(100, Format::R32F, 16).unwrap(),
    ] {
        let other = Stream::vector(&machine, "vector", other).unwrap();
        let refused = space.combine(Operation::Add, (1.0, &x), (1.0, &other), &z);
        assert!(matches!(refused, Err(StreamError::Size { what, .. }) if what == "y"));
        let refused = cl_vec_reduce(&space, Reduce::Sum, &other, None);
        assert!(matches!(refused, Err(StreamError::Size { what, .. }) if what == "x"));
    }
}
