//! Claims, their report, and the pages that list them.

mod commands;
mod numbers;
mod pages;
mod readme;
mod report;
mod words;
