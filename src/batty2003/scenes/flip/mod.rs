//! The liquid: everything of a step except the solve, on the CPU, as in the paper.
//!
//! The paper describes its simulation only up to the pressure projection. A standard one
//! is used here: liquid as particles (FLIP) and velocities on a staggered grid (MAC), with a free
//! surface and solids of second order, so that the systems are of the paper's kind.
//!
//! | file | holds |
//! |---|---|
//! | `scene` | the description of a simulation |
//! | `step` | a liquid, and the parts of a step in order |
//! | `grid` | cells, and numbers at their centres, corners and faces |
//! | `particles` | the particles, their motion, and the transfer of velocities to the grid and back |
//! | `level_set` | the liquid's surface and volume |
//! | `solids` | solids, and inflow through them |
//! | `projection` | the pressure's system, and the use of its solution |

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
