//! Conjugate gradients.
