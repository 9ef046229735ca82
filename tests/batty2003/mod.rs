//! Batty, Wiebe, Houston 2003: a seven-point system on a 3D box, its solve, the liquid and its
//! surface.

mod claims;
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
