//! §4.1, §4.2: the errors of single precision, of pairs of floats and of mixed precision.

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::stream::Machine;

use crate::geveler2011::{
    Condition, Discretisation, Element, Numbering, Precision, Problem, QuadMesh, Settings, Setup,
    Space, device, host,
};

/// Largest relative difference of an error from the reference's, and of a number of cycles.
const OFF: [f64; 2] = [0.01, 1.0];

/// sin(2x + 0.3) eʸ, whose −Δu is three times itself.
fn exact([x, y]: [f64; 2]) -> f64 {
    libm::sin(2.0 * x + 0.3) * libm::exp(y)
}

/// The problem that [`exact`] solves, on the last of these meshes: the system of all levels, and the
/// points of the unknowns.
fn manufactured(meshes: &[QuadMesh]) -> Result<(Discretisation, Vec<[f64; 2]>), BoxedError> {
    let source = |at: [f64; 2]| 3.0 * exact(at);
    let problem = Problem { source: &source, boundary: vec![Condition::Dirichlet(&exact); 2] };
    let levels = Discretisation::new(meshes, Element::Q2, &problem, Numbering::TwoLevel)?;
    let finest = &meshes[meshes.len() - 1];
    Ok((levels, Space::new(finest, Element::Q2).points()))
}

/// The root mean square error at all unknowns, and the number of cycles; without a precision, in f64 on the
/// CPU.
fn solve(
    machine: &Machine,
    (levels, points): &(Discretisation, Vec<[f64; 2]>),
    precision: Option<Precision>,
) -> Result<(f64, usize), BoxedError> {
    let settings = Settings { reduction: 1e-10, ..Settings::paper_circle() };
    let (cycles, u) = match precision {
        Some(precision) => {
            let solved = device::solve(machine, levels, &settings, precision)?;
            (solved.cycles(), solved.u)
        }
        None => {
            let (u, outcome) = host::solve(levels, &settings)?;
            (outcome.iterations, u)
        }
    };
    let squares = levels.by_place(&u).into_iter().zip(points);
    let sum: f64 = squares.map(|(u, &at)| (u - exact(at)).powi(2)).sum();
    Ok(((sum / u.len() as f64).sqrt(), cycles))
}

pub(super) fn precisions(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let last = run.given.levels().map_or(run.pick(4, 6), |last| last - 1);
    let meshes = Setup::Circle.meshes(last);
    let [before, finest] = [last - 1, last].map(|level| manufactured(&meshes[..level]));
    let (before, finest) = (before?, finest?);
    let (reference, cycles) = solve(run.machine, &finest, None)?;
    let mut found = Found::new()
        .shows("error of f64 on the CPU", reference)
        .shows("cycles of f64 on the CPU", cycles as f64);
    let mut kinds = vec![("mixed", Precision::Mixed), ("pairs", Precision::Pairs)];
    if run.machine.description().double_precision {
        kinds.push(("native", Precision::Native));
    }
    for (name, precision) in kinds {
        let (error, count) = solve(run.machine, &finest, Some(precision))?;
        let off = (error / reference - 1.0).abs();
        found = found
            .at_most(format!("{name}: relative difference of the error"), off, OFF[0])
            .headline("relative difference")
            .at_most(
                format!("{name}: difference of the cycles"),
                count.abs_diff(cycles) as f64,
                OFF[1],
            );
    }
    let [coarser, single] =
        [&before, &finest].map(|problem| solve(run.machine, problem, Some(Precision::Single)));
    let (coarser, single) = (coarser?.0, single?.0);
    Ok(found
        .shows("error of single precision", single)
        .at_least("the same relative to one level coarser", single / coarser, 1.0)
        .because(
            "u = sin(2x + 0.3) eʸ, Q2 on CIRCLE. Pairs of floats hold 48 bits, and mixed precision computes its \
             defects in them.",
        )
        .expecting(claim.paper))
}
