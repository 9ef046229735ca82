//! Poisson's and Helmholtz' equation on a rectangle (section 4).

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::bolz2003::grid::hierarchy::HierarchyOptions;
use crate::bolz2003::grid::{Boundary, Sides};
use crate::bolz2003::scenes::poisson::named::Named;
use crate::bolz2003::scenes::poisson::{Coefficient, Equation, Options, PoissonSolver, RightSide};
use crate::experiment::{Experiment, Place, Presets, Record, Solve};
use crate::settings::{GridSize, extend, text};
use crate::solver::multigrid::default_criteria;

use super::Problem;

pub use super::right_side::RightSideSource;

/// The solve of the registry.
pub static POISSON: Solve = Solve::of::<Settings>("poisson", record);

/// Solves an equation.
fn record(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let Problem { grid, spacing, g, exact } = Problem::read(&settings)?;
    let mut options = settings.options;
    options.criteria.patience = default_criteria().patience;
    let sigma = Coefficient::Constant(settings.sigma);
    let equation = Equation { sigma, ..Equation::poisson(grid, spacing) };
    let solver = PoissonSolver::new(place.machine, equation, options)?;
    place.machine.take_ledger();
    let mut solution = solver.solve(&RightSide::new(&g), |_, _| ())?;
    let ledger = place.machine.take_ledger();
    exact.iter().for_each(|exact| solution.compare(exact));
    let mut record = Record::of(&solution, &ledger);
    record.each("residuals", solution.history.iter().map(|(_, residual)| *residual));
    Ok(record)
}

/// Settings of a solve: the equation and its solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Number of nodes: on each side a small number of cells, doubled several times, plus 1 [default:
    /// 257x257, or the size of the picture]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<GridSize>")]
    pub size: Option<GridSize>,
    /// dirichlet, neumann or periodic on all sides, or a list: left,right,bottom,top
    #[serde(with = "text")]
    #[schemars(with = "String", extend("takes" = "SIDES"))]
    pub boundary: Sides,
    /// Factor of u
    pub sigma: f64,
    /// Right-hand side g: a name or formula (see above), a picture (.png, .gif, .hdr, .exr) or numbers (.f32)
    #[serde(with = "text")]
    #[schemars(with = "String", extend("takes" = "NAME|FORMULA|FILE"))]
    pub rhs: RightSideSource,
    /// Resample the picture to --size, or to a larger size of nearly its shape that can be coarsened
    pub fit: bool,
    /// Method and stopping criteria.
    #[serde(flatten)]
    pub options: Options,
}

fn arrange(schema: &mut Schema) {
    extend(schema, &["maxiter"], "description", "Maximum number of cycles");
    let rtol = "Relative tolerance: converged is |b - A u| <= max(rtol |b|, atol). Unless --refine is 0, also: an error, \
                estimated from the last two corrections, of at most 10 rtol of the range of u";
    extend(schema, &["rtol"], "description", rtol);
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: None,
            boundary: Sides::all(Boundary::Dirichlet),
            sigma: 0.0,
            rhs: RightSideSource::Named(Named::Sine),
            fit: false,
            options: Options::default(),
        }
    }
}

impl Presets for Settings {
    #[rustfmt::skip]
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let (paper, options) = (Self::default(), Options::default());
        let hierarchy = HierarchyOptions { coarsest_nodes: 300, ..options.hierarchy };
        let full = Options { full: Some(1), hierarchy, ..options };
        let robust = "corrections in double precision, Chebyshev's weights, fused borders";
        vec![
            ("robust", robust, Self { options: Options::robust(), ..paper.clone() }),
            ("paper", "V(4,2) with ω = 2/3, in single precision throughout", paper.clone()),
            ("fmg", "full multigrid as in the paper, one cycle per level", Self { options: full, ..paper }),
        ]
    }
}
