//! The cards of 2003, and the rules that programs keep.

mod cache;
mod count;
mod era_rules;
mod interpret;
mod mesa;
mod nv30_model;
pub mod programs;
mod registers;
mod retrodiction;
mod rounding;
mod rules;
mod same_name;
mod witness;
pub mod witnessed;
