//! The stream processor.

#[path = "../common/mod.rs"]
mod common;
mod coordinates;
mod layouts;
mod machine;
mod surfaces;
