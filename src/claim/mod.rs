//! Claims as rows: the papers' statements, their judgement, and the report of the results.
//!
//! A paper's `claims/mod.rs` is the table of its [`Claim`]s, in the paper's order. A row gives the paper's number once, and
//! a function that measures. The function returns typed values ([`Found`]), and the judges, written once, compare them
//! with the row. Each claim gives one [`Finding`], and the findings form one [`Report`].

mod compiled;
pub mod criterion;
pub mod errata;
pub mod exhibit;
pub mod found;
pub mod inputs;
pub mod judge;
pub mod kit;
pub mod printed;
pub mod probes;
pub mod race;
pub mod registry;
pub mod report;
pub mod row;
pub mod rows;
pub mod run;
pub mod traced;
pub mod twins;

pub use crate::base::error::BoxedError;
pub use crate::base::table::{Cell, Table};
pub use crate::timing::Interval;
pub use errata::Erratum;
pub use exhibit::{Exhibit, Figure, Program};
pub use found::{Bound, Found, Measured, Value, difference, times, worst};
pub use inputs::Given;
pub use judge::{Verdict, judge};
pub use printed::Printed;
pub use race::Race;
pub use registry::{Checker, Chosen, Finding, choose};
pub use report::Report;
pub use row::{
    Checked, Claim, Claims, Class, JudgedOn, Needs, Paper, Runs, Together, Variant, consistency,
    count, erratum, exact, fit, identity, picture, shape, tolerance,
};
pub use run::Run;
