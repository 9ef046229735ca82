//! Matrix market.
