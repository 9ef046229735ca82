//! Pictures of water and fluid, drawn from the solvers' own textures (Krüger and Westermann 2003,
//! Figs. 1, 6, 7 and 8). Only the picture is read back, never the state.

use std::rc::Rc;

use crate::kruger2003::{Error, Fluid, Water};
use crate::picture::colour::Linear;
use crate::picture::{Camera, Canvas};
use crate::scene::Effort;
use crate::stream::{Kernel, Machine, Pass, Size, Source, Stream, StreamError, source};

const WATER: Source = source!(
    kruger2003, "simulation/water_picture",
    with "kruger2003/simulation/interpolate_linear"
);
const SIGNED: Source = source!(
    kruger2003, "simulation/signed_picture",
    with "kruger2003/simulation/interpolate_linear", "view/signed"
);
const DYE: Source = source!(
    kruger2003, "simulation/dye_picture",
    with "kruger2003/simulation/interpolate_linear"
);
const FLUID: Source = source!(
    kruger2003, "simulation/fluid_picture",
    with "kruger2003/simulation/interpolate_linear"
);

/// Colours of signed quantities from the lowest to the highest value, as in view/signed.glsl.
pub const SIGNED_COLOURS: [Linear; 5] = [
    [0.55, 0.88, 1.0],
    [0.02, 0.17, 0.55],
    [0.006, 0.007, 0.012],
    [0.62, 0.16, 0.02],
    [1.0, 0.86, 0.48],
];

/// Colours of speeds from zero on, as in fluid_picture.frag.
pub const SPEED_COLOURS: [Linear; 4] =
    [[0.008, 0.010, 0.030], [0.03, 0.10, 0.42], [0.05, 0.50, 0.62], [0.75, 0.95, 0.62]];

/// Picture of water.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaterShown {
    /// The surface, reflecting the sky, and the ground below
    Surface,
    /// Height: blue below rest, amber above
    Height,
    /// Residual after the last step's iterations: blue below zero, amber above
    Residual,
}

impl WaterShown {
    /// All pictures.
    pub const ALL: [Self; 3] = [Self::Surface, Self::Height, Self::Residual];

    /// Value of the brightest colour, if colours show numbers. `high` is a typical height of the waves.
    pub fn brightest(self, water: &Water, high: f32) -> Option<f32> {
        match self {
            Self::Surface => None,
            Self::Height => Some(2.0 * high),
            Self::Residual => Some(brightest(water.effort(), water.settings().size)),
        }
    }

    /// The cell of a grid of this size at a position of a picture, both from the lower left corner, the
    /// position relative to the picture's sides. `aspect` is its width over its height. Cells outside
    /// the grid have coordinates too; the sky has none.
    pub fn cell(self, size: Size, aspect: f32, place: [f32; 2]) -> Option<[f32; 2]> {
        let (columns, rows) = (size.0 as f32, size.1 as f32);
        match self {
            WaterShown::Surface => {
                let ground = ground(&over(rows / columns, aspect), place)?;
                Some(ground.map(|widths| widths * columns))
            }
            _ => Some([place[0] * columns, place[1] * rows]),
        }
    }
}

/// Picture of fluid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FluidShown {
    /// Dye
    Dye,
    /// Dye, over streaks along the velocity (fragstream's variant)
    Streaks,
    /// Speed, and streaks along the velocity
    Velocity,
    /// Pressure: blue below its mean, amber above
    Pressure,
    /// Residual after the last step's iterations for the pressure: blue below zero, amber above
    Residual,
}

impl FluidShown {
    /// All pictures.
    pub const ALL: [Self; 5] =
        [Self::Dye, Self::Streaks, Self::Velocity, Self::Pressure, Self::Residual];

    /// Value of the brightest colour, if colours show numbers. `fast` is a typical speed.
    pub fn brightest(self, fluid: &Fluid, fast: f32) -> Option<f32> {
        match self {
            Self::Dye | Self::Streaks => None,
            Self::Velocity => Some(fast),
            Self::Pressure => Some(0.25 * fast * fast),
            Self::Residual => Some(brightest(fluid.effort(), fluid.settings().size)),
        }
    }
}

/// Four times the root mean square of the residual.
fn brightest(effort: Effort, (columns, rows): Size) -> f32 {
    let mean = effort.residual / f64::from(columns * rows).sqrt();
    (4.0 * mean).max(1e-30) as f32
}

/// Draws water and fluid.
pub struct Painter {
    water: Rc<Kernel>,
    signed: Rc<Kernel>,
    dye: Rc<Kernel>,
    streaks: Rc<Kernel>,
    speed: Rc<Kernel>,
}

impl Painter {
    /// Compiles the programs.
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            water: machine.kernel(&WATER, &[])?,
            signed: machine.kernel(&SIGNED, &[])?,
            dye: machine.kernel(&DYE, &[])?,
            streaks: machine.kernel(&FLUID, &[])?,
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
    ) -> Result<(), Error> {
        let most = shown.brightest(water, high).unwrap_or_default();
        match shown {
            WaterShown::Surface => self.draw_surface(water, high, canvas),
            WaterShown::Height => self.draw_signed(water.height(), most, canvas),
            WaterShown::Residual => self.draw_signed(&water.residuals()?, most, canvas),
        }
    }

    fn draw_surface(&self, water: &Water, high: f32, canvas: &Canvas) -> Result<(), Error> {
        let (columns, rows) = water.settings().size;
        let (width, height) = canvas.stream().size();
        let length = rows as f32 / columns as f32;
        let camera = over(length, width as f32 / height as f32);
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

    fn draw_signed(&self, quantity: &Stream, most: f32, canvas: &Canvas) -> Result<(), Error> {
        let (columns, rows) = quantity.size();
        let pass = Pass::new(&self.signed)
            .read("quantity", quantity)
            .set("size", (columns, rows))
            .set("spacing", canvas.spacing(columns))
            .set("most", most);
        Ok(canvas.draw(pass)?)
    }

    /// Draws fluid. `fast` is a typical speed, in cells per unit of time.
    pub fn draw_fluid(
        &self,
        fluid: &Fluid,
        shown: FluidShown,
        fast: f32,
        canvas: &Canvas,
    ) -> Result<(), Error> {
        let most = shown.brightest(fluid, fast).unwrap_or_default();
        match shown {
            FluidShown::Dye => {
                let (columns, rows) = fluid.settings().size;
                let pass = Pass::new(&self.dye)
                    .read("dye", fluid.dye())
                    .set("size", (columns, rows))
                    .set("spacing", canvas.spacing(columns));
                Ok(canvas.draw(pass)?)
            }
            FluidShown::Streaks => {
                self.draw_streaks(&self.streaks, fluid, fast, canvas, (canvas, [0.0; 2]))
            }
            FluidShown::Velocity => {
                self.draw_streaks(&self.speed, fluid, most, canvas, (canvas, [0.0; 2]))
            }
            FluidShown::Pressure => self.draw_signed(fluid.pressure(), most, canvas),
            FluidShown::Residual => self.draw_signed(&fluid.residuals()?, most, canvas),
        }
    }

    /// Draws a window of the picture with streaks that `whole` shows; `corner` is its lower left corner, in samples.
    pub fn draw_window(
        &self,
        fluid: &Fluid,
        fast: f32,
        (whole, corner): (&Canvas, [f32; 2]),
        window: &Canvas,
    ) -> Result<(), Error> {
        self.draw_streaks(&self.streaks, fluid, fast, window, (whole, corner))
    }

    fn draw_streaks(
        &self,
        kernel: &Kernel,
        fluid: &Fluid,
        fast: f32,
        canvas: &Canvas,
        (whole, corner): (&Canvas, [f32; 2]),
    ) -> Result<(), Error> {
        let (columns, rows) = fluid.settings().size;
        let pass = Pass::new(kernel)
            .read("dye", fluid.dye())
            .read("velocity", fluid.velocity())
            .set("size", (columns, rows))
            .set("spacing", whole.spacing(columns))
            .set("most", fast)
            .set("grain", whole.samples() as f32)
            .set("corner", corner);
        Ok(canvas.draw(pass)?)
    }
}

/// Camera above the lower edge of the picture, looking down so that a basin `length` times as long as wide
/// fits into a picture `aspect` times as wide as high.
pub fn over(length: f32, aspect: f32) -> Camera {
    let target = [0.5, 0.46 * length, 0.0];
    let distance = 1.55 * (0.45 + 0.55 * length).max(1.0) * (1.0 / aspect).max(1.0);
    // Elevation of 52 degrees above the horizon.
    let (sine, cosine) = 52.0_f32.to_radians().sin_cos();
    let eye = [target[0], target[1] - distance * cosine, target[2] + distance * sine];
    let view = 0.74;
    Camera {
        eye,
        forward: [0.0, cosine, -sine],
        right: [view * aspect, 0.0, 0.0],
        up: [0.0, view * sine, view * cosine],
    }
}

/// Position of still water seen at a position of the picture, both as shares from the lower left corner: of
/// the picture, and of the basin's width. None at or above the horizon.
fn ground(camera: &Camera, place: [f32; 2]) -> Option<[f32; 2]> {
    let ray = camera.ray(place);
    let way = camera.eye[2] / -ray[2];
    (-ray[2] > 1e-3).then(|| [0, 1].map(|k| camera.eye[k] + way * ray[k]))
}
