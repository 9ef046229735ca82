//! Listings: the emitter, the parser, and the driver that runs them.

mod agree;
mod author;
mod cases;
mod comments;
mod cost;
mod damaged;
mod dialect;
mod driver;
mod net;
mod reader;
mod special;
