//! The stream processor.

mod coordinates;
mod interpreter;
mod layouts;
mod machine;
mod surfaces;
