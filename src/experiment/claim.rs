//! Claim.
