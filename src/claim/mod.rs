//! Claims as rows: the papers' statements, their judgement, and the report of the results.
//!
//! A paper's `claims/mod.rs` is the table of its [`Claim`]s, in the paper's order. A row gives the paper's number once, and
//! a function that measures. The function returns typed values ([`Found`]), and the judges, written once, compare them
//! with the row. Each claim gives one [`Finding`], and the findings form one [`Report`].

/// An enumeration whose variants have names, by which they are shown and stored.
macro_rules! named {
    ($(#[$meta:meta])* $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $enum {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl $enum {
            /// All of them, in the order of reports.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Name in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub mod criterion;
pub mod errata;
pub mod exhibit;
pub mod found;
pub mod inputs;
pub mod judge;
pub mod printed;
pub mod race;
pub mod registry;
pub mod report;
pub mod row;
pub mod run;
pub mod table;
pub mod traced;
pub mod versus;

pub use crate::base::error::BoxedError;
pub use crate::timing::Interval;
pub use errata::Erratum;
pub use exhibit::{Exhibit, Figure, Program};
pub use found::{Bound, Found, Measured, Value, difference, times, worst};
pub use inputs::Given;
pub use judge::Verdict;
pub use printed::Printed;
pub use race::{Race, Races};
pub use registry::{Checker, Chosen, Finding, choose};
pub use report::{Report, together::Together};
pub use row::{
    Checked, Claim, Class, JudgedOn, Needs, Paper, Runs, Variant, count, erratum, exact, fit,
    identity, picture, shape, tolerance,
};
pub use run::Run;
pub use table::{Cell, Table};
pub use versus::Versus;
