//! Geveler, Ribbrock, Göddeke, Zajac, Turek: *Efficient Finite Element Geometric Multigrid Solvers
//! for Unstructured Grids on GPUs* (2011).
//!
//! Geometric multigrid for finite elements on unstructured quadrilaterals in which smoothing,
//! restriction and prolongation are one kernel, the sparse matrix–vector product, and the numbering of
//! the unknowns determines its speed.
//!
//! | section | what | file |
//! |---|---|---|
//! | 1.2 | meshes of quadrilaterals, and their refinement | `quad_mesh` |
//! | 4.2, Fig. 1 | the two problems, CIRCLE and BLOOD | `problems` |
//! | | meshes of the user | `from_file` |
//! | 1.2, Table 1 | Q1 and Q2, and their unknowns | `space` |
//! | 4.2 | matrix and right-hand side | `assembly` |
//! | 2.3 | prolongation and restriction as matrices | `transfer` |
//! | 2.2 | the five numberings | `numbering` |
//! | 2, 4 | matrices of all levels | `discretisation` |
//! | 3.1, 3.2.2 | ELLPACK, and the CPU's product | `ellpack` |
//! | 3.1 | a matrix in textures | `storage` |
//! | 4.3 | the product's bytes through a texture cache | [`traffic`] |
//! | 4.1 | the three arithmetics | `arithmetic` |
//! | 3.2.1 | the product, and its vectors | `product`, `vectors` |
//! | 2.1, 4.2 | smoother, cycle, precision | `settings` |
//! | 5 | a sparse approximate inverse | `spai` |
//! | 2 | multigrid on the GPU | [`device`] |
//! | 4 | multigrid on the CPU | [`host`] |
//! | | solutions as files and pictures | `solution` |
//! | 4.2 | what people run: `fem` | [`solves`] |
//! | Fig. 1 | pictures of meshes | `study::mesh_picture` |
//! | 4 | timed cases, compared with ceilings and the CPU | `study::cases` |
//! | all | the paper's numbers and claims, rebuilt | [`study::claims`] |
//!
//! The cycle itself is [`crate::solver::multigrid`]'s, over [`crate::solver::multigrid::matrix_hierarchy`].
//!
//! The paper in twenty lines:
//!
//! ```
//! use fragstream::geveler2011::{Element, Numbering, Precision, Setup, device};
//! use fragstream::solver::Reason;
//! use fragstream::stream::Machine;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Finite elements around a circle, on three levels of quadrilaterals.
//! let machine = Machine::headless()?;
//! let meshes = Setup::Circle.meshes(3);
//! let system = Setup::Circle.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
//! // Smoothing, restriction and prolongation are one program: the sparse matrix-vector product.
//! let settings = Setup::Circle.settings();
//! let solved = device::solve(&machine, &system, &settings, Precision::Mixed)?;
//! assert_eq!(solved.reason, Reason::Converged);
//! assert_eq!(solved.u.len(), system.right_side.len());
//! # Ok(())
//! # }
//! ```

mod arithmetic;
mod assembly;
pub mod device;
mod discretisation;
mod ellpack;
mod error;
mod from_file;
pub mod host;
mod numbering;
mod problems;
mod product;
mod quad_mesh;
mod settings;
mod solution;
#[cfg(not(target_family = "wasm"))]
pub mod solves;
mod space;
mod spai;
mod storage;
pub mod study;
pub mod traffic;
mod transfer;
mod vectors;

pub use arithmetic::Arithmetic;
pub use assembly::{Condition, Problem, System};
pub use discretisation::Discretisation;
pub use ellpack::{Ellpack, EllpackLayout, Entries, RowFormat};
pub use error::{Error, QuadMeshError};
pub use from_file::{Converted, convert, read_quad_mesh};
pub use numbering::Numbering;
pub use problems::{Setup, blood, circle};
pub use product::EllpackProduct;
pub use quad_mesh::{BoundaryPart, Curve, QuadMesh};
pub use settings::{Precision, Settings, Smoother};
#[cfg(feature = "plot")]
pub use solution::picture;
pub use solution::write_vtu;
pub use space::{Counts, Element, Space};
pub use storage::EllpackStorage;
pub use vectors::{PairSpace, ProductSpace};

use crate::stream::Limits;

/// Its cards are younger.
pub const LIMITS: Limits = Limits::none("its paper is from 2011");
