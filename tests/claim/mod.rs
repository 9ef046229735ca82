//! Claims, their report, and the pages that list them.

mod aged;
mod commands;
mod experiments;
mod folders;
mod numbers;
mod pages;
pub mod readme;
mod report;
mod rows;
mod settings;
