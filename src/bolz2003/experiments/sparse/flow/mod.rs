//! Geometric flow: Fig. 4, and the time of a step.

pub mod fig4_cube;
pub mod fig4_scan;
pub mod smoothing_step;
