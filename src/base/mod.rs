//! What every other room stands on: errors and their kinds, memory that is free, loops on all cores, random numbers,
//! formulas, and text in columns.

pub(crate) mod columns;
pub mod error;
pub(crate) mod failing;
pub mod formula;
pub mod memory;
pub mod nearest;
pub(crate) mod order;
pub mod parallel;
pub mod random;
