//! Batty, Wiebe, Houston 2003: a seven-point system on a 3D box.

mod surface;
mod system;
