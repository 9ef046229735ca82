//! A triangle mesh smoothed by geometric flow (section 3).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bolz2003::sparse::smoothing::{Method, Options};
use crate::bundled::SCAN;
use crate::experiment::{Presets, Solve};
use crate::solver::Criteria;

/// The solve of the registry.
pub static SMOOTH: Solve = Solve::of::<Settings>("smooth");

/// Settings of a run: the mesh, its steps and the solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Mesh to smooth: a file, or `bunny`, the bundled scan
    #[schemars(extend("positional" = true, "takes" = "IN"))]
    pub input: PathBuf,
    /// Number of steps
    #[schemars(range(max = u32::MAX))]
    pub steps: u32,
    /// Speed times length of a step, in squared mesh units: larger is smoother [default: the mean squared edge
    /// length]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub lambda_dt: Option<f64>,
    /// First join vertices in (almost) the same position, drop faces that have fewer than three corners, no area or
    /// the corners of another face, and split edges with more than two triangles
    pub repair: bool,
    /// First move every vertex along its normal by a random number of this standard deviation, in mesh units
    #[schemars(range(min = 0.0), extend("takes" = "AMPLITUDE"))]
    pub noise: Option<f64>,
    /// Random seed of the noise
    pub seed: u64,
    /// Solver of a step.
    #[serde(flatten)]
    pub solver: Options,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            input: SCAN.into(),
            steps: 10,
            lambda_dt: None,
            repair: false,
            noise: None,
            seed: 1,
            solver: Options::default(),
        }
    }
}

impl Presets for Settings {
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let solver = Options { method: Method::Pcg, ..Options::default() };
        let paper = Self { solver, ..Self::default() };
        let criteria = Criteria::exactly(5);
        let step = Self { steps: 1, solver: Options { criteria, ..solver }, ..Self::default() };
        vec![
            ("scan", "ten steps, without a preconditioner", Self::default()),
            ("paper", "ten steps, with the diagonal as preconditioner", paper),
            ("step", "one step of five iterations, as the paper times it", step),
        ]
    }
}
