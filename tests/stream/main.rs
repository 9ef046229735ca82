//! The stream processor.

#[path = "../common/mod.rs"]
mod common;
mod coordinates;
mod machine;
mod surfaces;
