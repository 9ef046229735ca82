//! Water and fluid as films and windows step and show them, with their disturbances.

use crate::kruger2003::{Fluid, FluidSettings, SimulationError, Water, WaterSettings};
use crate::picture::Canvas;
use crate::simulation::{Fields, Simulation};
use crate::stream::Machine;

use super::picture::{FluidShown, Painter, WaterShown};
use super::scene::{Pens, Rain};

/// A scene of water.
pub struct WaterScene {
    /// The water.
    pub water: Water,
    /// Rain on it.
    pub rain: Rain,
    /// True while it rains.
    pub raining: bool,
    /// Quantity drawn.
    pub shown: WaterShown,
    painter: Painter,
}

impl WaterScene {
    /// Creates water at rest, with rain on it; its surface is shown.
    pub fn new(
        machine: &Machine,
        settings: WaterSettings,
        rain: Rain,
    ) -> Result<Self, SimulationError> {
        Ok(Self {
            water: Water::at_rest(machine, settings)?,
            rain,
            raining: true,
            shown: WaterShown::Surface,
            painter: Painter::new(machine)?,
        })
    }
}

impl Simulation for WaterScene {
    type Error = SimulationError;

    fn machine(&self) -> &Machine {
        self.water.machine()
    }

    fn grid(&self) -> String {
        let (columns, rows) = self.water.settings().size;
        format!("{columns}x{rows}")
    }

    fn step(&mut self, _measured: bool) -> Result<(), SimulationError> {
        if self.raining {
            self.rain.push(self.water.steps() as u32, &mut self.water)?;
        }
        self.water.step()
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), SimulationError> {
        let high = Rain::HEIGHT;
        self.painter
            .draw_water(&self.water, self.shown, high, canvas)
    }

    fn summary(&self) -> Fields {
        vec![("residual", self.water.residual())]
    }
}

/// A scene of fluid.
pub struct FluidScene {
    /// The fluid.
    pub fluid: Fluid,
    /// Pens that stir it.
    pub pens: Pens,
    /// True while they stir.
    pub stirring: bool,
    /// Quantity drawn.
    pub shown: FluidShown,
    /// A typical speed, in cells per unit of time.
    pub fast: f32,
    painter: Painter,
}

impl FluidScene {
    /// Creates fluid at rest, with pens that stir it; its dye is shown.
    pub fn new(
        machine: &Machine,
        settings: FluidSettings,
        pens: Pens,
    ) -> Result<Self, SimulationError> {
        Ok(Self {
            fluid: Fluid::at_rest(machine, settings)?,
            fast: pens.speed,
            pens,
            stirring: true,
            shown: FluidShown::Dye,
            painter: Painter::new(machine)?,
        })
    }
}

impl Simulation for FluidScene {
    type Error = SimulationError;

    fn machine(&self) -> &Machine {
        self.fluid.machine()
    }

    fn grid(&self) -> String {
        let (columns, rows) = self.fluid.settings().size;
        format!("{columns}x{rows}")
    }

    fn step(&mut self, _measured: bool) -> Result<(), SimulationError> {
        if self.stirring {
            self.pens.push(self.fluid.steps() as u32, &mut self.fluid)?;
        }
        self.fluid.step()
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), SimulationError> {
        self.painter
            .draw_fluid(&self.fluid, self.shown, self.fast, canvas)
    }

    fn row(&mut self) -> Result<Option<Fields>, SimulationError> {
        let step = self.fluid.steps();
        if step == 0 {
            return Ok(None);
        }
        Ok(Some(vec![
            ("step", step as f64),
            ("divergence", self.fluid.divergence()?),
            ("residual", self.fluid.residual()),
        ]))
    }
}
