//! Section 4.1: the fluid.

pub mod fig5;
pub mod timestep;
