//! The cards of 2003, and the rules that programs keep.

mod era_rules;
mod interpret;
mod nv30_model;
mod programs;
mod retrodiction;
mod witness;
mod witnessed;
