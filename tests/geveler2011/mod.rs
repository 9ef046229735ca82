//! Geveler, Ribbrock, Göddeke, Zajac, Turek 2011: finite-element multigrid by sparse products.

mod assembly;
mod claims {
    crate::common::claims::binding!(geveler2011);
}
mod mesh_files;
mod meshes;
mod products;
mod smoothers;
