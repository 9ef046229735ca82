//! What can be shown in a window.

use crate::simulation::Simulation;
use crate::stream::{Size, Stream};

use super::mouse::Tool;

/// A piece of a stroke: what the mouse does in a frame. Lengths are in cells, from the grid's lower
/// left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// Where it begins.
    pub from: [f32; 2],
    /// Where it ends; the same place where the mouse rests.
    pub to: [f32; 2],
    /// Way of the mouse in the whole frame.
    pub way: f32,
    /// Radius of the stroke.
    pub radius: f32,
    /// Which button draws it.
    pub tool: Tool,
    /// True if the button has just been pressed.
    pub begins: bool,
    /// The number of the stroke that it belongs to.
    pub stroke: usize,
}

/// Effort of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Iterations of the solver.
    pub iterations: usize,
    /// The norm of the residual that they left.
    pub residual: f64,
}

/// A simulation that can be pushed.
pub trait Demo: Simulation {
    /// Name, in a word.
    const NAME: &'static str;
    /// Its pictures, by what they show: the keys 1, 2, … choose them.
    const VIEWS: &'static [&'static str];

    /// Samples along a side of a pixel of which a software renderer on two cores draws 20 pictures of
    /// 800x600 a second; others draw one.
    const DETAIL_IN_SOFTWARE: f32;

    /// Columns and rows of cells.
    fn size(&self) -> Size;

    /// Chooses what is drawn from now on: the number of a view.
    fn show(&mut self, view: usize);

    /// Width over height of the picture.
    fn aspect(&self) -> f32;

    /// The cell that is seen at a place of the picture: shares of its sides, from the lower left
    /// corner. Nothing where no cell can be.
    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]>;

    /// Follows the mouse.
    fn push(&mut self, push: &Push) -> Result<(), Self::Error>;

    /// Starts or stops what moves it without a hand.
    fn toggle_scene(&mut self);

    /// Back to the start.
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

    /// Its textures, by what they hold.
    fn streams(&self) -> Vec<(String, &Stream)>;
}
