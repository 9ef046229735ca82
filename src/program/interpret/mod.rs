//! The interpreter: runs any program of `glsl/` on the CPU, from its own text and in any arithmetic.
//!
//! [`Program`] executes a text symbolically, as the counter does, and keeps the steps that its results need.
//! [`Run`] binds textures and constants to their names, and draws. So every kernel has a reference without
//! extra code: in single precision the expected result of the GPU, in double precision the exact result, and
//! with another [`Arithmetic`] the result of a card of 2003.
//!
//! The steps are the operations of the text in their order, each rounded once: `x / y` is one step, `x * (1.0 / y)`
//! are two, and `sqrt` is one. The formats of the cards ([`super::formats`]) have no division, so that there a
//! quotient is a reciprocal and a product. Unlike drivers, the interpreter never fuses a multiply-add or reorders a
//! sum; `dot` sums from the first channel on, `mix(a, b, t)` is `a * (1 - t) + b * t`, and `inversesqrt(a)` is
//! `1 / sqrt(a)`. Functions whose rounding the language leaves open (`exp2`, `pow`, `sin`, …) are rounded once from
//! double precision. Values never written are NaN.
//!
//! ```
//! use fragstream::program::interpret::{Program, Rect, Run, Texture};
//!
//! let doubled = Program::new("uniform stream x; void main() { result = 2.0 * fetch(x, here); }")?;
//! let x = Texture::new((2, 1), 1, vec![0.1, -3.0]);
//! let mut target = Texture::<f64>::zeros((2, 1), 1);
//! Run::<f64>::new(&doubled).read("x", &x).draw(&mut target, &[Rect::of_size(2, 1)])?;
//! assert_eq!(target.data(), [0.2, -6.0]);
//! # Ok::<(), fragstream::program::interpret::InterpretError>(())
//! ```

mod error;
mod lanes;
mod program;
mod rect;
mod run;
mod texture;
mod trace;

pub use crate::program::arithmetic::{Arithmetic, Operation};
pub use error::InterpretError;
pub use program::Program;
pub use rect::{Point, Rect};
pub use run::Run;
pub use texture::{Storage, Texture};
pub use trace::Order;
