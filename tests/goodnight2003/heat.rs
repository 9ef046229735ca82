//! Steady temperature on a plate, goodnight2003 §5.1: against what is known in closed form.

use crate::common::machine;
use fragstream::goodnight2003::scenes::heat::{Plate, parse_scene};
use fragstream::goodnight2003::{Problem, Settings, Side, Solver};
use fragstream::solver::{Criteria, multigrid};
use fragstream::stream::Machine;

/// The solution of the machine, to the end of single precision.
fn on_the_machine(machine: &Machine, problem: &Problem) -> Vec<f64> {
    let mut solver = Solver::new(machine, problem, &Settings::robust()).unwrap();
    let criteria = Criteria { rtol: 1e-7, ..multigrid::default_criteria() };
    let solved = solver.solve(&criteria, |_, _| {}).unwrap();
    assert!(solved.is_solved(), "{solved:?}");
    let solution = solver.solution().unwrap();
    solution.into_iter().map(f64::from).collect()
}

fn plate(text: &str) -> Plate {
    Plate::new(&parse_scene(text).unwrap()).unwrap()
}

/// T at every node, computed by the machine.
fn temperature(machine: &Machine, plate: &Plate) -> Vec<f64> {
    plate.temperature(&on_the_machine(machine, &plate.problem))
}

/// The largest difference from a function of the place.
fn difference(plate: &Plate, temperature: &[f64], exact: impl Fn(f64, f64) -> f64) -> f64 {
    let grid = &plate.problem.grid;
    let columns = grid.size(0).0 as usize;
    let nodes = temperature.iter().enumerate();
    nodes
        .map(|(node, t)| {
            let [column, row] = [node % columns, node / columns].map(|index| index as u32);
            let (x, y) = (grid.x.position(0, column), grid.y.position(0, row));
            (t - exact(x, y)).abs()
        })
        .fold(0.0, f64::max)
}

#[test]
fn heat_is_neither_lost_nor_made() {
    let held = "[west]\nvalue = 10\n[east]\nvalue = 4\n[sides]\nvalue = 0\n";
    let ring = "periodic = \"x\"\n[south]\nvalue = 10\n[north]\nalpha = 2\nbeta = 3\ngamma = 8\n";
    for (sides, given) in [(held, [true; 4]), (ring, [false, false, true, true])] {
        let source = "[[source]]\nfrom = [0, 0]\nto = [1, 1]\npower = 7\n";
        let plate = plate(&format!("size = [33, 33]\nconductivity = 3\n{sides}{source}"));
        let flow = plate.heat_flow(&temperature(&machine(), &plate)).unwrap();
        let share = flow.defect.abs() / flow.turnover;
        assert!(share < 1e-5, "{share:e}");
        assert_eq!(flow.sides.map(|side| side.is_some()), given);
    }
}

#[test]
fn an_evenly_heated_wall_is_a_parabola() {
    // Parabolas are exact on any grid, the insulated end included.
    let plate = plate(
        "size = [33, 9]\nextent = [2, 0.5]\nconductivity = 4\n[west]\nvalue = 20\n[sides]\nslope = 0\n\
         [[source]]\nfrom = [0, 0]\nto = [2, 0.5]\npower = 40\n",
    );
    let found = temperature(&machine(), &plate);
    let exact = |x: f64, _| 20.0 + 40.0 / 4.0 * (2.0 * x - 0.5 * x * x);
    let error = difference(&plate, &found, exact);
    assert!(error < 1e-4, "{error}");
    let flow = plate.heat_flow(&found).unwrap();
    assert!((flow.sources - 40.0).abs() < 1e-9);
    assert!((flow.sides[Side::West as usize].unwrap() - 40.0).abs() < 1e-3);
}

#[test]
fn a_wall_in_the_wind_is_a_series_of_resistances() {
    // h (T - 15) = -k dT/dn in the east.
    let (k, h, length, height) = (2.0, 3.0, 4.0, 3.0);
    let plate = plate(
        "size = [22, 13]\nextent = [4, 3]\nconductivity = 2\n[sides]\nslope = 0\n\
         [west]\nvalue = 100\n[east]\nalpha = 3\nbeta = 2\ngamma = 45\n",
    );
    let found = temperature(&machine(), &plate);
    let flux = (100.0 - 15.0) / (length / k + 1.0 / h);
    let error = difference(&plate, &found, |x, _| 100.0 - flux / k * x);
    assert!(error < 1e-4, "{error}");
    let flow = plate.heat_flow(&found).unwrap();
    let [west, east, south, north] = flow.sides.map(|side| side.unwrap());
    assert!((east - flux * height).abs() < 1e-2 && (west + flux * height).abs() < 1e-2);
    assert_eq!((south, north), (0.0, 0.0));
}

#[test]
fn a_small_difference_between_high_temperatures_is_not_lost() {
    let plate = plate(
        "size = [65, 65]\n[sides]\nslope = 0\n[west]\nvalue = 10000\n[east]\nvalue = 10000.01\n",
    );
    let found = temperature(&machine(), &plate);
    let error = difference(&plate, &found, |x, _| 10_000.0 + 0.01 * x);
    assert!(error < 1e-7, "{error}");
}
