//! The lines of `fragstream bench`.

use crate::bolz2003::grid::hierarchy::HierarchyOptions;
use crate::solver::Cycle;
use crate::timing::rig::spread;
use crate::timing::{Bench, TimingError};

use super::cycles::{border_share, cycles, solve};
use super::kernels::Timed;
use super::problem::Problem;

/// Kernels, cycles and solves on regular grids.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), TimingError> {
    let n = bench.pick(257, 1025);
    bench.text(format_args!(
        "\na grid of {n}² nodes, four per texel; stencils in streams"
    ))?;
    for kernel in Timed::ALL {
        bench.case(kernel.name(), Some(0.6), |machine| {
            kernel.case(machine, &Problem::stored(n))
        })?;
    }
    for kernel in [Timed::Product, Timed::Jacobi] {
        let what = format!("{}, five constants", kernel.name());
        bench.case(&what, None, |machine| {
            Ok::<_, TimingError>(kernel.case(machine, &Problem::constant(n))?.alone())
        })?;
    }
    bench_cycles(bench)?;
    bench_solves(bench, n)
}

/// A storage of a problem, and the largest grid on which its cycles are timed: stencils in streams are
/// nine numbers per node, computed in main memory first.
type Variant = (&'static str, fn(usize) -> Problem, usize);
const VARIANTS: [Variant; 3] = [
    ("stencils in streams", Problem::stored, 2049),
    ("stencils in constants", Problem::constant, 4097),
    (
        "as in the paper",
        |n| Problem::stored(n).with(HierarchyOptions::paper_2003()),
        2049,
    ),
];

fn bench_cycles(bench: &mut Bench<'_>) -> Result<(), TimingError> {
    let shape = Cycle::v(4, 2);
    bench.text(format_args!(
        "\n{:<44} {:>9} {:>9} {:>7} {:>9} {:>9}",
        "V(4,2)-cycles", "here", "per second", "passes", "switches", "ns per node"
    ))?;
    let sizes: &[usize] = bench.pick(&[129, 257], &[257, 513, 1025, 2049, 4097]);
    for (name, problem, largest) in VARIANTS {
        let mut per_node = Vec::new();
        for &n in sizes.iter().filter(|n| **n <= largest) {
            let what = format!("{n}², {name}");
            let [cost] = bench.measure(&what, |machine, effort| {
                cycles(machine, [problem(n)], shape, effort)
            })?;
            let nanoseconds = cost.seconds * 1e9 / (n * n) as f64;
            per_node.push(nanoseconds);
            let remark = format!(
                " {:>9.1} {:>7} {:>9} {nanoseconds:>9.1}",
                1.0 / cost.seconds,
                cost.ledger.total().passes,
                cost.ledger.target_switches,
            );
            bench.line(&what, cost.seconds, remark)?;
        }
        let spread = spread(per_node);
        bench.text(format_args!(
            "  time per node within {spread:.2}, goal: 1.5"
        ))?;
    }
    let n = bench.pick(257, 513);
    let [fused, copied] = bench.measure("the border", |machine, effort| {
        border_share(machine, n, shape, effort)
    })?;
    bench.text(format_args!(
        "the border's share of a cycle on {n}²: fused {:.0} %, copied {:.0} %; goal: below 20 %",
        100.0 * fused,
        100.0 * copied
    ))
}

fn bench_solves(bench: &mut Bench<'_>, n: usize) -> Result<(), TimingError> {
    let goal = match n {
        1025 => "; goal: 226 ms after 169 ms (AMGCL, f32, two cores)",
        _ => "",
    };
    bench.text(format_args!(
        "\nPoisson on {n}², Dirichlet, b = 0, random start, V(2,2) to 1e-6{goal}"
    ))?;
    for (name, problem, _) in VARIANTS {
        let solve = bench.measure(name, |machine, effort| {
            let rounds = effort.rounds.min(7);
            solve(machine, &problem(n), Cycle::v(2, 2), 1e-6, rounds)
        })?;
        let outcome = &solve.outcome;
        let remark = format!(
            "   {} cycles, {} at {:.1e}; set-up {:.1} ms",
            outcome.iterations,
            outcome.reason,
            outcome.residual / outcome.history[0],
            solve.set_up * 1e3
        );
        bench.line(name, solve.seconds, remark)?;
    }
    Ok(())
}
