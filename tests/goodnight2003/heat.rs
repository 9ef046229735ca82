//! Steady temperature on a plate, goodnight2003 §5.1: against what is known in closed form.

use crate::common::machine;
use fragstream::base::random::SplitMix64;
use fragstream::goodnight2003::scenes::heat::{Plate, Steady, parse_scene};
use fragstream::goodnight2003::{Equations, Level, Problem, Settings, Side, Solver};
use fragstream::solver::{Criteria, Lu, multigrid};
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

/// The steady temperature by the settings that the command has by default.
fn steady(machine: &Machine, plate: &Plate) -> Steady {
    let criteria = multigrid::default_criteria();
    let settings = Settings::robust();
    Steady::solve(machine, plate.clone(), &settings, &criteria, 10, |_, _| {}).unwrap()
}

/// T by elimination in double precision, of rows divided by the sum of their magnitudes.
fn direct(plate: &Plate) -> Vec<f64> {
    let equations = Equations::new(&plate.problem).unwrap();
    let level: Level = Level::all(&equations, 1).unwrap().swap_remove(0);
    let (n, zero) = (level.nodes(), vec![0.0; level.nodes()]);
    // A value that is prescribed has the equation u = γ/α.
    let rows = |level: &Level, f: &[f64], u: &[f64]| -> Vec<f64> {
        let (residual, held) = (level.residual(f, u), level.start());
        let row =
            |node: usize| if level.is_held(node) { held[node] - u[node] } else { residual[node] };
        (0..n).map(row).collect()
    };
    let right = rows(&level, &equations.right_side(), &zero);
    let mut homogeneous = level.clone();
    homogeneous.boundary.iter_mut().for_each(|condition| condition[2] = 0.0);
    let column = |node: usize| {
        let mut unit = zero.clone();
        unit[node] = -1.0;
        rows(&homogeneous, &zero, &unit)
    };
    let columns: Vec<Vec<f64>> = (0..n).map(column).collect();
    let sums: Vec<f64> = (0..n).map(|row| columns.iter().map(|c| c[row].abs()).sum()).collect();
    let entry = |place: usize| columns[place % n][place / n] / sums[place / n];
    let lu = Lu::new(n, (0..n * n).map(entry).collect()).unwrap();
    let right: Vec<f64> = right.iter().zip(&sums).map(|(right, sum)| right / sum).collect();
    plate.temperature(&lu.solve(1, &right))
}

fn range(values: &[f64]) -> f64 {
    let [low, high] = values
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &v| [low.min(v), high.max(v)]);
    if low < high { high - low } else { high.abs() }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn of_plates_with_coefficients_of_any_size_none_has_converged_to_another_temperature() {
    let (machine, mut random) = (machine(), SplitMix64::new(11));
    let (plates, mut converged) = (300, 0);
    for number in 0..plates {
        let mut size = || 5 + random.below(9);
        let mut text = format!("size = [{}, {}]\n", size(), size());
        // Uniform in the logarithm, from 1e-9 to 1e9.
        let mut any = || 10.0_f64.powf(9.0 * random.signed());
        text += &format!("conductivity = {:e}\n", any());
        let kinds = [0, 1, 2, 3].map(|_| (random.below(3), [random.signed(); 2]));
        let mut any = || 10.0_f64.powf(9.0 * random.signed());
        for (name, (kind, [t, slope])) in ["west", "east", "south", "north"].iter().zip(kinds) {
            text += &format!("[{name}]\n");
            text += &match kind {
                0 => format!("value = {:e}\n", 100.0 * t),
                1 if *name != "west" => format!("slope = {:e}\n", 10.0 * slope),
                _ => {
                    let [alpha, beta] = [any(), any()];
                    format!("alpha = {alpha:e}\nbeta = {beta:e}\ngamma = {:e}\n", 100.0 * t * alpha)
                }
            };
        }
        text += "[[source]]\nfrom = [0, 0]\nto = [0.5, 0.5]\npower = 3\n";
        let plate = plate(&text);
        let found = steady(&machine, &plate);
        if !found.solved.reason.is_converged() {
            continue;
        }
        converged += 1;
        let exact = direct(&plate);
        let (error, range) = (largest_difference(&found.values, &exact), range(&exact));
        let rtol = multigrid::default_criteria().rtol;
        assert!(error <= 100.0 * rtol * range, "{number}: {error:e} of {range:e}\n{text}");
    }
    assert!(6 * converged >= 5 * plates, "{converged} of {plates} converged");
}

#[test]
fn a_side_prescribed_by_a_large_alpha_tends_to_the_prescribed_side() {
    let machine = machine();
    let of = |east: &str| {
        plate(&format!(
            "size = [33, 33]\n[sides]\nslope = 0\n[west]\nvalue = 70\n[[source]]\nfrom = [0.2, 0.1]\nto = [0.5, 0.4]\npower = 40\n[east]\n{east}"
        ))
    };
    let prescribed = steady(&machine, &of("value = 15\n")).values;
    for power in 0..10 {
        let alpha = 10.0_f64.powi(power);
        let found = steady(
            &machine,
            &of(&format!("alpha = {alpha:e}\nbeta = 2\ngamma = {:e}\n", 15.0 * alpha)),
        );
        assert!(found.solved.reason.is_converged(), "{alpha:e}: {:?}", found.solved);
        // T − 15 on the side is β/α times the slope, at most 200 per cell of 1/32.
        let bound = 2.0 / alpha * 200.0 * 32.0 + 100.0 * 1e-5 * 65.0;
        let error = largest_difference(&found.values, &prescribed);
        assert!(error <= bound, "{alpha:e}: {error:e} for {bound:e}");
    }
}

/// A plate of two temperatures, between which T is linear, against that line.
fn linear(sizes: &[u32]) {
    let machine = machine();
    for size in sizes {
        let plate = plate(&format!(
            "size = [{size}, {size}]\n[sides]\nslope = 0\n[west]\nvalue = -5\n[east]\nvalue = 5\n"
        ));
        let found = steady(&machine, &plate);
        assert!(found.solved.reason.is_converged(), "{size}: {:?}", found.solved);
        let error = difference(&plate, &found.values, |x, _| 10.0 * x - 5.0);
        assert!(error <= 100.0 * 1e-5 * 10.0, "{size}: {error}");
    }
}

#[test]
fn temperatures_are_right_on_fine_grids() {
    linear(&[33, 129, 513]);
}

#[test]
#[ignore = "half a minute: tests/nightly.sh"]
fn temperatures_are_right_on_the_finest_grids() {
    linear(&[1025, 2049]);
    println!("plates of 1025² and 2049² nodes | 2 | errors of at most 100 rtol of the range");
}
