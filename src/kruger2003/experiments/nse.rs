//! §6, Fig. 8: the Navier–Stokes equations.

use std::f64::consts::PI;

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::kruger2003::simulation::cavity::{
    CentreLines, GHIA_U, GHIA_V, run_until_steady, start_from,
};
use crate::kruger2003::simulation::picture::{FluidShown, Painter};
use crate::kruger2003::simulation::scene::Pens;
use crate::kruger2003::{Fluid, FluidSettings, Gradients, Interpolation, Walls};
use crate::picture::Canvas;
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::stream::Machine;

use super::samples::beside_its_twin;

const NSE: Claim = Claim {
    id: "kruger2003/nse",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Four iterations a step for the pressure suffice if they start from the last step's: they \
                leave less than from zero.",
    paper: "four iterations, good accuracy",
};
const VORTEX: Claim = Claim {
    id: "kruger2003/nse-vortex",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Ours, with back-tracing by cubics: a Taylor–Green vortex decays as the exact solution does.",
    paper: "(the exact solution)",
};
const CAVITY: Claim = Claim {
    id: "kruger2003/nse-cavity",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Not in the paper: the steady flow in a box with a moving lid at Re 100, beside the \
                table of Ghia, Ghia and Shin (1982).",
    paper: "(the published velocities)",
};
const FIG8: Claim = Claim {
    id: "kruger2003/fig8",
    class: Class::Picture,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "Fig. 8",
    statement: "Dye in a velocity field that is stirred by hand: drawn from where it lies, and \
                neither lost nor made once the hand rests, but where the fluid gives way.",
    paper: "a picture",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/navier-stokes",
    section: "§6",
    title: "The Navier–Stokes equations",
    claims: &[NSE, VORTEX, CAVITY, FIG8],
    run,
};

/// Steps without pens, in which dye is neither lost nor made but by so much of it.
const AT_REST: usize = 20;
const DYE_BOUND: f64 = 0.01;

/// The vortex may be off by so much of its first speed.
const VORTEX_BOUND: f64 = 0.01;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    Ok(vec![
        pressure(machine, options.quick)?,
        decay(machine, options.quick)?,
        cavity(machine, options.quick)?,
        draw(machine, options.quick)?,
    ])
}

fn pressure(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let side = if quick { 64 } else { 256 };
    let warm = stirred(machine, side, true)?;
    let cold = stirred(machine, side, false)?;
    let [residual, divergence] = [0, 1].map(|k| warm[k] / cold[k]);
    let text = format!("residual {residual:.2} and divergence {divergence:.2} of a cold start's");
    let why = format!(
        "The residual and the divergence that four iterations leave, on average over the steps of a \
         box of {side}² cells with a moving lid; back-tracing is linear. Where pens push the fluid, \
         four iterations do not suffice: kruger2003/fig8 says what they leave."
    );
    Ok(NSE.judge(residual < 1.0 && divergence < 1.0, text, why))
}

fn decay(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let side = if quick { 48 } else { 128 };
    let [cubic, linear] = [Interpolation::Cubic, Interpolation::Linear]
        .map(|interpolation| vortex(machine, side, interpolation));
    let (cubic, linear) = (cubic?, linear?);
    let why = format!(
        "The vortex decays by a tenth between walls that it slips along, and is compared cell by cell on \
         {side}² cells; the bound is {:.0} %. With linear back-tracing, the paper's, it is off by {:.2} %.",
        100.0 * VORTEX_BOUND,
        100.0 * linear
    );
    let text = format!("off by {:.2} %", 100.0 * cubic);
    Ok(VORTEX.judge(cubic < VORTEX_BOUND, text, why))
}

/// The residual and the divergence that four iterations a step leave, on average.
fn stirred(machine: &Machine, side: u32, warm_start: bool) -> Result<[f64; 2], BoxedError> {
    let settings = FluidSettings {
        warm_start,
        interpolation: Interpolation::Linear,
        gradients: Gradients::Listed,
        ..FluidSettings::cavity(side, 100.0)
    };
    let mut fluid = Fluid::at_rest(machine, settings)?;
    let steps = 100;
    let mut left = [0.0; 2];
    for _ in 0..steps {
        fluid.step()?;
        left[0] += fluid.residual() / f64::from(steps);
        left[1] += fluid.divergence()? / f64::from(steps);
    }
    Ok(left)
}

/// How far a vortex is from the exact solution after it has decayed by a tenth, as a share of its
/// first speed.
fn vortex(machine: &Machine, side: u32, interpolation: Interpolation) -> Result<f64, BoxedError> {
    let k = PI / f64::from(side);
    let settings = FluidSettings {
        dt: 0.4,
        viscosity: 0.5,
        walls: Walls::Slip,
        interpolation,
        ..FluidSettings::new(side, side)
    };
    let speed = 0.5;
    let exact = |[x, y]: [f64; 2]| {
        [
            speed * (k * x).sin() * (k * y).cos(),
            -speed * (k * x).cos() * (k * y).sin(),
        ]
    };
    let mut fluid = Fluid::at_rest(machine, settings)?;
    fluid.set_velocity(exact)?;
    let rate = 2.0 * settings.viscosity * k * k;
    let steps = (0.1 / (rate * settings.dt)).ceil() as u32;
    for _ in 0..steps {
        fluid.step()?;
    }
    let decay = (-rate * f64::from(steps) * settings.dt).exp();
    let at = velocity(&fluid)?;
    let off = cells(&fluid, 0).map(|(x, y)| {
        let ([u, v], x, y) = (at(x, y), x as f64, y as f64);
        let off_u = u - decay * exact([x, y + 0.5])[0];
        let off_v = v - decay * exact([x + 0.5, y])[1];
        off_u.abs().max(off_v.abs())
    });
    Ok(off.fold(0.0, f64::max) / speed)
}

fn cavity(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let (side, bound, change) = if quick {
        (33, 0.08, 2e-3)
    } else {
        (129, 0.05, 1e-3)
    };
    let at_rest = |side| Fluid::at_rest(machine, FluidSettings::cavity(side, 100.0));
    // Most of the way is gone on a coarse grid, whose steps are longer and cheaper.
    let mut coarse = at_rest(side / 4 + 1)?;
    run_until_steady(&mut coarse, change)?;
    let mut fluid = at_rest(side)?;
    start_from(&mut fluid, &coarse)?;
    let lines = run_until_steady(&mut fluid, change)?;
    let [u, v] = lines.deviations();
    let text = format!(
        "u off by at most {:.1} %, v by {:.1} %",
        100.0 * u,
        100.0 * v
    );
    let why = format!(
        "{side}² cells, {} steps with four iterations each, from the steady state of a quarter as many \
         cells a side on, until in half a passage of the lid nothing changes by more than {change} of \
         its speed; shares of the largest value in the \
         table; the bound is {:.0} %.",
        fluid.steps(),
        100.0 * bound
    );
    let finding = CAVITY.judge(u.max(v) < bound, text, why);
    Ok(finding.with_figure(
        "kruger2003/cavity.png",
        "The velocities on the lines through the middle of the box, beside the published ones.",
        draw_lines(&lines)?,
    ))
}

fn draw_lines(lines: &CentreLines) -> Result<Vec<u8>, BoxedError> {
    let series = |label: &str, style, points: &[[f64; 2]]| {
        Series::new(
            label,
            style,
            points.iter().map(|&[place, value]| (place, value)),
        )
    };
    Ok(chart(&Chart {
        title: "The box with a moving lid at Re 100".into(),
        x: Axis::linear("place on the line through the middle (side = 1)"),
        y: Axis::linear("speed (lid = 1)"),
        series: vec![
            series("u, here", Style::Line, &lines.u),
            series("u, Ghia et al. 1982", Style::Points, &GHIA_U),
            series("v, here", Style::Line, &lines.v),
            series("v, Ghia et al. 1982", Style::Points, &GHIA_V),
        ],
        marks: Vec::new(),
    })?)
}

fn draw(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let (columns, rows, steps) = if quick {
        (192, 128, 120)
    } else {
        (768, 512, 480)
    };
    let settings = FluidSettings {
        viscosity: 0.01,
        fade: 0.998,
        ..FluidSettings::paper_2003(columns, rows)
    };
    let mut fluid = Fluid::at_rest(machine, settings)?;
    let pens = Pens {
        speed: 2.0,
        seed: 1,
    };
    for step in 0..steps {
        pens.push(step, &mut fluid)?;
        fluid.step()?;
    }
    let share = divergent_share(&fluid)?;
    machine.take_ledger();
    let canvas = Canvas::new(machine, 768, 512)?;
    let painter = Painter::new(machine)?;
    painter.draw_fluid(&fluid, FluidShown::Dye, pens.speed, &canvas)?;
    let read_backs = machine.take_ledger().read_backs;
    let shown = beside_its_twin(machine, |canvas| {
        painter.draw_fluid(&fluid, FluidShown::Dye, pens.speed, canvas)
    })?;
    let astray = dye_astray(&mut fluid)?;
    let text = format!(
        "{columns}x{rows} cells after {steps} steps; dye off by {:.2} % in {AT_REST} more; {}, {read_backs} \
         read-backs of the state",
        100.0 * astray,
        shown.text()
    );
    let caption = "Dye that three pens leave and stir, over streaks along the velocity.";
    let why = format!(
        "{:.0} % of the squared gradient of the velocity is divergence, the rest rotation: around \
         the pens, and behind them, the fluid is seen to give way. That is what {} iterations \
         leave, which take a force as many cells far; the twin in double precision leaves as \
         much, and more iterations less (`navier-stokes --iterations`).{}",
        100.0 * share,
        settings.iterations,
        shown.why(),
    );
    let holds = read_backs == 0 && shown.holds() && astray <= DYE_BOUND;
    let finding = FIG8.judge(holds, text, why);
    Ok(finding.with_image("kruger2003/fig8.png", caption, &canvas.image()?)?)
}

/// By how much of itself the sum of all dye changes in [`AT_REST`] steps without pens, but for its fading
/// and for what the fluid carries apart: to first order Δt times the divergence of each cell.
fn dye_astray(fluid: &mut Fluid) -> Result<f64, BoxedError> {
    let dye = |fluid: &Fluid| -> Result<Vec<f64>, BoxedError> {
        let light = fluid.dye().read()?;
        let cells = light.chunks(4);
        Ok(cells
            .map(|cell| cell[..3].iter().map(|&light| f64::from(light)).sum())
            .collect())
    };
    let settings = *fluid.settings();
    let mut before = dye(fluid)?;
    let mut expected: f64 = before.iter().sum();
    for _ in 0..AT_REST {
        fluid.step()?;
        let pairs = before.iter().zip(divergences(fluid)?);
        let apart: f64 = pairs.map(|(dye, divergence)| dye * divergence).sum();
        expected = settings.fade * (expected + settings.dt * apart);
        before = dye(fluid)?;
    }
    Ok((before.iter().sum::<f64>() / expected - 1.0).abs())
}

/// The squared divergence of all cells, as a share of itself and the squared rotation about all
/// inner corners. Both together are the squared gradient of the velocity, whatever the walls.
fn divergent_share(fluid: &Fluid) -> Result<f64, BoxedError> {
    let divergence: f64 = divergences(fluid)?.iter().map(|d| d * d).sum();
    let at = velocity(fluid)?;
    let rotation = cells(fluid, 1).map(|(x, y)| {
        let [u, v] = at(x, y);
        (v - at(x - 1, y)[1] - u + at(x, y - 1)[0]).powi(2)
    });
    Ok(divergence / (divergence + rotation.sum::<f64>()))
}

/// The divergence of every cell, rows from the bottom up.
fn divergences(fluid: &Fluid) -> Result<Vec<f64>, BoxedError> {
    let at = velocity(fluid)?;
    let divergence = cells(fluid, 0).map(|(x, y)| {
        let [u, v] = at(x, y);
        at(x + 1, y)[0] - u + at(x, y + 1)[1] - v
    });
    Ok(divergence.collect())
}

/// The velocity, read back, by column and row: u on the left and v on the lower side of a cell.
fn velocity(fluid: &Fluid) -> Result<impl Fn(usize, usize) -> [f64; 2], BoxedError> {
    let columns = fluid.settings().size.0 as usize + 1;
    let velocity = fluid.read_velocity()?;
    Ok(move |x: usize, y: usize| velocity[y * columns + x].map(f64::from))
}

/// Column and row of all cells from this row and column on, rows from the bottom up.
fn cells(fluid: &Fluid, first: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (width, height) = fluid.settings().size;
    (first..height as usize).flat_map(move |y| (first..width as usize).map(move |x| (x, y)))
}
