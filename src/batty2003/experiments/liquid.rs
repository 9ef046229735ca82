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
                breaks: a projection leaves no more divergence than the solve's tolerance, and in single \
                precision than the thousandth that `liquid` asks for.",
    paper: "≥ 10⁶ voxels",
};

/// A projection may leave this much of what the tolerance allows: velocities are rounded, too.
const ALLOWED: f64 = 1.1;
/// What single precision reaches on any grid, as a share of the right side. On 100³ cells of spray the
/// card stagnates before [`dam::CRITERIA`]'s.
const SINGLE: f64 = 1e-3;

/// What is kept of each step.
#[derive(Default)]
pub struct Watch {
    /// The largest share of the divergence that a projection has left: in double precision on the CPU,
    /// in single precision on the card.
    left: [f64; 2],
    volumes: Vec<f64>,
    times: Vec<Times>,
}

impl Watch {
    /// How many steps there were.
    pub fn steps(&self) -> usize {
        self.volumes.len()
    }

    /// A step, by the card or by the CPU.
    pub fn add(&mut self, step: &Step, on_card: bool) {
        let left = &mut self.left[usize::from(on_card)];
        *left = worst([*left, step.divergence_after / step.divergence_before]);
        self.volumes.push(step.volume);
        self.times.push(step.times);
    }

    /// What comes of it, with a picture of the liquid after the last step.
    pub fn judge(
        &self,
        machine: &Machine,
        liquid: &Liquid,
        quick: bool,
    ) -> Result<Finding, BoxedError> {
        let [cpu, card] = self.left.map(|left| left / dam::CRITERIA.rtol);
        let (side, steps) = (dam::side(quick), self.steps());
        let text = format!(
            "{side}³ cells, {steps} steps: of ‖div‖ are left at most {cpu:.2} rtol by the CPU in double \
             precision, {card:.2} by the card in single"
        );
        let why = format!(
            "Its norm in the system's scaling, from the velocities before and after. What the \
             card leaves beside the CPU is not isolated. {} The volume \
             within the surface is {:+.1} % after the last step, without an offset of the divergence. \
             A step takes, in ms, but for the solve, which several solvers do in turn: {}. What the \
             paper simulated is not printed.",
            match quick {
                true => "10⁶ cells are for the full run.",
                false => "As many cells as the paper asks for.",
            },
            self.drift(),
            self.split()
        );
        let single = SINGLE / dam::CRITERIA.rtol;
        let holds = cpu <= ALLOWED && card <= ALLOWED * single;
        let finding = LIQUID.judge(holds, text, why);
        let canvas = Canvas::new(machine, 800, 600)?;
        let surface = Surface::of(liquid.surface());
        GlassBox::new(machine, liquid.scene())?.draw(&surface, &canvas)?;
        let caption = format!("The dam after {steps} steps of 1/120 s, {side}³ cells.");
        Ok(finding.with_image("batty2003/liquid.png", caption, &canvas.image()?)?)
    }

    /// How much more there is at the end than at the start, in percent.
    fn drift(&self) -> f64 {
        match self.volumes.as_slice() {
            [first, .., last] => 100.0 * (last / first - 1.0),
            _ => 0.0,
        }
    }

    /// The mean time of each part of a step but the solve, in words.
    fn split(&self) -> String {
        let parts = Times::default().parts().into_iter().enumerate();
        let parts = parts.filter(|(_, (name, _))| *name != "solve");
        let mean = |part: usize| {
            let seconds: f64 = self.times.iter().map(|times| times.parts()[part].1).sum();
            1e3 * seconds / self.times.len().max(1) as f64
        };
        let parts: Vec<String> = parts
            .map(|(part, (name, _))| format!("{name} {:.0}", mean(part)))
            .collect();
        parts.join(", ")
    }
}
