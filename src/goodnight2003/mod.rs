//! Goodnight, Woolley, Lewin, Luebke, Humphreys: *A Multigrid Solver for Boundary Value Problems
//! Using Programmable Graphics Hardware* (Graphics Hardware 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2.1, 4.2 | the grids of all levels, periodic or not | [`grid`] |
//! | 4.2 | boundary conditions | [`boundary`] |
//! | 5.3 | coordinates, as functions that the user can replace | [`metric`], `metric_*.glsl` |
//! | 2.1, 4.1 | a boundary value problem and its equations | [`problem`] |
//! | 4.1 | the kernels on the CPU, in single and double precision | [`twin`] |
//! | 5.1 | the solver on the CPU | [`host`] |
//! | 5.2 | tone mapping | [`tonemap`], `tonemap_*.frag` |
//!
//! Where the paper's text cannot be meant: §4.1.3 stops when the occlusion query returns true; here
//! a solve is converged when the query counts *no* surviving fragment.

pub mod boundary;
pub mod error;
pub mod grid;
pub mod host;
pub mod metric;
pub mod problem;
pub mod tonemap;
pub mod twin;

pub use boundary::{Boundaries, Condition, Side};
pub use error::ProblemError;
pub use grid::{Axis, Grid};
pub use host::{HostOptions, HostSolution, HostSolver, Smoother};
pub use metric::Metric;
pub use problem::{Problem, Scales};
pub use twin::{Colour, TwinLevel};
