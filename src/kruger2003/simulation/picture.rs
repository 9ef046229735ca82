//! Pictures of water and fluid, drawn from the solvers' own textures (Krüger and Westermann 2003,
//! Figs. 1, 6, 7 and 8). What is read back is the picture, never the state.

use std::rc::Rc;

use image::{Rgb, RgbImage};

use crate::picture::colour::srgb;
use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Rects, Source, Stream, StreamError, source,
};

use super::camera::Camera;
use crate::kruger2003::{Fluid, SimulationError, Vector, Water};

const WATER: Source = source!("kruger2003/water_picture", with "kruger2003/interpolate_linear");
const SIGNED: Source = source!("kruger2003/signed_picture", with "kruger2003/interpolate_linear");
const FLUID: Source = source!("kruger2003/fluid_picture", with "kruger2003/interpolate_linear");

/// Samples of a pixel along each side.
const SAMPLES: u32 = 2;

/// A canvas: pictures of one size in the making.
pub struct Canvas {
    stream: Stream,
    extent: Rects,
    size: (u32, u32),
    samples: u32,
}

impl Canvas {
    /// A canvas of so many pixels, of 2 x 2 samples each.
    ///
    /// # Errors
    /// When it is too large for the driver.
    pub fn new(machine: &Machine, width: u32, height: u32) -> Result<Self, StreamError> {
        Self::with_samples(machine, (width, height), SAMPLES)
    }

    /// A canvas of so many pixels, with so many samples along each side of a pixel.
    ///
    /// # Errors
    /// When it is too large for the driver.
    pub fn with_samples(
        machine: &Machine,
        size: (u32, u32),
        samples: u32,
    ) -> Result<Self, StreamError> {
        let (width, height) = (size.0 * samples, size.1 * samples);
        Ok(Self {
            stream: Stream::zeros(machine, "picture", (width, height), Format::Rgba32F)?,
            extent: machine.rects(&[Rect::of_size(width, height)])?,
            size,
            samples,
        })
    }

    /// Columns and rows of pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The samples in linear light, rows from the bottom up, as a window would show them.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The picture that was drawn last, the upper row first.
    pub fn image(&self) -> Result<RgbImage, StreamError> {
        let samples = self.stream.read()?;
        let ((width, height), side) = (self.size, self.samples as usize);
        let row = width as usize * side;
        let share = 1.0 / (side * side) as f32;
        Ok(RgbImage::from_fn(width, height, |x, y| {
            let (left, low) = (x as usize * side, (height - 1 - y) as usize * side);
            let mut sum = [0.0; 3];
            for sample in 0..side * side {
                let first = 4 * ((low + sample / side) * row + left + sample % side);
                for (sum, value) in sum.iter_mut().zip(&samples[first..first + 3]) {
                    // Highlights are cut off a sample: what is brighter must not outshine its edge.
                    *sum += share * value.clamp(0.0, 1.0);
                }
            }
            Rgb(sum.map(srgb))
        }))
    }

    /// Cells from one sample to the next, for a grid that fills the width.
    fn spacing(&self, columns: u32) -> f32 {
        columns as f32 / self.stream.width() as f32
    }
}

/// What is shown of water.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaterShown {
    /// The surface in a basin, as it would look.
    Surface,
    /// The height in colours.
    Height,
    /// What the last step's iterations left, in colours that change with its norm.
    Residual,
}

impl WaterShown {
    /// The cell of a grid of this size at a place of a picture, both from the lower left corner, the
    /// place as shares of the picture's sides. `aspect` is its width over its height. Cells beyond
    /// the grid have coordinates, too; the sky has none.
    pub fn cell(self, size: (u32, u32), aspect: f32, place: [f32; 2]) -> Option<[f32; 2]> {
        let (columns, rows) = (size.0 as f32, size.1 as f32);
        match self {
            WaterShown::Surface => {
                let ground = Camera::over(rows / columns, aspect).ground(place)?;
                Some(ground.map(|widths| widths * columns))
            }
            _ => Some([place[0] * columns, place[1] * rows]),
        }
    }
}

/// Draws water and fluid.
pub struct Painter {
    water: Rc<Kernel>,
    signed: Rc<Kernel>,
    dye: Rc<Kernel>,
    speed: Rc<Kernel>,
}

impl Painter {
    /// The programs, compiled.
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            water: machine.kernel(&WATER, &[])?,
            signed: machine.kernel(&SIGNED, &[])?,
            dye: machine.kernel(&FLUID, &[])?,
            speed: machine.kernel(&FLUID, &[("SPEED", "1")])?,
        })
    }

    /// Draws water. `high` is a height that is typical of its waves.
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
        let (width, height) = canvas.stream.size();
        let length = rows as f32 / columns as f32;
        let camera = Camera::over(length, width as f32 / height as f32);
        Pass::new(&self.water)
            .read("height", water.height())
            .set("size", [columns as f32, rows as f32])
            .set("picture", [width as f32, height as f32])
            .set("relief", 0.012 / high)
            .set("eye", camera.eye)
            .set("forward", camera.forward)
            .set("right", camera.right)
            .set("up", camera.up)
            .draw(&canvas.stream, &canvas.extent)?;
        Ok(())
    }

    fn draw_signed(
        &self,
        quantity: &Stream,
        most: f32,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        let (columns, rows) = quantity.size();
        Pass::new(&self.signed)
            .read("quantity", quantity)
            .set("size", [columns as f32, rows as f32])
            .set("spacing", canvas.spacing(columns))
            .set("most", most)
            .draw(&canvas.stream, &canvas.extent)?;
        Ok(())
    }

    /// Its brightest colours stand for four times the root mean square.
    fn draw_residual(
        &self,
        residual: &Vector,
        norm: f64,
        canvas: &Canvas,
    ) -> Result<(), SimulationError> {
        let mean = norm / (residual.layout().length() as f64).sqrt();
        self.draw_signed(residual.stream(), (4.0 * mean).max(1e-30) as f32, canvas)
    }

    /// Draws fluid. `fast` is a speed that is typical of it, in cells a unit of time.
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
        Pass::new(kernel)
            .read("dye", fluid.dye())
            .read("velocity", fluid.velocity())
            .set("size", [columns as f32, rows as f32])
            .set("spacing", canvas.spacing(columns))
            .set("most", fast)
            .set("grain", canvas.samples as f32)
            .draw(&canvas.stream, &canvas.extent)?;
        Ok(())
    }
}

/// What is shown of fluid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FluidShown {
    /// Dye, over streaks along the velocity.
    Dye,
    /// How fast it is, and streaks along the velocity.
    Velocity,
    /// The pressure in colours.
    Pressure,
    /// What the last step's iterations left of the equation for the pressure, in colours that
    /// change with its norm.
    Residual,
}
