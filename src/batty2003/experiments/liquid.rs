//! Background: the liquid around the solves, and how it looks.

use crate::batty2003::liquid::{Liquid, Step, Times};
use crate::batty2003::picture::{GlassBox, Surface};
use crate::claim::{BoxedError, Claim, Class, Finding, JudgedOn, Variant, worst};
use crate::picture::Canvas;
use crate::stream::Machine;

use super::dam;

/// Judged in the run of the dam.
pub const LIQUID: Claim = Claim {
    id: "batty2003/liquid",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "Pressure Projection Step",
    statement: "Production-quality simulations of a million voxels at least. Checked with a dam that \
                breaks: a projection leaves no more divergence than the solve's tolerance.",
    paper: "≥ 10⁶ voxels",
};

/// A projection may leave this much of what the tolerance allows: velocities are rounded, too.
const ALLOWED: f64 = 1.1;

/// What comes of the steps, with a picture of the liquid after the last one. `alone` is the largest share
/// of the right side that the card's recursion has left before corrections.
pub fn judge(
    machine: &Machine,
    (liquid, steps): (&Liquid, &[Step]),
    alone: f64,
    quick: bool,
) -> Result<Finding, BoxedError> {
    let left = steps
        .iter()
        .map(|step| step.divergence_after / step.divergence_before);
    let [left, alone] = [worst(left), alone].map(|left| left / dam::CRITERIA.rtol);
    let (side, count) = (dam::side(quick), steps.len());
    let text = format!(
        "{side}³ cells, {count} steps: of ‖div‖ are left at most {left:.2} rtol, {alone:.2} by the \
             card's recursion alone"
    );
    let why = format!(
        "Its norm in the system's scaling, from the velocities before and after. The recursion rounds \
             the pressure to single precision with every iteration, which adds up; what that leaves, the \
             card solves for as a correction, as in `fragstream liquid`. {} The volume \
             within the surface is {:+.1} % after the last step, without an offset of the divergence. \
             A step takes, in ms, but for the solve, which several solvers do in turn: {}. What the \
             paper simulated is not printed.",
        match quick {
            true => "10⁶ cells are for the full run.",
            false => "As many cells as the paper asks for.",
        },
        drift(steps),
        split(steps)
    );
    let finding = LIQUID.judge(left <= ALLOWED, text, why);
    let canvas = Canvas::new(machine, 800, 600)?;
    let surface = Surface::of(liquid.surface());
    GlassBox::new(machine, liquid.scene())?.draw(&surface, &canvas)?;
    let caption = format!("The dam after {count} steps of 1/120 s, {side}³ cells.");
    Ok(finding.with_image("batty2003/liquid.png", caption, &canvas.image()?)?)
}

/// How much more there is at the end than at the start, in percent.
fn drift(steps: &[Step]) -> f64 {
    match steps {
        [first, .., last] => 100.0 * (last.volume / first.volume - 1.0),
        _ => 0.0,
    }
}

/// The mean time of each part of a step but the solve, in words.
fn split(steps: &[Step]) -> String {
    let parts = Times::default().parts().into_iter().enumerate();
    let parts = parts.filter(|(_, (name, _))| *name != "solve");
    let mean = |part: usize| {
        let seconds: f64 = steps.iter().map(|step| step.times.parts()[part].1).sum();
        1e3 * seconds / steps.len().max(1) as f64
    };
    let parts: Vec<String> = parts
        .map(|(part, (name, _))| format!("{name} {:.0}", mean(part)))
        .collect();
    parts.join(", ")
}
