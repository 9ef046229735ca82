//! The trait of demos in a window.

use crate::picture::colour::Linear;
use crate::simulation::Simulation;
use crate::stream::{Size, Stream};

use super::mouse::Tool;

/// A piece of a stroke: the movement of the mouse during a frame. Lengths are in cells, from the grid's lower
/// left corner.
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

/// Effort of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Iterations of the solver.
    pub iterations: usize,
    /// Norm of the residual.
    pub residual: f64,
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

/// A simulation that the mouse can push.
pub trait Demo: Simulation {
    /// Name, in a word.
    const NAME: &'static str;
    /// Names of its pictures, selected by the keys 1, 2, ….
    const VIEWS: &'static [&'static str];

    /// Samples along a side of a pixel with which a software renderer on two cores draws 20 pictures of 800x600
    /// pixels per second; other renderers use one.
    const DETAIL_IN_SOFTWARE: f32;

    /// Columns and rows of cells.
    fn size(&self) -> Size;

    /// Selects a view by its number.
    fn show(&mut self, view: usize);

    /// Colours of the view, if they mean numbers.
    fn scale(&self) -> Option<Scale> {
        None
    }

    /// Width over height of the picture.
    fn aspect(&self) -> f32;

    /// The cell at a position of the picture, given as fractions of its sides from the lower left corner;
    /// `None` if there is no cell.
    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]>;

    /// Applies a movement of the mouse.
    fn push(&mut self, push: &Push) -> Result<(), Self::Error>;

    /// Starts or stops the automatic motion.
    fn toggle_scene(&mut self);

    /// Returns to the start.
    fn reset(&mut self) -> Result<(), Self::Error>;

    /// Effort of the last step.
    fn effort(&self) -> Effort;

    /// Checks whether the last step ended a unit of work: a time step, a cycle.
    fn is_between_units(&self) -> bool {
        true
    }

    /// Name of the next step, if it is only a part of a unit.
    fn next_in_words(&self) -> String {
        String::new()
    }

    /// Its textures, with the names of their contents.
    fn streams(&self) -> Vec<(String, &Stream)>;
}
