//! Meshes and matrices in files, damaged ones too.

mod damage;
mod damaged_files;
mod faults;
mod independent;
#[cfg(feature = "exr")]
mod layers;
mod matrix_files;
mod mesh_connectivity;
mod mesh_files;
mod support;
