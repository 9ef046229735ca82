//! The command line.

// Inputs of tests are written at once.
#![allow(clippy::disallowed_methods)]

mod command;
