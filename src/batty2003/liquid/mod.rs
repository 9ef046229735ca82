//! The liquid: everything of a step but the solve, on the CPU, as in the paper.
//!
//! The paper's own simulation is not described beyond its pressure projection. Here a standard one
//! stands in: liquid as particles (FLIP) and velocities on a staggered grid (MAC), with a free
//! surface and solids of second order, so that the systems are of the kind that the paper solves.
//!
//! | file | holds |
//! |---|---|
//! | [`scene`], [`shape`] | what is to be simulated |
//! | [`step`], [`times`] | a liquid, what a step does, in order, and where its time goes |
//! | [`particles`] | what carries the liquid, how it moves, its velocity to the grid and back |
//! | [`grid`] | cells, and numbers at their centres, corners and faces |
//! | [`level_set`] | where the liquid is, and how much |
//! | [`solids`], [`inflow`] | what stands in its way, and what comes in through it |
//! | [`projection`], [`pockets`] | the pressure's system, and what its solution does |
//! | [`extrapolation`] | velocities continued into air and solids |

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
