//! Poisson's equation on quadrilaterals.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::base::formula::Formula;
use crate::experiment::{Experiment, Place, Presets, Record, Solve};
use crate::geveler2011::{
    self as paper, Discretisation, Element, EllpackLayout, Numbering, Precision, QuadMesh,
    RowFormat, Setup, Smoother,
};
use crate::settings::{extend, text};
use crate::solver::Cycle;
use crate::solver::multigrid::SWEEPS;

use super::coarse::{Coarse, check_levels};
use super::conditions::Conditions;
pub use super::given::{Given, Several};
pub use super::mesh_source::MeshSource;

/// The solve of the registry.
pub static FEM: Solve = Solve::of::<Settings>("fem", record);

/// Assembles and solves.
fn record(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let task: Settings = experiment.typed()?;
    let Assembled { coarse, system, .. } = task.assembled()?;
    place.machine.take_ledger();
    let solved = paper::device::solve(place.machine, &system, &task.solver(), task.precision)?;
    let ledger = place.machine.take_ledger();
    let [first, last] = solved.residuals;
    let defects =
        solved.history.iter().map(|defect| if first == 0.0 { 0.0 } else { defect / first });
    let mut record = Record::new();
    record.ledger("", &ledger);
    record.text("reason", solved.reason.to_string());
    record.one("converged", f64::from(u8::from(solved.reason.is_converged())));
    record.one("cells", coarse.mesh.cells.len() as f64);
    record.one("unknowns", solved.u.len() as f64);
    record.one("entries", system.matrices[0].entries() as f64);
    record.one("cycles", solved.cycles() as f64);
    record.each("defects", defects);
    record.one("defect_true", if first == 0.0 { 0.0 } else { last / first });
    record.one("u_min", solved.u.iter().copied().fold(f64::INFINITY, f64::min));
    record.one("u_max", solved.u.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    Ok(record)
}

/// Settings of a solve: the mesh, the equation and the solver. What is left open follows from the mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// circle, blood, or a file (.msh, or .tri with .prm)
    #[serde(with = "text")]
    #[schemars(with = "String", extend("positional" = true, "takes" = "MESH"))]
    pub mesh: MeshSource,
    /// Finite element
    pub element: Element,
    /// Number of levels, the coarse mesh included
    #[schemars(range(min = 1, max = 12))]
    pub levels: u8,
    /// f, a formula (see below) [default: 1, blood 0]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "FORMULA"))]
    pub rhs: Option<Formula>,
    /// u on a part of the boundary, or on all of it: `circle` has outer and circle, `blood` inner, outer,
    /// dome (with neck) and ends
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "[NAME=]FORMULA", "several" = ";"))]
    pub dirichlet: Option<Several>,
    /// Outward normal derivative of u on a part of the boundary, or on all of it
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "[NAME=]FORMULA", "several" = ";"))]
    pub neumann: Option<Several>,
    /// Numbering of the unknowns
    pub numbering: Numbering,
    /// Smoother
    pub smoother: Smoother,
    /// Damping factor ω of the smoother [default: 0.7, blood 0.5, with spai 1]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub omega: Option<f64>,
    /// Sweeps before a coarser level is visited [default: 4, blood 64]
    #[schemars(range(max = SWEEPS))]
    pub pre: Option<usize>,
    /// Sweeps afterwards [default: 4, blood 64]
    #[schemars(range(max = SWEEPS))]
    pub post: Option<usize>,
    /// Layout of the matrices in textures: rows with their own lengths, as in the paper, or rows padded to the
    /// longest, as the hardware of 2003 required
    pub layout: RowFormat,
    /// Arithmetic
    #[schemars(extend("needs" = "native: doubles"))]
    pub precision: Precision,
    /// Stop when the defect has dropped to this fraction of the initial one and, on a mesh from a file, the error that the last
    /// two cycles let expect is at most 10 times this fraction of the range of u
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rtol: f64,
    /// Maximum number of cycles
    #[schemars(range(min = 1))]
    pub maxiter: usize,
}

fn arrange(schema: &mut Schema) {
    const SOLVER: [&str; 9] =
        ["numbering", "smoother", "omega", "pre", "post", "layout", "precision", "rtol", "maxiter"];
    extend(schema, &SOLVER, "heading", "Solver");
}

impl Default for Settings {
    fn default() -> Self {
        let usual = paper::Settings::paper_circle();
        Self {
            mesh: MeshSource::Paper(Setup::Circle),
            element: Element::Q1,
            levels: 6,
            rhs: None,
            dirichlet: None,
            neumann: None,
            numbering: Numbering::TwoLevel,
            smoother: usual.smoother,
            omega: None,
            pre: None,
            post: None,
            layout: usual.layout.rows,
            precision: Precision::Native,
            rtol: usual.reduction,
            maxiter: usual.max_cycles,
        }
    }
}

impl Presets for Settings {
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let paper = Self::default();
        let circle = Self { precision: Precision::Mixed, ..paper.clone() };
        let blood = Self { mesh: MeshSource::Paper(Setup::Blood), ..circle.clone() };
        vec![
            ("circle", "a rectangle around a circle, defects in pairs of floats", circle),
            ("blood", "a vessel with an aneurysm, defects in pairs of floats", blood),
            ("paper", "a rectangle around a circle, in double precision", paper),
        ]
    }
}

impl Settings {
    /// The settings of the solver, with the paper's for the mesh where they are left open.
    pub fn solver(&self) -> paper::Settings {
        let (usual, ..) = self.mesh.problem();
        let omega = if self.smoother == Smoother::Spai { 1.0 } else { usual.omega };
        paper::Settings {
            smoother: self.smoother,
            omega: self.omega.unwrap_or(omega),
            cycle: Cycle::v(
                self.pre.unwrap_or(usual.cycle.before),
                self.post.unwrap_or(usual.cycle.after),
            ),
            reduction: self.rtol,
            max_cycles: self.maxiter,
            layout: match self.layout {
                RowFormat::Ellpack => EllpackLayout::of_2003(),
                RowFormat::EllpackR => EllpackLayout::paper_2011(),
            },
            judges_error: matches!(self.mesh, MeshSource::File(_)),
        }
    }
}

/// A problem with the matrices of all levels.
pub struct Assembled {
    /// The coarse mesh.
    pub coarse: Coarse,
    /// The equation with its conditions, on one line.
    pub equation: String,
    /// The meshes, the coarsest first.
    pub meshes: Vec<QuadMesh>,
    /// The matrices.
    pub system: Discretisation,
}

impl Settings {
    /// Assembles the problem. Reads its mesh.
    pub fn assembled(&self) -> Result<Assembled, BoxedError> {
        let mut coarse = Coarse::of(&self.mesh)?;
        let count = coarse.mesh.parts.len();
        let (_, source, [others, last]) = self.mesh.problem();
        let source = self.rhs.clone().unwrap_or_else(|| source.into());
        let value = |part: usize| Formula::from(if part + 1 == count { last } else { others });
        let given = [&self.dirichlet, &self.neumann];
        let given = given.map(|several| several.as_ref().map_or(&[][..], |Several(all)| all));
        let conditions = Conditions::new(&mut coarse, source, value, given)?;
        check_levels(&coarse.mesh, self.element, self.levels.into())?;
        let meshes = coarse.mesh.clone().checked_levels(self.levels.into())?;
        let system = conditions.with_problem(|problem| {
            Discretisation::new(&meshes, self.element, problem, self.numbering)
        })?;
        conditions.check()?;
        Ok(Assembled { equation: conditions.equation(&coarse.mesh), coarse, meshes, system })
    }

    /// The settings on another level.
    pub fn on_level(&self, level: u8) -> Self {
        Self { levels: level, ..self.clone() }
    }
}
