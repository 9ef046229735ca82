//! Csr.
