//! Goodnight, Woolley, Lewin, Luebke, Humphreys: *A Multigrid Solver for Boundary Value Problems
//! Using Programmable Graphics Hardware* (Graphics Hardware 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2.1, 4.2 | the grids of all levels, periodic or not | [`grid`] |
//! | 4.2 | boundary conditions | [`boundary`] |
//! | 5.3 | coordinates, as functions that the user can replace | [`metric`], `metric_*.glsl` |
//! | 2.1, 4.1 | a boundary value problem and its equations | [`problem`] |
//! | 4.1.1, 5.3 | the operators of all levels | [`operator`], `operator.frag`, `coarser_operator.frag` |
//! | 6, Fig. 5 | all grids in one surface | [`atlas`] |
//! | 4.1.1, 6 | where grids lie, and the state machine | [`storage`] |
//! | 4.1.1, 4.2 | the maps: operator, red-black, boundary | [`maps`], `scales.frag` |
//! | 4.1.2–4.1.5, 6 | smoothing, residual, restriction, interpolation | [`programs`], `*.frag`, `*.vert` |
//! | 4.2 | which program runs for which nodes | [`kernels`] |
//! | 2.1, 4.1, 6 | what a cycle is made of; which surface comes next | [`hierarchy`] |
//! | 4.1.3 | tests of convergence; the true residual | [`convergence`] |
//! | 4 | the solver and its choices | [`solver`], [`settings`] |
//! | 4.1 | the kernels on the CPU, in single and double precision | [`twin`] |
//! | 5.1 | the solver on the CPU | [`host`] |
//! | 5.1 | steady temperature on a plate | [`heat`] |
//! | 5.2 | tone mapping | [`tonemap`], `tonemap_*.frag` |
//! | 5.3, Fig. 3 | the solver as fast as a CPU can | [`cpu`] |
//! | 5.3 | flow round a flapping wing | [`wing`] |
//! | 6, 7.1 | timing: variants, ceilings, the CPU | [`speed`] |
//! | 6 | four nodes a texel: what that would give | [`quadrants`], `smooth_quadrants.frag` |
//! | all | the paper's numbers and claims, rebuilt | [`experiments`] |
//!
//! What the paper leaves open: the operators of coarser levels are made from the finer ones, so that
//! no cycle increases the energy of the error, whatever coefficients and conditions; coarsening goes
//! on for any size and period until a handful of nodes is left. What stays slow are cells that are
//! elongated themselves (0.37 a V(4,4)-cycle at 1:4, 0.83 at 1:10), for relaxation is by points, and
//! sides of which only some nodes are held (up to 0.8): more sweeps are the remedy for the first,
//! W-cycles for the second and for coefficients that jump.
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
pub mod operator;
pub mod problem;
pub mod programs;
pub mod quadrants;
pub mod settings;
pub mod solver;
pub mod solver_error;
pub mod speed;
pub mod storage;
pub mod tonemap;
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
