//! Batty, Wiebe, Houston 2003: a seven-point system on a 3D box, its solve, the liquid and its
//! surface.

mod claims {
    crate::common::claims::binding!(batty2003);
}
mod host;
mod index;
mod liquid;
mod picture;
mod product;
mod samples;
mod solids;
mod solve;
mod surface;
mod vectors;
