//! Claims, their report, and the README that lists them.

mod mutations;
mod readme;
mod report;
mod table;
