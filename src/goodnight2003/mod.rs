//! Goodnight, Woolley, Lewin, Luebke, Humphreys: *A Multigrid Solver for Boundary Value Problems
//! Using Programmable Graphics Hardware* (Graphics Hardware 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2.1, 4.2 | the grids of all levels, periodic or not | [`grid`] |
//! | 4.2 | boundary conditions | [`boundary`] |
//! | 5.3 | coordinates, as functions that the user can replace | [`metric`], `metric_*.glsl` |
//! | 2.1, 4.1 | a boundary value problem and its equations | [`problem`] |
//! | 6, Fig. 5 | all grids in one surface | [`atlas`] |
//! | 4.1.1, 6 | where grids lie, and the state machine | [`storage`] |
//! | 4.1.1, 4.2 | the maps: operator, red-black, boundary | [`maps`], `operator.frag`, `scales.frag` |
//! | 4.1.2–4.1.5, 6 | smoothing, residual, restriction, interpolation | [`programs`], `*.frag`, `*.vert` |
//! | 4.2 | which program runs for which nodes | [`kernels`] |
//! | 2.1, 4.1, 6 | what a cycle is made of; which surface comes next | [`hierarchy`] |
//! | 4.1.3 | tests of convergence; the true residual | [`convergence`] |
//! | 4 | the solver and its choices | [`solver`], [`settings`] |
//! | 4.1 | the kernels on the CPU, in single and double precision | [`twin`] |
//! | 5.1 | the solver on the CPU | [`host`] |
//! | 5.3, Fig. 3 | the same, as fast as a CPU can | [`cpu`] |
//! | 5.1 | steady temperature on a plate | [`heat`] |
//! | 5.3 | flow round a flapping wing | [`wing`] |
//!
//! Where the paper's text cannot be meant: §4.1.3 stops when the occlusion query returns true; here
//! a solve is converged when the query counts *no* surviving fragment.

pub mod atlas;
pub mod boundary;
pub mod convergence;
pub mod cpu;
pub mod error;
pub mod experiments;
pub mod grid;
pub mod heat;
pub mod hierarchy;
pub mod host;
pub mod kernels;
pub mod maps;
pub mod metric;
pub mod problem;
pub mod programs;
pub mod settings;
pub mod solver;
pub mod solver_error;
pub mod storage;
pub mod twin;
pub mod wing;

pub use boundary::{Boundaries, Condition, Side};
pub use cpu::CpuSolver;
pub use error::ProblemError;
pub use grid::{Axis, Grid};
pub use host::{HostOptions, HostSolution, HostSolver, Smoother};
pub use metric::Metric;
pub use problem::{Problem, Scales};
pub use settings::{Hazard, Norm, Programs, Settings, Strategy, Test};
pub use solver::{Solved, Solver};
pub use solver_error::SolverError;
pub use twin::{Colour, TwinLevel};
