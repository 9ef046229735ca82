//! What is timed: Figs. 2, 3, 4, 6 and 7, and section 7.1.

pub mod bandwidth;
pub mod buffers;
pub mod convergence;
pub mod curves;
pub mod processors;
pub mod programs;
pub mod red_black;
