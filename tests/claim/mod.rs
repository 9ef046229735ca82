//! Claims, their report, and the pages that list them.

mod numbers;
mod pages;
mod readme;
mod report;
mod words;
