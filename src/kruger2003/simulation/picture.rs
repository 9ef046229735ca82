//! Pictures of water and fluid, drawn from the solvers' own textures (Krüger and Westermann 2003,
//! Figs. 1, 6, 7 and 8). Only the picture is read back, never the state.

use std::rc::Rc;

use crate::picture::Canvas;
use crate::stream::{Kernel, Machine, Pass, Size, Source, Stream, StreamError, source};

use super::camera;
use crate::kruger2003::{Fluid, SimulationError, Water};

const WATER: Source = source!(
    "kruger2003/simulation/water_picture",
    with "kruger2003/simulation/interpolate_linear"
);
const SIGNED: Source = source!(
    "kruger2003/simulation/signed_picture",
    with "kruger2003/simulation/interpolate_linear"
);
const FLUID: Source = source!(
    "kruger2003/simulation/fluid_picture",
    with "kruger2003/simulation/interpolate_linear"
);

/// Picture of water.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum WaterShown {
    /// The surface, reflecting the sky, and the ground below
    Surface,
    /// Height: blue below rest, amber above
    Height,
    /// Residual after the last step's iterations: blue below zero, amber above
    Residual,
}

impl WaterShown {
    /// The cell of a grid of this size at a position of a picture, both from the lower left corner, the
    /// position relative to the picture's sides. `aspect` is its width over its height. Cells outside
    /// the grid have coordinates too; the sky has none.
    pub fn cell(self, size: Size, aspect: f32, place: [f32; 2]) -> Option<[f32; 2]> {
        let (columns, rows) = (size.0 as f32, size.1 as f32);
        match self {
            WaterShown::Surface => {
                let ground = camera::ground(&camera::over(rows / columns, aspect), place)?;
                Some(ground.map(|widths| widths * columns))
            }
            _ => Some([place[0] * columns, place[1] * rows]),
        }
    }
}

/// Picture of fluid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum FluidShown {
    /// Dye, over streaks along the velocity
    Dye,
    /// Speed, and streaks along the velocity
    Velocity,
    /// Pressure: blue below its mean, amber above
    Pressure,
    /// Residual after the last step's iterations for the pressure: blue below zero, amber above
    Residual,
}

/// Draws water and fluid.
pub struct Painter {
    water: Rc<Kernel>,
    signed: Rc<Kernel>,
    dye: Rc<Kernel>,
    speed: Rc<Kernel>,
}

impl Painter {
    /// Compiles the programs.
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            water: machine.kernel(&WATER, &[])?,
            signed: machine.kernel(&SIGNED, &[])?,
            dye: machine.kernel(&FLUID, &[])?,
            speed: machine.kernel(&FLUID, &[("SPEED", "1")])?,
        })
    }

    /// Draws water. `high` is a typical height of its waves.
    pub fn draw_water(
        &self,
        water: &Water,
        shown: WaterShown,
        high: f32,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        match shown {
            WaterShown::Surface => self.draw_surface(water, high, canvas),
            WaterShown::Height => self.draw_signed(water.height(), 2.0 * high, canvas),
            WaterShown::Residual => {
                self.draw_residual(&water.residuals()?, water.residual(), canvas)
            }
        }
    }

    fn draw_surface(
        &self,
        water: &Water,
        high: f32,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        let (columns, rows) = water.settings().size;
        let (width, height) = canvas.stream().size();
        let length = rows as f32 / columns as f32;
        let camera = camera::over(length, width as f32 / height as f32);
        let pass = Pass::new(&self.water)
            .read("height", water.height())
            .set("size", (columns, rows))
            .set("picture", (width, height))
            .set("relief", 0.012 / high)
            .set("eye", camera.eye)
            .set("forward", camera.forward)
            .set("right", camera.right)
            .set("up", camera.up);
        Ok(canvas.draw(pass)?)
    }

    fn draw_signed(
        &self,
        quantity: &Stream,
        most: f32,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        let (columns, rows) = quantity.size();
        let pass = Pass::new(&self.signed)
            .read("quantity", quantity)
            .set("size", (columns, rows))
            .set("spacing", canvas.spacing(columns))
            .set("most", most);
        Ok(canvas.draw(pass)?)
    }

    /// Draws a residual; its brightest colours correspond to four times the root mean square.
    fn draw_residual(
        &self,
        residual: &Stream,
        norm: f64,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        let mean = norm / (residual.layout().length() as f64).sqrt();
        self.draw_signed(residual, (4.0 * mean).max(1e-30) as f32, canvas)
    }

    /// Draws fluid. `fast` is a typical speed, in cells per unit of time.
    pub fn draw_fluid(
        &self,
        fluid: &Fluid,
        shown: FluidShown,
        fast: f32,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        let kernel = match shown {
            FluidShown::Dye => &self.dye,
            FluidShown::Velocity => &self.speed,
            FluidShown::Pressure => {
                return self.draw_signed(fluid.pressure(), 0.25 * fast * fast, canvas);
            }
            FluidShown::Residual => {
                return self.draw_residual(&fluid.residuals()?, fluid.residual(), canvas);
            }
        };
        let (columns, rows) = fluid.settings().size;
        let pass = Pass::new(kernel)
            .read("dye", fluid.dye())
            .read("velocity", fluid.velocity())
            .set("size", (columns, rows))
            .set("spacing", canvas.spacing(columns))
            .set("most", fast)
            .set("grain", canvas.samples() as f32);
        Ok(canvas.draw(pass)?)
    }
}
