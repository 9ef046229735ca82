//! §5.1: steady temperature on plates for which it is known, and on one for which it is not. §5.2, colour plate 2: a
//! picture of high dynamic range, its Poisson equation solved on the GPU and on the CPU.

use super::solver::measured;
use crate::claim::bundled::{self, PLATE};
use crate::claim::{BoxedError, Checked, Claim, Found, Run, Table, worst};
use crate::goodnight2003::heat::{Plate, parse_scene};
use crate::goodnight2003::manufactured::{Coordinates, Kind, Manufactured, errors};
use crate::goodnight2003::tonemap::{ToneMapSettings, ToneMapper, panels};
use crate::goodnight2003::{Problem, Reference, Settings, Solved, Solver};
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Axis, Field, field};
use crate::solver::{Criteria, Cycle, multigrid};
use crate::stream::Machine;
use crate::timing::rig::range;

/// Largest contribution of single precision to an error, relative to the largest temperature.
const ROUNDING: f64 = 1e-5;

/// An error this many times larger shows its order: rounding can change the order by 0.07.
const FREE: f64 = 20.0;

/// Plates with a known temperature: conditions of one kind on all sides, each kind on a side of its own, and a
/// plate that is periodic from west to east.
fn plates() -> [(&'static str, [Option<Kind>; 4]); 5] {
    let [held, insulated, cooled] = Kind::ALL.map(Some);
    [
        ("prescribed temperature", [held; 4]),
        ("prescribed flow", [insulated; 4]),
        ("cooled by convection", [cooled; 4]),
        ("all three", [held, insulated, cooled, insulated]),
        ("periodic", [None, None, held, insulated]),
    ]
}

pub(super) fn heat(run: &mut Run<'_>, _: &Claim) -> Checked {
    let cells: &[u32] = run.pick(&[16, 32, 64], &[16, 32, 64, 128, 256]);
    let columns = ["plate", "cells along the height", "GPU", "double precision"];
    let mut table = Table::new(
        "Largest errors, relative to the largest temperature.",
        columns,
    );
    let (mut orders, mut excess, mut difference) = (Vec::new(), 0.0, 0.0);
    for (name, kinds) in plates() {
        let stated = Manufactured {
            coordinates: Coordinates::Cartesian,
            kinds,
        };
        let mut on_gpu = Vec::new();
        for &cells in cells {
            let (problem, exact) = stated.problem(cells + 1, cells + 1)?;
            let (device, solved) = on_device(run.machine, &problem)?;
            if !solved.is_solved() {
                let reason = solved.reason;
                return Err(format!("{name} at 1/h = {cells}: {reason}").into());
            }
            let host = on_host(&problem)?;
            let largest = worst(exact.iter().map(|t| t.abs()));
            let apart = |a: &[f64], b: &[f64]| errors(&problem, a, b)[0] / largest;
            let [of_device, of_host] = [&device, &host].map(|u| apart(u, &exact));
            let cells = f64::from(cells).into();
            table.push([name.into(), cells, of_device.into(), of_host.into()]);
            difference = worst([difference, apart(&device, &host)]);
            excess = worst([excess, of_device - of_host]);
            on_gpu.push(of_device);
        }
        orders.push(order(&on_gpu));
    }
    let axes = [
        Axis::logarithmic("cells along the height, 1/h"),
        Axis::logarithmic("largest error on the GPU, relative to the largest temperature"),
    ];
    let title = "The error of the temperature falls by four as h is halved";
    let caption = "Largest error of the temperature on the GPU for five plates. At the limit of \
                   single precision, lines leave the slope of second order.";
    run.chart("heat-order", caption, &table.chart(title, axes, &["GPU"]))?;

    let plate = Plate::new(&parse_scene(PLATE)?)?;
    let (solution, solved) = on_device(run.machine, &plate.problem)?;
    let temperature = plate.temperature(&solution);
    let flow = plate.heat_flow(&temperature)?;
    draw(run, &plate, &temperature, solved.cycles)?;
    let (low, high) = range(orders);
    Ok(
        Found::values("order of the largest error in the spacing", [low, high])
            .at_most("error beyond that in double precision", excess, ROUNDING)
            .holds("the bundled plate is solved", solved.is_solved())
            .shows("largest difference from double precision", difference)
            .shows(
                "unaccounted share of the plate's heat",
                flow.defect().abs() / flow.turnover,
            )
            .because(
                "Orders are from the two finest grids on which rounding errors do not contribute.",
            ),
    )
}

/// p in error ~ h^p, from the two finest grids on which single precision does not affect the error, or otherwise
/// the two coarsest.
fn order(errors: &[f64]) -> f64 {
    let mut pairs = errors.windows(2);
    let coarsest = pairs.clone().next();
    match pairs.rfind(|pair| pair[1] >= FREE * ROUNDING).or(coarsest) {
        Some([coarse, fine]) => (coarse / fine).log2(),
        _ => f64::NAN,
    }
}

/// The GPU's solution at the limit of its precision.
fn on_device(machine: &Machine, problem: &Problem) -> Result<(Vec<f64>, Solved), BoxedError> {
    let criteria = Criteria {
        rtol: 1e-7,
        ..multigrid::default_criteria()
    };
    let mut solver = Solver::new(machine, problem, &measured())?;
    let solved = solver.solve(&criteria, |_, _| {})?;
    let solution = solver.solution()?;
    Ok((solution.into_iter().map(f64::from).collect(), solved))
}

/// The CPU's solution in double precision.
fn on_host(problem: &Problem) -> Result<Vec<f64>, BoxedError> {
    let criteria = Criteria {
        rtol: 1e-10,
        ..multigrid::default_criteria()
    };
    let mut solver = Reference::<f64>::new(problem, &Settings::default())?;
    let solution = solver.solve(Cycle::v(2, 2), &criteria);
    if solution.outcome.reason.is_converged() {
        Ok(solution.u)
    } else {
        Err(format!("in double precision: {}", solution.outcome.reason).into())
    }
}

fn draw(
    run: &mut Run<'_>,
    plate: &Plate,
    temperature: &[f64],
    cycles: usize,
) -> Result<(), BoxedError> {
    let (columns, rows) = plate.problem.grid.size(0);
    let picture = field(&Field {
        title: "Steady temperature on a plate".into(),
        note: format!(
            "{columns} × {rows} nodes, {cycles} V(4,4) cycles; isotherms at the numbers of the bar"
        ),
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

pub(super) fn tonemap(run: &mut Run<'_>, _: &Claim) -> Checked {
    let image = bundled::panorama()?;
    let (settings, solver) = (ToneMapSettings::default(), Settings::paper_2003());
    let criteria = multigrid::default_criteria();
    let mut mapper = ToneMapper::new(run.machine, &image, &settings, &solver)?;
    let device = mapper.solve(&criteria, |_, _| {})?;
    let exact = Criteria {
        rtol: 1e-10,
        ..criteria
    };
    let host = mapper.solve_on_cpu(&exact)?;
    let difference = device.difference(&host);
    let panels = panels(&image, [&device.picture, &host.picture]);
    let caption = "A room with lamps and daylight (luminance over 5.5 decades), exposed for the room and clamped; \
                   compressed by the Poisson solver on the GPU, and on the CPU. Picture: Poly Haven, CC0.";
    run.image("tonemap", caption, &panels)?;
    Ok(Found::new()
        .at_most(
            "largest difference of a channel (0 to 255)",
            f64::from(difference.channel),
            CHANNEL,
        )
        .at_most(
            "largest difference of the log luminance",
            difference.logarithm,
            LOGARITHM,
        )
        .holds(
            "both are solved",
            device.solve.is_solved() && host.solve.is_solved(),
        )
        .shows_in("channels that differ", 100.0 * difference.share, "%")
        .shows("cycles on the GPU", device.solve.cycles as f64))
}
