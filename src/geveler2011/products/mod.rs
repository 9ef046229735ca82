//! The sparse matrix–vector product in ELLPACK, on the GPU and on the CPU.
//!
//! | file | section | holds |
//! |---|---|---|
//! | [`ellpack`] | 3.1, 3.2.2 | the arrays A, j and rl; the CPU's product |
//! | [`layout`] | 3.1 | ELLPACK or ELLPACK-R, one texture or two |
//! | [`storage`] | 3.1 | a matrix in textures |
//! | [`arithmetic`] | 4.1 | single, pairs of floats, double |
//! | [`product`] | 3.2.1, 2.1 | product and defect as programs; Jacobi's diagonal |
//! | [`fused`] | | a sweep and a correction in one pass each |
//! | [`space`] | | the vector spaces of products |
//! | [`pairs`] | 4.1 | vectors of 48 bits |

pub mod arithmetic;
pub mod ellpack;
pub mod fused;
pub mod layout;
pub mod pairs;
pub mod product;
pub mod space;
pub mod storage;

pub use arithmetic::Arithmetic;
pub use ellpack::Ellpack;
pub use fused::{fused_correction, fused_sweep};
pub use layout::{EllpackLayout, Entries, RowFormat};
pub use pairs::PairSpace;
pub use product::{Diagonal, EllpackProduct};
pub use space::ProductSpace;
pub use storage::EllpackStorage;
