//! Claims as rows: the papers' statements, their judgement, and the report of the results.
//!
//! A file of a paper has its claims as [`rows`], in the paper's order. A row gives the paper's number once, what runs, and
//! expressions in what the runs record. Their typed values ([`Found`]) are compared with the row by judges that are
//! written once. Each claim gives one [`Finding`], and the findings form one [`Report`].

mod compiled;
pub mod criterion;
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
pub use exhibit::{Exhibit, Figure, Program};
pub use found::{Bound, Found, Measured, Value, difference, worst};
pub use inputs::Given;
pub use judge::{Verdict, judge};
pub use printed::Printed;
pub use race::Race;
pub use registry::{Checker, Chosen, Finding, choose};
pub use report::Report;
pub use row::{Claim, Claims, Class, JudgedOn, Needs, Paper, Together, Variant};
pub use run::Run;
