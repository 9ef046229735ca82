//! Operations on vectors against their formulas. Conjugate gradients do not notice if all inner products,
//! or the preconditioner, are off by one factor.

use fragstream::batty2003::{InverseDiagonal, Placement, PressureSpace, Scalars, Settings};
use fragstream::solver::{Operator, VectorSpace};
use fragstream::stream::{Grouping, Stream};

use crate::batty2003::samples::liquid_system;
use crate::common::{UNIT, machine, random};

const SIZE: [usize; 3] = [12, 7, 3];

#[test]
fn an_inner_product_is_the_sum_of_products_wherever_its_result_stays() {
    let machine = machine();
    let cells = SIZE.iter().product();
    let (x, y) = (random(cells, 1), random(cells, 2));
    let terms = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y));
    let (sum, magnitude) = terms.fold((0.0, 0.0), |(s, m), t| (s + t, m + t.abs()));
    // A product, and a halving of the rest for each of 252 entries at most eight times.
    let bound = 12.0 * UNIT * magnitude;
    for grouping in [Grouping::Adjacent, Grouping::Quadrants] {
        for scalars in [Scalars::Cpu, Scalars::Surfaces] {
            let settings = Settings { grouping, scalars, ..Settings::default() };
            let placement = Placement::new(&machine, SIZE, &settings).expect("a small box");
            let space =
                PressureSpace::new(&machine, placement.layout(), &settings).expect("memory");
            let [x, y] = [&x, &y].map(|v| space.textures().vector(v).expect("memory"));
            let found = match scalars {
                Scalars::Cpu => space.dot(&x, &y).expect("passes"),
                Scalars::Surfaces => {
                    let format = placement.layout().format();
                    let surface =
                        Stream::zeros(&machine, "surface", (1, 1), format).expect("memory");
                    space.dot_into(&x, &y, &surface).expect("passes");
                    f64::from(surface.read().expect("a number")[0])
                }
            };
            assert!((found - sum).abs() <= bound, "{settings:?}: {found} for {sum}");
        }
    }
}

#[test]
fn the_preconditioner_divides_by_the_diagonal_and_is_zero_outside_the_liquid() {
    let machine = machine();
    let settings = Settings::default();
    let system = liquid_system(SIZE, 3);
    let placement = Placement::new(&machine, SIZE, &settings).expect("a small box");
    let space = PressureSpace::new(&machine, placement.layout(), &settings).expect("memory");
    let inverse = InverseDiagonal::new(&machine, placement).expect("a kernel");
    inverse.write(&system).expect("memory");
    let r = random(system.cells(), 4);
    let residual = space.textures().vector(&r).expect("memory");
    let mut z = space.zeros().expect("memory");
    inverse.apply(&space, &residual, &mut z).expect("a pass");
    let found = z.read().expect("a vector");
    for ((found, r), &diagonal) in found.iter().zip(&r).zip(&system.diagonal) {
        let expected = match diagonal {
            0.0 => 0.0,
            _ => f64::from(*r) / diagonal,
        };
        let off = (f64::from(*found) - expected).abs();
        assert!(off <= 3.0 * UNIT * expected.abs(), "{found} for {expected}");
    }
}
