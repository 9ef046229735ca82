//! Geveler, Ribbrock, Göddeke, Zajac, Turek 2011: finite-element multigrid by sparse products.

mod assembly;
mod meshes;
mod numbering;
mod transfer;
