//! §3.3, §4.3, §5: works that the claims time together, on the machine and on the CPU, and the bounds of the products.

use std::path::PathBuf;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::start;
use crate::base::error::BoxedError;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, StencilStorage};
use crate::bolz2003::grid::layering::BorderSync;
use crate::bolz2003::solves::{POISSON, SMOOTH, poisson, smooth};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::study::cases::{self, Timed, Vertices, hierarchy};
use crate::bundled::SCAN;
use crate::card::cost::{Cycles, Demand, GEFORCE_FX_5800_ULTRA, bill};
use crate::card::count::count;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::mesh::TriangleMesh;
use crate::mesh::generate::sheet;
use crate::settings::GridSize;
use crate::stream::{Edges, Format, Machine};
use crate::timing::cost::ledger;
use crate::timing::cpu::sum_of_ones;
use crate::timing::{Case, Work, own_core};

/// Nodes per side of the paper's grid.
pub(super) const SIDE: usize = 257;

/// The paper's hierarchy on n² nodes.
pub(super) fn of_the_paper(machine: &Machine, n: usize) -> Result<Rc<GridHierarchy>, BoxedError> {
    let options = HierarchyOptions::default();
    hierarchy(machine, n, StencilStorage::Streams, options).map(Rc::new)
}

/// Settings of works and measurements, each of which takes some of them.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Settings {
    /// Mesh: a file, or a bundled one, the scan `bunny` or `cube`
    input: PathBuf,
    /// Vertices per side of a flat sheet, instead of the mesh
    #[schemars(range(min = 3, max = 4096))]
    sheet: Option<u32>,
    /// Order of the vertices
    order: Vertices,
    /// Number of iterations of conjugate gradients
    #[schemars(range(min = 1, max = 1000))]
    iterations: usize,
    /// Kernel on the grid of 257² nodes, or between it and that of 129²
    kernel: Timed,
    /// Nodes per side
    #[schemars(range(min = 3, max = 1025))]
    size: usize,
    /// Solve by V(4,2)-cycles instead of conjugate gradients
    by_cycles: bool,
    /// Run the fetches of the program alone
    fetches_alone: bool,
    /// Use one core of the CPU instead of all
    one_core: bool,
    /// Number of rows of the matrix
    #[schemars(range(min = 50, max = 100_000))]
    pub rows: usize,
    /// Number of sizes of grids
    #[schemars(range(min = 1, max = 8))]
    pub sizes: usize,
    /// Take periodic sides
    pub periodic: bool,
    /// Number of cells along a side of the cube
    #[schemars(range(min = 2, max = 64))]
    pub cells: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            input: SCAN.into(),
            sheet: None,
            order: Vertices::File,
            iterations: 100,
            kernel: Timed::Product,
            size: 33,
            by_cycles: false,
            fetches_alone: false,
            one_core: false,
            rows: 7000,
            sizes: 8,
            periodic: false,
            cells: 24,
        }
    }
}

impl Settings {
    fn mesh(&self) -> Result<TriangleMesh, BoxedError> {
        let mesh = match self.sheet {
            Some(side) => sheet(side - 1, side - 1),
            None => smooth::Settings { input: self.input.clone(), ..Default::default() }.mesh()?,
        };
        Ok(cases::ordered(&mesh, self.order))
    }

    /// A case's kernel, or the fetches of its program.
    fn of(&self, case: Case<'static>) -> Result<Work<'static>, BoxedError> {
        match self.fetches_alone {
            true => Ok(case.ceiling.ok_or("no ceiling")?.0),
            false => Ok(case.kernel),
        }
    }
}

/// The product with the matrix of a mesh.
pub static PRODUCT: Study = Study::timing(
    "bolz2003/product",
    "The product with a mesh's matrix, for vectors in four channels",
    Takes::some::<Settings>("input order fetches_alone"),
    product,
);

/// The product with the matrix of a sheet.
pub static SHEET_PRODUCT: Study = Study::timing(
    "bolz2003/sheet-product",
    "The same with the matrix of a flat sheet",
    Takes::some::<Settings>("sheet order"),
    product,
);

fn product(experiment: &Experiment, place: Place<'_>) -> Result<Work<'static>, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let (mesh, packing) = (settings.mesh()?, PackingOptions::default());
    settings.of(cases::product(place.machine, &mesh, &packing, Format::Rgba32F)?)
}

/// The sum of 200² records.
pub static SUM: Study = Study::timing(
    "bolz2003/sum",
    "The sum of 200² records, with bounds tested, read back",
    Takes::nothing(),
    |_, place| Ok(cases::reduction(place.machine, (200, 200), Edges::Bounded)?.kernel),
);

/// Iterations of conjugate gradients.
pub static CG: Study = Study::timing(
    "bolz2003/cg",
    "Iterations of conjugate gradients without a preconditioner, for a step of geometric flow of a mesh",
    Takes::some::<Settings>("input iterations"),
    |experiment, place| {
        let settings: Settings = experiment.typed()?;
        cases::solve(place.machine, &settings.mesh()?, settings.iterations)
    },
);

/// A kernel of a cycle.
pub static KERNEL: Study = Study::timing(
    "bolz2003/kernel",
    "A kernel of a cycle on 257² nodes, four per texel, with stencils in textures",
    Takes::some::<Settings>("kernel fetches_alone"),
    |experiment, place| {
        let settings: Settings = experiment.typed()?;
        let grid = of_the_paper(place.machine, SIDE)?;
        settings.of(settings.kernel.case(place.machine, &grid)?)
    },
);

/// A cycle.
pub static CYCLE: Study = Study::timing(
    "bolz2003/cycle",
    "A cycle with stencils in textures and computed borders",
    Takes::of(&POISSON, "paper", "size layout pre post cycle"),
    |experiment, place| {
        let poisson::Settings { size, boundary, options, .. } = experiment.typed()?;
        let [columns, rows] = size.map_or([1025; 2], GridSize::sides);
        let grid = Grid::new(columns, rows, boundary)?;
        let (machine, storage) = (place.machine, StencilStorage::Streams);
        let hierarchy = HierarchyOptions { sync: BorderSync::Fused, ..options.hierarchy };
        let hierarchy = GridHierarchy::helmholtz(machine, grid, 0.0, storage, hierarchy)?;
        Ok(cases::cycle(Rc::new(hierarchy), options.cycle)?)
    },
);

/// A solve on a small grid.
pub static SMALL_SOLVE: Study = Study::timing(
    "bolz2003/small-solve",
    "A solve on a small grid from zero to a relative residual of 1e-4",
    Takes::some::<Settings>("size by_cycles"),
    |experiment, place| {
        let Settings { size, by_cycles, .. } = experiment.typed()?;
        Ok(cases::small_solve(of_the_paper(place.machine, size)?, by_cycles)?)
    },
);

/// A step of geometric flow.
pub static FLOW_STEP: Study = Study::timing(
    "bolz2003/flow-step",
    "A step of geometric flow of a mesh",
    Takes::of(&SMOOTH, "step", "input lambda_dt noise seed method maxiter rect"),
    |experiment, place| {
        let settings: smooth::Settings = experiment.typed()?;
        cases::step(place.machine, &start(&settings)?, &settings)
    },
);

/// A work on the CPU, on one core or on all.
fn on_cpu(
    one_core: bool,
    make: impl FnOnce() -> Result<Work<'static>, BoxedError> + Send + 'static,
) -> Result<Work<'static>, BoxedError> {
    match one_core {
        true => Ok(own_core(move |runs| runs.each(make()?))),
        false => make(),
    }
}

/// The product with the matrix of a mesh on the CPU.
pub static CPU_PRODUCT: Study = Study::timing(
    "bolz2003/cpu-product",
    "The product with a mesh's matrix on the CPU, for vectors with three components",
    Takes::some::<Settings>("input one_core"),
    product_on_cpu,
);

/// The product with the matrix of a sheet on the CPU.
pub static CPU_SHEET: Study = Study::timing(
    "bolz2003/cpu-sheet-product",
    "The same with the matrix of a flat sheet",
    Takes::some::<Settings>("sheet one_core"),
    product_on_cpu,
);

fn product_on_cpu(experiment: &Experiment, _: Place<'_>) -> Result<Work<'static>, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let mesh = settings.mesh()?;
    on_cpu(settings.one_core, move || cases::product_on_cpu(&mesh, Format::Rgba32F))
}

/// The stencil product on the CPU.
pub static CPU_STENCIL: Study = Study::timing(
    "bolz2003/cpu-stencil",
    "The stencil product on 257² nodes on the CPU",
    Takes::some::<Settings>("one_core"),
    |experiment, _| {
        let Settings { one_core, .. } = experiment.typed()?;
        on_cpu(one_core, || cases::stencil_on_cpu(SIDE))
    },
);

/// Reading on the CPU.
pub static CPU_READING: Study = Study::timing(
    "bolz2003/cpu-reading",
    "A sum of as many bytes as a product with a sheet's matrix reads, on one core of the CPU",
    Takes::some::<Settings>("sheet"),
    |experiment, _| {
        let bytes = cases::bytes_on_cpu(&experiment.typed::<Settings>()?.mesh()?)?;
        on_cpu(true, move || Ok(sum_of_ones(bytes / 4)))
    },
);

/// The bounds of the products on the paper's card.
pub static BOUNDS: Study = Study::measuring(
    "bolz2003/bounds",
    "Cycles of the instructions and of the fetches of both products on the paper's card, by the model",
    Takes::some::<Settings>("input"),
    &[
        (
            "{product|stencil}.{least|most}",
            "",
            "cycles of the fetches relative to those of the instructions, by the interval of a register's cost",
        ),
        ("{product|stencil}.of_bytes", "cycles", "of the bytes per fragment"),
        ("{product|stencil}.of_random", "cycles", "of random fetches per fragment"),
        ("{product|stencil}.per_fragment", "bytes", "bytes fetched and written per fragment"),
    ],
    |experiment, place| {
        let (machine, mesh) = (place.machine, experiment.typed::<Settings>()?.mesh()?);
        let product =
            cases::product_alone(machine, &mesh, &PackingOptions::default(), Format::Rgba32F)?;
        let stencil = Timed::Product.case(machine, &of_the_paper(machine, SIDE)?)?.kernel;
        let mut record = Record::new();
        for (name, mut work) in [("product", product), ("stencil", stencil)] {
            let (cycles, bytes) = bound(place, &mut work)?;
            let of = |cycles: Cycles| (cycles.bytes + cycles.random) / cycles.instructions;
            for (end, cycles) in ["most", "least"].into_iter().zip(cycles) {
                record.one(format!("{name}.{end}"), of(cycles));
            }
            record.one(format!("{name}.of_bytes"), cycles[0].bytes);
            record.one(format!("{name}.of_random"), cycles[0].random);
            record.one(format!("{name}.per_fragment"), bytes);
        }
        Ok(record)
    },
);

/// Cycles per fragment of all passes of a work, and bytes fetched and written per fragment.
fn bound(place: Place<'_>, work: &mut Work<'_>) -> Result<([Cycles; 2], f64), BoxedError> {
    let ledger = ledger(place.machine, work)?;
    let fragments = ledger.total().fragments as f64;
    let mut sums = [Cycles::default(); 2];
    for (text, account) in &ledger.kernels {
        let count = count(&text.fragment)?;
        for (run, &times) in &account.runs {
            let demand = Demand::of_run(run, &account.streams, &count);
            let share = (times * run.fragments) as f64 / fragments;
            let each = GEFORCE_FX_5800_ULTRA.range_of_cycles(&demand);
            for (sum, cycles) in sums.iter_mut().zip(each) {
                sum.instructions += share * cycles.instructions;
                sum.bytes += share * cycles.bytes;
                sum.random += share * cycles.random;
            }
        }
    }
    Ok((sums, bill(&ledger).total().done.bytes() as f64 / fragments))
}
