//! The timed cases of sections 3.3, 4.3 and 5: claims judge them, and `fragstream bench` prints them.

use std::ops::Deref;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::base::order::ShortSort;
use crate::base::parallel::parts;
use crate::base::random::SplitMix64;
use crate::bundled;
use crate::card::cache::Shape;
use crate::card::traffic::Traffic;
use crate::mesh::generate::torus;
use crate::mesh::measure::area;
use crate::mesh::order::{places_on_curve, reordered};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::program::interpret::Order;
use crate::solver::{
    Criteria, Csr, Cycle, Hierarchy, Multigrid, Outcome, Start, TextureDiagonal,
    conjugate_gradients,
};
use crate::stream::{Edges, Format, Machine, Reduce, Reduction, Size, Stream, StreamError};
use crate::timing::cpu::sum_of_ones;
use crate::timing::rig::{program, work};
use crate::timing::{Bench, Case, PingPong, Work};

use crate::bolz2003::grid::Boundary;
use crate::bolz2003::grid::geometry::{Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, StencilStorage};
use crate::bolz2003::grid::level::{Diagonal, Weights};
use crate::bolz2003::grid::stencil::Stencils;
use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::study::reference::Reference;

use crate::bolz2003::solves::smooth;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::smoothing::Method;
use crate::bolz2003::sparse::spmv::SparseMatrix;

/// Entries with which a chain of products stays within the range of single precision.
const DIAGONAL: f32 = 0.5;
const OFF_DIAGONAL: f32 = -0.05;

/// The product with a mesh's matrix (section 3.1.1), for vectors of this format, with the CPU's.
pub(crate) fn product(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    format: Format,
) -> Result<Case<'static>, BoxedError> {
    let kernel = product_alone(machine, mesh, options, format)?;
    Ok(Case::with_ceiling(machine, kernel).against(product_on_cpu(mesh, format)?))
}

/// The product with a mesh's matrix alone.
pub(crate) fn product_alone(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    format: Format,
) -> Result<Work<'static>, BoxedError> {
    let rings = Connectivity::new(mesh)?;
    let layout = FlowLayout::new(&rings, options)?;
    let size = layout.packing.size;
    let matrix = SparseMatrix::of_pattern(machine, &layout.packing, &layout.pointers[0], format)?;
    matrix.diagonal.fill([DIAGONAL; 4]);
    matrix.off_diagonal.fill([OFF_DIAGONAL; 4]);
    let vector = || Stream::zeros(machine, "vector", size, format);
    let start = vector()?;
    start.fill([1.0; 4]);
    let mut vectors = PingPong::new(2, vector)?.from(start);
    Ok(work(move |run| {
        let (x, y) = vectors.of(run);
        matrix.multiply(x, y)
    }))
}

/// Order of the vertices of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Vertices {
    /// As in the file.
    #[default]
    File,
    /// Along a Morton curve.
    Curve,
    /// At random.
    Shuffled,
}

/// The scan with its vertices in an order.
pub fn scan(vertices: Vertices) -> Result<TriangleMesh, BoxedError> {
    Ok(ordered(&bundled::scan()?, vertices))
}

/// A mesh with its vertices in an order.
pub(crate) fn ordered(mesh: &TriangleMesh, vertices: Vertices) -> TriangleMesh {
    let mut new: Vec<usize> = (0..mesh.positions.len()).collect();
    match vertices {
        Vertices::File => {}
        Vertices::Curve => {
            let places = places_on_curve(mesh);
            new.order_by_key(|&vertex| places[vertex]);
        }
        Vertices::Shuffled => SplitMix64::new(8).shuffle(&mut new),
    }
    reordered(mesh, &new)
}

/// The traffic of one product with a mesh's matrix, vectors in four channels.
pub fn traffic(
    machine: &Machine,
    mesh: &TriangleMesh,
    order: Order,
    shapes: Vec<Shape>,
) -> Result<Rc<Traffic>, BoxedError> {
    let mut product = product_alone(machine, mesh, &PackingOptions::default(), Format::Rgba32F)?;
    Traffic::of(machine, shapes, order, || product(0))
}

/// The product on all cores of the CPU, for vectors of this format.
pub(crate) fn product_on_cpu(
    mesh: &TriangleMesh,
    format: Format,
) -> Result<Work<'static>, BoxedError> {
    let rows = pattern(&Connectivity::new(mesh)?);
    Ok(if format.channels() == 1 {
        chain_of_products::<1>(rows)
    } else {
        chain_of_products::<3>(rows)
    })
}

/// Bytes of the matrix, with one offset per row, and of both vectors of a product with three components on the CPU.
pub(crate) fn bytes_on_cpu(mesh: &TriangleMesh) -> Result<usize, BoxedError> {
    let matrix = pattern(&Connectivity::new(mesh)?);
    Ok(8 * matrix.entries() + (8 + 2 * 12) * matrix.rows())
}

/// A matrix with the pattern of a mesh: rows for interior vertices only.
fn pattern(rings: &Connectivity) -> Csr<f32> {
    let interior = |i: &usize| rings.kind()[*i] == VertexKind::Interior;
    let entries = (0..rings.vertices()).filter(interior).flat_map(|i| {
        let ring = rings.neighbours()[rings.ring(i)].iter();
        let ring = ring.map(move |&j| (i, j as usize, OFF_DIAGONAL));
        ring.chain([(i, i, DIAGONAL)])
    });
    Csr::from_triplets(rings.vertices(), rings.vertices(), entries)
        .expect("neighbours are vertices of the same mesh")
}

/// Rows per task of the CPU.
const ROWS: usize = 1 << 11;

fn chain_of_products<const CHANNELS: usize>(matrix: Csr<f32>) -> Work<'static> {
    let mut vectors = PingPong::of_two(vec![[1.0f32; CHANNELS]; matrix.rows()]);
    program(move |run| {
        let (x, y) = vectors.of(run);
        multiply(&matrix, x, y);
    })
}

/// y ← A x
fn multiply<const CHANNELS: usize>(
    matrix: &Csr<f32>,
    x: &[[f32; CHANNELS]],
    y: &mut [[f32; CHANNELS]],
) {
    parts(y, ROWS, &|first, rows| {
        for (row, y) in (first..).zip(rows) {
            let mut sum = [0.0; CHANNELS];
            for (column, a) in matrix.row(row) {
                for (sum, x) in sum.iter_mut().zip(&x[column]) {
                    *sum += a * x;
                }
            }
            *y = sum;
        }
    });
}

/// The sum of a stream of this size (section 3.1.3), with one channel, including read-back.
pub(crate) fn reduction(
    machine: &Machine,
    size: Size,
    edges: Edges,
) -> Result<Case<'static>, StreamError> {
    let x = Stream::zeros(machine, "x", size, Format::R32F)?;
    x.fill([1.0; 4]);
    let sum = Reduction::new(machine, size, Format::R32F, Reduce::Sum, edges)?;
    let kernel = work(move |_| sum.of(&x).map(drop));
    let entries = size.0 as usize * size.1 as usize;
    Ok(Case::with_ceiling(machine, kernel).against(sum_of_ones(entries)))
}

/// A system of geometric flow that is repeatedly solved from zero.
struct System {
    flow: GeometricFlow,
    x: Stream,
    preconditioned: bool,
    criteria: Criteria,
    /// λΔt: a typical squared edge.
    lambda_dt: f64,
}

impl System {
    fn new(
        machine: &Machine,
        mesh: &TriangleMesh,
        preconditioned: bool,
        iterations: usize,
    ) -> Result<Self, BoxedError> {
        let layout = FlowLayout::new(&Connectivity::new(mesh)?, &PackingOptions::default())?;
        let flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
        Ok(Self {
            x: flow.space.zeros()?,
            flow,
            preconditioned,
            criteria: Criteria::exactly(iterations),
            lambda_dt: area(mesh) / mesh.triangles.len().max(1) as f64,
        })
    }

    /// The system of a step so long that the residual does not reach single precision's limit.
    fn of_long_step(
        machine: &Machine,
        mesh: &TriangleMesh,
        preconditioned: bool,
        iterations: usize,
    ) -> Result<Self, BoxedError> {
        let mut system = Self::new(machine, mesh, preconditioned, iterations)?;
        system.flow.compute_entries(1e4 * system.lambda_dt)?;
        let done = system.solve()?.iterations;
        if done != iterations {
            let text = format!("the solve ended after {done} of {iterations} iterations");
            return Err(text.into());
        }
        Ok(system)
    }

    /// Solves it from zero, without changing the mesh.
    fn solve(&mut self) -> Result<Outcome, StreamError> {
        self.x.fill([0.0; 4]);
        let (space, matrix) = (&self.flow.space, &self.flow.matrix);
        let diagonal = TextureDiagonal::new(space, &matrix.diagonal)?;
        let diagonal = self.preconditioned.then_some(&diagonal as _);
        let (b, criteria) = (self.flow.right_hand_side(), &self.criteria);
        conjugate_gradients(space, matrix, diagonal, b, &mut self.x, criteria, |_| {})
    }
}

/// Conjugate gradients with this number of iterations (section 3.3), without a preconditioner.
pub(crate) fn solve(
    machine: &Machine,
    mesh: &TriangleMesh,
    iterations: usize,
) -> Result<Work<'static>, BoxedError> {
    let mut system = System::of_long_step(machine, mesh, false, iterations)?;
    Ok(work(move |_| system.solve().map(drop)))
}

/// A step of geometric flow (section 3.3), its entries computed.
pub(crate) fn step(
    machine: &Machine,
    mesh: &TriangleMesh,
    settings: &smooth::Settings,
) -> Result<Work<'static>, BoxedError> {
    let preconditioned = settings.solver.method == Method::Pcg;
    let mut system = System::new(machine, mesh, preconditioned, 0)?;
    system.criteria = settings.solver.criteria;
    system.lambda_dt = settings.lambda_dt.unwrap_or(system.lambda_dt);
    Ok(work(move |_| {
        system.flow.compute_entries(system.lambda_dt)?;
        system.solve().map(drop)
    }))
}

/// −∇²u = g on n² nodes with Dirichlet conditions.
pub(crate) fn hierarchy(
    machine: &Machine,
    n: usize,
    storage: StencilStorage,
    options: HierarchyOptions,
) -> Result<GridHierarchy, BoxedError> {
    let grid = Grid::new(n, n, Sides::all(Boundary::Dirichlet))?;
    let hierarchy = GridHierarchy::helmholtz(machine, grid, 0.0, storage, options);
    Ok(hierarchy?)
}

/// A kernel of a cycle, on the finest grid or between it and the next coarser one (section 4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Timed {
    /// v ← A u
    #[default]
    Product,
    /// v ← u + ω D⁻¹ (b − A u)
    Jacobi,
    /// v ← S coarse
    Interpolation,
    /// v ← P fine
    Projection,
}

impl Timed {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Product, "stencil product"),
        (Self::Jacobi, "Jacobi sweep"),
        (Self::Interpolation, "interpolation"),
        (Self::Projection, "projection"),
    ];

    /// The kernel, with its ceiling.
    pub fn case(
        self,
        machine: &Machine,
        gpu: &Rc<GridHierarchy>,
    ) -> Result<Case<'static>, BoxedError> {
        let gpu = Rc::clone(gpu);
        let b = random(&gpu)?;
        // Each run writes another target than the one before, so that none is dropped.
        let of_level = |level: usize| PingPong::new(2, || gpu.level(level).grid().zeros("vector"));
        let (mut fine, mut coarse) = (of_level(0)?, of_level(1)?);
        let omega = Weights::PAPER as f32;
        let kernel = work(move |run| {
            let ((u, v), (short, target)) = (fine.of(run), coarse.of(run));
            match self {
                Self::Product => gpu.level(0).multiply(u, v),
                Self::Jacobi => gpu.level(0).jacobi(omega, &b, u, v),
                Self::Interpolation => gpu.interpolate(0, short, v),
                Self::Projection => gpu.project(0, &b, target),
            }
        });
        Ok(Case::with_ceiling(machine, kernel))
    }
}

/// The stencil product on all cores of the CPU.
pub(crate) fn stencil_on_cpu(n: usize) -> Result<Work<'static>, BoxedError> {
    let grid = Grid::new(n, n, Sides::all(Boundary::Dirichlet))?;
    let stencils = Stencils::<f32>::helmholtz(grid, |_, _| 1.0, |_, _| 0.0);
    let reference = Reference::new(stencils, &HierarchyOptions::fused());
    let mut u = grid.random(1);
    Ok(program(move |_| u = reference.product(0, &u)))
}

/// A cycle of this shape with b = 0, continuing from the previous one.
pub(crate) fn cycle<'a, P>(gpu: P, shape: Cycle) -> Result<Work<'a>, StreamError>
where
    P: Deref<Target = GridHierarchy> + 'a,
{
    let (b, mut u) = (gpu.grid().zeros("b")?, random(&gpu)?);
    let mut multigrid = Multigrid::new(gpu, shape)?;
    Ok(work(move |_| multigrid.cycle(Start::Given, &b, &mut u)))
}

/// A solve from zero to a relative residual of 1e-4, by V(4,2)-cycles, or by conjugate gradients with the diagonal as
/// preconditioner.
pub(crate) fn small_solve(
    gpu: Rc<GridHierarchy>,
    by_cycles: bool,
) -> Result<Work<'static>, StreamError> {
    let (criteria, b, mut u) = (Criteria::to(1e-4), random(&gpu)?, gpu.grid().zeros("u")?);
    if by_cycles {
        let mut multigrid = Multigrid::new(gpu, Cycle::v(4, 2))?;
        return Ok(work(move |_| {
            u.fill([0.0; 4]);
            multigrid.solve(&b, &mut u, &criteria, |_, _| ()).map(drop)
        }));
    }
    Ok(work(move |_| {
        u.fill([0.0; 4]);
        let level = gpu.level(0);
        let diagonal = Diagonal(level);
        let preconditioner = Some(&diagonal as _);
        conjugate_gradients(level.space(), level, preconditioner, &b, &mut u, &criteria, |_| {})
            .map(drop)
    }))
}

/// A vector of random values at computed nodes.
fn random(gpu: &GridHierarchy) -> Result<Stream, StreamError> {
    gpu.grid().upload(&gpu.grid().grid().random(1))
}

/// The lines of `fragstream bench`: products of this mesh and a generated one, reductions, and kernels of a grid.
pub(crate) fn bench(
    bench: &mut Bench<'_>,
    mesh: &TriangleMesh,
    options: &PackingOptions,
) -> Result<(), BoxedError> {
    let large = torus(bench.pick(50_000, 500_000), 1);
    let name = format!("{} vertices", large.positions.len());
    for (mesh, name) in [(mesh, "the scan"), (&large, &name)] {
        for (format, channels) in [(Format::R32F, "1 channel"), (Format::Rgba32F, "3 channels")] {
            let what = format!("product, {name}, {channels}");
            bench.case(&what, |machine| product(machine, mesh, options, format))?;
        }
    }
    for (edges, name) in [(Edges::Padded, "padded"), (Edges::Bounded, "bounds tested")] {
        let what = format!("sum of 2048², {name}, read back");
        bench.case(&what, |machine| reduction(machine, (2048, 2048), edges))?;
    }
    let n = bench.pick(257, 1025);
    bench.text(format_args!("\na grid of {n}² nodes, four per texel; stencils in streams"))?;
    for (kernel, name) in Timed::ALL {
        bench.case(name, |machine| {
            let gpu = hierarchy(machine, n, StencilStorage::Streams, HierarchyOptions::fused())?;
            let case = kernel.case(machine, &Rc::new(gpu))?;
            Ok::<_, BoxedError>(match kernel {
                Timed::Product => case.against(stencil_on_cpu(n)?),
                _ => case,
            })
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_on_the_cpu_sums_every_row() {
        let rows = 3 * ROWS + 5;
        let entries = (0..rows).flat_map(|i| [(i, i, 2.0), (i, (7 * i) % rows, 0.5)]);
        let matrix = Csr::from_triplets(rows, rows, entries).unwrap();
        let x: Vec<[f32; 3]> = (0..rows).map(|i| [i as f32, 1.0, -1.0]).collect();
        let mut y = vec![[0.0; 3]; rows];
        multiply(&matrix, &x, &mut y);
        for (i, y) in y.iter().enumerate() {
            let first = 2.0 * i as f32 + 0.5 * ((7 * i) % rows) as f32;
            assert_eq!(*y, [first, 2.5, -2.5]);
        }
    }
}
