//! Experiments: the registry of claims, their verdicts, the report and its plots.
//!
//! A paper's experiment is an [`Experiment`]: some [`Claim`]s and a function that checks them on a
//! machine. Each claim comes out as one [`Finding`], the findings as one [`Report`]: `report.json`
//! for programs, `report.html` for a projector, `report.md` for a README, a table for the terminal.
//!
//! | file | holds |
//! |---|---|
//! | [`papers`] | the five papers |
//! | [`finding`] | claims, verdicts, findings, figures |
//! | [`difference`](mod@difference) | how far a result is from what it should be |
//! | [`listed`](mod@listed) | what a finding counts up |
//! | [`exhibit`] | what a report shows without any claim |
//! | [`registry`] | experiments, and how one is chosen and run |
//! | [`report`] | the report, its files and its exit status; as a page, and as the table of a README |
//! | [`table`] | the report as text |
//! | [`commands`] | what to type to see a claim checked again, and to do the same with one's own input |
//! | [`input`] | the bundled files |

pub mod commands;
pub mod difference;
pub mod exhibit;
pub mod finding;
pub mod input;
pub mod listed;
pub mod papers;
pub mod registry;
pub mod report;
pub mod table;

pub use difference::{difference, worst};
pub use exhibit::Exhibit;
pub use finding::{Claim, Class, Figure, Finding, JudgedOn, Program, Variant, Verdict};
pub use listed::listed;
pub use papers::Paper;
pub use registry::{BoxedError, Experiment, Given, Options, Parameter};
pub use report::Report;
