//! The sparse product in ELLPACK, on the stream processor and on the CPU.
//!
//! | file | section | holds |
//! |---|---|---|
//! | [`ellpack`] | 3.1, 3.2.2 | the arrays A, j and rl; the CPU's product |
//! | [`storage`] | 3.1 | a matrix in one texture |
//! | [`product`] | 3.2.1, 2.1 | product and defect as programs; Jacobi's diagonal |
//! | [`pairs`] | 4.1 | vectors of 48 bits |

pub mod ellpack;
pub mod pairs;
pub mod product;
pub mod storage;

pub use ellpack::Ellpack;
pub use pairs::PairSpace;
pub use product::{Arithmetic, Diagonal, EllpackProduct};
pub use storage::EllpackStorage;
