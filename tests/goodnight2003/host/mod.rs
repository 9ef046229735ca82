//! What needs no stream processor.

mod grids;
mod plates;
mod scenes;
mod tones;
mod wings;
