//! Multigrid by sparse products: cycles that do not grow, on the CPU and on the stream processor.

use fragstream::geveler2011::{
    Condition, Discretisation, Element, EllpackLayout, Numbering, Passes, Precision, Problem,
    QuadMesh, Settings, Setup, Smoother, Space, blood, circle, device, host,
};
use fragstream::stream::Machine;

use crate::common::machine;

/// A problem of the paper's on so many levels.
fn problem(setup: Setup, levels: usize, element: Element, numbering: Numbering) -> Discretisation {
    let meshes = setup.meshes(levels);
    setup.discretise(&meshes, element, numbering).unwrap()
}

fn circle_problem(levels: usize, element: Element, numbering: Numbering) -> Discretisation {
    problem(Setup::Circle, levels, element, numbering)
}

#[test]
fn an_approximate_inverse_takes_half_the_cycles() {
    let settings = Settings {
        smoother: Smoother::Spai,
        omega: 1.0,
        ..Settings::paper_circle()
    };
    for (levels, element) in [(4, Element::Q1), (3, Element::Q2)] {
        let problem = circle_problem(levels, element, Numbering::TwoLevel);
        let (_, outcome) = host::solve(&problem, &settings).unwrap();
        assert!(
            (6..=7).contains(&outcome.iterations),
            "{element:?}: {}",
            outcome.iterations
        );
    }
}

#[test]
fn the_stream_processor_takes_the_cpu_s_cycles_in_every_numbering() {
    let machine = machine();
    let settings = Settings::paper_circle();
    for numbering in Numbering::ALL {
        let problem = circle_problem(4, Element::Q1, numbering);
        let (expected, on_cpu) = host::solve(&problem, &settings).unwrap();
        let precisions = match numbering {
            Numbering::TwoLevel => vec![Precision::Mixed, Precision::Native, Precision::Pairs],
            _ => vec![Precision::Mixed],
        };
        for precision in precisions {
            let (u, outcome) = device::solve(&machine, &problem, &settings, precision).unwrap();
            assert!(outcome.reason.is_converged());
            assert!(
                outcome.iterations.abs_diff(on_cpu.iterations) <= 1,
                "{precision:?}"
            );
            for (u, expected) in u.iter().zip(&expected) {
                assert!((u - expected).abs() < 1e-7, "{u} for {expected}");
            }
        }
    }
}

/// sin(2x + 0.3) eʸ, of which −Δu is three times as much.
fn exact([x, y]: [f64; 2]) -> f64 {
    (2.0 * x + 0.3).sin() * y.exp()
}

/// The problem that `exact` solves, on the circle's levels, and the points of its unknowns.
fn manufactured(meshes: &[QuadMesh], element: Element) -> (Discretisation, Vec<[f64; 2]>) {
    let source = |at: [f64; 2]| 3.0 * exact(at);
    let boundary = vec![Condition::Dirichlet(&exact); 2];
    let problem = Problem {
        source: &source,
        boundary,
    };
    let discretisation =
        Discretisation::new(meshes, element, &problem, Numbering::TwoLevel).unwrap();
    (
        discretisation,
        Space::new(&meshes[meshes.len() - 1], element).points(),
    )
}

/// The root of the mean squared error at all unknowns, and cycles to 1e-10.
fn error(
    machine: &Machine,
    (discretisation, points): &(Discretisation, Vec<[f64; 2]>),
    precision: Option<Precision>,
) -> (f64, usize) {
    let settings = Settings {
        reduction: 1e-10,
        ..Settings::paper_circle()
    };
    let (u, outcome) = match precision {
        Some(precision) => device::solve(machine, discretisation, &settings, precision).unwrap(),
        None => host::solve(discretisation, &settings).unwrap(),
    };
    let u = discretisation.by_place(&u);
    let squares = u.iter().zip(points).map(|(u, &at)| (u - exact(at)).powi(2));
    (
        (squares.sum::<f64>() / u.len() as f64).sqrt(),
        outcome.iterations,
    )
}

#[test]
fn the_error_of_bilinear_elements_is_of_second_order() {
    let machine = machine();
    let meshes = circle().levels(5);
    for precision in [Precision::Mixed, Precision::Native, Precision::Pairs] {
        let of_level = |n| {
            error(
                &machine,
                &manufactured(&meshes[..n], Element::Q1),
                Some(precision),
            )
            .0
        };
        let ratio = of_level(4) / of_level(5);
        assert!((3.8..4.2).contains(&ratio), "{precision:?}: {ratio}");
    }
}

#[test]
fn a_linear_solution_is_exact_on_any_mesh() {
    let machine = machine();
    let linear = |[x, y]: [f64; 2]| 1.0 + 2.0 * x - 3.0 * y;
    let zero = |_: [f64; 2]| 0.0;
    for (mesh, element) in [(blood(), Element::Q1), (circle(), Element::Q2)] {
        let problem = Problem {
            source: &zero,
            boundary: vec![Condition::Dirichlet(&linear); 4],
        };
        let meshes = mesh.levels(2);
        let levels = Discretisation::new(&meshes, element, &problem, Numbering::TwoLevel).unwrap();
        let settings = Settings {
            reduction: 1e-12,
            ..Settings::paper_circle()
        };
        let expected = Space::new(&meshes[1], element).points();
        let check = |u: Vec<f64>, bound: f64| {
            for (u, &at) in levels.by_place(&u).iter().zip(&expected) {
                assert!((u - linear(at)).abs() < bound, "{u} at {at:?}, {element:?}");
            }
        };
        check(host::solve(&levels, &settings).unwrap().0, 1e-8);
        for precision in [Precision::Mixed, Precision::Native, Precision::Pairs] {
            let (u, _) = device::solve(&machine, &levels, &settings, precision).unwrap();
            check(u, 1e-8);
        }
    }
}

#[test]
fn fused_passes_and_other_layouts_lead_to_the_same_solution_in_fewer_passes() {
    let machine = machine();
    let problem = circle_problem(4, Element::Q1, Numbering::Xyz);
    let solve = |settings: &Settings, precision| {
        machine.take_ledger();
        let (u, outcome) = device::solve(&machine, &problem, settings, precision).unwrap();
        (u, outcome.iterations, machine.take_ledger().total().passes)
    };
    let paper = Settings::paper_circle();
    for precision in [Precision::Mixed, Precision::Pairs] {
        let (expected, cycles, passes) = solve(&paper, precision);
        for (layout, less) in [
            (paper.layout, Passes::Fused),
            (EllpackLayout::of_2003(), Passes::Separate),
            (EllpackLayout::of_2003(), Passes::Fused),
        ] {
            let settings = Settings {
                layout,
                passes: less,
                ..paper
            };
            let (u, found, found_passes) = solve(&settings, precision);
            assert_eq!(found, cycles);
            assert!((found_passes < passes) == (less == Passes::Fused));
            for (u, expected) in u.iter().zip(&expected) {
                assert!((u - expected).abs() < 1e-7, "{u} for {expected}");
            }
        }
    }
}
