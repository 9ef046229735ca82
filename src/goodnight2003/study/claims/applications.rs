//! §5.1, and §5.2 with colour plate 2: the steady temperature on a plate, and a picture of high dynamic range, each by
//! the solver on the GPU and by that on the CPU.

use super::holds;
use crate::base::error::BoxedError;
use crate::claim::worst;
use crate::experiment::{Declaration, Experiment, Place, Record, Study, Takes};
use crate::goodnight2003::scenes::heat::Plate;
use crate::goodnight2003::solves::{HEAT, Method, TONEMAP, heat, tonemap};
use crate::goodnight2003::study::manufactured::errors;
use crate::goodnight2003::tonemap::{Difference, ToneMapper, clamped};
use crate::goodnight2003::{Problem, Reference, Settings, Solved, Solver};
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Field, field};
use crate::picture::sheet::side_by_side;
use crate::program::formats::Registers;
use crate::solver::{Criteria, Cycle, Real, Reason};
use crate::stream::{Format, Machine};

/// Settings of the solver that a solution depends on.
const SOLVER: &str = "pre post cycle smoother coarsest_sweeps levels programs precision norm test test_every rtol \
    maxiter";

/// The plate by the GPU and by the CPU.
pub static PLATES: Study = Study::measuring(
    "goodnight2003/plate",
    "The steady temperature on a plate by the solver on the GPU and by that on the CPU",
    Takes::of(&HEAT, "paper", SOLVER)
        .and("input size extent conductivity west east south north sides periodic"),
    &[
        (
            "ratio",
            "",
            "root mean square difference from double precision, relative to that of single precision on the CPU",
        ),
        ("solved", "", "`holds` if both are solved"),
        (
            "largest",
            "",
            "largest difference from double precision, relative to the largest temperature",
        ),
        ("unaccounted", "share", "of the plate's heat"),
    ],
    plates,
);

fn plates(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: heat::Settings = experiment.typed()?;
    let (plate, method) = (settings.plate(&settings.scene()?)?, &settings.method);
    let (device, solved) = on_device(place.machine, &plate.problem, method)?;
    let (single, _) = on_host::<f32>(&plate.problem, method, method.criteria.rtol)?;
    let (double, reason) = on_host::<f64>(&plate.problem, method, DOUBLE)?;
    let apart = |u: &[f64]| errors(&plate.problem, u, &double);
    let temperature = plate.temperature(&device);
    let flow = plate.heat_flow(&temperature)?;
    let Cycle { before, after, .. } = method.solver.cycle;
    let cycles = format!("{} V({before},{after}) cycles", solved.cycles);
    let largest = worst(double.iter().map(|t| t.abs()));
    let is_solved = solved.is_solved() && reason.is_converged();
    let mut record = Record::new();
    record.one("ratio", apart(&device)[1] / apart(&single)[1]);
    record.text("solved", holds(is_solved));
    record.one("largest", apart(&device)[0] / largest);
    record.one("unaccounted", flow.defect.abs() / flow.turnover);
    draw(&mut record, &plate, &temperature, &cycles)?;
    Ok(record)
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
    record: &mut Record,
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
    record.picture("heat", caption, picture);
    Ok(())
}

/// Differences of two pictures.
const APART: [Declaration; 3] = [
    ("channel", "of 255", "largest difference of a channel"),
    ("share", "share", "of the channels that differ"),
    ("logarithm", "", "largest difference of the log luminance"),
];

/// A picture by the GPU and by the CPU.
pub static TONES: Study = Study::measuring(
    "goodnight2003/tones",
    "A picture compressed by the solver on the GPU, next to double precision on the CPU",
    Takes::of(&TONEMAP, "paper", SOLVER)
        .and("input thin alpha beta noise scales saturation contrast black white"),
    &[
        APART[0],
        APART[1],
        APART[2],
        ("solved", "", "`holds` if both are solved"),
        ("cycles", "", "on the GPU"),
    ],
    toned,
);

fn toned(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: tonemap::Settings = experiment.typed()?;
    let (image, method) = (settings.image()?, &settings.method);
    let solver = method.settings();
    let mut mapper = ToneMapper::new(place.machine, &image, &settings.look, &solver)?;
    let device = mapper.solve(&method.criteria(), |_, _| {})?;
    let host = mapper.solve_on_cpu(&Criteria { rtol: DOUBLE, ..method.criteria() })?;
    let panels = [
        ("exposed for the room, clamped".to_owned(), clamped(&image)),
        ("compressed by the solver on the GPU".to_owned(), device.picture.clone()),
        ("compressed by the solver on the CPU".to_owned(), host.picture.clone()),
    ];
    let caption = "A room with lamps and daylight (luminance over 5.5 decades), exposed for the room and clamped; \
                   compressed by the Poisson solver on the GPU, and on the CPU. Picture: Poly Haven, CC0.";
    let mut record = Record::new();
    apart(&mut record, device.difference(&host));
    record.text("solved", holds(device.solve.is_solved() && host.solve.is_solved()));
    record.one("cycles", device.solve.cycles as f64);
    record.picture("tonemap", caption, side_by_side(&panels)?);
    Ok(record)
}

fn apart(record: &mut Record, difference: Difference) {
    record.one("channel", f64::from(difference.channel));
    record.one("share", difference.share);
    record.one("logarithm", difference.logarithm);
}

/// The picture in half precision, registers and storage, next to single precision, both by the interpreter.
pub static HALF_TONES: Study = Study::measuring(
    "goodnight2003/half-tones",
    "A picture compressed in half precision, registers and storage, next to single precision, by the interpreter",
    Takes::of(
        &TONEMAP,
        "paper",
        "input thin alpha beta scales pre post cycle smoother programs rtol maxiter",
    ),
    &[
        APART[0],
        APART[1],
        APART[2],
        ("residual.half", "", "norm in half precision"),
        ("residual.single", "", "norm in single precision"),
    ],
    half_toned,
);

fn half_toned(experiment: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let settings: tonemap::Settings = experiment.typed()?;
    let (image, method) = (settings.image()?, &settings.method);
    let compressed = |registers, precision| -> Result<_, BoxedError> {
        let machine = Machine::interpreted(registers)?;
        let solver = Settings { precision, ..method.settings() };
        let mut mapper = ToneMapper::new(&machine, &image, &settings.look, &solver)?;
        let mapped = mapper.solve(&method.criteria(), |_, _| {})?;
        Ok((mapper, mapped))
    };
    let (mapper, single) = compressed(Registers::Single, Format::Rgba32F)?;
    let (_, half) = compressed(Registers::Nv30Half, Format::Rgba16F)?;
    let panels = [("32 bits", &single), ("16 bits", &half)]
        .map(|(name, toned)| (name.to_owned(), toned.picture.clone()));
    let caption = "Every eighth pixel of the room, compressed by the Poisson solver in single and in half \
                   precision, storage and registers, by the interpreter.";
    let mut record = Record::new();
    apart(&mut record, half.difference(&single));
    record.one("residual.half", mapper.check(&half)?.norm);
    record.one("residual.single", mapper.check(&single)?.norm);
    record.picture("tonemap-half", caption, side_by_side(&panels)?);
    Ok(record)
}
