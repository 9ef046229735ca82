//! The liquid in a glass box: its surface mirrors the room and bends what lies behind it.
//!
//! Meshes are drawn into streams that hold normals and depths, twice: what is foremost, and what is
//! last, so that a splash is seen before the pool behind it. All else is passes over these.

use std::rc::Rc;

use crate::batty2003::liquid::Scene;
use crate::mesh::vector::{dot, norm, scale, subtract, widen};
use crate::picture::triangles::{self, Combine, Shader, Triangles};
use crate::picture::{Camera, Canvas};
use crate::stream::{
    Format, Kernel, Machine, Pass, Rects, Size, Source, Stream, StreamError, source,
};

use super::bodies::{bodies, frame};
use super::floor_light::{FloorLight, SUN};
use super::surface::Surface;

const BACKDROP: Source = source!(
    "batty2003/picture/backdrop",
    with "batty2003/picture/camera", "batty2003/picture/studio"
);
const LIQUID: Source = source!(
    "batty2003/picture/liquid",
    with "batty2003/picture/camera", "batty2003/picture/studio"
);
const GLASS: Source = source!(
    "batty2003/picture/glass",
    with "batty2003/picture/camera", "batty2003/picture/studio"
);

/// What the longest side of the box absorbs of each colour, as an exponent.
const ABSORBED: [f32; 3] = [4.2, 1.3, 0.8];

/// Where the box is seen from, in degrees.
const DIRECTION: [f64; 2] = [26.0, 19.0];

/// The shorter side of a picture, a unit before the eye.
const VIEW: f64 = 0.55;

/// How much of the ball around the box is to be seen: nothing of the box lies at its very top.
const SEEN: f64 = 0.97;

/// Lines on the floor along the longest side of the box.
const LINES: f32 = 6.0;

/// Draws liquids in a box.
pub struct GlassBox {
    machine: Machine,
    backdrop: Rc<Kernel>,
    /// The last liquid, and the foremost.
    liquids: [Rc<Kernel>; 2],
    glass: Rc<Kernel>,
    surface: Shader,
    body: Shader,
    extent: [f32; 3],
    /// What stands in it, and its frame: vertices with normals and colours.
    bodies: Vec<f32>,
    light: FloorLight,
    layers: Option<Layers>,
}

/// What the passes of a picture read, as large as the picture.
struct Layers {
    all: Rects,
    bodies: Stream,
    /// Where rays enter the foremost liquid, and where they leave it.
    near: [Stream; 2],
    /// The same of the last.
    far: [Stream; 2],
    /// The picture without liquid, with the last, and with both.
    behind: [Stream; 3],
}

impl GlassBox {
    /// The box of a scene, with what stands in it.
    pub fn new(machine: &Machine, scene: &Scene) -> Result<Self, StreamError> {
        let extent = scene.grid().extent();
        let mut vertices = bodies(&scene.solids, extent);
        vertices.extend(frame(extent));
        let shader = |name, programs| Shader::new(machine, name, programs);
        let surface = [
            source!(text "batty2003/picture/surface", ".vert"),
            source!(text "batty2003/picture/surface", ".frag"),
        ];
        let body = [
            source!(text "batty2003/picture/body", ".vert"),
            source!(text "batty2003/picture/body", ".frag"),
        ];
        Ok(Self {
            backdrop: machine.kernel(&BACKDROP, &[])?,
            liquids: [
                machine.kernel(&LIQUID, &[("FAR", "1")])?,
                machine.kernel(&LIQUID, &[])?,
            ],
            glass: machine.kernel(&GLASS, &[])?,
            surface: shader("batty2003/picture/surface", surface)?,
            body: shader("batty2003/picture/body", body)?,
            extent: extent.map(|side| side as f32),
            light: FloorLight::new(machine, &vertices, extent)?,
            bodies: vertices,
            layers: None,
            machine: machine.clone(),
        })
    }

    /// Where the box is seen from, in a picture so many times as wide as high.
    pub fn camera(&self, aspect: f64) -> Camera {
        let half = scale(0.5, widen(self.extent));
        Camera::at_ball((half, SEEN * norm(half)), DIRECTION, aspect, VIEW)
    }

    /// Draws the box with a surface in it.
    pub fn draw(&mut self, surface: &Surface, canvas: &Canvas) -> Result<(), StreamError> {
        let size = canvas.stream().size();
        let layers = match self.layers.take() {
            Some(layers) if layers.bodies.size() == size => layers,
            _ => Layers::new(&self.machine, size)?,
        };
        let camera = self.camera(f64::from(size.0) / f64::from(size.1));
        self.light.draw(surface, self.absorbed())?;
        self.draw_depths(&layers, surface, &camera)?;
        self.compose(&layers, &camera, canvas)?;
        self.layers = Some(layers);
        Ok(())
    }

    /// What the last picture was made of, by what it holds.
    pub fn streams(&self) -> Vec<(String, &Stream)> {
        let mut streams = vec![("light on the floor".to_owned(), &self.light.stream)];
        if let Some(layers) = &self.layers {
            let [entry, leave] = &layers.near;
            streams.push(("normal and depth of the surface".to_owned(), entry));
            streams.push(("normal and depth of its back".to_owned(), leave));
            streams.push(("light and depth of solids".to_owned(), &layers.bodies));
        }
        streams
    }

    fn longest(&self) -> f32 {
        self.extent.into_iter().fold(0.0, f32::max)
    }

    fn absorbed(&self) -> [f32; 3] {
        ABSORBED.map(|share| share / self.longest())
    }

    /// Bodies, and both sides of the surface: what is foremost, and what is last.
    fn draw_depths(
        &self,
        layers: &Layers,
        surface: &Surface,
        camera: &Camera,
    ) -> Result<(), StreamError> {
        let eye = widen(camera.eye);
        let ends = [[0.0; 3], widen(self.extent)];
        let towards = |corner, normal| dot(subtract(eye, corner), normal) > 0.0;
        let [towards, away] = surface.by_side(ends, towards);
        let [nearest, furthest] = [0.05, 20.0].map(|share| share * self.longest());
        let first = camera.to_clip(nearest, furthest);
        let last = camera.to_clip(furthest, nearest);
        let point = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        let constants = [
            ("eye", point(camera.eye)),
            ("forward", point(camera.forward)),
            ("sun", point(SUN)),
        ];
        let surface = |target: &Stream, to_clip, vertices: &[f32]| {
            let drawn = Triangles {
                shader: &self.surface,
                to_clip,
                constants: &constants,
                attributes: &[3, 3],
                vertices,
                combine: Combine::Nearest,
            };
            triangles::draw(target, [0.0; 4], &[drawn])
        };
        surface(&layers.near[0], first, &towards)?;
        surface(&layers.near[1], first, &away)?;
        surface(&layers.far[0], last, &towards)?;
        surface(&layers.far[1], last, &away)?;
        let bodies = Triangles {
            shader: &self.body,
            to_clip: first,
            constants: &constants,
            attributes: &[3, 3, 3],
            vertices: &self.bodies,
            combine: Combine::Nearest,
        };
        triangles::draw(&layers.bodies, [0.0; 4], &[bodies])
    }

    /// From what lies behind to the glass before all.
    fn compose(
        &self,
        layers: &Layers,
        camera: &Camera,
        canvas: &Canvas,
    ) -> Result<(), StreamError> {
        let pass = |kernel| {
            Pass::new(kernel)
                .set("picture", canvas.stream().size())
                .set("eye", camera.eye)
                .set("forward", camera.forward)
                .set("right", camera.right)
                .set("up", camera.up)
                .set("extent", self.extent)
        };
        let [empty, with_last, with_both] = &layers.behind;
        let texels = self.light.stream.width() as f32;
        pass(&self.backdrop)
            .read("bodies", &layers.bodies)
            .read("light", &self.light.stream)
            .set("region", self.light.region)
            .set("texels", [texels, texels])
            .set("line", self.longest() / LINES)
            .draw(empty, &layers.all)?;
        let liquid = |kernel, behind, sides| {
            let [entry, leave]: &[Stream; 2] = sides;
            pass(kernel)
                .read("behind", behind)
                .read("entry", entry)
                .read("leave", leave)
                .set("absorbed", self.absorbed())
        };
        let [far, near] = &self.liquids;
        liquid(far, empty, &layers.far)
            .read("foremost", &layers.near[1])
            .draw(with_last, &layers.all)?;
        liquid(near, with_last, &layers.near).draw(with_both, &layers.all)?;
        canvas.draw(pass(&self.glass).read("inside", with_both))
    }
}

impl Layers {
    fn new(machine: &Machine, size: Size) -> Result<Self, StreamError> {
        let stream = |label| Stream::zeros(machine, label, size, Format::Rgba32F);
        let bodies = stream("bodies")?;
        Ok(Self {
            all: machine.rect(bodies.full())?,
            bodies,
            near: [stream("entry")?, stream("exit")?],
            far: [stream("last entry")?, stream("last exit")?],
            behind: [
                stream("empty box")?,
                stream("last liquid")?,
                stream("all liquid")?,
            ],
        })
    }
}
