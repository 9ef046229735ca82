//! Settings of a solve by the command.

use std::path::PathBuf;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::error::BoxedError;
use crate::experiment::{Experiment, Place, Presets, Record, Solve};
use crate::layouts::{ALL, Layout, ROWS};
use crate::settings::{Bytes, GridSize, extend, text};
use crate::solver::Criteria;
use crate::solver::multigrid::SWEEPS;

use super::files::{self, RightHandSide};
use super::{Attempts, Levels, Method, Options, check_lines};

/// The solve of the registry.
pub static SOLVE: Solve = Solve::of::<Settings>("solve", record);

/// Solves a system.
fn record(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let (path, mut options) = (&settings.matrix, settings.options());
    let a = files::read_square(path)?;
    let b = files::right_hand_side(&settings.rhs, path, a.rows())?;
    let x0 = settings.x0.as_ref().map(|x0| files::vector(x0, path, a.rows())).transpose()?;
    options.levels.prolongations =
        files::read_prolongations(&settings.prolongations(), path, a.rows())?;
    check_lines(&a, &b)?;
    let attempts = Attempts::new(&a, &options)?;
    place.machine.take_ledger();
    let solution = attempts.solve(place.machine, &b, x0.as_deref(), &mut |_| ())?;
    Ok(Record::of(&solution, &place.machine.take_ledger()))
}

/// Settings of a solve: the matrix, the right-hand side and the method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Square matrix in the Matrix Market format (coordinate; real, integer or pattern; general or symmetric),
    /// optionally compressed by gzip, or of SciPy (.npz; csr, csc or coo); a bundled one: airfoil, bcsstk01,
    /// knot, unit_cube; or a computed one, as in mesh:10000 (see layouts matrix --help)
    #[schemars(extend("positional" = true, "takes" = "A.mtx"))]
    pub matrix: PathBuf,
    /// Prolongations from the finest level on, each from the next coarser level; the matrix of that level is Pᵀ
    /// A P
    #[schemars(extend("takes" = "P1.mtx,P2.mtx,…", "several" = ","))]
    pub prolongation: Option<String>,
    /// Method [default: pcg, minres or bicgstab, and others if that one fails: see above]
    pub method: Option<Method>,
    /// Layout of the matrix in textures [default: quarters if the diagonals are full enough, else rows,
    /// ellpack-r or ellpack, timed by a few products; points for gauss-seidel, columns for lu, ellpack for multigrid]
    #[serde(with = "text::optional")]
    #[schemars(schema_with = "layouts")]
    pub layout: Option<Layout>,
    /// Width and height in texels of the rectangles of --layout rows [default: 26x18]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<GridSize>")]
    pub rect: Option<GridSize>,
    /// Maximum number of corrections in double precision; 0: single precision throughout, as in the papers
    pub refine: usize,
    /// Relative tolerance: converged is |r| <= max(rtol |b|, atol), r = b - A x [default: 1e-8; 1e-5 with
    /// --refine 0]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rtol: Option<f64>,
    /// Absolute tolerance, in the unit of b
    #[schemars(range(min = 0.0))]
    pub atol: f64,
    /// Maximum number of iterations, summed over all corrections
    #[schemars(range(min = 1))]
    pub maxiter: usize,
    /// Reject a solve whose matrix would take more memory than this, as in 2GB [default: the free memory]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "SIZE"))]
    pub limit: Option<Bytes>,
    /// Damping factor of the smoother
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub omega: f64,
    /// Sweeps before a coarser level is visited
    #[schemars(range(max = SWEEPS))]
    pub pre: usize,
    /// Sweeps afterwards
    #[schemars(range(max = SWEEPS))]
    pub post: usize,
    /// Right-hand side: a Matrix Market vector (array or coordinate), `ones`, or `random:SEED` (uniform from -1
    /// to 1)
    #[serde(with = "text")]
    #[schemars(with = "String", extend("takes" = "FILE|ones|random:SEED"))]
    pub rhs: RightHandSide,
    /// Initial x, a Matrix Market vector [default: zero]
    #[schemars(extend("takes" = "FILE"))]
    pub x0: Option<PathBuf>,
}

fn arrange(schema: &mut Schema) {
    let levels = ["prolongation", "omega", "pre", "post"];
    extend(schema, &levels, "heading", "With --method multigrid");
}

/// The layouts, with their descriptions.
fn layouts(_: &mut SchemaGenerator) -> Schema {
    let layout = |layout: &Layout| {
        let about = format!("{} ({})", layout.about, layout.source);
        json!({ "const": layout.name, "description": about })
    };
    let layouts: Vec<Value> = ALL.iter().map(layout).collect();
    let mut schema = Schema::default();
    schema.insert("anyOf".to_owned(), json!([{ "oneOf": layouts }, { "type": "null" }]));
    schema
}

impl Default for Settings {
    fn default() -> Self {
        let Options { corrections, criteria, levels, .. } = Options::default();
        Self {
            matrix: "airfoil".into(),
            prolongation: None,
            method: None,
            layout: None,
            rect: None,
            refine: corrections,
            rtol: None,
            atol: criteria.atol,
            maxiter: criteria.max_iterations,
            limit: None,
            omega: levels.omega,
            pre: levels.before,
            post: levels.after,
            rhs: RightHandSide::Ones,
            x0: None,
        }
    }
}

impl Presets for Settings {
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let paper =
            Self { method: Some(Method::Cg), layout: Some(ROWS), refine: 0, ..Self::default() };
        vec![
            ("auto", "the method that suits the matrix, with corrections", Self::default()),
            ("paper", "conjugate gradients on rows in single precision (bolz2003)", paper),
        ]
    }
}

impl Settings {
    /// The files of the prolongations.
    pub fn prolongations(&self) -> Vec<PathBuf> {
        self.prolongation.iter().flat_map(|paths| paths.split(',')).map(PathBuf::from).collect()
    }

    /// The options of the solve, without prolongations.
    pub fn options(&self) -> Options {
        let (usual, single) = (Options::default(), Criteria::default());
        let rtol = if self.refine == 0 { single.rtol } else { usual.criteria.rtol };
        Options {
            method: self.method,
            layout: self.layout,
            measures: true,
            rectangle: self.rect.map(|GridSize { columns, rows }| (columns, rows)),
            corrections: self.refine,
            criteria: Criteria {
                rtol: self.rtol.unwrap_or(rtol),
                atol: self.atol,
                max_iterations: self.maxiter,
                ..usual.criteria
            },
            limit: self.limit.map(|Bytes(bytes)| bytes),
            levels: Levels {
                omega: self.omega,
                before: self.pre,
                after: self.post,
                ..Levels::default()
            },
        }
    }
}
