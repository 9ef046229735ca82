//! The command as a user runs it.

mod bench;
mod fem;
mod heat;
mod layouts;
mod poisson;
mod rasterisers;
mod simulations;
mod smooth;
mod solve;
mod support;
mod tonemap;
mod usage;
mod window;
mod window_support;
