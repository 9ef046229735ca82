//! Experiments: the registry of claims, their verdicts, the report and its plots.

pub mod claim;
pub mod html;
pub mod plot;
pub mod report;
