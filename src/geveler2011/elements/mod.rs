//! Finite elements: spaces on a mesh, the system of Poisson's equation, grid transfer, numberings.
//!
//! | file | section | holds |
//! |---|---|---|
//! | [`element`] | 1.2 | Q1 and Q2 on the square |
//! | [`space`] | 1.2 | the unknowns of a mesh, and the cells' maps |
//! | [`assembly`] | 4.2 | matrix and right-hand side |
//! | [`counts`] | Table 1 | unknowns and non-zeros by counting |
//! | [`transfer`] | 2.3 | prolongation |
//! | [`vtu`] | | solutions as files |
//! | `picture` | | solutions as pictures |
//! | [`numbering`] | 2.2 | 2LV, CM, XYZ, STO, HIE |

pub mod assembly;
pub mod counts;
pub mod element;
pub mod numbering;
#[cfg(feature = "plot")]
pub mod picture;
pub mod space;
pub mod transfer;
pub mod vtu;

pub use assembly::{Condition, Problem, System};
pub use element::Element;
pub use numbering::Numbering;
pub use space::Space;
