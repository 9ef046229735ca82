//! §6, Figs. 1, 6 and 7: water.

use std::f64::consts::PI;

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::kruger2003::simulation::picture::{Painter, WaterShown};
use crate::kruger2003::simulation::scene::Rain;
use crate::kruger2003::{Water, WaterSettings};
use crate::picture::Canvas;
use crate::stream::Machine;

use super::samples::beside_its_twin;

const WAVE: Claim = Claim {
    id: "kruger2003/wave",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Water by the implicit Crank–Nicolson scheme, five iterations of conjugate gradients \
                a step. Checked with a standing wave: its frequency and its energy.",
    paper: "(the exact solution)",
};
const FIG1: Claim = picture(
    "kruger2003/fig1",
    "Fig. 1",
    "The surface of simulated water, with reflection and refraction.",
);
const FIG6: Claim = picture(
    "kruger2003/fig6",
    "Fig. 6",
    "Water on a grid of 512² cells, drawn from the solver's texture.",
);
const FIG7: Claim = picture(
    "kruger2003/fig7",
    "Fig. 7",
    "Water on a grid of 1024² cells that is disturbed by hand.",
);

const fn picture(id: &'static str, section: &'static str, statement: &'static str) -> Claim {
    Claim {
        id,
        class: Class::Picture,
        variant: Variant::Paper,
        judged_on: JudgedOn::Measurement,
        section,
        statement,
        paper: "a picture",
    }
}

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/water",
    section: "§6",
    title: "Waves on water by an implicit scheme",
    claims: &[WAVE, FIG1, FIG6, FIG7],
    run,
};

/// Frequency and energy may be off by so much.
const BOUND: f64 = 0.01;
/// Steps after a picture, in which nobody disturbs the water.
const AT_REST: usize = 20;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    Ok(vec![
        standing_wave(machine, if options.quick { 64 } else { 128 })?,
        draw(machine, options, Scene::RAIN)?,
        draw(machine, options, Scene::SMALL)?,
        draw(machine, options, Scene::FINGER)?,
    ])
}

/// The mode with two half waves across and one up, on a grid of two to three.
fn standing_wave(machine: &Machine, width: u32) -> Result<Finding, BoxedError> {
    let height = 2 * width / 3;
    let along = |cell: u32, cells: u32, half_waves: f64| {
        (PI * half_waves * (f64::from(cell) + 0.5) / f64::from(cells)).cos()
    };
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let shape: Vec<f64> = cells
        .map(|(x, y)| along(x, width, 2.0) * along(y, height, 1.0))
        .collect();
    let settings = WaterSettings::paper_2003(width, height);
    let exact = settings.courant * PI * (2.0 / f64::from(width)).hypot(1.0 / f64::from(height));
    let squared: f64 = shape.iter().map(|v| v * v).sum();
    let exact_energy = 0.5 * exact * exact * squared;

    let mut water = Water::at_rest(machine, settings)?;
    let heights = |scale: f64| shape.iter().map(|v| (scale * v) as f32).collect::<Vec<_>>();
    water.set(&heights(1.0), &heights(exact.cos()))?;
    let amplitude = |water: &Water| -> Result<f64, BoxedError> {
        let heights = water.read()?;
        let products = heights.iter().zip(&shape).map(|(&u, v)| f64::from(u) * v);
        Ok(products.sum::<f64>() / squared)
    };
    // The phase is found from two neighbouring amplitudes, cos φ and cos(φ − ω): ten periods on.
    let steps = (10.0 * 2.0 * PI / exact).round() as u32;
    let (mut before, mut worst) = (0.0, 0.0_f64);
    for step in 0..steps {
        if step + 1 == steps {
            before = amplitude(&water)?;
        }
        water.step()?;
        if step % (steps / 20).max(1) == 0 {
            worst = worst.max((water.energy()? / exact_energy - 1.0).abs());
        }
    }
    let now = amplitude(&water)?;
    let phase = ((before - now * exact.cos()) / exact.sin()).atan2(now);
    let expected = f64::from(steps) * exact;
    let turns = ((expected - phase) / (2.0 * PI)).round();
    let frequency = (phase + 2.0 * PI * turns) / f64::from(steps);
    let off = (frequency / exact - 1.0).abs();
    let text = format!(
        "frequency off by {:.3} %, energy by at most {:.2} %",
        100.0 * off,
        100.0 * worst
    );
    let why = format!(
        "{width}x{height} cells, {:.0} steps a period, ten periods, walls that reflect; the bound is \
         {:.0} %. The scheme averages the states after and before, not after and now as printed.",
        2.0 * PI / exact,
        100.0 * BOUND
    );
    Ok(WAVE.judge(off < BOUND && worst < BOUND, text, why))
}

/// Cells that a wave travels in a step of a scene: more than an explicit scheme could take, which the
/// paper gives as the reason for an implicit one.
const COURANT: f64 = 2.0;

/// What is drawn for a figure.
struct Scene {
    claim: Claim,
    /// Cells of a side, in quick mode and in full.
    sides: [u32; 2],
    /// Waves cross so many basins until the picture is taken.
    crossings: f64,
    rain: Rain,
    file: &'static str,
    caption: &'static str,
}

impl Scene {
    const RAIN: Self = Self {
        claim: FIG1,
        sides: [128, 256],
        crossings: 0.9,
        rain: Rain {
            every: 70,
            finger: false,
            seed: 5,
        },
        file: "kruger2003/fig1.png",
        caption: "Rain on water in a basin: the sky and the sun are reflected, the tiles refracted, \
                  and waves bundle the light on them.",
    };
    const SMALL: Self = Self {
        claim: FIG6,
        sides: [128, 512],
        crossings: 0.9,
        rain: Rain {
            every: 40,
            finger: false,
            seed: 8,
        },
        file: "kruger2003/fig6.png",
        caption: "Water on a grid of 512² cells (128² in quick mode).",
    };
    const FINGER: Self = Self {
        claim: FIG7,
        sides: [128, 1024],
        crossings: 0.25,
        rain: Rain {
            every: 0,
            finger: true,
            seed: 1,
        },
        file: "kruger2003/fig7.png",
        caption: "A finger draws a circle in water on a grid of 1024² cells (128² in quick mode), \
                  faster than waves run.",
    };
}

fn draw(machine: &Machine, options: &Options, scene: Scene) -> Result<Finding, BoxedError> {
    let usual = scene.sides[usize::from(!options.quick)];
    let side = (options.given.grid).map_or(Ok(usual), u32::try_from)?;
    let settings = WaterSettings {
        courant: COURANT,
        damping: 0.004 * COURANT,
        ..WaterSettings::paper_2003(side, side)
    };
    let mut water = Water::at_rest(machine, settings)?;
    // In a smaller basin, or with longer steps, rain falls after as many fewer of them.
    let rain = Rain {
        every: (f64::from(scene.rain.every * side) / (512.0 * COURANT)) as u32,
        ..scene.rain
    };
    let steps = (scene.crossings * f64::from(side) / COURANT) as u32;
    for step in 0..steps {
        rain.push(step, &mut water)?;
        water.step()?;
    }
    machine.take_ledger();
    let canvas = Canvas::new(machine, 800, 600)?;
    let painter = Painter::new(machine)?;
    let surface = |water: &Water, canvas: &Canvas| {
        painter.draw_water(water, WaterShown::Surface, Rain::HEIGHT, canvas)
    };
    surface(&water, &canvas)?;
    let read_backs = machine.take_ledger().read_backs;
    let shown = beside_its_twin(machine, |canvas| surface(&water, canvas))?;
    let astray = energy_astray(&mut water)?;
    let text = format!(
        "{side}² cells after {steps} steps; energy off by {:.2} % in {AT_REST} more; {}, {read_backs} \
         read-backs of the state",
        100.0 * astray,
        shown.text()
    );
    let why = format!(
        "It is drawn from the texture where it lies. The twin runs the program's text in double precision, \
         for a small picture: at most one number in a hundred may differ by more than one of 255 \
         shades. In {AT_REST} steps that nobody disturbs the energy falls by what damping takes, within \
         {:.0} % of itself.",
        100.0 * BOUND
    );
    let holds = read_backs == 0 && shown.holds() && astray <= BOUND;
    let finding = scene.claim.judge(holds, text, why);
    Ok(finding.with_image(scene.file, scene.caption, &canvas.image()?)?)
}

/// By how much of itself the energy changes in [`AT_REST`] steps that nobody disturbs, but for what damping
/// takes: of a step D |u_after − u_before|² / 2, as the scheme times (u_after − u_before) / 2 says.
fn energy_astray(water: &mut Water) -> Result<f64, BoxedError> {
    let friction = water.settings().damping / 2.0;
    let mut before = water.read()?;
    water.step()?;
    let (mut now, first) = (water.read()?, water.energy()?);
    let mut taken = 0.0;
    for _ in 0..AT_REST {
        water.step()?;
        let after = water.read()?;
        let pairs = after.iter().zip(&before);
        let squared: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
        taken += friction * squared / 2.0;
        before = std::mem::replace(&mut now, after);
    }
    Ok(((water.energy()? + taken) / first - 1.0).abs())
}
