//! A liquid as films and windows step and show it: its pressure solver, its picture,
//! and its records and files.

use std::path::PathBuf;

use crate::batty2003::liquid::{Liquid, Scene, Shape, Step};
use crate::batty2003::{LiquidError, PressureSolver};
use crate::io::write_mesh;
use crate::picture::Canvas;
use crate::simulation::{Fields, Simulation};
use crate::solver::Criteria;
use crate::stream::Machine;

use super::glass_box::GlassBox;
use super::surface::Surface;

/// A liquid with its picture.
pub struct LiquidScene {
    /// The liquid.
    pub liquid: Liquid,
    /// The box in which it is shown.
    pub glass_box: GlassBox,
    /// True while a tap above the box is open.
    pub tap: bool,
    /// The folder to which surfaces are written, if any, and the number of steps between two.
    pub surfaces: Option<(PathBuf, usize)>,
    machine: Machine,
    solver: Box<dyn PressureSolver>,
    criteria: Criteria,
    /// Records of the steps.
    steps: Vec<Step>,
}

impl LiquidScene {
    /// Creates a scene at its start.
    pub fn new(
        machine: &Machine,
        scene: Scene,
        solver: Box<dyn PressureSolver>,
        criteria: Criteria,
    ) -> Result<Self, LiquidError> {
        Ok(Self {
            glass_box: GlassBox::new(machine, &scene)?,
            liquid: Liquid::new(scene)?,
            tap: false,
            surfaces: None,
            machine: machine.clone(),
            solver,
            criteria,
            steps: Vec::new(),
        })
    }

    /// The current surface.
    pub fn surface(&self) -> Surface {
        Surface::of(self.liquid.surface())
    }

    /// Record of the last step.
    pub fn last(&self) -> Option<&Step> {
        self.steps.last()
    }

    /// Adds the tap's liquid in a step.
    fn pour(&mut self) -> Result<(), LiquidError> {
        let [x, y, z] = self.liquid.scene().grid().extent();
        let jet =
            Shape::Sphere { centre: [0.7 * x, 0.88 * y, 0.5 * z], radius: 0.08 * x.min(y).min(z) };
        Ok(self.liquid.pour(&jet, [0.0, -y, 0.0])?)
    }
}

impl Simulation for LiquidScene {
    type Error = LiquidError;

    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn grid(&self) -> String {
        let [x, y, z] = self.liquid.scene().size;
        format!("{x}x{y}x{z} cells")
    }

    fn step(&mut self, _measured: bool) -> Result<(), LiquidError> {
        if self.tap {
            self.pour()?;
        }
        let step = self.liquid.step(&mut *self.solver, &self.criteria)?;
        self.steps.push(step);
        let steps = self.liquid.steps();
        if let Some((folder, every)) = &self.surfaces
            && steps.is_multiple_of(*every)
        {
            let name = format!("surface-{:04}.ply", steps / every - 1);
            write_mesh(&folder.join(name), &self.surface().mesh)?;
        }
        Ok(())
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), LiquidError> {
        Ok(self.glass_box.draw(&self.surface(), canvas)?)
    }

    fn row(&mut self) -> Result<Option<Fields>, LiquidError> {
        let number = self.liquid.steps() as f64;
        Ok(self.last().map(|step| {
            let [low, high] = step.pressure;
            vec![
                ("step", number),
                ("iterations", step.outcome.iterations as f64),
                ("residual", step.outcome.residual),
                ("volume", step.volume),
                ("lowest_pressure", low),
                ("highest_pressure", high),
            ]
        }))
    }

    fn history(&self) -> Vec<String> {
        let names = "step,iterations,residual,volume,unknowns,closed_pockets,divergence_before,\
                     divergence_after,lowest_pressure,highest_pressure";
        let mut lines = vec![names.to_owned()];
        lines.extend((1..).zip(&self.steps).map(|(number, step)| {
            format!(
                "{number},{},{:e},{:e},{},{},{:e},{:e},{:e},{:e}",
                step.outcome.iterations,
                step.outcome.residual,
                step.volume,
                step.unknowns,
                step.closed_pockets,
                step.divergence_before,
                step.divergence_after,
                step.pressure[0],
                step.pressure[1]
            )
        }));
        lines
    }

    fn progress(&self) -> String {
        self.last().map_or_else(String::new, |step| {
            let [low, high] = step.pressure;
            format!(
                "{} iterations, {:.4} m³, {low:.0} to {high:.0} Pa",
                step.outcome.iterations, step.volume
            )
        })
    }

    fn summary(&self) -> Fields {
        let steps = &self.steps;
        let mean = |of: &dyn Fn(&Step) -> f64| {
            steps.iter().map(of).sum::<f64>() / steps.len().max(1) as f64
        };
        let solve = mean(&|step| step.solve_seconds);
        let pockets = steps.iter().map(|step| step.closed_pockets).max();
        vec![
            ("iterations_per_step", mean(&|step| step.outcome.iterations as f64)),
            ("seconds_per_solve", solve),
            ("seconds_per_step_around_it", mean(&|step| step.seconds) - solve),
            ("closed_pockets", pockets.unwrap_or(0) as f64),
        ]
    }
}
