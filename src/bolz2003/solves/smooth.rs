//! A triangle mesh smoothed by geometric flow (section 3).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::bolz2003::sparse::smoothing::{Method, Options, Smoothing, Step};
use crate::bundled::{SCAN, check_there, is_named, scan};
use crate::experiment::{Experiment, Place, Presets, Record, Solve};
use crate::io::read_valid_mesh;
use crate::mesh::generate::{self, add_normal_noise};
use crate::mesh::measure::mean_squared_edge_length;
use crate::mesh::{Connectivity, TriangleMesh};
use crate::solver::Criteria;

/// The solve of the registry.
pub static SMOOTH: Solve = Solve::of::<Settings>("smooth", record);

/// Performs the steps.
fn record(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let mut mesh = settings.mesh()?;
    settings.disturb(&mut mesh);
    mesh.validate()?;
    let connectivity = Connectivity::new(&mesh)?;
    let squared_edge = mean_squared_edge_length(&mesh, &connectivity);
    let lambda_dt = settings.lambda_dt.unwrap_or(squared_edge);
    let lengths = [squared_edge.sqrt(), lambda_dt];
    let solver = settings.solver;
    let mut smoothing = Smoothing::new(place.machine, &mesh, &connectivity, lengths, solver)?;
    place.machine.take_ledger();
    let mut steps = vec![Step::start(&mesh)];
    for number in 1..=settings.steps {
        steps.push(smoothing.step(number, &mut mesh)?);
        if steps.last().is_some_and(|last| !last.reason.is_converged()) {
            break;
        }
    }
    let mut record = Record::of(&steps, &place.machine.take_ledger());
    record.one("vertices", mesh.positions.len() as f64);
    record.one("triangles", mesh.triangles.len() as f64);
    record.one("lambda_dt", lambda_dt);
    Ok(record)
}

/// The cube [−1, 1]³ by name, and its squares along each edge.
const CUBE: &str = "cube";
const SQUARES: u32 = 40;

/// Settings of a run: the mesh, its steps and the solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Mesh to smooth: a file, or a bundled one, the scan `bunny` or `cube`
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

impl Settings {
    /// The bundled mesh, if the input is the name of one; an error if it is neither that nor a file.
    pub fn bundled(&self) -> Option<Result<TriangleMesh, BoxedError>> {
        if let Err(missing) = check_there(&self.input, "mesh", &[SCAN, CUBE]) {
            return Some(Err(missing));
        }
        let is = |name| is_named(&self.input, name);
        let cube = || is(CUBE).then(|| Ok(generate::cube(SQUARES)));
        is(SCAN).then(|| Ok(scan()?)).or_else(cube)
    }

    /// The mesh, without noise.
    pub fn mesh(&self) -> Result<TriangleMesh, BoxedError> {
        self.bundled().unwrap_or_else(|| Ok(read_valid_mesh(&self.input)?))
    }

    /// Moves the vertices of a mesh by the noise.
    pub fn disturb(&self, mesh: &mut TriangleMesh) {
        if let Some(amplitude) = self.noise {
            add_normal_noise(mesh, amplitude, self.seed);
        }
    }
}

impl Presets for Settings {
    #[rustfmt::skip]
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let paper = Self::default();
        let without = Options { method: Method::Cg, ..paper.solver };
        let five = Options { criteria: Criteria::exactly(5), ..paper.solver };
        // λΔt is 0.3 times the mean squared edge; the noise is two fifths of the side of a square.
        let cube = Self {
            input: CUBE.into(),
            steps: 25,
            lambda_dt: Some(1e-3),
            noise: Some(0.02),
            seed: 2003,
            ..paper.clone()
        };
        vec![
            ("scan", "ten steps, without a preconditioner", Self { solver: without, ..paper.clone() }),
            ("paper", "ten steps, with the diagonal as preconditioner", paper.clone()),
            ("fig4-cube", "a cube with noise, whose faces become flat again (Fig. 4)", cube),
            ("step", "one step of five iterations, as the paper times it", Self { steps: 1, solver: five, ..paper }),
        ]
    }
}
