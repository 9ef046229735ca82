//! Scenes in a window, pushed by the mouse (kruger2003, section 6).

use clap::Args;
use serde_json::json;

use crate::arguments::{GridSize, not_negative};
use crate::gl::Context;
use crate::scene::{Drawn, Entry, Ready};
use crate::stream::Machine;
use crate::view::keys::KEYS;
use crate::view::stage::DETAIL;
use crate::view::{self, Options};

use super::failure::Failure;
use super::output::{Target, note};
use super::session::Session;

/// The smallest and the largest side of a window.
const SMALLEST: u32 = 16;
const LARGEST: u32 = 8192;

/// Size unless given.
const SIZE: GridSize = GridSize::new(800, 600);

/// The window.
#[derive(Args)]
#[command(next_help_heading = "Window")]
pub struct Window {
    /// Open a window in which the mouse pushes the scene, of this size in pixels [default: 800x600]
    #[arg(long, value_name = "WxH", num_args = 0..=1, default_missing_value = "800x600")]
    window: Option<GridSize>,

    /// Samples of a picture along each side of a pixel, from 0.125 (faster) to 4 (finer) [default: 1, or
    /// less with software rendering]
    #[arg(long, value_name = "NUMBER", value_parser = detail)]
    detail: Option<f32>,

    /// Maximum number of steps per second; 0 for as many as possible
    #[arg(long, value_name = "NUMBER", default_value_t = 60.0, value_parser = not_negative)]
    rate: f64,
}

impl Window {
    /// Tests whether a window is wanted.
    pub fn is_wanted(&self) -> bool {
        self.window.is_some()
    }

    /// Opens the window, and returns when it is closed.
    pub fn open(
        &self,
        entry: &'static Entry,
        ready: &Ready,
        (steps, png): (Option<u32>, Option<&Target>),
        session: &mut Session,
    ) -> Result<(), Failure> {
        let GridSize { columns, rows } = self.window.unwrap_or(SIZE);
        if columns.min(rows) < SMALLEST || columns.max(rows) > LARGEST {
            let message = format!(
                "the window has {columns}x{rows} pixels. Give sides from {SMALLEST} to {LARGEST}"
            );
            return Err(Failure::input(message));
        }
        Context::expect_passes(ready.settings.texels());
        let options = Options {
            window: (columns, rows),
            detail: self.detail,
            rate: self.rate,
            steps: steps.map(u64::from),
            view: ready.view,
            screenshot: png.is_some(),
            instead: format!("fragstream {0} --gif {0}.gif", entry.name),
        };
        let mut watched = Ok(());
        let make = |machine: &Machine| {
            watched = session.watch(machine);
            let scene = ready.settings.start(machine, Drawn::Any)?;
            scene.notes().into_iter().for_each(note);
            Ok(scene)
        };
        let ended = view::run(entry, options, make, |text| note(text))?;
        watched?;
        session.record(ended.ledger);
        session.print(&(), &json!({ "simulation": entry.name, "steps": ended.steps }))?;
        match (png, &ended.screenshot) {
            (Some(file), Some(picture)) => file.picture(picture),
            _ => Ok(()),
        }
    }
}

/// The description of a scene in a window.
pub fn about(entry: &Entry) -> String {
    let second = match entry.interactive.second {
        "" => String::new(),
        second => format!("; the right button: {second}"),
    };
    format!("{} in a window ({}){second}", entry.name, entry.paper)
}

/// Help on the keys.
pub fn keys() -> String {
    format!("In the window:\n{KEYS}")
}

/// A number from 0.125 to 4.
fn detail(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let fitting = number.filter(|number| DETAIL.contains(number));
    fitting.ok_or_else(|| "give a number from 0.125 to 4".to_owned())
}
