//! The sequence of frames: strokes, a step, a picture.

use std::ops::RangeInclusive;

use web_time::Instant;

use crate::picture::Canvas;
use crate::scene::{BoxedError, Done, Entry, Push, Scale, Scene};
use crate::settings::Flat;
use crate::stream::{Machine, Rect, Size, StreamError};

use super::keys::Action;
use super::mouse::{Mouse, Path, length, simplified};
use super::presenter::{Presenter, fit, samples};
use super::texture::TextureView;
use super::title::{FrameRate, title};

/// Factor by which a key changes the width of a stroke, or the resolution.
const WIDER: f32 = 1.25;

/// Smallest and largest number of samples along a side of a pixel.
pub const DETAIL: RangeInclusive<f32> = 0.125..=4.0;

/// A scene with the state of its window. It runs on any machine; without a window it shows nothing.
pub struct Stage {
    machine: Machine,
    entry: &'static Entry,
    scene: Box<dyn Scene>,
    presenter: Presenter,
    textures: TextureView,
    /// Canvas of the last picture.
    canvas: Option<Canvas>,
    /// The mouse, in pixels of the window from its upper left corner.
    pub mouse: Mouse,
    /// Number of one of the scene's views, or after them of a texture.
    view: usize,
    texture: usize,
    /// Name of the view, and its colours.
    shown: String,
    scale: Option<Scale>,
    radius: f32,
    /// Samples along a side of a pixel.
    detail: f32,
    paused: bool,
    step_once: bool,
    steps: u64,
    rate: FrameRate,
}

impl Stage {
    /// A scene in a window of this size in pixels, with `detail` samples along a side of a pixel (default: the
    /// entry's).
    pub fn new(
        machine: &Machine,
        entry: &'static Entry,
        scene: Box<dyn Scene>,
        size: Size,
        detail: Option<f32>,
    ) -> Result<Self, StreamError> {
        let (columns, rows) = scene.size();
        let usual = if machine.description().software { entry.interactive.detail } else { 1.0 };
        Ok(Self {
            presenter: Presenter::new(machine, size)?,
            textures: TextureView::new(machine)?,
            canvas: None,
            machine: machine.clone(),
            radius: (columns.min(rows) as f32 / 50.0).max(1.0),
            entry,
            scene,
            mouse: Mouse::default(),
            view: 0,
            texture: 0,
            shown: String::new(),
            scale: None,
            detail: detail.unwrap_or(usual),
            paused: false,
            step_once: false,
            steps: 0,
            rate: FrameRate::default(),
        })
    }

    /// Sets the new size of the window in pixels. Pending strokes belong to the former picture.
    pub fn resize(&mut self, size: Size) -> Done {
        self.stroke()?;
        if let Ok(context) = self.machine.context("draw in a window") {
            context.resize_window(size);
        }
        if size != self.presenter.size() {
            self.presenter = Presenter::new(&self.machine, size)?;
        }
        Ok(())
    }

    /// Performs the action of a key, if it concerns the scene, after pending strokes.
    pub fn act(&mut self, action: Action) -> Done {
        self.stroke()?;
        match action {
            Action::Pause => {
                self.paused = !self.paused;
                self.rate.clear();
            }
            Action::Step => (self.paused, self.step_once) = (true, true),
            Action::Reset => self.scene.reset()?,
            Action::View(view) => self.look_at(view.min(self.views())),
            Action::NextView => self.look_at((self.view + 1) % (self.views() + 1)),
            Action::NextTexture if self.view < self.views() => self.look_at(self.views()),
            Action::NextTexture => {
                self.texture = (self.texture + 1) % self.scene.streams().len().max(1);
            }
            Action::Wider => self.widen(WIDER),
            Action::Narrower => self.widen(1.0 / WIDER),
            Action::Finer => self.refine(WIDER),
            Action::Coarser => self.refine(1.0 / WIDER),
            Action::Scene => {
                if let Some(on) = self.scene.motion() {
                    *on = !*on;
                }
            }
            Action::Help | Action::Picture | Action::Close => {}
        }
        Ok(())
    }

    /// Tests whether the scene moves by itself.
    pub fn is_automatic(&mut self) -> bool {
        self.scene.motion().is_some_and(|on| *on)
    }

    /// Number of the view; after the scene's views comes the texture.
    pub fn view(&self) -> usize {
        self.view
    }

    /// Number of the scene's views.
    fn views(&self) -> usize {
        self.entry.views.len()
    }

    fn look_at(&mut self, view: usize) {
        self.view = view;
    }

    fn widen(&mut self, factor: f32) {
        let (columns, rows) = self.scene.size();
        let widest = (columns.min(rows) as f32 / 4.0).max(1.0);
        self.radius = (self.radius * factor).clamp(1.0, widest);
    }

    fn refine(&mut self, factor: f32) {
        let detail = self.detail * factor;
        // The keys always reach a picture with one sample per pixel.
        let detail = if (0.9..1.1).contains(&detail) { 1.0 } else { detail };
        self.detail = detail.clamp(*DETAIL.start(), *DETAIL.end());
    }

    /// Samples along a side of a pixel.
    pub fn detail(&self) -> f32 {
        self.detail
    }

    /// Tests whether the next frame takes a step.
    pub fn is_moving(&self) -> bool {
        !self.paused || self.step_once
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Applies the strokes since the last frame.
    pub fn stroke(&mut self) -> Done {
        for path in self.mouse.take() {
            self.follow(&path)?;
        }
        Ok(())
    }

    fn follow(&mut self, path: &Path) -> Done {
        let picture = self.picture();
        let cells = path.places.iter();
        let cells: Vec<[f32; 2]> = cells.filter_map(|&p| self.cell(picture, p)).collect();
        let corners = simplified(&cells, self.radius / 2.0);
        let push = |from, to, begins| Push {
            from,
            to,
            way: length(&cells),
            radius: self.radius,
            tool: path.tool,
            begins,
            stroke: path.stroke,
        };
        if let Some(&place) = corners.first().filter(|_| path.begins || corners.len() == 1) {
            self.scene.push(&push(place, place, path.begins))?;
        }
        for pair in corners.windows(2) {
            self.scene.push(&push(pair[0], pair[1], false))?;
        }
        Ok(())
    }

    /// The rectangle of the window that the picture fills.
    pub fn picture(&self) -> Rect {
        fit(self.presenter.size(), self.aspect())
    }

    /// Width over height of the picture.
    pub fn aspect(&self) -> f32 {
        let (width, height) = match self.view {
            view if view < self.views() => self.scene.shape(view),
            _ => self.scene.streams()[self.texture].1.size(),
        };
        width as f32 / height as f32
    }

    /// The cell below a pixel of the window.
    fn cell(&self, picture: Rect, [x, y]: [f32; 2]) -> Option<[f32; 2]> {
        let up = self.presenter.size().1 as f32 - y;
        let place = [
            (x - picture.x as f32) / picture.width as f32,
            (up - picture.y as f32) / picture.height as f32,
        ];
        if self.view < self.views() {
            return self.scene.cell(self.view, place);
        }
        // If a texture has a border around its cells, it has the same width on every side.
        let ((columns, rows), streams) = (self.scene.size(), self.scene.streams());
        let (width, height) = streams[self.texture].1.size();
        let along = |share: f32, texels: u32, cells: u32| {
            share * texels as f32 - (texels as f32 - cells as f32) / 2.0
        };
        Some([along(place[0], width, columns), along(place[1], height, rows)])
    }

    /// Performs one time step.
    pub fn step(&mut self) -> Done {
        self.step_once = false;
        self.scene.step(false)?;
        self.steps += 1;
        if !self.paused {
            self.rate.frame(Instant::now());
        }
        Ok(())
    }

    /// Draws the contents of the window.
    pub fn draw(&mut self) -> Done {
        let place = self.picture();
        let canvas = match self.entry.views.get(self.view) {
            Some(&name) => {
                let canvas = self.canvas(place, self.detail)?;
                self.scene.draw(self.view, &canvas)?;
                self.shown = name.to_owned();
                self.scale = self.scene.scale(self.view);
                canvas
            }
            None => {
                let canvas = self.canvas(place, 1.0)?;
                let streams = self.scene.streams();
                let (name, stream) = &streams[self.texture];
                let ((width, height), format) = (stream.size(), stream.format());
                let most = self.textures.draw(stream, &canvas)?;
                self.shown = format!("{name}: {width}x{height} {format}, ±{most:.1e}");
                self.scale = Some(TextureView::scale(most));
                canvas
            }
        };
        self.presenter.compose(canvas.stream(), place)?;
        self.canvas = Some(canvas);
        Ok(())
    }

    /// A canvas for a picture that fills a rectangle of the window: the last one if it fits.
    fn canvas(&mut self, place: Rect, detail: f32) -> Result<Canvas, StreamError> {
        let limit = self.machine.description().rectangle_limit;
        let (size, samples) = samples(place, detail, limit);
        let fits = |canvas: &Canvas| (canvas.size(), canvas.samples()) == (size, samples);
        match self.canvas.take().filter(fits) {
            Some(canvas) => Ok(canvas),
            None => Canvas::with_samples(&self.machine, size, samples),
        }
    }

    /// Colours of the last picture, if they mean numbers.
    pub fn scale(&self) -> Option<&Scale> {
        self.scale.as_ref()
    }

    /// The contents of the window.
    pub fn presenter(&self) -> &Presenter {
        &self.presenter
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        let state = (self.rate.rate(), self.scene.effort(), self.paused);
        let counted = self.entry.interactive.counted;
        title((self.entry.name, self.scene.size(), counted), &self.shown, state)
    }

    /// The machine that it runs on.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The scene.
    pub fn scene(&self) -> &dyn Scene {
        &*self.scene
    }

    /// Takes over other settings after pending strokes, if [`Scene::steer`] does.
    pub fn steer(&mut self, settings: &Flat) -> Result<bool, BoxedError> {
        self.stroke()?;
        self.scene.steer(settings)
    }
}
