//! Everything that draws or computes.

// Inputs of tests are written at once.
#![allow(clippy::disallowed_methods)]

mod batty2003;
mod bolz2003;
mod card;
mod claim;
mod common;
mod experiment;
mod files;
mod film;
mod geveler2011;
mod goodnight2003;
mod kruger2003;
mod live;
mod mutants;
mod program;
mod solver;
mod stream;
mod view;
