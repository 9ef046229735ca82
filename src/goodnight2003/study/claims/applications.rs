//! §5.1, and §5.2 with colour plate 2: the steady temperature on a plate, and a picture of high dynamic range, each by
//! the solver on the GPU and by that on the CPU.

use super::solver::LIKE_SINGLE;
use crate::claim::{BoxedError, Checked, Claim, Found, Run, times, worst};
use crate::goodnight2003::scenes::heat::Plate;
use crate::goodnight2003::solves::{Method, heat, tonemap};
use crate::goodnight2003::study::manufactured::errors;
use crate::goodnight2003::tonemap::{ToneMapper, clamped};
use crate::goodnight2003::{Problem, Reference, Solved, Solver};
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Field, field};
use crate::picture::sheet::side_by_side;
use crate::program::formats::Registers;
use crate::solver::{Criteria, Cycle, Real, Reason};
use crate::stream::Machine;

pub(super) fn heat(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, _) = run.settings::<heat::Settings>(claim)?;
    let (plate, method) = (settings.plate(&settings.scene()?)?, &settings.method);
    let (device, solved) = on_device(run.machine, &plate.problem, method)?;
    let (single, _) = on_host::<f32>(&plate.problem, method, method.criteria.rtol)?;
    let (double, reason) = on_host::<f64>(&plate.problem, method, DOUBLE)?;
    let apart = |u: &[f64]| errors(&plate.problem, u, &double);
    let temperature = plate.temperature(&device);
    let flow = plate.heat_flow(&temperature)?;
    let Cycle { before, after, .. } = method.solver.cycle;
    let cycles = format!("{} V({before},{after}) cycles", solved.cycles);
    draw(run, &plate, &temperature, &cycles)?;
    let largest = worst(double.iter().map(|t| t.abs()));
    let is_solved = solved.is_solved() && reason.is_converged();
    Ok(Found::new()
        .at_most(
            times("the difference of single precision on the CPU from double precision"),
            apart(&device)[1] / apart(&single)[1],
            LIKE_SINGLE,
        )
        .headline("times the CPU's error")
        .holds("the plate is solved", is_solved)
        .shows(
            "largest difference from double precision, relative to the largest temperature",
            apart(&device)[0] / largest,
        )
        .shows("unaccounted share of the plate's heat", flow.defect.abs() / flow.turnover)
        .because("Both round as often, but not in the same order."))
}

/// Relative tolerance in double precision.
const DOUBLE: f64 = 1e-10;

/// The GPU's solution.
fn on_device(
    machine: &Machine,
    problem: &Problem,
    method: &Method,
) -> Result<(Vec<f64>, Solved), BoxedError> {
    let mut solver = Solver::new(machine, problem, &method.settings())?;
    let solved = solver.solve(&method.criteria(), |_, _| {})?;
    let solution = solver.solution()?;
    Ok((solution.into_iter().map(f64::from).collect(), solved))
}

/// The CPU's solution.
fn on_host<T: Real>(
    problem: &Problem,
    method: &Method,
    rtol: f64,
) -> Result<(Vec<f64>, Reason), BoxedError> {
    let (settings, criteria) = (method.settings(), Criteria { rtol, ..method.criteria() });
    let mut solver = Reference::<T>::new(problem, &settings)?;
    let solution = solver.solve(settings.cycle, &criteria);
    let u = solution.u.into_iter().map(Real::to_f64).collect();
    Ok((u, solution.outcome.reason))
}

fn draw(
    run: &mut Run<'_>,
    plate: &Plate,
    temperature: &[f64],
    cycles: &str,
) -> Result<(), BoxedError> {
    let (columns, rows) = plate.problem.grid.size(0);
    let picture = field(&Field {
        title: "Steady temperature on a plate, in degrees".into(),
        note: format!("{columns} × {rows} nodes, {cycles}; isotherms at the numbers of the bar"),
        columns: columns as usize,
        values: temperature,
        extent: plate.extent,
        colours: &GLOWING,
    })?;
    let caption = "The bundled plate: a cold wall in the west, wind in the east, a hot clamp on a part of the north \
                   side, otherwise insulated; two heaters, a spot of light, a channel of coolant.";
    run.figure("heat", caption, picture);
    Ok(())
}

/// Largest difference of a channel, of 255: rounding to a neighbouring step.
const CHANNEL: f64 = 1.0;

/// Largest difference of the log luminance: a fifth of the step between the brightest two of 256 grey levels.
const LOGARITHM: f64 = 1e-3;

pub(super) fn tonemap(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, _) = run.settings::<tonemap::Settings>(claim)?;
    let (image, method) = (settings.image()?, &settings.method);
    let mut mapper = ToneMapper::new(run.machine, &image, &settings.look, &method.settings())?;
    let device = mapper.solve(&method.criteria(), |_, _| {})?;
    let host = mapper.solve_on_cpu(&Criteria { rtol: DOUBLE, ..method.criteria() })?;
    let difference = device.difference(&host);
    let panels = [
        ("exposed for the room, clamped".to_owned(), clamped(&image)),
        ("compressed by the solver on the GPU".to_owned(), device.picture.clone()),
        ("compressed by the solver on the CPU".to_owned(), host.picture.clone()),
    ];
    let caption = "A room with lamps and daylight (luminance over 5.5 decades), exposed for the room and clamped; \
                   compressed by the Poisson solver on the GPU, and on the CPU. Picture: Poly Haven, CC0.";
    run.figure("tonemap", caption, side_by_side(&panels)?);
    Ok(Found::new()
        .at_most(
            "largest difference of a channel (0 to 255)",
            f64::from(difference.channel),
            CHANNEL,
        )
        .headline("of 255 shades")
        .at_most("largest difference of the log luminance", difference.logarithm, LOGARITHM)
        .holds("both are solved", device.solve.is_solved() && host.solve.is_solved())
        .shows("channels that differ", (100.0 * difference.share, "%"))
        .shows("cycles on the GPU", device.solve.cycles as f64))
}

/// The picture in half precision, registers and storage, next to single precision, both by the interpreter.
pub(super) fn tonemap_half(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [full, half] = run.each::<tonemap::Settings, 2>(claim)?;
    let compressed = |registers, of: &tonemap::Settings| -> Result<_, BoxedError> {
        let (image, method) = (of.image()?, &of.method);
        let machine = Machine::interpreted(registers)?;
        let mut mapper = ToneMapper::new(&machine, &image, &of.look, &method.settings())?;
        let mapped = mapper.solve(&method.criteria(), |_, _| {})?;
        Ok((mapper, mapped))
    };
    let (mapper, single) = compressed(Registers::Single, &full)?;
    let (_, half) = compressed(Registers::Nv30Half, &half)?;
    let difference = half.difference(&single);
    let panels = [("32 bits", &single), ("16 bits", &half)]
        .map(|(name, toned)| (name.to_owned(), toned.picture.clone()));
    let caption = "Every eighth pixel of the room, compressed by the Poisson solver in single and in half \
                   precision, storage and registers, by the interpreter.";
    run.figure("tonemap-half", caption, side_by_side(&panels)?);
    Ok(Found::new()
        .at_least(
            "largest difference of a channel (0 to 255)",
            f64::from(difference.channel),
            CHANNEL + 1.0,
        )
        .headline("of 255 shades")
        .shows("channels that differ", (100.0 * difference.share, "%"))
        .shows("largest difference of the log luminance", difference.logarithm)
        .shows("residual in half precision", mapper.check(&half)?.norm)
        .shows("residual in single precision", mapper.check(&single)?.norm))
}
