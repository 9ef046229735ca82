//! Geveler, Ribbrock, Göddeke, Zajac, Turek 2011: finite-element multigrid by sparse products.

mod assembly;
mod claims;
mod mesh_files;
mod meshes;
mod products;
