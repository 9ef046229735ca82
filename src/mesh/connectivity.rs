//! Connectivity.
