//! Sparse matrices in rectangles of rows of one length, and geometric flow with them (section 3).
//!
//! Conjugate gradients (section 3.1), call by call, on the example of the text that the paper takes them from (Shewchuk
//! 1994, Eq. 4): two unknowns, so two iterations.
//!
//! ```
//! use fragstream::bolz2003::sparse::{matrix::pack, packing::PackingOptions, spmv::SparseMatrix};
//! use fragstream::solver::{Csr, TextureSpace, VectorSpace};
//! use fragstream::stream::{Format, Layout, Machine};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let machine = Machine::headless()?;
//! let a = [(0, 0, 3.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 6.0)];
//! let (packing, [images]) = pack([&Csr::from_triplets(2, 2, a)?], &PackingOptions::default())?;
//! let a = SparseMatrix::upload(&machine, &packing, &images, Format::R32F)?;
//! let space = TextureSpace::new(&machine, Layout::grid(packing.size, Format::R32F))?;
//! let place = |row: usize| packing.index(packing.texel[row]);
//! let mut b = vec![0.0; packing.area()];
//! (b[place(0)], b[place(1)]) = (2.0, -8.0);
//! let (mut x, mut q) = (space.zeros()?, space.zeros()?);
//! let (mut r, mut d) = (space.vector(&b)?, space.vector(&b)?); // r = b - A x and d = r, from x = 0
//! for _ in 0..2 {
//!     a.multiply(&d, &mut q)?; // q = A d: a pass per rectangle
//!     let squared = space.dot(&r, &r)?; // sums end with a read-back
//!     let alpha = squared / space.dot(&d, &q)?;
//!     space.axpy(&mut x, alpha, &d)?; // x = x + alpha d
//!     space.axpy(&mut r, -alpha, &q)?; // r = r - alpha q
//!     space.xpby(&mut d, space.dot(&r, &r)? / squared, &r)?; // d = r + beta d
//! }
//! let x = x.read()?;
//! assert!((x[place(0)] - 2.0).abs() < 1e-6 && (x[place(1)] + 2.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```

pub mod flow;
pub mod matrix;
pub mod packing;
pub mod smoothing;
pub mod spmv;
