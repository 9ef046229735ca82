//! The cards of 2003, and the rules that programs keep.

mod era_rules;
mod nv30_model;
