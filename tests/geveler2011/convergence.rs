//! Multigrid by sparse products: cycles that do not grow, on the CPU and on the stream processor.

use fragstream::geveler2011::{
    Discretisation, Element, EllpackLayout, Numbering, Precision, Settings, Setup, device, host,
};

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

#[test]
fn padded_rows_lead_to_the_same_solution() {
    let machine = machine();
    let problem = circle_problem(4, Element::Q1, Numbering::Xyz);
    let paper = Settings::paper_circle();
    let padded = Settings {
        layout: EllpackLayout::of_2003(),
        ..paper
    };
    let solve = |settings| device::solve(&machine, &problem, settings, Precision::Mixed).unwrap();
    let [(expected, on_paper), (u, outcome)] = [&paper, &padded].map(solve);
    assert_eq!(outcome.iterations, on_paper.iterations);
    for (u, expected) in u.iter().zip(&expected) {
        assert!((u - expected).abs() < 1e-7, "{u} for {expected}");
    }
}
