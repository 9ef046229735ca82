//! The liquid: everything of a step but the solve, on the CPU, as in the paper.
//!
//! The paper's own simulation is not described beyond its pressure projection. Here a standard one
//! stands in: liquid as particles (FLIP) and velocities on a staggered grid (MAC), with a free
//! surface and solids of second order, so that the systems are of the kind that the paper solves.
//!
//! | file | holds |
//! |---|---|
//! | [`scene`], [`shape`] | what is to be simulated |
//! | [`step`] | a liquid and what a step does, in order |
//! | [`particles`] | what carries the liquid |
//! | [`grid`], [`field`] | cells, and numbers on a grid |

pub mod error;
pub mod field;
pub mod grid;
pub mod particles;
pub mod scene;
pub mod shape;
pub mod step;

pub use error::LiquidError;
pub use field::Field;
pub use grid::Grid;
pub use particles::Particle;
pub use scene::{Body, Inflow, Scene};
pub use shape::Shape;
pub use step::{Liquid, Step, Times};
