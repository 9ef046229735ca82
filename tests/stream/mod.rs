//! The stream processor.

mod bindings;
mod coordinates;
mod interpreter;
pub mod layouts;
mod machine;
mod surfaces;
