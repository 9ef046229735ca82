//! Listings: the emitter, the parser, and the driver that runs them.

mod cost;
mod dialect;
mod driver;
mod random_programs;
mod reader;
