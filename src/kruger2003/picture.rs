//! Pictures of water and fluid, drawn from the solvers' own textures (Krüger and Westermann 2003,
//! Figs. 1, 6, 7 and 8). What is read back is the picture, never the state.

use std::rc::Rc;

use image::{Rgb, RgbImage};

use crate::colour::srgb;
use crate::stream::{Format, Kernel, Machine, Pass, Rect, Rects, Source, Stream, StreamError};

use super::{Fluid, SimulationError, Water};

/// A program behind the one that reads between texels.
macro_rules! picture {
    ($file:literal) => {
        Source {
            name: concat!("kruger2003/", $file),
            text: concat!(
                include_str!("../../glsl/kruger2003/interpolate_linear.glsl"),
                include_str!(concat!("../../glsl/kruger2003/", $file, ".frag"))
            ),
        }
    };
}

const WATER: Source = picture!("water_picture");
const SIGNED: Source = picture!("signed_picture");
const FLUID: Source = picture!("fluid_picture");

/// Samples of a pixel along each side.
const SAMPLES: u32 = 2;

/// A canvas: pictures of one size in the making.
pub struct Canvas {
    stream: Stream,
    extent: Rects,
    size: (u32, u32),
}

impl Canvas {
    /// A canvas of so many pixels.
    ///
    /// # Errors
    /// When it is too large for the driver.
    pub fn new(machine: &Machine, width: u32, height: u32) -> Result<Self, StreamError> {
        let samples = (width * SAMPLES, height * SAMPLES);
        Ok(Self {
            stream: Stream::zeros(machine, "picture", samples, Format::Rgba32F)?,
            extent: machine.rect(Rect::of_size(samples.0, samples.1))?,
            size: (width, height),
        })
    }

    /// The samples in linear light, rows from the bottom up, as a window would show them.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The picture that was drawn last, the upper row first.
    ///
    /// # Errors
    /// Those of the machine.
    pub fn image(&self) -> Result<RgbImage, StreamError> {
        let samples = self.stream.read()?;
        let (width, height) = self.size;
        let row = (width * SAMPLES) as usize;
        Ok(RgbImage::from_fn(width, height, |x, y| {
            let (left, low) = (
                (x * SAMPLES) as usize,
                ((height - 1 - y) * SAMPLES) as usize,
            );
            let mut sum = [0.0; 3];
            for sample in 0..(SAMPLES * SAMPLES) as usize {
                let (dx, dy) = (sample % SAMPLES as usize, sample / SAMPLES as usize);
                let first = 4 * ((low + dy) * row + left + dx);
                for (sum, value) in sum.iter_mut().zip(&samples[first..first + 3]) {
                    // Highlights are cut off a sample: what is brighter must not outshine its edge.
                    *sum += value.clamp(0.0, 1.0) / (SAMPLES * SAMPLES) as f32;
                }
            }
            Rgb(sum.map(srgb))
        }))
    }

    /// Cells from one sample to the next, for a grid that fills the width.
    fn spacing(&self, columns: u32) -> f32 {
        columns as f32 / (self.size.0 * SAMPLES) as f32
    }
}

/// What is shown of water.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaterShown {
    /// The surface in a basin, as it would look.
    Surface,
    /// The height in colours.
    Height,
}

/// Where a basin is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    eye: [f32; 3],
    forward: [f32; 3],
    right: [f32; 3],
    up: [f32; 3],
}

impl Camera {
    /// From over the lower edge of the picture, looking down so that a basin as long as `length`
    /// widths fits a picture `aspect` times as wide as high.
    fn over(length: f32, aspect: f32) -> Self {
        let target = [0.5, 0.46 * length, 0.0];
        let distance = 1.55 * (0.45 + 0.55 * length).max(1.0) * (1.0 / aspect).max(1.0);
        // As high as 52 degrees above the horizon.
        let (sine, cosine) = 52.0_f32.to_radians().sin_cos();
        let eye = [
            target[0],
            target[1] - distance * cosine,
            target[2] + distance * sine,
        ];
        let view = 0.74;
        Self {
            eye,
            forward: [0.0, cosine, -sine],
            right: [view * aspect, 0.0, 0.0],
            up: [0.0, view * sine, view * cosine],
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
    ///
    /// # Errors
    /// When the driver refuses one.
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            water: machine.kernel(&WATER, &[])?,
            signed: machine.kernel(&SIGNED, &[])?,
            dye: machine.kernel(&FLUID, &[])?,
            speed: machine.kernel(&FLUID, &[("SPEED", "1")])?,
        })
    }

    /// Draws water. `high` is a height that is typical of its waves.
    ///
    /// # Errors
    /// Those of a pass.
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

    /// Draws fluid. `fast` is a speed that is typical of it, in cells a unit of time.
    ///
    /// # Errors
    /// Those of a pass.
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
        };
        let (columns, rows) = fluid.settings().size;
        Pass::new(kernel)
            .read("dye", fluid.dye())
            .read("velocity", fluid.velocity())
            .set("size", [columns as f32, rows as f32])
            .set("spacing", canvas.spacing(columns))
            .set("most", fast)
            .set("grain", SAMPLES as f32)
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
}
