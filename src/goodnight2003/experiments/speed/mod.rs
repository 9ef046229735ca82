//! What is timed: Figs. 2, 3, 4, 6 and 7, and section 7.1.

pub mod bandwidth;
pub mod buffers;
pub mod chart;
pub mod curves;
