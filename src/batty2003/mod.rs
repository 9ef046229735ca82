//! Batty, Wiebe, Houston: *High Performance Production-Quality Fluid Simulation via NVIDIA's
//! QuadroFX* (2003).
//!
//! The pressure projection of a production liquid: conjugate gradients with a diagonal
//! preconditioner on the seven-point matrix of a 3D box, four cells per texel, rows wrapped. As in
//! the paper, the CPU does everything except the solve.
//!
//! | section | what | file |
//! |---|---|---|
//! | Pressure Projection Step | the system A p = b on the whole box | [`pressure::system`] |
//! | GPU Algorithm Implementation, Appendices B, C | the solve on the GPU, with every switch | [`pressure::gpu`] |
//! | Fig. 2, the tables, Appendices | the paper's numbers and claims, rebuilt | [`claims`] |
//! | Appendix B and before | the two printed listings | [`printed`] |
//! | the table of operations | timings, compared with ceilings and the CPU | [`speed`] |
//! | Background | the liquid around it: scenes, particles, surface | [`liquid`] |
//! | (not in the paper) | the surface as a mesh, and its picture in a glass box | [`picture`] |

#[cfg(feature = "plot")]
pub mod claims;
pub mod error;
pub mod liquid;
pub mod picture;
pub mod pressure;
pub mod printed;
pub mod speed;

pub use error::LiquidError;
