//! Claims as rows: the papers' statements, their judgement, and the report of the results.
//!
//! A paper's `claims.rs` is the table of its [`Claim`]s, in the paper's order. A row gives the paper's number once, and
//! a function that measures. The function returns typed values ([`Found`]), and the judges, written once, compare them
//! with the row. Each claim gives one [`Finding`], and the findings form one [`Report`].
//!
//! | file | holds |
//! |---|---|
//! | [`row`] | the claim: class, statement, the check |
//! | [`printed`] | the paper's number, and the range in which it is reproduced |
//! | [`run`] | context of a check: machine, sizes, shared measurements, rounds, figures |
//! | [`found`] | result of a check: values with units and bounds |
//! | [`race`] | works that are timed together and shared by claims |
//! | [`judge`] | the judges and their verdicts |
//! | [`registry`] | choosing claims by name, and one finding per claim |
//! | [`table`] | tables of numbers |
//! | [`traced`] | values over a range of texture caches |
//! | [`versus`] | a printed table next to ours |
//! | [`errata`] | printed formulas next to their corrections |
//! | [`exhibit`] | figures, programs, and exhibits without a claim |
//! | [`inputs`] | a user's inputs |
//! | [`bundled`] | the bundled files |
//! | [`difference`](mod@difference) | distance of a result from the expected one |
//! | [`report`] | the report as page, JSON, Markdown, CSV and terminal text |

pub mod bundled;
pub mod difference;
#[cfg(feature = "plot")]
pub mod errata;
#[cfg(feature = "plot")]
pub mod exhibit;
#[cfg(feature = "plot")]
pub mod found;
#[cfg(feature = "plot")]
pub mod inputs;
#[cfg(feature = "plot")]
pub mod judge;
#[cfg(feature = "plot")]
pub mod printed;
#[cfg(feature = "plot")]
pub mod race;
#[cfg(feature = "plot")]
pub mod registry;
#[cfg(feature = "plot")]
pub mod report;
#[cfg(feature = "plot")]
pub mod row;
#[cfg(feature = "plot")]
pub mod run;
#[cfg(feature = "plot")]
pub mod table;
#[cfg(feature = "plot")]
pub mod traced;
#[cfg(feature = "plot")]
pub mod versus;

pub use crate::error::BoxedError;
pub use crate::timing::Interval;
pub use difference::{difference, worst};
#[cfg(feature = "plot")]
pub use {
    errata::Erratum,
    exhibit::{Exhibit, Figure, Program},
    found::{Bound, Found, Measured, Value},
    inputs::{Given, Parameter},
    judge::Verdict,
    printed::Printed,
    race::{Race, Races},
    registry::{Checker, Chosen, Finding, choose},
    report::{Report, together::Together},
    row::{
        Checked, Claim, Class, JudgedOn, Paper, Variant, erratum, exact, fit, identity, picture,
        shape, tolerance,
    },
    run::{Run, Samples},
    table::{Cell, Table},
    versus::Versus,
};
