//! What every other room stands on: errors and their kinds, memory that is free, loops on all cores, random numbers,
//! formulas and expressions, intervals of confidence, numbers as text, tables, and text in columns.

#[macro_use]
mod named;

pub(crate) mod columns;
pub mod error;
pub mod expression;
pub(crate) mod failing;
pub mod formula;
pub mod interval;
pub mod memory;
pub mod nearest;
pub mod number;
pub(crate) mod order;
pub mod parallel;
pub mod random;
pub mod table;
