//! Speed of the solver of section 3: each kernel compared with the trivial kernel with the same fetches
//! (its ceiling) and with the tuned program for the CPU, all in one run (sections 3.3 and 5).

use std::rc::Rc;
use std::time::Instant;

use crate::mesh::generate::torus;
use crate::mesh::{Connectivity, MeshError, TriangleMesh, VertexKind};
use crate::solver::{Criteria, Csr, Outcome, TextureDiagonal, conjugate_gradients};
use crate::stream::rows::RowGroup;
use crate::stream::{
    Edges, Format, Kernel, Machine, Pass, Reduce, Reduction, Size, Source, Stream, StreamError,
    source,
};
use crate::timing::rig::{program, work};
use crate::timing::{self, Bench, Case, Iteration, PingPong, TimingError, Work};

use super::cpu::CpuMatrix;
use super::flow::{FlowLayout, GeometricFlow};
use super::matrix::MatrixError;
use super::packing::{Packing, PackingOptions};
use super::spmv::SparseMatrix;

const SPMV_CEILING: Source = source!("bolz2003/sparse/spmv_ceiling");

impl From<MatrixError> for TimingError {
    fn from(error: MatrixError) -> Self {
        TimingError::Case(error.into())
    }
}

impl From<MeshError> for TimingError {
    fn from(error: MeshError) -> Self {
        TimingError::Case(error.into())
    }
}

/// The product with a mesh's matrix, for vectors of this format. Its ceiling reads each entry of the
/// matrix once, as the product must.
///
/// The values do not matter for the time; they are chosen such that a chain of products stays
/// within the range of single precision.
pub fn product(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    format: Format,
) -> Result<Case<'static>, TimingError> {
    let rings = Connectivity::new(mesh)?;
    let layout = FlowLayout::new(&rings, options)?;
    let (packing, size) = (&layout.packing, layout.packing.size);
    let matrix = SparseMatrix::of_pattern(machine, packing, &layout.pointers[0], format)?;
    matrix.diagonal.fill([DIAGONAL; 4]);
    matrix.off_diagonal.fill([OFF_DIAGONAL; 4]);
    let matrix = Rc::new(matrix);
    let vectors = || -> Result<PingPong<Stream>, StreamError> {
        let stream = || Stream::zeros(machine, "vector", size, format);
        let start = stream()?;
        start.fill([1.0; 4]);
        Ok(PingPong::new(2, stream)?.from(start))
    };

    let ceiling = Rc::new(Ceiling::new(machine, packing, &matrix)?);
    let ceiling_of = |extent: [f32; 2]| -> Result<Work<'static>, StreamError> {
        let (ceiling, matrix, mut vectors) = (Rc::clone(&ceiling), Rc::clone(&matrix), vectors()?);
        Ok(work(move |run| {
            let (x, y) = vectors.of(run);
            ceiling.draw(&matrix, extent, x, y)
        }))
    };
    let ceilings = [[size.0 as f32, size.1 as f32], [0.0; 2]].map(ceiling_of);
    let [ceiling, cached_ceiling] = ceilings;
    let mut vectors = vectors()?;
    let kernel = work(move |run| {
        let (x, y) = vectors.of(run);
        matrix.multiply(x, y)
    });
    let rows = pattern(&rings);
    let cpu_matrix = CpuMatrix::new(&rows)?;
    let cpu = match format.channels() {
        1 => cpu_product::<1>(cpu_matrix),
        _ => cpu_product::<3>(cpu_matrix),
    };
    Ok(Case {
        cached_ceiling: Some(cached_ceiling?),
        ..Case::new(kernel).beside(ceiling?, 1.0).against(cpu)
    })
}

/// The trivial kernel with the fetches of a product, and a matrix in the most suitable layout: one
/// part laid out like x per entry of a row.
pub(crate) struct Ceiling {
    kernels: Vec<Rc<Kernel>>,
    off_diagonal: Stream,
    column: Stream,
}

impl Ceiling {
    pub fn new(
        machine: &Machine,
        packing: &Packing,
        matrix: &SparseMatrix,
    ) -> Result<Self, StreamError> {
        let longest = packing.groups.iter().map(|group| group.row_length).max();
        let parts = longest.unwrap_or(0).max(1);
        let columns = f64::from(parts).sqrt().ceil() as u32;
        let size = (
            columns * packing.size.0,
            parts.div_ceil(columns) * packing.size.1,
        );
        let columns = format!("{columns}.0");
        let kernel = |group: &RowGroup| {
            let row_length = ("ROW_LENGTH", group.row_length.as_str());
            machine.kernel(&SPMV_CEILING, &[row_length, ("COLUMNS", &columns)])
        };
        let off_diagonal = Stream::zeros(machine, "matrix in parts", size, Format::R32F)?;
        off_diagonal.fill([OFF_DIAGONAL; 4]);
        Ok(Self {
            kernels: matrix.groups.iter().map(kernel).collect::<Result<_, _>>()?,
            off_diagonal,
            column: Stream::zeros(machine, "pointers in parts", size, Format::Rg32F)?,
        })
    }

    /// Runs it in place of a product. Its fetches of x stay within `extent` of the first texel.
    pub fn draw(
        &self,
        matrix: &SparseMatrix,
        extent: [f32; 2],
        x: &Stream,
        y: &Stream,
    ) -> Result<(), StreamError> {
        for (group, kernel) in matrix.groups.iter().zip(&self.kernels) {
            Pass::new(kernel)
                .read("diagonal", &matrix.diagonal)
                .read("offdiagonal", &self.off_diagonal)
                .read("row_pointer", &matrix.row_pointers)
                .read("column_pointer", &self.column)
                .read("x", x)
                .set("extent", extent)
                .draw(y, &group.rects)?;
        }
        Ok(())
    }
}

const DIAGONAL: f32 = 0.5;
const OFF_DIAGONAL: f32 = -0.05;

fn cpu_product<const CHANNELS: usize>(matrix: CpuMatrix) -> Work<'static> {
    let ones = vec![[1.0f32; CHANNELS]; matrix.vector_length()];
    let mut vectors = PingPong::of_two(ones.clone()).from(ones);
    program(move |run| {
        let (x, y) = vectors.of(run);
        matrix.multiply(x, y);
    })
}

/// A matrix with the pattern of a mesh: rows for interior vertices only.
fn pattern(rings: &Connectivity) -> Csr<f64> {
    let interior = |i: &usize| rings.kind()[*i] == VertexKind::Interior;
    let entries = (0..rings.vertices()).filter(interior).flat_map(|i| {
        let ring = rings.neighbours()[rings.ring(i)].iter();
        let ring = ring.map(move |&j| (i, j as usize, f64::from(OFF_DIAGONAL)));
        ring.chain([(i, i, f64::from(DIAGONAL))])
    });
    Csr::from_triplets(rings.vertices(), rings.vertices(), entries)
        .expect("neighbours are vertices of the same mesh")
}

/// The sum of a stream of this size, with one channel, including read-back.
pub fn reduction(
    machine: &Machine,
    size: Size,
    edges: Edges,
) -> Result<Case<'static>, StreamError> {
    let stream = || Stream::zeros(machine, "x", size, Format::R32F);
    let x = stream()?;
    x.fill([1.0; 4]);
    let sum = Reduction::new(machine, size, Format::R32F, Reduce::Sum, edges)?;
    let kernel = work(move |_| sum.of(&x).map(drop));
    let entries = size.0 as usize * size.1 as usize;
    timing::reduction::case(machine, kernel, stream()?, entries)
}

/// A system of geometric flow that is repeatedly solved from zero.
struct System {
    flow: GeometricFlow,
    x: Stream,
    preconditioned: bool,
    criteria: Criteria,
}

impl System {
    fn new(
        machine: &Machine,
        mesh: &TriangleMesh,
        options: &PackingOptions,
        preconditioned: bool,
        iterations: usize,
    ) -> Result<Self, TimingError> {
        let layout = FlowLayout::new(&Connectivity::new(mesh)?, options)?;
        let flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
        Ok(Self {
            x: flow.space().zeros()?,
            flow,
            preconditioned,
            criteria: Criteria::exactly(iterations),
        })
    }

    /// Solves it from zero, without changing the mesh.
    fn solve(&mut self) -> Result<Outcome, StreamError> {
        self.x.fill([0.0; 4]);
        let (space, matrix) = (self.flow.space(), self.flow.matrix());
        let diagonal = TextureDiagonal::new(space, &matrix.diagonal)?;
        let diagonal = self.preconditioned.then_some(&diagonal as _);
        let (b, criteria) = (self.flow.right_hand_side(), &self.criteria);
        conjugate_gradients(space, matrix, diagonal, b, &mut self.x, criteria, |_| {})
    }
}

/// Runs iterations of conjugate gradients on the system of a step of geometric flow, a step long enough that the
/// residual does not reach single precision's limit.
fn long_step(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    preconditioned: bool,
    iterations: usize,
) -> Result<System, TimingError> {
    let mut system = System::new(machine, mesh, options, preconditioned, iterations)?;
    system.flow.compute_entries(1e4 * mesh_scale(mesh))?;
    let done = system.solve()?.iterations;
    if done != iterations {
        let text = format!("the solve ended after {done} of {iterations} iterations");
        return Err(TimingError::Case(text.into()));
    }
    Ok(system)
}

/// Times iterations of conjugate gradients on the system of a step of geometric flow.
pub fn iteration(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    preconditioned: bool,
    iterations: usize,
) -> Result<Iteration, TimingError> {
    let mut system = long_step(machine, mesh, options, preconditioned, iterations)?;
    Ok(Iteration::of(machine, || system.solve())?)
}

/// A solve with this number of iterations, without a preconditioner.
pub fn solve(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    iterations: usize,
) -> Result<Work<'static>, TimingError> {
    let mut system = long_step(machine, mesh, options, false, iterations)?;
    Ok(work(move |_| system.solve().map(drop)))
}

/// The step of geometric flow with this number of iterations: computes all entries of the system, and solves.
pub fn step(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    iterations: usize,
) -> Result<Work<'static>, TimingError> {
    let mut system = System::new(machine, mesh, options, false, iterations)?;
    let lambda_dt = mesh_scale(mesh);
    Ok(work(move |_| {
        system.flow.compute_entries(lambda_dt)?;
        system.solve().map(drop)
    }))
}

/// A typical squared edge length.
fn mesh_scale(mesh: &TriangleMesh) -> f64 {
    crate::mesh::measure::area(mesh) / mesh.triangles.len().max(1) as f64
}

/// Cost of setting up a mesh for geometric flow, and of a step.
struct SetUp {
    /// Seconds to find the one-rings, to pack them, and to upload them.
    before: [f64; 3],
    /// Seconds of a preconditioned step with five iterations.
    step: f64,
    /// Bytes of texture per vertex, at the peak during that step.
    bytes_a_vertex: f64,
}

impl SetUp {
    fn of(
        machine: &Machine,
        mesh: &TriangleMesh,
        options: &PackingOptions,
    ) -> Result<Self, TimingError> {
        let allocated = machine.take_ledger().bytes_allocated;
        let mut last = Instant::now();
        let mut lap = || {
            machine.finish();
            std::mem::replace(&mut last, Instant::now())
                .elapsed()
                .as_secs_f64()
        };
        let rings = Connectivity::new(mesh)?;
        let connectivity = lap();
        let layout = FlowLayout::new(&rings, options)?;
        let packing = lap();
        let mut flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
        let upload = lap();
        let criteria = Criteria {
            max_iterations: 5,
            ..Criteria::default()
        };
        flow.step(mesh_scale(mesh), true, &criteria)?;
        let step = lap();
        let bytes = machine.ledger().peak_bytes_allocated - allocated;
        Ok(Self {
            before: [connectivity, packing, upload],
            step,
            bytes_a_vertex: bytes as f64 / mesh.positions.len() as f64,
        })
    }
}

/// The lines of `fragstream bench` on geometric flow, for this mesh and generated ones.
pub fn bench(
    bench: &mut Bench<'_>,
    mesh: &TriangleMesh,
    options: &PackingOptions,
) -> Result<(), TimingError> {
    let large = torus(bench.pick(50_000, 500_000), 1);
    let name = format!("{} vertices", large.positions.len());
    for (mesh, name, goal) in [(mesh, "the scan", 0.5), (&large, &name, 0.7)] {
        for (format, channels) in [(Format::R32F, "1 channel"), (Format::Rgba32F, "3 channels")] {
            let what = format!("product, {name}, {channels}");
            bench.case(&what, Some(goal), |machine| {
                product(machine, mesh, options, format)
            })?;
        }
    }
    for (edges, name) in [(Edges::Padded, "padded"), (Edges::Bounded, "bounds tested")] {
        let what = format!("sum of 2048², {name}, read back");
        bench.case(&what, Some(0.6), |machine| {
            reduction(machine, (2048, 2048), edges)
        })?;
    }
    for (preconditioned, name) in [(false, "CG"), (true, "preconditioned CG")] {
        let what = format!("{name} iteration, 3 channels");
        let measured = bench.measure(&what, |machine, _| {
            iteration(machine, mesh, options, preconditioned, 50)
        })?;
        let texels = measured.each(measured.ledger.texels_read_back);
        bench.iteration(
            &what,
            &measured,
            format_args!("{texels:.2} texels read back"),
        )?;
    }
    let mesh = torus(bench.pick(100_000, 1_000_000), 2);
    let set_up = bench.measure("set-up", |machine, _| SetUp::of(machine, &mesh, options))?;
    let [connectivity, packing, upload] = set_up.before;
    bench.text(format_args!(
        "\nset-up of {} vertices: {:.2} s (connectivity {connectivity:.2}, packing {packing:.2}, upload \
         {upload:.2}); goal: 1 000 000 in 10 s",
        mesh.positions.len(),
        connectivity + packing + upload,
    ))?;
    bench.text(format_args!(
        "textures: {:.0} bytes per vertex, goal: 400; a step with five iterations: {:.2} s",
        set_up.bytes_a_vertex, set_up.step
    ))
}
