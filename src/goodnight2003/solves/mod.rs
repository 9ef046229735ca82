//! Solves with a command: the temperature of a plate, and tone mapping. Both are by multigrid.

pub mod heat;
pub mod tonemap;

pub use heat::HEAT;
pub use tonemap::TONEMAP;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::goodnight2003::{Norm, Settings, Test};
use crate::settings::{extend, headed};
use crate::solver::Criteria;
use crate::solver::multigrid::{SWEEPS, default_criteria};

/// Method of a solve, its test for convergence and its stopping criteria.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Method {
    /// Settings of the solver, except for its test.
    #[serde(flatten)]
    pub solver: Settings,
    /// Norm of the residual [default: l2; max with --test occlusion]
    pub norm: Option<Norm>,
    /// Test for convergence
    pub test: Test,
    /// Number of cycles between two tests
    #[serde(rename = "test_every")]
    #[schemars(range(min = 1, max = SWEEPS), extend("takes" = "CYCLES"))]
    pub every: usize,
    /// Stopping criteria.
    #[serde(flatten)]
    pub criteria: Criteria,
}

fn arrange(schema: &mut Schema) {
    headed(schema, "Solver");
    extend(schema, &["maxiter"], "description", "Maximum number of cycles");
}

impl Default for Method {
    fn default() -> Self {
        Self::of(Settings::default())
    }
}

impl Method {
    /// A method with its own test.
    fn of(solver: Settings) -> Self {
        let Settings { test, every, .. } = solver;
        Self { solver, norm: None, test, every, criteria: default_criteria() }
    }

    /// The method that detects stagnation ([`Settings::robust`]).
    pub fn robust() -> Self {
        Self::of(Settings::robust())
    }

    /// The settings of the solver with its test.
    pub fn settings(&self) -> Settings {
        let usual = if self.test == Test::Occlusion { Norm::Maximum } else { Norm::L2 };
        let norm = self.norm.unwrap_or(usual);
        Settings { norm, test: self.test, every: self.every, ..self.solver.clone() }
    }

    /// The stopping criteria, with the patience of multigrid.
    pub fn criteria(&self) -> Criteria {
        Criteria { patience: default_criteria().patience, ..self.criteria }
    }
}
