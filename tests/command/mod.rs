//! The command as a user runs it.

mod cases;
mod doors;
#[cfg(feature = "mutants")]
mod failing;
mod help;
#[cfg(unix)]
mod interrupts;
mod invariance;
mod kit;
mod layouts;
mod rasterisers;
mod refusals;
mod remedies;
mod simulations;
mod smooth;
mod solvers;
mod support;
mod usage;
mod widths;
mod window;
mod window_support;
