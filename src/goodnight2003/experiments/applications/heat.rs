//! §5.1: steady temperature on plates where it is known in closed form or as a series, and on one
//! where it is not.

use crate::claim::bundled::PLATE;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::heat::{Known, Plate, parse_scene};
use crate::goodnight2003::{HostSolver, Norm, Problem, Settings, Solved, Solver};
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Axis, Chart, Field, Series, Style, chart, field};
use crate::solver::{Criteria, Cycle, multigrid};
use crate::stream::Machine;

const CLAIM: Claim = Claim {
    id: "goodnight2003/heat",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§5.1",
    statement: "The steady temperature on a plate, sources in the finest grid's texels and conditions \
                in a texture, is found by multigrid; GPU and CPU agree to floating-point precision.",
    paper: "validated against a CPU solver",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/heat",
    section: "§5.1",
    title: "Steady temperature on a plate against closed forms",
    claims: &[CLAIM],
    run,
};

/// How far an order may be from two.
const ORDER: f64 = 0.2;

/// How much single precision may add to the error, of the largest temperature.
const ROUNDING: f64 = 1e-5;

/// An error so many times as large shows its order: rounding can change that by 0.07.
const FREE: f64 = 20.0;

/// What is to be seen of the bundled plate.
const CAPTION: &str = "The bundled plate: a cold wall in the west, wind in the east, a hot clamp on a \
                       part of the north side, insulated otherwise; a disc and a rectangle that heat, \
                       a spot of light, a channel of coolant.";

/// The largest errors on each grid, of the largest temperature.
struct Errors {
    known: Known,
    /// 1/h.
    cells: Vec<u32>,
    device: Vec<f64>,
    host: Vec<f64>,
    /// How far the machine's solution is from that in double precision, on any of them.
    apart: f64,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let cells: &[u32] = match options.quick {
        true => &[16, 32, 64],
        false => &[16, 32, 64, 128, 256],
    };
    let mut errors = Vec::new();
    for known in Known::ALL {
        errors.push(Errors::measure(machine, known, cells)?);
    }
    let orders = || errors.iter().map(Errors::order);
    let lowest = orders().fold(f64::INFINITY, f64::min);
    let highest = orders().fold(f64::NEG_INFINITY, f64::max);
    let apart = (errors.iter()).fold(0.0, |most: f64, errors| most.max(errors.apart));
    let plate = Plate::new(&parse_scene(PLATE)?)?;
    let (solution, solved) = on_device(machine, &plate.problem)?;
    let temperature = plate.temperature(&solution);
    let flow = plate.heat_flow(&temperature)?;

    let last = cells.len() - 1;
    let line = |errors: &Errors| format!("{} {:.1e}", errors.known.name(), errors.device[last]);
    let table: Vec<String> = errors.iter().map(line).collect();
    let measured = format!(
        "order {lowest:.2} to {highest:.2} in h; within {apart:.1e} of double precision on the CPU"
    );
    let why = format!(
        "Largest errors on the GPU at 1/h = {}, of the largest temperature: {}. The order is the GPU's own, \
         from the two finest grids on which its error is at least {FREE:.0} times what single precision may \
         add, {ROUNDING:.0e}; nowhere is it more than that larger than in double precision. On the plate shown, {:.1e} of the heat is unaccounted for.",
        cells[last],
        table.join(", "),
        flow.defect().abs() / flow.turnover,
    );
    let holds = (lowest - 2.0).abs() <= ORDER
        && (highest - 2.0).abs() <= ORDER
        && errors.iter().all(Errors::device_is_as_good)
        && solved.is_solved();
    let finding = CLAIM.judge(holds, measured, why);
    let picture = draw_plate(&plate, &temperature, solved.cycles)?;
    let finding = finding.with_figure("goodnight2003/heat.png", CAPTION, picture);
    Ok(vec![finding.with_figure(
        "goodnight2003/heat-order.png",
        "The largest error of the temperature on the GPU against the exact one, over the number of \
         cells along the height, for six kinds of sides and sources. Where single precision ends, \
         lines leave the slope of the second order.",
        draw_orders(&errors)?,
    )])
}

impl Errors {
    fn measure(machine: &Machine, known: Known, cells: &[u32]) -> Result<Self, BoxedError> {
        let mut errors = Self {
            known,
            cells: cells.to_vec(),
            device: Vec::new(),
            host: Vec::new(),
            apart: 0.0,
        };
        for &cells in cells {
            let problem = known.problem(cells)?;
            let (device, solved) = on_device(machine, &problem)?;
            if !solved.is_solved() {
                let (name, reason) = (known.name(), solved.reason);
                return Err(format!("{name} at 1/h = {cells}: {reason}").into());
            }
            let host = on_host(&problem)?;
            errors.device.push(known.error(&problem.grid, &device));
            errors.host.push(known.error(&problem.grid, &host));
            let differences = device.iter().zip(&host).map(|(a, b)| a - b);
            errors.apart = errors.apart.max(Norm::Maximum.of(differences));
        }
        Ok(errors)
    }

    /// p in error ~ h^p on the GPU, from the two finest grids on which single precision has no part in
    /// the error, or else the two coarsest.
    fn order(&self) -> f64 {
        let pairs = self.device.windows(2);
        let finest = pairs.clone().rfind(|pair| pair[1] >= FREE * ROUNDING);
        match finest.or(pairs.into_iter().next()) {
            Some([coarse, fine]) => (coarse / fine).log2(),
            _ => f64::NAN,
        }
    }

    /// Whether single precision adds no more than it may.
    fn device_is_as_good(&self) -> bool {
        let mut pairs = self.device.iter().zip(&self.host);
        pairs.all(|(device, host)| *device <= host + ROUNDING)
    }
}

/// The machine's solution to the end of its precision, and how the solve went.
fn on_device(machine: &Machine, problem: &Problem) -> Result<(Vec<f64>, Solved), BoxedError> {
    let criteria = Criteria {
        rtol: 1e-7,
        ..multigrid::default_criteria()
    };
    let mut solver = Solver::new(machine, problem, &Settings::default())?;
    let solved = solver.solve(&criteria, |_, _| {})?;
    let solution = solver.solution()?;
    Ok((solution.into_iter().map(f64::from).collect(), solved))
}

/// The twin's solution in double precision.
fn on_host(problem: &Problem) -> Result<Vec<f64>, BoxedError> {
    let criteria = Criteria {
        rtol: 1e-10,
        ..multigrid::default_criteria()
    };
    let solver = HostSolver::new(problem, &Settings::default())?;
    let solution = solver.solve(Cycle::v(2, 2), &criteria);
    match solution.outcome.reason.is_converged() {
        true => Ok(solution.u),
        false => Err(format!("the twin: {}", solution.outcome.reason).into()),
    }
}

fn draw_plate(plate: &Plate, temperature: &[f64], cycles: usize) -> Result<Vec<u8>, BoxedError> {
    let (columns, rows) = plate.problem.grid.size(0);
    Ok(field(&Field {
        title: "Steady temperature on a plate".into(),
        note: format!(
            "{columns} × {rows} nodes, {cycles} V(2,2) cycles; an isotherm at each number of the bar"
        ),
        columns: columns as usize,
        values: temperature,
        extent: plate.extent,
        colours: &GLOWING,
    })?)
}

fn draw_orders(errors: &[Errors]) -> Result<Vec<u8>, BoxedError> {
    let series = errors.iter().map(|errors| {
        let cells = errors.cells.iter().map(|&cells| f64::from(cells));
        let points = cells.zip(errors.device.iter().copied());
        Series::new(errors.known.name(), Style::LinePoints, points)
    });
    Ok(chart(&Chart {
        title: "The error of the temperature falls by four as h halves".into(),
        x: Axis::logarithmic("cells along the height, 1/h"),
        y: Axis::logarithmic("largest error on the GPU, of the largest temperature"),
        series: series.collect(),
        marks: Vec::new(),
    })?)
}
