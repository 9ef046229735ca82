//! Generate.
