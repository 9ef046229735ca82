//! Off.
