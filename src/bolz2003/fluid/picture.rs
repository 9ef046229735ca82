//! Pictures of the fluid: a quantity in colours, and particles over it (Bolz et al. 2003, Fig. 5).

use image::{Rgb, RgbImage};

use crate::gl::{Framebuffer, Primitive, Program, RectangleTexture, VertexBuffer};
use crate::picture::colour::{Linear, srgb};
use crate::stream::{Format, Kernel, Pass, Rect, Rects, Stream, StreamError};

use super::colours;
use super::domain::Domain;
use super::kernels::COLOURS;
use super::settings::FluidError;
use super::simulation::Fluid;
use super::tracers::{Dye, Particles};

const VERTEX: &str = include_str!("../../../glsl/bolz2003/particles.vert");
const FRAGMENT: &str = include_str!("../../../glsl/bolz2003/particles.frag");

/// Samples of a pixel along each side, for particles: each particle covers one sample.
const SAMPLES: u32 = 2;

/// What is shown in colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shown {
    /// How fast the fluid is.
    Speed,
    /// How it turns.
    Vorticity,
    /// Two dyes.
    Dye,
    /// The pressure.
    Pressure,
}

/// Draws pictures of one domain. Its upper side is up.
pub struct Painter<'a> {
    domain: &'a Domain,
    /// A speed that is typical of the fluid, in grid spaces a unit of time.
    speed: f32,
    spacing: f32,
    quantity: Stream,
    rising: Stream,
    signed: Stream,
    picture: Stream,
    pixels: Rects,
    particles: Layer,
}

/// Where particles are drawn.
struct Layer {
    framebuffer: Framebuffer,
    _texture: RectangleTexture,
    program: Program,
    size: (u32, u32),
}

impl<'a> Painter<'a> {
    /// A painter with `zoom` pixels a grid space. `speed` is typical of the fluid; the colours are
    /// spread accordingly.
    pub fn new(domain: &'a Domain, zoom: u32, speed: f64) -> Result<Self, FluidError> {
        let machine = domain.machine();
        let size = domain.grid().cells.map(|n| n as u32 * zoom);
        let table = |label: &str, colours: Vec<Linear>| {
            let records: Vec<f32> = colours
                .iter()
                .flat_map(|&[r, g, b]| [r, g, b, 1.0])
                .collect();
            Stream::from_data(
                machine,
                label,
                (COLOURS as u32, 1),
                Format::Rgba32F,
                &records,
            )
        };
        Ok(Self {
            domain,
            speed: speed as f32,
            spacing: 1.0 / zoom as f32,
            quantity: domain.plain("shown", Format::R32F)?,
            rising: table("rising colours", colours::rising(COLOURS))?,
            signed: table("signed colours", colours::signed(COLOURS))?,
            picture: Stream::zeros(machine, "picture", (size[0], size[1]), Format::Rgba32F)?,
            pixels: machine.rect(Rect::of_size(size[0], size[1]))?,
            particles: Layer::new(domain, (size[0] * SAMPLES, size[1] * SAMPLES))?,
        })
    }

    /// The picture as it is now. Without `dye`, [`Shown::Dye`] shows the speed.
    pub fn paint(
        &self,
        fluid: &Fluid<'_>,
        shown: Shown,
        dye: Option<&Dye<'_>>,
        particles: Option<&Particles<'_>>,
    ) -> Result<RgbImage, FluidError> {
        match (shown, dye) {
            (Shown::Dye, Some(dye)) => self.draw_dye(dye)?,
            (Shown::Speed | Shown::Dye, _) => self.draw_speed(fluid)?,
            (Shown::Vorticity, _) => self.draw_vorticity(fluid)?,
            (Shown::Pressure, _) => self.draw_pressure(fluid)?,
        }
        let ground = self.picture.read()?;
        let points = match particles {
            None => Vec::new(),
            Some(particles) => self.particles.draw(self.domain, &particles.read()?)?,
        };
        Ok(self.compose(&ground, &points))
    }

    /// The vorticity of every node, in the order of the nodes.
    pub fn vorticity(&self, fluid: &Fluid<'_>) -> Result<Vec<f32>, FluidError> {
        self.compute_vorticity(fluid)?;
        Ok(self.quantity.read()?)
    }

    fn compute_vorticity(&self, fluid: &Fluid<'_>) -> Result<(), StreamError> {
        Pass::new(&self.domain.kernels.vorticity)
            .read("velocity", fluid.velocity())
            .set("last", self.domain.last())
            .draw(&self.quantity, &self.domain.nodes)
    }

    fn draw_speed(&self, fluid: &Fluid<'_>) -> Result<(), StreamError> {
        Pass::new(&self.domain.kernels.speed)
            .read("velocity", fluid.velocity())
            .draw(&self.quantity, &self.domain.nodes)?;
        self.draw_quantity(&self.rising, [0.0, 1.2 * self.speed])
    }

    fn draw_vorticity(&self, fluid: &Fluid<'_>) -> Result<(), StreamError> {
        self.compute_vorticity(fluid)?;
        // A shear layer of eight grid spaces is as bright as can be.
        let most = 0.125 * self.speed;
        self.draw_quantity(&self.signed, [-most, most])
    }

    fn draw_pressure(&self, fluid: &Fluid<'_>) -> Result<(), StreamError> {
        let grid = self.domain.pressure.grid();
        grid.unlayer(fluid.pressure(), &self.quantity)?;
        // As much as stops the fluid.
        let most = 0.5 * self.speed * self.speed * self.domain.settings().dt as f32;
        self.draw_quantity(&self.signed, [-most, most])
    }

    fn draw_quantity(&self, colours: &Stream, range: [f32; 2]) -> Result<(), StreamError> {
        self.over_nodes(&self.domain.kernels.picture)
            .read("quantity", &self.quantity)
            .read("colours", colours)
            .set("range", range)
            .draw(&self.picture, &self.pixels)
    }

    fn draw_dye(&self, dye: &Dye<'_>) -> Result<(), StreamError> {
        let [ground, lower, upper] = colours::dyes();
        self.over_nodes(&self.domain.kernels.picture_dye)
            .read("dye", dye.concentrations())
            .set("background", ground)
            .set("lower_dye", lower)
            .set("upper_dye", upper)
            .draw(&self.picture, &self.pixels)
    }

    fn over_nodes<'k>(&self, kernel: &'k Kernel) -> Pass<'k> {
        Pass::new(kernel)
            .set("extent", self.domain.last())
            .set("spacing", self.spacing)
    }

    /// The ground, covered by particles as far as their samples cover a pixel.
    fn compose(&self, ground: &[f32], points: &[f32]) -> RgbImage {
        let (width, height) = self.picture.size();
        let samples = width * SAMPLES;
        RgbImage::from_fn(width, height, |x, y| {
            let row = height - 1 - y;
            let first = 4 * (row * width + x) as usize;
            let mut colour = [ground[first], ground[first + 1], ground[first + 2]];
            if !points.is_empty() {
                let mut sum = [0.0; 4];
                for sample in 0..SAMPLES * SAMPLES {
                    let (dx, dy) = (sample % SAMPLES, sample / SAMPLES);
                    let from = 4 * ((row * SAMPLES + dy) * samples + x * SAMPLES + dx) as usize;
                    for (sum, value) in sum.iter_mut().zip(&points[from..from + 4]) {
                        *sum += value / (SAMPLES * SAMPLES) as f32;
                    }
                }
                for (colour, light) in colour.iter_mut().zip(sum) {
                    *colour = (1.0 - sum[3]) * *colour + light;
                }
            }
            Rgb(colour.map(srgb))
        })
    }
}

impl Layer {
    fn new(domain: &Domain, size: (u32, u32)) -> Result<Self, StreamError> {
        domain.machine().with_context(|context| {
            let texture = RectangleTexture::new(context, size.0, size.1, Format::Rgba16F)?;
            Ok(Self {
                framebuffer: Framebuffer::new(&texture)?,
                _texture: texture,
                program: Program::new(context, "bolz2003/particles", VERTEX, FRAGMENT)?,
                size,
            })
        })
    }

    /// Draws particles as points: the samples, four channels each, the last one 1 where a point is.
    fn draw(&self, domain: &Domain, particles: &[[f32; 3]]) -> Result<Vec<f32>, StreamError> {
        if particles.is_empty() {
            return Ok(Vec::new());
        }
        let [old, young] = colours::particles().map(|[r, g, b]| [r, g, b, 1.0]);
        let [columns, rows] = domain.last();
        domain.machine().with_context(|context| {
            let points = VertexBuffer::new(context, &[3], particles.as_flattened())?;
            self.framebuffer.clear([0.0; 4]);
            self.program.bind();
            for uniform in self.program.uniforms() {
                let value = match uniform.name.as_str() {
                    "to_clip" => [2.0 / columns, 2.0 / rows, 0.0, 0.0],
                    "old" => old,
                    _ => young,
                };
                self.program.set(uniform, value);
            }
            points.draw(Primitive::Points);
            Ok(self.framebuffer.read(0, 0, self.size.0, self.size.1)?)
        })
    }
}
