//! Plot.
