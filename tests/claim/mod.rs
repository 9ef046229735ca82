//! Claims, their report, and the README that lists them.

mod readme;
mod report;
mod table;
