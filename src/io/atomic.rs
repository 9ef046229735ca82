//! Atomic.
