//! Vectors of kruger2003 and the operations on them agree with double precision, in every layout.

use fragstream::base::random::SplitMix64;
use fragstream::claim::difference;
use fragstream::kruger2003::{Error, cl_mat_vec, cl_vec_op, cl_vec_reduce};
use fragstream::solver::{Operation, TextureSpace, VectorSpace};
use fragstream::stream::{Format, Layout, Reduce, Stream, StreamError};

use crate::common::{machine, wide};
use crate::stream::layouts::layouts;

#[test]
fn an_operation_of_nothing_is_refused() {
    let machine = machine();
    let space = TextureSpace::new(&machine, Layout::square(7, Format::R32F).unwrap()).unwrap();
    let mut z = space.zeros().unwrap();
    for op in Operation::ALL {
        let nothing = cl_vec_op(&space, op, None, None, &z);
        assert_eq!(nothing, Err(Error::NoOperand));
        let nothing = cl_mat_vec(&space, op, None, None, &mut z);
        assert_eq!(nothing, Err(Error::NoOperand));
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
fn a_texture_space_is_a_vector_space() {
    let machine = machine();
    let (x, y) = (SplitMix64::new(5).vector(1000), SplitMix64::new(6).vector(1000));
    for layout in layouts(&machine, 1000) {
        let space = TextureSpace::new(&machine, layout).unwrap();
        let xv = space.vector(&x).unwrap();
        let mut yv = space.vector(&y).unwrap();
        let mut z = VectorSpace::zeros(&space).unwrap();
        let products = wide(&x).into_iter().zip(wide(&y)).map(|(x, y)| x * y);
        let dot = space.dot(&xv, &yv).unwrap();
        assert!((dot - products.sum::<f64>()).abs() < 1e-3, "{dot}");
        let expect = |f: fn(f64, f64) -> f64| -> Vec<f64> {
            wide(&x).iter().zip(wide(&y)).map(|(&x, y)| f(x, y)).collect()
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
