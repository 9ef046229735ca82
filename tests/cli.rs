//! The command line.

mod command;
