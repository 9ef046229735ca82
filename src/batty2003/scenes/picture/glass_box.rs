//! The liquid in a glass box: its surface reflects the room and refracts the scene behind it.
//!
//! Meshes are drawn into streams that hold normals and depths, twice: the nearest surface, and the
//! farthest, so that a splash is visible in front of the pool behind it. Everything else is passes over these.

use std::rc::Rc;

use crate::batty2003::scenes::flip::Scene;
use crate::mesh::vector::{dot, norm, scale, subtract, widen};
use crate::picture::triangles::{self, Combine, Shader, Triangles};
use crate::picture::{Camera, Canvas};
use crate::stream::{
    Format, Kernel, Machine, Pass, Rects, Size, Source, Stream, StreamError, source,
};

use super::light::{FloorLight, SUN, bodies, frame};
use super::surface::Surface;

const BACKDROP: Source = source!(
    batty2003, "picture/backdrop",
    with "batty2003/picture/camera", "batty2003/picture/studio"
);
const LIQUID: Source = source!(
    batty2003, "picture/liquid",
    with "batty2003/picture/camera", "batty2003/picture/studio"
);
const GLASS: Source = source!(
    batty2003, "picture/glass",
    with "batty2003/picture/camera", "batty2003/picture/studio"
);

/// Absorption of each colour along the longest side of the box, as an exponent.
const ABSORBED: [f32; 3] = [4.2, 1.3, 0.8];

/// Viewing direction, in degrees.
const DIRECTION: [f64; 2] = [26.0, 19.0];

/// The shorter side of a picture, at unit distance from the eye.
const VIEW: f64 = 0.55;

/// Visible share of the ball around the box: nothing of the box is at its very top.
const SEEN: f64 = 0.97;

/// Lines on the floor along the longest side of the box.
const LINES: f32 = 6.0;

/// Draws liquids in a box.
pub struct GlassBox {
    machine: Machine,
    backdrop: Rc<Kernel>,
    /// Kernels of the farthest liquid, and of the nearest.
    liquids: [Rc<Kernel>; 2],
    glass: Rc<Kernel>,
    surface: Shader,
    body: Shader,
    extent: [f32; 3],
    /// The solids in it, and its frame: vertices with normals and colours.
    bodies: Vec<f32>,
    light: FloorLight,
    layers: Option<Layers>,
}

/// Inputs of the passes of a picture, of its size.
struct Layers {
    all: Rects,
    bodies: Stream,
    /// Points where rays enter the nearest liquid, and where they leave it.
    near: [Stream; 2],
    /// Streams of the farthest.
    far: [Stream; 2],
    /// The picture without liquid, with the farthest, and with both.
    behind: [Stream; 3],
}

impl GlassBox {
    /// Creates the box of a scene, with its solids.
    pub fn new(machine: &Machine, scene: &Scene) -> Result<Self, StreamError> {
        let extent = scene.grid().extent();
        let mut vertices = bodies(&scene.solids, extent);
        vertices.extend(frame(extent));
        let shader = |name, programs| Shader::new(machine, name, programs);
        let vertex = source!(text "batty2003/picture/body", ".vert");
        let surface = [vertex, source!(text "batty2003/picture/surface", ".frag")];
        let body = [vertex, source!(text "batty2003/picture/body", ".frag")];
        Ok(Self {
            backdrop: machine.kernel(&BACKDROP, &[])?,
            liquids: [machine.kernel(&LIQUID, &[("FAR", "1")])?, machine.kernel(&LIQUID, &[])?],
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

    /// Camera for a picture with this aspect ratio.
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

    /// The streams of the last picture, with descriptions.
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

    /// Draws bodies and both sides of the surface: the nearest and the farthest.
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
        let constants =
            [("eye", point(camera.eye)), ("forward", point(camera.forward)), ("sun", point(SUN))];
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

    /// Composes the layers from the back to the glass in front.
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
            behind: [stream("empty box")?, stream("last liquid")?, stream("all liquid")?],
        })
    }
}
