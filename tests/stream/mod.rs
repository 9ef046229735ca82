//! The stream processor.

mod coordinates;
mod interpreter;
pub mod layouts;
mod machine;
mod surfaces;
