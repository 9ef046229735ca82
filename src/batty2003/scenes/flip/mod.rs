//! The liquid: everything of a step except the solve, on the CPU, as in the paper.
//!
//! The paper describes its simulation only up to the pressure projection. A standard one
//! is used here: liquid as particles (FLIP) and velocities on a staggered grid (MAC), with a free
//! surface and solids of second order, so that the systems are of the paper's kind.

mod grid;
mod level_set;
mod particles;
mod projection;
mod scene;
mod solids;
mod step;

pub use grid::{Faces, Field, Grid};
pub use particles::Particle;
pub use projection::Projection;
pub use scene::{Body, Inflow, Scene, Shape};
pub use solids::Solids;
pub use step::{Liquid, Step};
