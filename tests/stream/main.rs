//! The stream processor.

mod coordinates;
mod machine;
mod surfaces;
