//! The command as a user runs it.

mod bench;
mod fem;
mod fluid;
mod heat;
mod layouts;
mod liquid;
mod poisson;
mod rasterisers;
mod simulations;
mod smooth;
mod solve;
mod solve_methods;
mod solve_refusals;
mod support;
mod tonemap;
mod usage;
mod wing;
