//! What is timed: defects, products and cycles (§2.1, §3, §4.3 to §4.5). The paper's are in double precision, with rows that
//! end at rl, and separate A and j; a GPU without double precision takes pairs of floats.

use std::ops::Deref;
use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::base::memory;
use crate::experiment::{Experiment, Place, Study, Takes};
use crate::geveler2011::solves::fem::{self, Assembled, FEM};
use crate::geveler2011::study::cases::{arithmetic, kernel};
use crate::geveler2011::{
    Arithmetic, Discretisation, Ellpack, EllpackLayout, EllpackProduct, EllpackStorage, Entries,
    Numbering, PairSpace, ProductSpace, device, host,
};
use crate::solver::multigrid::Start;
use crate::solver::{Csr, Hierarchy, Multigrid, Operator, TextureSpace, VectorSpace};
use crate::stream::Stream;
use crate::timing::PingPong;
use crate::timing::cost::all;
use crate::timing::one_core::own_core;
use crate::timing::rig::work;

/// Settings of a matrix, and of a cycle.
const MATRIX: Takes = Takes::of(&FEM, "paper", "mesh element levels numbering");
const CYCLE: Takes = MATRIX.and("smoother omega pre post");

/// Bytes per entry of a matrix that is prepared for a work.
const ENTRY: u64 = 100;

/// The problem of an experiment in its numbering. It is assembled once for all numberings.
fn problem(
    experiment: &Experiment,
    place: Place<'_>,
) -> Result<(fem::Settings, Discretisation), BoxedError> {
    let one: fem::Settings = experiment.typed()?;
    let plain = fem::Settings { numbering: Numbering::TwoLevel, ..one.clone() };
    let of = ["mesh", "element", "levels"].map(|name| &experiment.settings()[name]);
    let assembled: Rc<Assembled> =
        place.kept.once(format!("assembled, {of:?}"), || plain.assembled())?;
    let entries = assembled.system.matrices[0].entries() as u64;
    memory::check(format_args!("--levels {}: {entries} entries", one.levels), entries, ENTRY, 1)?;
    let problem = assembled.system.renumbered(&assembled.meshes, one.element, one.numbering);
    Ok((one, problem))
}

/// The finest matrix of an experiment.
fn matrix(
    experiment: &Experiment,
    place: Place<'_>,
) -> Result<(fem::Settings, Csr<f64>), BoxedError> {
    let (one, mut problem) = problem(experiment, place)?;
    Ok((one, problem.matrices.swap_remove(0)))
}

/// Vectors x of ones and y of a product in main memory.
fn vectors(rows: usize) -> PingPong<Vec<f64>> {
    PingPong::of_two(vec![1.0; rows]).from(vec![1.0; rows])
}

/// ELLPACK-R, sequentially.
pub static PRODUCT_ONE: Study = Study::timing(
    "geveler2011/product-one",
    "A product in double precision with ELLPACK-R on one core",
    MATRIX,
    |experiment, place| {
        let matrix = Ellpack::new(&matrix(experiment, place)?.1);
        Ok(own_core(move |runs| {
            let mut vectors = vectors(matrix.lengths.len());
            runs.each(|run| {
                let (x, y) = vectors.of(run);
                matrix.multiply(x, y)
            })
        }))
    },
);

/// CSR, sequentially.
pub static PRODUCT_CSR: Study = Study::timing(
    "geveler2011/product-csr",
    "A product in double precision with CSR on one core",
    MATRIX,
    |experiment, place| {
        let matrix = matrix(experiment, place)?.1;
        Ok(own_core(move |runs| {
            let mut vectors = vectors(matrix.rows());
            runs.each(|run| {
                let (x, y) = vectors.of(run);
                matrix.multiply(x, y)
            })
        }))
    },
);

/// ELLPACK-R on all cores.
pub static PRODUCT_ALL: Study = Study::timing(
    "geveler2011/product-all",
    "A product in double precision with ELLPACK-R on all cores",
    MATRIX,
    |experiment, place| {
        let matrix = Ellpack::new(&matrix(experiment, place)?.1);
        let mut vectors = vectors(matrix.lengths.len());
        Ok(work(move |run| {
            let (x, y) = vectors.of(run);
            matrix.multiply_parallel(x, y)
        }))
    },
);

/// ELLPACK-R on the GPU.
pub static PRODUCT_GPU: Study = Study::timing(
    "geveler2011/product-gpu",
    "A product in double precision, or in pairs of floats, with ELLPACK-R on the GPU",
    MATRIX,
    |experiment, place| {
        let (one, matrix) = matrix(experiment, place)?;
        let (machine, layout) = (place.machine, one.solver().layout);
        Ok(kernel(machine, &matrix, layout, arithmetic(machine))?.0)
    },
);

/// Both row formats in single precision.
pub static PRODUCT_SINGLE: Study = Study::timing(
    "geveler2011/product-single",
    "A product in single precision on the GPU, in either layout",
    MATRIX.and("layout"),
    |experiment, place| {
        let (one, matrix) = matrix(experiment, place)?;
        let layout = EllpackLayout { rows: one.layout, entries: Entries::Packed };
        Ok(kernel(place.machine, &matrix, layout, Arithmetic::Single)?.0)
    },
);

/// A product in single precision with its vectors b, x and r, which are zero.
fn defect(
    experiment: &Experiment,
    place: Place<'_>,
) -> Result<(EllpackProduct, TextureSpace, [Stream; 3]), BoxedError> {
    let (machine, (_, matrix)) = (place.machine, matrix(experiment, place)?);
    let storage = Rc::new(EllpackStorage::new(machine, &matrix, EllpackLayout::of_2003())?);
    let product = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
    let space = TextureSpace::of(machine, matrix.rows(), Arithmetic::Single)?;
    let vectors = all([space.zeros(), space.zeros(), space.zeros()])?;
    Ok((product, space, vectors))
}

/// The fused defect.
pub static DEFECT: Study = Study::timing(
    "geveler2011/defect",
    "A defect in single precision in one program",
    MATRIX,
    |experiment, place| {
        let (product, _, [b, x, r]) = defect(experiment, place)?;
        Ok(work(move |_| product.defect(&b, &x, &r)))
    },
);

/// Its two parts.
pub static DEFECT_APART: Study = Study::timing(
    "geveler2011/defect-apart",
    "A defect in single precision by a product and a difference",
    MATRIX,
    |experiment, place| {
        let (product, space, [b, x, mut r]) = defect(experiment, place)?;
        Ok(work(move |_| {
            product.apply(&space, &x, &mut r)?;
            space.xpby(&mut r, -1.0, &b)
        }))
    },
);

/// A cycle, and the norm of the residual after it, for the stopping test.
fn cycle<H: Hierarchy, P: Deref<Target = H>>(
    multigrid: &mut Multigrid<H, P>,
    hierarchy: &H,
    b: &H::Vector,
    u: &mut H::Vector,
) -> Result<(), H::Error> {
    multigrid.cycle(Start::Given, b, u)?;
    hierarchy.residual_norm(b, u).map(drop)
}

/// A cycle on one core.
pub static CYCLE_ONE: Study = Study::timing(
    "geveler2011/cycle-one",
    "A multigrid cycle in double precision on one core",
    CYCLE,
    |experiment, place| {
        let (one, problem) = problem(experiment, place)?;
        let settings = one.solver();
        Ok(own_core(move |runs| {
            let hierarchy = host::hierarchy(&problem, &settings)?;
            let (b, mut u) = (problem.right_side, problem.start);
            drop((problem.matrices, problem.prolongations, problem.restrictions));
            let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
            runs.each(|_| cycle(&mut multigrid, &hierarchy, &b, &mut u))
        }))
    },
);

/// A cycle on all cores.
pub static CYCLE_ALL: Study = Study::timing(
    "geveler2011/cycle-all",
    "A multigrid cycle in double precision on all cores",
    CYCLE,
    |experiment, place| {
        let (one, problem) = problem(experiment, place)?;
        let hierarchy = Rc::new(host::hierarchy(&problem, &one.solver())?);
        let mut multigrid = Multigrid::new(Rc::clone(&hierarchy), one.solver().cycle)?;
        let (b, mut u) = (problem.right_side, problem.start);
        Ok(work(move |_| cycle(&mut multigrid, &*hierarchy, &b, &mut u)))
    },
);

/// A cycle on the GPU.
pub static CYCLE_GPU: Study = Study::timing(
    "geveler2011/cycle-gpu",
    "A multigrid cycle in double precision, or in pairs of floats, on the GPU",
    CYCLE,
    |experiment, place| {
        let ((one, problem), machine) = (problem(experiment, place)?, place.machine);
        let (settings, arithmetic) = (one.solver(), arithmetic(machine));
        let hierarchy =
            Rc::new(device::hierarchy::<PairSpace>(machine, &problem, &settings, arithmetic)?);
        let mut multigrid = Multigrid::new(Rc::clone(&hierarchy), settings.cycle)?;
        let space = &hierarchy.level(0).space;
        let (b, mut u) = (space.vector_of(&problem.right_side)?, space.vector_of(&problem.start)?);
        Ok(work(move |_| cycle(&mut multigrid, &*hierarchy, &b, &mut u)))
    },
);

/// The coarsest level on all cores.
pub static COARSE_ALL: Study = Study::timing(
    "geveler2011/coarse-all",
    "The solve on the coarsest level of a cycle in double precision on all cores",
    CYCLE,
    |experiment, place| {
        let (one, problem) = problem(experiment, place)?;
        let hierarchy = host::hierarchy(&problem, &one.solver())?;
        let b = vec![1.0; problem.matrices[hierarchy.levels() - 1].rows()];
        let mut u = b.clone();
        Ok(work(move |_| hierarchy.solve_coarsest(Start::Zero, &b, &mut u)))
    },
);

/// The coarsest level on the GPU.
pub static COARSE_GPU: Study = Study::timing(
    "geveler2011/coarse-gpu",
    "The solve on the coarsest level of a cycle on the GPU",
    CYCLE,
    |experiment, place| {
        let ((one, problem), machine) = (problem(experiment, place)?, place.machine);
        let (settings, arithmetic) = (one.solver(), arithmetic(machine));
        let hierarchy = device::hierarchy::<PairSpace>(machine, &problem, &settings, arithmetic)?;
        let coarsest = hierarchy.levels() - 1;
        let space = &hierarchy.level(coarsest).space;
        let b = space.vector_of(&vec![1.0; problem.matrices[coarsest].rows()])?;
        let mut u = space.zeros()?;
        Ok(work(move |_| hierarchy.solve_coarsest(Start::Zero, &b, &mut u)))
    },
);
