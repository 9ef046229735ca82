//! The window and its events.

use std::fs;
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

use image::RgbImage;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use crate::gl::Context;
use crate::io::write_atomically;
use crate::picture::png;
use crate::scene::{BoxedError, Done, Entry, Scene, Tool};
use crate::stream::{Ledger, Machine, Size, StreamError};

use super::display;
use super::error::ViewError;
use super::keys::{Action, KEYS};
use super::panel::Panels;
use super::stage::Stage;

/// Interval at which the title is updated while something moves.
const TITLE: Duration = Duration::from_millis(250);

/// Maximum number of seconds between two steps.
const LONGEST: f64 = 3600.0;

/// Options of a window.
#[derive(Debug, Clone)]
pub struct Options {
    /// Columns and rows of the window, in pixels of a display of ordinary density.
    pub window: Size,
    /// Samples along each side of a pixel; the entry's choice unless given.
    pub detail: Option<f32>,
    /// Maximum number of steps per second; 0 for no limit.
    pub rate: f64,
    /// Number of steps after which it closes.
    pub steps: Option<u64>,
    /// First view, counted from 0; the texture comes after the scene's own.
    pub view: usize,
    /// True to keep the last contents of the window.
    pub screenshot: bool,
    /// Command that does the same without a window.
    pub instead: String,
}

/// The result of a window.
#[derive(Debug, Default)]
pub struct Ended {
    /// Number of steps.
    pub steps: u64,
    /// Last contents of the window, if requested.
    pub screenshot: Option<RgbImage>,
    /// Ledger of its machine.
    pub ledger: Ledger,
}

/// Opens a window with the scene from `make`, and returns when it is closed. Messages to the user (keys) go
/// through `tell`.
pub fn run(
    entry: &'static Entry,
    options: Options,
    make: impl FnOnce(&Machine) -> Result<Box<dyn Scene>, BoxedError>,
    tell: impl Fn(&str),
) -> Result<Ended, ViewError> {
    let instead = options.instead.clone();
    let no_window = |cause| ViewError::NoWindow { cause, instead: instead.clone() };
    let event_loop = display::connect().map_err(no_window)?;
    let (make, ended) = (Some(make), Ok(Ended::default()));
    let mut application = Application { entry, options, make, tell, open: None, ended };
    let run = display::run(event_loop, &mut application);
    let ended = application.ended?;
    run.map_err(|error| no_window(display::in_words(&error)))?;
    Ok(ended)
}

/// An open window.
struct Open {
    stage: Stage,
    panels: Panels,
    window: Rc<Window>,
    /// Time of the next step.
    next: Instant,
    due: bool,
    titled: Option<Instant>,
}

struct Application<F, T> {
    entry: &'static Entry,
    options: Options,
    make: Option<F>,
    tell: T,
    open: Option<Open>,
    ended: Result<Ended, ViewError>,
}

impl<F, T> Application<F, T>
where
    F: FnOnce(&Machine) -> Result<Box<dyn Scene>, BoxedError>,
    T: Fn(&str),
{
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), ViewError> {
        let Some(make) = self.make.take() else {
            return Ok(());
        };
        let instead = || self.options.instead.clone();
        let (width, height) = self.options.window;
        let attributes = Window::default_attributes()
            .with_title(format!("{} - fragstream", self.entry.name))
            .with_inner_size(LogicalSize::new(width, height));
        let window = event_loop.create_window(attributes);
        let window = Rc::new(window.map_err(|error| ViewError::NoWindow {
            cause: error.to_string(),
            instead: instead(),
        })?);
        let PhysicalSize { width, height } = window.inner_size();
        let no_context = |error: StreamError| ViewError::NoWindow {
            cause: error.to_string(),
            instead: instead(),
        };
        let context = Context::for_window(Rc::clone(&window) as Rc<_>, (width, height))
            .map_err(|error| no_context(error.into()))?;
        let machine = Machine::on(context).map_err(no_context)?;
        let scene = make(&machine).map_err(ViewError::Scene)?;
        let (size, detail) = ((width, height), self.options.detail);
        let stage = Stage::new(&machine, self.entry, scene, size, detail);
        let mut stage = stage.map_err(|error| ViewError::Scene(error.into()))?;
        let view = Action::View(self.options.view);
        stage.act(view).map_err(ViewError::Scene)?;
        (self.tell)(KEYS);
        if self.options.detail.is_none() && stage.detail() < 1.0 {
            (self.tell)(&format!(
                "software rendering: {} samples along a side of a pixel (press f for more, or give \
                 --detail 1)",
                stage.detail()
            ));
        }
        window.request_redraw();
        self.open = Some(Open {
            stage,
            panels: Panels::default(),
            window,
            next: Instant::now(),
            due: false,
            titled: None,
        });
        Ok(())
    }

    fn happened(&mut self, event_loop: &ActiveEventLoop, event: &WindowEvent) -> Done {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::Resized(size) => {
                open.stage.resize((size.width, size.height))?;
                open.window.request_redraw();
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                match Action::of(event) {
                    Some(Action::Close) => event_loop.exit(),
                    Some(Action::Picture) => {
                        let image = open.stage.presenter().image()?;
                        let saved = save(&image).map(|name| format!("wrote {name}"));
                        (self.tell)(&saved.unwrap_or_else(|error| format!("no picture: {error}")));
                    }
                    Some(action) => open.act(action)?,
                    None => {}
                }
            }
            WindowEvent::RedrawRequested => {
                open.frame()?;
                if self.options.steps.is_some_and(|n| open.stage.steps() >= n) {
                    event_loop.exit();
                }
            }
            event => open.mouse(event),
        }
        Ok(())
    }

    /// Ends the event loop with an error.
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: ViewError) {
        self.ended = Err(error);
        event_loop.exit();
    }
}

impl Open {
    fn act(&mut self, action: Action) -> Done {
        self.stage.act(action)?;
        self.panels.help ^= action == Action::Help;
        self.titled = None;
        self.window.request_redraw();
        Ok(())
    }

    fn mouse(&mut self, event: &WindowEvent) {
        let mouse = &mut self.stage.mouse;
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                mouse.moved([position.x as f32, position.y as f32]);
            }
            WindowEvent::MouseInput { state, button, .. } => {
                let tool = match button {
                    MouseButton::Left => Tool::First,
                    MouseButton::Right => Tool::Second,
                    _ => return,
                };
                match state {
                    ElementState::Pressed => mouse.pressed(tool),
                    ElementState::Released => mouse.released(tool),
                }
            }
            // The button may be released while another window has the focus.
            WindowEvent::Focused(false) => {
                mouse.released(Tool::First);
                mouse.released(Tool::Second);
            }
            _ => return,
        }
        if !self.stage.is_moving() {
            self.window.request_redraw();
        }
    }

    /// Handles strokes, takes a step if one is due, and draws a picture.
    fn frame(&mut self) -> Done {
        self.stage.stroke()?;
        if std::mem::take(&mut self.due) && self.stage.is_moving() {
            self.stage.step()?;
        }
        self.stage.draw()?;
        self.panels.draw(&self.stage)?;
        self.window.pre_present_notify();
        self.stage.presenter().show()?;
        let now = Instant::now();
        let due = |titled| now - titled >= TITLE;
        if !self.stage.is_moving() || self.titled.is_none_or(due) {
            self.window.set_title(&self.stage.title());
            self.titled = Some(now);
        }
        Ok(())
    }

    /// Computes when the loop must wake up again.
    fn pace(&mut self, rate: f64) -> ControlFlow {
        if !self.stage.is_moving() {
            return ControlFlow::Wait;
        }
        let now = Instant::now();
        if now >= self.next {
            self.due = true;
            self.window.request_redraw();
            let period = if rate > 0.0 { LONGEST.min(1.0 / rate) } else { 0.0 };
            // Missed steps are not repeated.
            self.next = (self.next + Duration::from_secs_f64(period)).max(now);
        }
        ControlFlow::WaitUntil(self.next)
    }
}

/// Writes a picture into the current folder, under the first free name.
fn save(picture: &RgbImage) -> Result<String, BoxedError> {
    let bytes = png(picture)?;
    let mut number = 1;
    loop {
        let name = format!("fragstream-{number:03}.png");
        if fs::symlink_metadata(&name).is_err() {
            write_atomically(name.as_ref(), |out| out.write_all(&bytes))?;
            return Ok(name);
        }
        number += 1;
    }
}

impl<F, T> ApplicationHandler for Application<F, T>
where
    F: FnOnce(&Machine) -> Result<Box<dyn Scene>, BoxedError>,
    T: Fn(&str),
{
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Err(error) = self.open(event_loop) {
            self.fail(event_loop, error);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if event_loop.exiting() {
            return;
        }
        if let Err(error) = self.happened(event_loop, &event) {
            self.fail(event_loop, ViewError::Scene(error));
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(open) = &mut self.open {
            event_loop.set_control_flow(open.pace(self.options.rate));
        }
    }

    /// Releases everything used for drawing while the connection to the display still exists.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        let Some(Open { stage, .. }) = self.open.take() else {
            return;
        };
        let Ok(ended) = &mut self.ended else { return };
        ended.steps = stage.steps();
        if self.options.screenshot {
            match stage.presenter().image() {
                Ok(image) => ended.screenshot = Some(image),
                Err(error) => {
                    self.ended = Err(ViewError::Scene(error.into()));
                    return;
                }
            }
        }
        ended.ledger = stage.machine().take_ledger();
    }
}
