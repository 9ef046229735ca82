//! The papers' layouts side by side: one matrix, one grid or one vector, and how it lies in textures.
//!
//! | file | holds |
//! |---|---|
//! | [`textures`] | the textures that a pass reads and writes, looked at while it is drawn |
//! | [`race`](mod@race) | layouts, run alternately: what each does, and how long it takes |
//! | `ceiling` | the same runs with trivial programs, of as many fetches |
//! | [`table`](mod@table) | the lines as text and as comma-separated values |
//! | [`matrices`] | layouts of sparse matrices |
//! | [`grids`] | layouts of grids, for stencils and V-cycles |
//! | [`vectors`] | layouts of vectors, and how they are summed |
//! | `examples` | matrices that show what layouts differ in |
//! | `picture` | how they lie in memory |
//!
//! Counts come from the machine's ledger, times from [`timing`](crate::timing), seconds of the cards
//! from their [`calibrated`](crate::card::cost::calibrated) model. Each layout is its paper's own; this
//! stands above the papers, which know nothing of each other.

mod ceiling;
#[cfg(feature = "plot")]
pub mod examples;
pub mod grids;
pub mod matrices;
#[cfg(feature = "plot")]
pub mod picture;
pub mod race;
pub mod table;
pub mod textures;
pub mod vectors;
