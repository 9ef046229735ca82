//! # fragstream: numerical solvers on the 2003 graphics pipeline
//!
//! Five GPGPU papers rebuilt as they were built: data in float textures, every kernel a
//! fragment program, every run a rasterised rectangle.
//!
//! **Your matrix, your x.** [`solve_csr`] takes a sparse matrix and a right-hand side, and returns a solution
//! whose residual is checked in double precision; [`mod@solve`] describes the methods and the options.
//!
//! **Your own kernel.** A [kernel](stream::Kernel) is a fragment program: a text that computes one record of
//! the target. It fetches from any streams at any positions, and has its own position (`here`). This one is a
//! sweep of Jacobi's method for −u″ = b on a line; a [pass](stream::Pass) runs it for all records of some
//! rectangles. No pass may read its target, so two streams alternate as a [pair](stream::Pair). The [`prelude`] has all
//! that this takes:
//!
//! ```
//! use fragstream::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "
//!     uniform stream u;
//!     uniform stream b;
//!     void main() {
//!         float left = fetch(u, here - vec2(1.0, 0.0)).x;
//!         float right = fetch(u, here + vec2(1.0, 0.0)).x;
//!         result = vec4(0.5 * (left + right + fetch(b, here).x), 0.0, 0.0, 0.0);
//!     }";
//! // Checked as a program of 2003: an integer, a branch or a loop over data would be an error here.
//! let sweep = user_source("sweep", text, Limits::NV30)?;
//!
//! let machine = Machine::headless()?;
//! let kernel = machine.kernel(&sweep, &[])?;
//! let b = Stream::from_data(&machine, "b", (5, 1), Format::R32F, &[0.0, 1.0, 1.0, 1.0, 0.0])?;
//! let mut u = Pair::zeros(&machine, "u", (5, 1), Format::R32F)?;
//! // The ends have prescribed values: they are not drawn.
//! let inside = Rect::at([1, 0], (3, 1));
//! machine.take_ledger();
//! for _ in 0..60 {
//!     kernel.pass().read("u", u.front()).read("b", &b).draw(u.back(), inside)?;
//!     u.swap();
//! }
//! let found = u.front().read()?;
//! for (found, exact) in found.iter().zip([0.0, 1.5, 2.0, 1.5, 0.0]) {
//!     assert!((found - exact).abs() < 1e-5);
//! }
//! // The work of the machine: three fetches at three nodes.
//! let done = machine.ledger().total();
//! assert_eq!((done.passes, done.fetches), (60, 60 * 3 * 3));
//! // Sums and other operators on all records are passes, too.
//! let sum = Reduction::new(&machine, (5, 1), Format::R32F, Reduce::Sum, Edges::Bounded)?;
//! assert!((sum.of(u.front())?[0] - 5.0).abs() < 1e-4);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Reduction`](stream::Reduction) takes [operators of your own](stream::Combine), and
//! [`bill`](card::cost::bill()) prints the ledger with the time that each card of 2003 would have taken.
//!
//! With [`TextureSpace`](solver::TextureSpace) a kernel that multiplies is an [`Operator`](solver::Operator),
//! and every solver accepts it.
//!
//! To change this crate, start with the [`guide`].
//!
//! Dependencies point one way:
//! [`base`], [`gl`], [`program`] ← [`stream`] ← [`card`] ← [`solver`], [`mesh`], [`io`], [`picture`] ←
//! [`bundled`], [`settings`], [`experiment`], [`scene`], [`timing`], [`claim`] ←
//! papers ([`bolz2003`], [`kruger2003`], [`goodnight2003`], [`batty2003`],
//! [`geveler2011`]), [`layouts`] of all of them, [`mod@solve`] for your own matrix, [`retrodiction`] of all
//! their timings, [`aged`] of their advice on several machines ←
//! [`papers`], [`scenes`], [`experiments`] ← [`film`], [`view`] ← [`live`], [`command`].

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[macro_use]
pub mod base;

#[cfg(feature = "plot")]
pub mod aged;
#[cfg(feature = "cli")]
pub mod arguments;
pub mod batty2003;
pub mod bolz2003;
pub mod bundled;
pub mod card;
#[cfg(feature = "plot")]
pub mod claim;
#[cfg(feature = "cli")]
pub mod command;
pub mod experiment;
#[cfg(not(target_family = "wasm"))]
pub mod experiments;
pub mod film;
pub mod geveler2011;
pub mod gl;
pub mod goodnight2003;
pub mod guide;
pub mod io;
pub mod kruger2003;
pub mod layouts;
pub mod live;
pub mod mesh;
#[cfg(feature = "plot")]
pub mod papers;
pub mod picture;
pub mod program;
pub mod retrodiction;
pub mod scene;
pub mod scenes;
pub mod settings;
pub mod solve;
pub mod solver;
pub mod stream;
pub mod timing;
pub mod view;

pub use solve::solve_csr;

/// All items that programs with kernels of their own take: `use fragstream::prelude::*`.
pub mod prelude {
    pub use crate::card::cost::bill;
    pub use crate::card::dialect::user_source;
    pub use crate::stream::{
        Combine, Edges, Format, Kernel, Limits, Machine, Pair, Rect, Reduce, Reduction, Stream,
    };
}
