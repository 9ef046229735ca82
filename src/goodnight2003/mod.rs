//! Goodnight, Woolley, Lewin, Luebke, Humphreys: *A Multigrid Solver for Boundary Value Problems
//! Using Programmable Graphics Hardware* (Graphics Hardware 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2.1, 4.2 | the grids of all levels, periodic or not | `problem::grid` |
//! | 4.2 | boundary conditions, and the sides that have them | `problem::boundary`, `problem::side` |
//! | 4.1 | the equations of a level on the CPU, for the true residual | `problem::level` |
//! | 5.3 | coordinates, as functions that the user can replace | `problem::metric`, `metric_*.glsl` |
//! | 2.1, 4.1 | a boundary value problem and its equations | `problem` |
//! | 4.1.1, 5.3 | the operators of all levels | `problem::operator`, `operator.frag`, `coarser_operator.frag` |
//! | 6, Fig. 5 | all grids in one surface, and its picture | `multigrid::atlas`, `study::pictures` |
//! | 4.1.1, 6 | the positions of grids, and the state machine | `multigrid::storage` |
//! | 4.1.1, 4.2 | the maps: operator, red–black, boundary; conditions folded into them | `multigrid::maps`, `scales.frag`, `fold_*.frag` |
//! | 4.1.2–4.1.5, 6 | smoothing, residual, restriction, interpolation | `multigrid::programs`, `*.frag`, `*.vert` |
//! | 2.1, 4.1, 4.2, 6 | the parts of a cycle; the program of each node; the next surface | `multigrid::levels` |
//! | 4.1.3 | tests of convergence; the true residual | `multigrid::convergence` |
//! | | refinement in double precision (fragstream's) | `multigrid::refinement` |
//! | 4 | the solver and its settings | `multigrid::solver`, `multigrid::settings` |
//! | 4.2, 5.1 | problems with a known solution | [`study::manufactured`] |
//! | 5.1 | steady temperature on a plate | [`scenes::heat`] |
//! | 5.2 | tone mapping | [`tonemap`], `tonemap/*.frag` |
//! | 5.1, Fig. 3 | the solver on the CPU | `study::reference` |
//! | 5.3 | flow around a flapping wing | [`wing`] |
//! | 5.3 | what people run: the wing | [`scenes`] |
//! | 5.1, 5.2 | what people run: `heat`, `tonemap` | [`solves`] |
//! | 6, 7.1 | timed cases: cycles, tests of convergence, sweeps | `study::cases` |
//! | all | the errors, with their remedies | `error` |
//! | all | what the paper's claims run | [`study::claims`] |
//!
//! Where the paper leaves a choice: the operators of coarser levels are computed from the finer ones, so that
//! no cycle increases the energy of the error, whatever the coefficients and conditions; coarsening continues
//! for any size and period until only a few nodes are left. Convergence stays slow for elongated
//! cells (0.37 per V(4,4)-cycle at 1:4, 0.83 at 1:10), because relaxation is by points, and for
//! sides on which only some nodes are prescribed (up to 0.8). More sweeps help in the first case,
//! W-cycles in the second and for discontinuous coefficients.
//!
//! Where the paper's text cannot be right: in §4.1.3 the solver stops when the occlusion query returns true; here
//! a solve is converged when the query counts *no* surviving fragment.
//!
//! The paper in twenty lines:
//!
//! ```
//! use fragstream::goodnight2003::{Boundaries, Condition, Grid, Metric, Problem, Settings, Solver};
//! use fragstream::solver::Criteria;
//! use fragstream::stream::Machine;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A plate with cold sides, heated in the middle.
//! let machine = Machine::headless()?;
//! let grid = Grid::unit(33, 33)?;
//! let mut source = vec![0.0; grid.nodes(0)];
//! source[16 * 33 + 16] = 1000.0;
//! let sides = Boundaries::all(&grid, Condition::value(0.0));
//! let problem = Problem::new(grid, Metric::cartesian(), sides, source)?;
//! // All grids are on the two surfaces of one buffer; a cycle reads one and writes the other.
//! let mut solver = Solver::new(&machine, &problem, &Settings::default())?;
//! let solved = solver.solve(&Criteria::to(1e-4), |_, _| ())?;
//! assert!(solved.is_solved() && solved.cycles < 12);
//! assert!(solver.solution()?[16 * 33 + 16].abs() > 0.1);
//! # Ok(())
//! # }
//! ```

mod error;
pub(crate) mod multigrid;
pub(crate) mod problem;
pub mod scenes;
pub mod solves;
pub mod study;
pub mod tonemap;
pub mod wing;

pub use error::Error;
pub use multigrid::atlas::Atlas;
pub use multigrid::convergence::{Check, Rows};
pub use multigrid::refinement::Refined;
pub use multigrid::settings::{Hazard, Norm, Programs, Settings, Smoother, Strategy, Test};
pub use multigrid::solver::{Solved, Solver};
pub use problem::boundary::{Boundaries, Condition};
pub use problem::equations::{Equations, Problem};
pub use problem::grid::{Axis, Colour, Grid};
pub use problem::level::Level;
pub use problem::metric::Metric;
pub use problem::side::Side;
pub use study::reference::{Reference, ReferenceSolution};

use crate::stream::Limits;

/// Its card is a GeForce FX 5800 Ultra.
pub const LIMITS: Limits = Limits::NV30;
