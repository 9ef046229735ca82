//! Stopping.
