//! Claims, their report, and the pages that list them.

mod pages;
mod readme;
mod report;
mod words;
