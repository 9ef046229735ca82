//! The algorithms on vectors in main memory, and whole systems in textures.

mod combinations;
mod conjugate_gradients;
mod csr;
mod dense;
mod extended;
mod kinds;
mod krylov;
mod matrix_hierarchy;
mod own_layouts;
mod quarters;
mod refinement;
pub mod samples;
mod systems;
