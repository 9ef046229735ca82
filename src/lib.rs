//! # fragstream: numerical solvers on the 2003 graphics pipeline
//!
//! Five GPGPU papers rebuilt as they were built: data in float textures, every kernel a
//! fragment program, every run a rasterised rectangle.
//!
//! Dependencies point one way:
//! [`error`], [`formula`], [`gl`] ← [`stream`] ← [`card`] ← [`solver`], [`mesh`], [`io`], [`picture`] ← [`simulation`],
//! [`timing`], [`claim`] ←
//! papers ([`bolz2003`], [`kruger2003`], [`goodnight2003`], [`batty2003`],
//! [`geveler2011`]), [`layouts`] of all of them, [`retrodiction`] of all their timings ←
//! [`mod@experiments`], [`film`], [`view`].

#![warn(missing_docs)]

pub mod batty2003;
pub mod bolz2003;
pub mod card;
pub mod claim;
pub mod error;
#[cfg(feature = "plot")]
pub mod experiments;
pub mod film;
pub mod formula;
pub mod geveler2011;
pub mod gl;
pub mod goodnight2003;
pub mod io;
pub mod kruger2003;
pub mod layouts;
pub mod memory;
pub mod mesh;
pub mod nearest;
pub mod parallel;
pub mod picture;
pub mod random;
pub mod retrodiction;
pub mod simulation;
pub mod solver;
pub mod stream;
pub mod timing;
#[cfg(feature = "view")]
pub mod view;
