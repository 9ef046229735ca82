//! Background: the liquid around the solves, and how it looks.

use crate::batty2003::liquid::{Liquid, LiquidError, Scene, Step, Times};
use crate::batty2003::picture::{GlassBox, Surface};
use crate::batty2003::pressure::PressureSolver;
use crate::batty2003::pressure::host::{Extent, HostSolver, Preconditioner};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::picture::Canvas;
use crate::solver::Criteria;
use crate::stream::Machine;

use super::dam;

const LIQUID: Claim = Claim {
    id: "batty2003/liquid",
    class: Class::Tolerance,
    section: "Pressure Projection Step",
    statement: "Production-quality simulations of a million voxels at least. Checked with a dam that \
                breaks: a projection leaves no more divergence than the solve's tolerance.",
    paper: "≥ 10⁶ voxels",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/liquid",
    section: "Pressure Projection Step",
    title: "A dam breaks: divergence, volume, time of a step, and a picture",
    claims: &[LIQUID],
    run,
};

/// A projection may leave this much of what the tolerance allows: velocities are rounded, too.
const ALLOWED: f64 = 1.1;

/// Runs a scene for some steps and shows the liquid after each, with what the step did.
pub fn run_scene(
    scene: Scene,
    steps: usize,
    solver: &mut dyn PressureSolver,
    criteria: &Criteria,
    mut show: impl FnMut(&Liquid, &Step),
) -> Result<Liquid, LiquidError> {
    let mut liquid = Liquid::new(scene)?;
    for _ in 0..steps {
        let step = liquid.step(solver, criteria)?;
        show(&liquid, &step);
    }
    Ok(liquid)
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    // All of the scene's steps in quick mode, too: after fewer the water has hardly moved.
    let (side, steps) = (if options.quick { 32 } else { 100 }, dam::solves(false));
    let scene = Scene::dam(side);
    let mut solver = HostSolver::<f32>::new(Preconditioner::Mic, Extent::Liquid);
    let (mut left, mut volumes, mut times) = (0.0_f64, Vec::new(), Vec::new());
    let liquid = run_scene(scene, steps, &mut solver, &dam::CRITERIA, |_, step| {
        left = left.max(step.divergence_after / step.divergence_before);
        volumes.push(step.volume);
        times.push(step.times);
    })?;
    let share = left / dam::CRITERIA.rtol;
    let text = format!("{side}³ cells, {steps} steps: {share:.2} rtol left of ‖div‖ at most");
    let why = format!(
        "Its norm in the system's scaling, from the velocities before and after. {} The volume within \
         the surface is {:+.1} % after the last step, without an offset of the divergence. A step takes, \
         in ms: {}. What the paper simulated is not printed.",
        match options.quick {
            true => "10⁶ cells are for the full run.",
            false => "As many cells as the paper asks for.",
        },
        drift(&volumes),
        split(&times)
    );
    let finding = LIQUID.judge(share <= ALLOWED, text, why);
    let canvas = Canvas::new(machine, 800, 600)?;
    let surface = Surface::of(liquid.surface());
    GlassBox::new(machine, liquid.scene())?.draw(&surface, &canvas)?;
    let caption = "The dam after 51 steps of 1/120 s, 100³ cells (32³ in quick mode).";
    Ok(vec![finding.with_image(
        "batty2003/liquid.png",
        caption,
        &canvas.image()?,
    )?])
}

/// How much more there is at the end than at the start, in percent.
fn drift(volumes: &[f64]) -> f64 {
    match volumes {
        [first, .., last] => 100.0 * (last / first - 1.0),
        _ => 0.0,
    }
}

/// The mean time of each part of a step, in words.
fn split(times: &[Times]) -> String {
    let parts = Times::default().parts();
    let mean = |part: usize| {
        let seconds: f64 = times.iter().map(|times| times.parts()[part].1).sum();
        1e3 * seconds / times.len().max(1) as f64
    };
    let parts = parts.iter().enumerate();
    let parts: Vec<String> = parts
        .map(|(part, (name, _))| format!("{name} {:.0}", mean(part)))
        .collect();
    parts.join(", ")
}
