//! Charts for the report: 1280 x 800 pixels, large type, few lines.
//!
//! A [`Chart`] has series over two axes, linear or logarithmic; [`Bars`] compare a few values per category;
//! [`field`] shows values on a rectangle as colours, [`region`] on any part of the plane. Series are labelled
//! at their ends in their own colours, from the palette of Okabe and Ito, which colour-blind readers can
//! distinguish.

mod axis;
mod bars;
mod chart;
mod field;
mod plate;
mod region;
pub(crate) mod style;

use crate::base::error::WithKind;
use thiserror::Error;

pub use axis::{Axis, Scale};
pub use bars::{Bars, Group};
pub use chart::{Chart, Series, Style};
pub use field::{Field, field};
pub use region::{Region, region};
pub use style::{HEIGHT, WIDTH};

/// A chart that could not be drawn.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum PlotError {
    /// There is no finite value to draw; on a logarithmic axis, no positive one.
    #[error(
        "the chart “{0}” has nothing to draw: no finite value (on a logarithmic axis: no positive one)"
    )]
    Empty(String),
    /// The number of values in a group differs from the number of categories.
    #[error(
        "the group “{group}” has {values} values for {categories} categories. Give one per category."
    )]
    Length { group: String, values: usize, categories: usize },
    /// A category has no value of the quantity that the chart shows.
    #[error(
        "the chart “{title}” shows one quantity, and {category} has no “{quantity}”. Leave it out."
    )]
    Quantity { title: String, category: String, quantity: &'static str },
    /// The chart could not be drawn or encoded.
    #[error(transparent)]
    Sheet(#[from] super::sheet::SheetError),
}

impl WithKind for PlotError {}
