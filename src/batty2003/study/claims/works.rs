//! Appendix C and the table of results: iterations of the solver and of the CPU, which are timed.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::batty2003::incomplete_cholesky::IncompleteCholesky;
use crate::batty2003::scenes::flip::Scene;
use crate::batty2003::scenes::liquid::{self, LIQUID};
use crate::batty2003::study::cases;
use crate::batty2003::{Entries, Error, PressureSolver, Settings, System, host_solver};
use crate::claim::Together;
use crate::experiment::{Experiment, Place, Study, Takes};
use crate::solver::{Criteria, HostSpace, LengthMismatch, Operator, VectorSpace};
use crate::timing::one_core::own_core;
use crate::timing::rig::{Work, work};

use super::dam;

/// The gains of the steps.
pub(super) const SWITCHES: Together = Together {
    file: "switches",
    title: "Gain of each step of Appendix C separately",
    axis: "longer without it (per cent)",
    caption: "Additional time of a solve with one switch turned back, compared with the final configuration: by the \
              paper's times, in the model of the FX 1000, and here.",
    model: "model of the FX 1000",
    quantity: "times as long without the step",
    rows: &["c1", "c2", "c3", "c5", "c6", "c7", "c8", "c10"],
};

/// Settings of a solve that is timed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Timed {
    /// Number of cells along a side of the box
    #[schemars(range(min = 4, max = 640))]
    pub size: u16,
    /// Storage of an entry of the matrix
    pub entries: Entries,
    /// The solver.
    #[serde(flatten)]
    pub solver: Settings,
}

impl Default for Timed {
    fn default() -> Self {
        Self { size: 100, entries: Entries::Float, solver: Settings::paper_2003() }
    }
}

/// Thirteen iterations from zero: a start has no effect on their time.
pub static ITERATIONS: Study = Study::timing(
    "batty2003/iterations",
    "Thirteen iterations of conjugate gradients for the dam's first system",
    Takes::all::<Timed>().without("guess"),
    |experiment, place| {
        let Timed { size, entries, solver } = experiment.typed()?;
        let system = place.kept.once(format!("dam in bytes, {size}"), || in_bytes(size))?;
        let settings = Settings { entries, ..solver };
        let mut solve = cases::iterations(place.machine, &system, settings)?;
        Ok(work(move |_| solve().map(drop)))
    },
);

/// The dam's first system in another unit: entries for neighbours become −1, which bytes can hold, and those of cells
/// next to air nearly integers; b is scaled as well.
fn in_bytes(size: u16) -> Result<System<f64>, Error> {
    let system = dam::first_system(Scene::dam(size.into()))?;
    let entries = system.upper.iter().flatten();
    let unit = entries.fold(f64::MIN_POSITIVE, |m, entry| m.max(entry.abs()));
    Ok(system.map(|value| value / unit))
}

/// The first system of a liquid.
fn system(
    settings: &liquid::Settings,
    experiment: &Experiment,
    place: Place<'_>,
) -> Result<Arc<System<f64>>, BoxedError> {
    let scene = ["file", "scene", "size", "dt"].map(|name| &experiment.settings()[name]);
    let name = format!("first system, {scene:?}");
    let made = || Ok::<_, BoxedError>(Arc::new(dam::first_system(settings.read()?)?));
    let system: Rc<Arc<_>> = place.kept.once(name, made)?;
    Ok(Arc::clone(&system))
}

/// A solve on one core of the CPU, in single precision as on the GPU.
pub static CPU_SOLVE: Study = Study::timing(
    "batty2003/cpu-solve",
    "Iterations of a solve from zero on one core, for the first system of a liquid",
    Takes::of(&LIQUID, "paper", "scene size dt preconditioner maxiter"),
    |experiment, place| {
        let settings: liquid::Settings = experiment.typed()?;
        let system = system(&settings, experiment, place)?;
        let count = Criteria::exactly(settings.criteria.max_iterations);
        Ok(own_core(move |runs| {
            let mut solver = host_solver::<f32>(settings.preconditioner);
            let mut pressure = vec![0.0; system.cells()];
            runs.each(|_| {
                pressure.fill(0.0);
                solver.solve(&system, &mut pressure, &count).map(drop)
            })
        }))
    },
);

/// An operation of an iteration with IC(0) on vectors x and y.
type Operation = fn(
    &HostSpace<f32>,
    (&System<f32>, &IncompleteCholesky<f32>),
    (&Vec<f32>, &mut Vec<f32>),
) -> Result<(), LengthMismatch>;

/// An operation on one core of the CPU, in single precision.
fn on_one_core(
    experiment: &Experiment,
    place: Place<'_>,
    operation: Operation,
) -> Result<Work<'static>, BoxedError> {
    let settings: liquid::Settings = experiment.typed()?;
    let system = system(&settings, experiment, place)?;
    Ok(own_core(move |runs| {
        let factors = IncompleteCholesky::new(&system, 0.0);
        let matrix = system.map(|entry| entry as f32);
        let space = HostSpace::new(system.cells());
        let (x, mut y) = (matrix.right_side.clone(), matrix.right_side.clone());
        runs.each(|_| operation(&space, (&matrix, &factors), (&x, &mut y)))
    }))
}

/// Settings of the system.
const SYSTEM: Takes = Takes::of(&LIQUID, "paper", "scene size dt");

/// The product.
pub static CPU_PRODUCT: Study = Study::timing(
    "batty2003/cpu-product",
    "The matrix–vector product on one core, for the first system of a liquid",
    SYSTEM,
    |experiment, place| {
        on_one_core(experiment, place, |space, (matrix, _), (x, y)| matrix.apply(space, x, y))
    },
);

/// The transform of the preconditioner: two triangular solves.
pub static CPU_TRANSFORM: Study = Study::timing(
    "batty2003/cpu-transform",
    "The transform of incomplete Cholesky on one core",
    SYSTEM,
    |experiment, place| {
        on_one_core(experiment, place, |space, (_, factors), (x, y)| factors.apply(space, x, y))
    },
);

/// The inner products.
pub static CPU_DOTS: Study = Study::timing(
    "batty2003/cpu-dots",
    "The two inner products of an iteration on one core",
    SYSTEM,
    |experiment, place| {
        let twice: Operation =
            |space, _, (x, y)| (0..2).try_for_each(|_| space.dot(x, y).map(black_box).map(|_| ()));
        on_one_core(experiment, place, twice)
    },
);

/// The Scale-Adds.
pub static CPU_SCALE_ADDS: Study = Study::timing(
    "batty2003/cpu-scale-adds",
    "The three Scale-Adds of an iteration on one core",
    SYSTEM,
    |experiment, place| {
        on_one_core(experiment, place, |space, _, (x, y)| {
            (0..3).try_for_each(|_| space.axpy(y, 1e-3, x))
        })
    },
);
