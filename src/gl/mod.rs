//! The OpenGL layer: the only module with `unsafe`.
