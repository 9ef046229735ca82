//! Ply.
