//! How fast the solver of section 3 is: each kernel beside the trivial kernel with the same fetches
//! (its ceiling) and beside the tuned program for the CPU, all in one run (sections 3.3 and 5).

use std::rc::Rc;
use std::time::Instant;

use crate::card::cost::bill;
use crate::claim::timing::{Comparison, Effort, Work, medians};
use crate::mesh::{Connectivity, MeshError, TriangleMesh, VertexKind};
use crate::solver::{Criteria, Csr};
use crate::stream::{
    Edges, Format, Kernel, Machine, Pass, Rect, Reduce, Reduction, Source, Stream, StreamError,
    source,
};

use super::cpu::{self, CpuMatrix};
use super::flow::{FlowLayout, GeometricFlow};
use super::matrix::{MatrixError, SparseRows};
use super::packing::{Packing, PackingOptions};
use super::spmv::{PointerStreams, RowGroup, RowGroups, SPMV, SparseMatrix};

const SPMV_CEILING: Source = source!("bolz2003/spmv_ceiling");
const REDUCE_CEILING: Source = source!("stream/reduce_ceiling");

/// Why something cannot be timed.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    /// The mesh is no surface.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The matrix does not fit the textures.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The machine failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

/// The times of a product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    /// Beside a ceiling that reads each entry of the matrix once, as the product must.
    pub times: Comparison,
    /// Seconds of a ceiling that reads the same few entries again and again, from caches. The rest
    /// of the way to `times.ceiling` is what it takes to bring the matrix in.
    pub cached_ceiling: f64,
}

/// Times the product with a mesh's matrix, for vectors of this format.
///
/// The values do not matter for the time; they are chosen such that a chain of products stays
/// within the range of single precision.
///
/// # Errors
/// When the mesh is no surface or too large.
pub fn product(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    format: Format,
    effort: Effort,
) -> Result<Product, SpeedError> {
    let rings = Connectivity::new(mesh)?;
    let layout = FlowLayout::new(&rings, options)?;
    let (packing, images) = (&layout.packing, &layout.images);
    let size = (packing.size[0], packing.size[1]);
    let groups = Rc::new(RowGroups::new(machine, packing)?);
    let pointers = Rc::new(PointerStreams::new(machine, packing, &images.pointers)?);
    let matrix = SparseMatrix::of_pattern(
        machine,
        packing,
        Rc::clone(&groups),
        Rc::clone(&pointers),
        format,
    )?;
    matrix.diagonal.fill([DIAGONAL; 4]);
    matrix.off_diagonal.fill([OFF_DIAGONAL; 4]);

    let stream = || Stream::zeros(machine, "vector", size, format);
    let chain = [stream()?, stream()?, stream()?];
    chain[0].fill([1.0; 4]);
    let ceiling = Ceiling::new(machine, packing, &groups)?;
    let draw_ceiling = |run, extent| {
        let (x, y) = (source(&chain, run), target(&chain, run));
        ceiling.draw(&matrix, &pointers, &groups, extent, x, y)
    };
    let rows = pattern(&rings);
    let cpu_matrix = CpuMatrix::new(SparseRows::try_from(&rows)?)?;
    let cpu: Work = if format.channels() == 1 {
        cpu_product::<1>(&cpu_matrix)
    } else {
        cpu_product::<3>(&cpu_matrix)
    };
    let kernel = |run| matrix.multiply(source(&chain, run), target(&chain, run));
    let extent = [size.0 as f32, size.1 as f32];
    let works: [Work; 4] = [
        Box::new(kernel),
        Box::new(move |run| draw_ceiling(run, extent)),
        Box::new(move |run| draw_ceiling(run, [0.0; 2])),
        cpu,
    ];
    let [kernel, ceiling, cached_ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Product {
        times: Comparison {
            kernel,
            ceiling,
            cpu,
        },
        cached_ceiling,
    })
}

/// The trivial kernel with the fetches of a product, and a matrix in the layout that suits it: one
/// part laid out like x for each entry of a row.
struct Ceiling {
    kernels: Vec<Rc<Kernel>>,
    off_diagonal: Stream,
    column: Stream,
}

impl Ceiling {
    fn new(machine: &Machine, packing: &Packing, groups: &RowGroups) -> Result<Self, StreamError> {
        let longest = packing.groups.iter().map(|group| group.row_length).max();
        let parts = longest.unwrap_or(0).max(1);
        let columns = f64::from(parts).sqrt().ceil() as u32;
        let size = (
            columns * packing.size[0],
            parts.div_ceil(columns) * packing.size[1],
        );
        let columns = format!("{columns}.0");
        let kernel = |group: &RowGroup| {
            let row_length = ("ROW_LENGTH", group.row_length.as_str());
            machine.kernel(&SPMV_CEILING, &[row_length, ("COLUMNS", &columns)])
        };
        let off_diagonal = Stream::zeros(machine, "matrix in parts", size, Format::R32F)?;
        off_diagonal.fill([OFF_DIAGONAL; 4]);
        Ok(Self {
            kernels: groups.iter().map(kernel).collect::<Result<_, _>>()?,
            off_diagonal,
            column: Stream::zeros(machine, "pointers in parts", size, Format::Rg32F)?,
        })
    }

    fn draw(
        &self,
        matrix: &SparseMatrix,
        pointers: &PointerStreams,
        groups: &RowGroups,
        extent: [f32; 2],
        x: &Stream,
        y: &Stream,
    ) -> Result<(), StreamError> {
        for (group, kernel) in groups.iter().zip(&self.kernels) {
            Pass::new(kernel)
                .read("diagonal", &matrix.diagonal)
                .read("offdiagonal", &self.off_diagonal)
                .read("row_pointer", &pointers.row)
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

/// What the n-th run of a chain reads: the start, then what the run before wrote.
fn source(chain: &[Stream; 3], run: usize) -> &Stream {
    if run == 0 {
        &chain[0]
    } else {
        target(chain, run - 1)
    }
}

/// What the n-th run of a chain writes.
fn target(chain: &[Stream; 3], run: usize) -> &Stream {
    &chain[1 + run % 2]
}

fn cpu_product<const CHANNELS: usize>(matrix: &CpuMatrix) -> Work<'_> {
    let start = vec![[1.0f32; CHANNELS]; matrix.vector_length()];
    let mut results = [start.clone(), start.clone()];
    Box::new(move |run| {
        let [even, odd] = &mut results;
        match run {
            0 => matrix.multiply(&start, even),
            _ if run % 2 == 1 => matrix.multiply(even, odd),
            _ => matrix.multiply(odd, even),
        }
        Ok(())
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

/// Times the sum of a stream of this size, with one channel, read back included.
pub fn reduction(
    machine: &Machine,
    size: (u32, u32),
    edges: Edges,
    effort: Effort,
) -> Result<Comparison, SpeedError> {
    let format = Format::R32F;
    let x = Stream::zeros(machine, "x", size, format)?;
    x.fill([1.0; 4]);
    let sum = Reduction::new(machine, size, format, Reduce::Sum, edges)?;
    let kernel = |_| sum.of(&x).map(drop);

    let mut levels = Vec::new();
    let (mut width, mut height) = size;
    while width > 1 || height > 1 {
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
        let stream = Stream::zeros(machine, "level", (width, height), format)?;
        levels.push((stream, machine.rect(Rect::of_size(width, height))?));
    }
    let program = machine.kernel(&REDUCE_CEILING, &[])?;
    let ceiling = |_| {
        let mut last = &x;
        for (stream, rects) in &levels {
            Pass::new(&program).read("x", last).draw(stream, rects)?;
            last = stream;
        }
        last.read_record(0, 0).map(drop)
    };

    let values = vec![1.0f32; size.0 as usize * size.1 as usize];
    let cpu = |_| {
        std::hint::black_box(cpu::sum(std::hint::black_box(&values)));
        Ok(())
    };
    let works: [Work; 3] = [Box::new(kernel), Box::new(ceiling), Box::new(cpu)];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Comparison {
        kernel,
        ceiling,
        cpu,
    })
}

/// What an iteration of conjugate gradients costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Seconds, over all iterations of a solve that is long enough.
    pub seconds: f64,
    /// Uploads during the solve.
    pub uploads: u64,
    /// Texels read back an iteration; those of the start and of the verification are counted in.
    pub texels_read_back: f64,
    /// Target switches an iteration, likewise.
    pub target_switches: f64,
    /// Seconds an iteration by the model of the NV30, likewise.
    pub nv30_seconds: f64,
    /// Of these, seconds of the product.
    pub nv30_product_seconds: f64,
}

/// Times iterations of conjugate gradients on the system of a step of geometric flow.
///
/// # Errors
/// When the mesh is no surface or too large.
pub fn iteration(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
    preconditioned: bool,
    iterations: usize,
) -> Result<Iteration, SpeedError> {
    let layout = FlowLayout::new(&Connectivity::new(mesh)?, options)?;
    let mut flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
    // So long a step that single precision is not exhausted within the iterations.
    let criteria = Criteria {
        rtol: 0.0,
        max_iterations: iterations,
        ..Criteria::default()
    };
    let lambda_dt = 1e4 * mesh_scale(mesh);
    flow.step(lambda_dt, preconditioned, &criteria)?;
    machine.take_ledger();
    machine.finish();
    let start = Instant::now();
    let outcome = flow.solve(preconditioned, &criteria)?;
    machine.finish();
    let seconds = start.elapsed().as_secs_f64();
    let ledger = machine.take_ledger();
    let count = outcome.iterations.max(1) as f64;
    let bill = bill(&ledger);
    let is_product = |name: &str| name.starts_with(SPMV.name);
    let products = ledger.kernels.iter().filter(|(name, _)| is_product(name));
    let products = products.map(|(_, account)| account.sum().passes).max();
    Ok(Iteration {
        seconds: seconds / count,
        uploads: ledger.uploads,
        texels_read_back: ledger.texels_read_back as f64 / count,
        target_switches: ledger.target_switches as f64 / count,
        nv30_seconds: bill.total().nv30_seconds / count,
        nv30_product_seconds: bill.nv30_seconds_of(is_product) / products.unwrap_or(1) as f64,
    })
}

/// A typical squared edge length.
fn mesh_scale(mesh: &TriangleMesh) -> f64 {
    crate::mesh::measure::area(mesh) / mesh.triangles.len().max(1) as f64
}

/// What it takes to set a mesh up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetUp {
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Seconds to find the one-rings.
    pub connectivity: f64,
    /// Seconds to pack, and to make the images of all pointers.
    pub packing: f64,
    /// Seconds to upload.
    pub upload: f64,
    /// Seconds of a preconditioned step with five iterations.
    pub step: f64,
    /// Bytes of texture a vertex, at the peak during that step.
    pub bytes_a_vertex: f64,
}

impl SetUp {
    /// Seconds in all before the first step.
    pub fn seconds(&self) -> f64 {
        self.connectivity + self.packing + self.upload
    }
}

/// Times the set-up of a mesh for geometric flow, and a step.
///
/// # Errors
/// When the mesh is no surface or too large.
pub fn set_up(
    machine: &Machine,
    mesh: &TriangleMesh,
    options: &PackingOptions,
) -> Result<SetUp, SpeedError> {
    let before = machine.take_ledger().bytes_allocated;
    let start = Instant::now();
    let rings = Connectivity::new(mesh)?;
    let connectivity = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let layout = FlowLayout::new(&rings, options)?;
    let packing = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let mut flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
    machine.finish();
    let upload = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let criteria = Criteria {
        max_iterations: 5,
        ..Criteria::default()
    };
    flow.step(mesh_scale(mesh), true, &criteria)?;
    machine.finish();
    let step = start.elapsed().as_secs_f64();
    let bytes = machine.ledger().peak_bytes_allocated - before;
    Ok(SetUp {
        vertices: mesh.positions.len(),
        connectivity,
        packing,
        upload,
        step,
        bytes_a_vertex: bytes as f64 / mesh.positions.len() as f64,
    })
}
