//! Scenes: everything that runs and can be seen.
//!
//! A [`Scene`] is stepped, drawn and pushed. Its [`Settings`] are all that it takes to start it; their defaults
//! exist nowhere else. An [`Entry`] describes a scene for the command (pictures, animations, a table),
//! windows, the live page, and films. [`crate::scenes`] lists fragstream's entries; a registry of
//! your own is a list of yours.

mod entry;
mod error;

use crate::mesh::TriangleMesh;
use crate::picture::Canvas;
use crate::picture::colour::Linear;
#[cfg(feature = "plot")]
use crate::picture::plot::Chart;
use crate::settings::Flat;
use crate::stream::{Ledger, Size, Stream};

pub use crate::base::error::BoxedError;
pub use entry::{Entry, Exercise, Filmed, Interactive, Output, Preset, Ready, Settings, Typed};
pub use error::{NotFinite, Setting, check_memory};

/// The result of a step, a picture or a push.
pub type Done = Result<(), BoxedError>;

/// Numbers with their names.
pub type Fields = Vec<(&'static str, f64)>;

/// A simulation, or a solver at work, that can be seen and pushed. Positions in its grid are in cells from the lower
/// left corner; views are numbered as in its [`Entry`].
pub trait Scene {
    /// Performs one step; `measured` if its row or its progress will be needed.
    fn step(&mut self, measured: bool) -> Done;

    /// Draws a view, in linear light.
    fn draw(&mut self, view: usize, canvas: &Canvas) -> Done;

    /// Columns and rows of cells.
    fn size(&self) -> Size;

    /// The size of its grid, in words.
    fn grid(&self) -> String {
        let (columns, rows) = self.size();
        format!("{columns}x{rows}")
    }

    /// Width and height of a view, of which only the ratio counts.
    fn shape(&self, _view: usize) -> Size {
        self.size()
    }

    /// Width in pixels of a picture in a file.
    fn width(&self) -> u32 {
        400
    }

    /// The cell at a position of a view, given as fractions of its sides from the lower left corner; `None` if there
    /// is no cell.
    fn cell(&self, _view: usize, place: [f32; 2]) -> Option<[f32; 2]> {
        let (columns, rows) = self.size();
        Some([place[0] * columns as f32, place[1] * rows as f32])
    }

    /// Colours of a view, if they mean numbers.
    fn scale(&self, _view: usize) -> Option<Scale> {
        None
    }

    /// Applies a movement of the mouse.
    fn push(&mut self, _push: &Push) -> Done {
        Ok(())
    }

    /// Switch of the automatic motion, if there is one.
    fn motion(&mut self) -> Option<&mut bool> {
        None
    }

    /// Returns to the start.
    fn reset(&mut self) -> Done;

    /// Takes over other settings, by name, for the next steps. Returns false, and changes nothing, if they need a new
    /// start.
    fn steer(&mut self, _settings: &Flat) -> Result<bool, BoxedError> {
        Ok(false)
    }

    /// Effort of the last step.
    fn effort(&self) -> Effort {
        Effort { iterations: 0, residual: f64::NAN }
    }

    /// Tests whether the last step ended a unit of work: a time step, a cycle.
    fn is_between_units(&self) -> bool {
        true
    }

    /// Name of the next step, if it is only a part of a unit.
    fn next_in_words(&self) -> String {
        String::new()
    }

    /// Its textures, with the names of their contents.
    fn streams(&self) -> Vec<(String, &Stream)> {
        Vec::new()
    }

    /// The row of its table for the present state, if there is one.
    fn row(&mut self) -> Result<Option<Fields>, BoxedError> {
        Ok(None)
    }

    /// Remarks on its start, for the user.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Its history as CSV, if it keeps one besides the rows: a heading, then one line per record.
    fn history(&self) -> Vec<String> {
        Vec::new()
    }

    /// A few words on the last measured step, for a progress bar.
    fn progress(&self) -> String {
        String::new()
    }

    /// Numbers that describe the whole run.
    fn summary(&self) -> Fields {
        Vec::new()
    }

    /// Counts of its own parts in the ledger of a run.
    fn counts(&self, _ledger: &Ledger) -> Fields {
        Vec::new()
    }

    /// Its surface as a closed mesh, if it has one ([`Output::Surface`]).
    fn surface(&self) -> Option<TriangleMesh> {
        None
    }

    /// Its history as a chart, if it has one ([`Output::Plot`]).
    #[cfg(feature = "plot")]
    fn chart(&self) -> Option<Chart> {
        None
    }
}

/// A piece of a stroke: the movement of the mouse during a frame. Lengths are in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// Start.
    pub from: [f32; 2],
    /// End; equal to the start if the mouse rests.
    pub to: [f32; 2],
    /// Length of the mouse's path in the whole frame.
    pub way: f32,
    /// Radius of the stroke.
    pub radius: f32,
    /// Button that draws it.
    pub tool: Tool,
    /// True if the button has just been pressed.
    pub begins: bool,
    /// Number of the stroke.
    pub stroke: usize,
}

/// Button that draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// The left button.
    First,
    /// The right button.
    Second,
}

/// Effort of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Effort {
    /// Iterations of the solver.
    pub iterations: usize,
    /// Norm of the residual; not finite after a breakdown.
    pub residual: f64,
}

/// Views that will be drawn; a scene leaves out what only others need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// None.
    Nothing,
    /// One, by its number.
    View(usize),
    /// Any.
    Any,
}

/// Colours of a quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Linear light at equidistant values, with linear interpolation in between.
    pub colours: Vec<Linear>,
    /// Values of the first and of the last colour.
    pub ends: [f32; 2],
}

impl Scale {
    /// The colours of values from `-most` to `most`.
    pub fn signed(colours: &[Linear], most: f32) -> Self {
        Self { colours: colours.to_vec(), ends: [-most, most] }
    }

    /// The colour at a fraction of the way from the first to the last.
    pub fn at(&self, share: f32) -> Linear {
        let place = share * (self.colours.len() - 1) as f32;
        let below = (place as usize).min(self.colours.len() - 2);
        let (from, to) = (self.colours[below], self.colours[below + 1]);
        std::array::from_fn(|c| from[c] + (place - below as f32) * (to[c] - from[c]))
    }
}
