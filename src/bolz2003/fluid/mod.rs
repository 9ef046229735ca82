//! A fluid: Stam's solver of the incompressible Navier–Stokes equations (Bolz et al. 2003, sections
//! 4.1 and 4.3, Fig. 5).
//!
//! Velocity and pressure live on the same (N+1) x (M+1) nodes. A step is: trace the velocity back
//! along itself, add the body force, set the sides, let viscosity act (a Helmholtz solve for each
//! component), and project: solve a Poisson equation for the pressure by two V-cycles and subtract
//! its gradient.
//!
//! Lengths are in grid spaces, so the velocity is in grid spaces a unit of time, and the viscosity
//! in squared grid spaces a unit of time.
//!
//! **The sides.** Through walls nothing flows; along them the fluid slips or sticks ([`Walls`]).
//! The inlet in the left side has a given velocity. With it the right side is open: what is
//! advected to it leaves, nothing enters, and a constant is added to the velocity along it so that
//! exactly as much leaves as enters. Therefore the right side of the Neumann problem is compatible
//! at every step, up to rounding, and no mean has to be taken off.
//!
//! **What the projection leaves.** The scheme is collocated: the divergence is a central difference
//! over two grid spaces, and so is the gradient, but the Laplacian between them is the one of five
//! points, not their composition, which would fall into four grids that do not know each other. Of
//! a wave of phase θ a grid space the projection therefore leaves the share sin²(θ/2) of its
//! divergence, however exactly the Poisson equation is solved: little of what is smooth, everything
//! of a zigzag. What is free of divergence up to the solver's residual are the velocities between
//! the nodes, the mean of two nodes less the difference of their pressures; that residual is what
//! two V-cycles make small. [`Divergence`] reports both.
//!
//! | file | holds |
//! |---|---|
//! | [`settings`] | the domain, the inlet, the walls, the time step |
//! | [`kernels`] | the programs |
//! | [`domain`] | the operators of a domain, and what holds on its sides |
//! | [`simulation`] | the velocity, and a step |
//! | [`initial`] | velocities to begin with |
//! | [`tracers`] | particles and dye |
//! | [`picture`] | pictures of the fluid |
//! | [`colours`] | their colours |
//! | [`scene`] | what a film steps and shows |

pub mod colours;
pub mod domain;
pub mod initial;
pub mod kernels;
pub mod picture;
pub mod scene;
pub mod settings;
pub mod simulation;
pub mod tracers;

pub use domain::Domain;
pub use picture::{Painter, Shown};
pub use scene::Scene;
pub use settings::{FluidError, Inlet, Settings, Walls};
pub use simulation::{Divergence, Fluid};
pub use tracers::{Dye, Particles};
