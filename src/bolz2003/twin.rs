//! Twin.
