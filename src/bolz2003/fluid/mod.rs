//! A fluid: Stam's solver of the incompressible Navier–Stokes equations (Bolz et al. 2003, sections
//! 4.1 and 4.3, Fig. 5).
//!
//! Velocity and pressure are stored at the same (N+1) × (M+1) nodes. A step traces the velocity back
//! along itself (semi-Lagrangian advection), adds the body force, imposes the sides, applies viscosity (a
//! Helmholtz solve per component), and projects: it solves a Poisson equation for the pressure by two
//! V-cycles and subtracts its gradient.
//!
//! Lengths are in grid spaces, so the velocity is in grid spaces per unit of time, and the viscosity
//! in squared grid spaces per unit of time.
//!
//! **The sides.** Nothing flows through walls; along them the fluid slips or sticks ([`Walls`]).
//! The inlet on the left has a prescribed velocity. With an inlet, the side on the right is open: fluid
//! that is advected to it leaves, none enters, and a constant is added to the velocity along it so that
//! exactly as much leaves as enters. Therefore the right-hand side of the Neumann problem is compatible
//! at every step, up to rounding errors, and no mean has to be subtracted.
//!
//! **The divergence after the projection.** The scheme is collocated: the divergence is a central
//! difference over two grid spaces, and so is the gradient, but the Laplacian between them is the
//! five-point one, not their composition, which would decouple into four grids. Of a wave of phase θ
//! per grid space the projection therefore leaves the share sin²(θ/2) of its divergence, however
//! exactly the Poisson equation is solved: little of a smooth wave, everything of a zigzag. The
//! velocities between the nodes (the mean of two nodes minus the difference of their pressures) are
//! free of divergence up to the solver's residual, which two V-cycles make small. [`Divergence`]
//! reports both.

pub mod domain;
pub mod picture;
pub mod settings;
pub mod simulation;
pub mod tracers;

pub use domain::Domain;
pub use picture::{Painter, Shown};
pub use settings::{Inlet, Settings, Walls};
pub use simulation::{Divergence, Fluid, Stroke};
pub use tracers::{Dye, Particles};
