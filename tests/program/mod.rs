//! Listings: the emitter, the parser, and the driver that runs them.

mod emitter;
mod random_programs;
