//! The stream processor.

mod coordinates;
mod layouts;
mod machine;
mod surfaces;
