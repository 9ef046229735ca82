//! Dialect.
