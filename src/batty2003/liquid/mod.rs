//! The liquid: everything of a step except the solve, on the CPU, as in the paper.
//!
//! The paper describes its simulation only up to the pressure projection. A standard one
//! is used here: liquid as particles (FLIP) and velocities on a staggered grid (MAC), with a free
//! surface and solids of second order, so that the systems are of the paper's kind.
//!
//! | file | holds |
//! |---|---|
//! | [`scene`], [`shape`] | the description of a simulation |
//! | [`step`], [`times`] | a liquid, the parts of a step in order, and their times |
//! | [`particles`] | the particles, their motion, and the transfer of velocities to the grid and back |
//! | [`grid`] | cells, and numbers at their centres, corners and faces |
//! | [`level_set`] | the liquid's surface and volume |
//! | [`solids`], [`inflow`] | solids, and inflow through them |
//! | [`projection`], [`pockets`] | the pressure's system, and the use of its solution |
//! | [`extrapolation`] | extrapolation of velocities into air and solids |

pub mod extrapolation;
pub mod grid;
pub mod inflow;
pub mod level_set;
pub mod particles;
pub mod pockets;
pub mod projection;
pub mod scene;
pub mod shape;
pub mod solids;
pub mod step;
pub mod times;

pub use grid::{Faces, Field, Grid};
pub use particles::Particle;
pub use projection::Projection;
pub use scene::{Body, Inflow, Scene};
pub use shape::Shape;
pub use step::{Liquid, Step};
pub use times::Times;
