//! Geometric flow: a mesh smoothed by its mean curvature (Bolz et al. 2003, section 3).
//!
//! A semi-implicit step solves Σ_j a_ij x_j = 4 A_i x_i(old) with
//! a_ij = −λΔt (cot α_ij + cot β_ij) and a_ii = 4 A_i − Σ_j a_ij, all computed from the positions at
//! the beginning of the step. Vertices on the boundary are known values: they are stored in x and
//! enter the coefficients, but have no row. Everything stays in textures, from step to step; the
//! CPU sees one record of each inner product, and the positions when they are asked for.

use std::rc::Rc;

use crate::mesh::{Connectivity, VertexKind};
use crate::solver::{
    Criteria, Operator, Outcome, TextureDiagonal, TextureSpace, conjugate_gradients,
};
use crate::stream::rows::{centre, pointer_stream};
use crate::stream::{
    Format, Kernel, Layout, Machine, Pass, Rects, Source, Stream, StreamError, source,
};

use super::matrix::{MatrixError, Pointers};
use super::packing::{Packing, PackingOptions};
use super::spmv::SparseMatrix;

const OFF_DIAGONAL: Source = source!("bolz2003/sparse/off_diagonal");
const DIAGONAL: Source = source!("bolz2003/sparse/diagonal");
const RIGHT_HAND_SIDE: Source = source!("bolz2003/sparse/right_hand_side");

/// Where a mesh lies in textures: its packing, and its pointers ready to be uploaded. The entries of
/// its matrix are computed from x.
///
/// Every vertex is a degree of freedom. Interior ones have a row; those on the boundary, and those
/// that no triangle uses, are known values.
pub struct FlowLayout {
    /// Where everything lies.
    pub packing: Packing,
    /// ℛ and 𝒞.
    pub pointers: Pointers,
    /// ℐ, 𝒩 and 𝒫.
    pub ring: RingPointers,
}

/// Where the vertices of the two triangles on an edge ij are, for each off-diagonal entry a_ij
/// (section 3.1.2); x_j itself is where 𝒞 points to.
#[derive(Clone, Debug, PartialEq)]
pub struct RingPointers {
    /// ℐ: where x_i is.
    pub own: Vec<[f32; 2]>,
    /// 𝒩: where the next neighbour after j is.
    pub next: Vec<[f32; 2]>,
    /// 𝒫: where the neighbour before j is.
    pub previous: Vec<[f32; 2]>,
}

impl FlowLayout {
    /// Packs a mesh.
    ///
    /// A row is one pass here: where a vertex has more neighbours than
    /// [`PackingOptions::longest_pass`], its program is as long as it needs.
    pub fn new(rings: &Connectivity, options: &PackingOptions) -> Result<Self, MatrixError> {
        // Vertices have numbers of 32 bits.
        let valence = |i| rings.valence(i) as u32;
        let interior = |i: &usize| rings.kind()[*i] == VertexKind::Interior;
        let vertices = || 0..rings.vertices();
        let lengths = vertices().map(|i| Some(i).filter(interior).map(valence));
        let highest_valence = vertices().map(valence).max().unwrap_or(0);
        let options = PackingOptions {
            longest_pass: options.longest_pass.max(highest_valence),
            ..*options
        };
        let packing = Packing::new(&lengths.collect::<Vec<_>>(), &options)?;
        let [mut column, mut own, mut next, mut previous] =
            std::array::from_fn(|_| vec![centre(packing.zero); packing.segment_area()]);
        for (vertex, group) in packing.rows() {
            for (c, at) in (0..).zip(rings.ring(vertex)) {
                let place = packing.segment_index(group.entry(packing.segment[vertex], c));
                let to = |list: &[u32]| centre(packing.texel[list[at] as usize]);
                column[place] = to(rings.neighbours());
                own[place] = centre(packing.texel[vertex]);
                next[place] = to(rings.next());
                previous[place] = to(rings.previous());
            }
        }
        let row = packing.row_pointers();
        Ok(Self {
            packing,
            pointers: Pointers { row, column },
            ring: RingPointers {
                own,
                next,
                previous,
            },
        })
    }

    /// The streams of pointers that are laid out like the entries: 𝒞, ℐ, 𝒩 and 𝒫.
    pub fn pointers_of_entries(&self) -> [&[[f32; 2]]; 4] {
        let ring = &self.ring;
        [&self.pointers.column, &ring.own, &ring.next, &ring.previous]
    }
}

/// A mesh in textures, on its way to be smoother.
pub struct GeometricFlow {
    space: TextureSpace,
    packing: Packing,
    /// 𝒳: the positions.
    x: Stream,
    /// The right-hand side.
    b: Stream,
    matrix: SparseMatrix,
    entries: EntryKernels,
}

/// The kernels that compute the matrix and the right-hand side, and the pointers they need.
struct EntryKernels {
    /// ℐ, 𝒩, 𝒫: positions of the vertices of the two triangles at each edge.
    own: Stream,
    next: Stream,
    previous: Stream,
    /// All entries of the segment texture.
    segments: Rects,
    /// Position of the constant zero.
    zero: [f32; 2],
    off_diagonal: Rc<Kernel>,
    diagonal: Vec<Rc<Kernel>>,
    right_hand_side: Vec<Rc<Kernel>>,
}

impl GeometricFlow {
    /// Uploads a mesh: its pointers, once, and its positions.
    pub fn new(
        machine: &Machine,
        positions: &[[f32; 3]],
        layout: FlowLayout,
    ) -> Result<Self, StreamError> {
        let (packing, format) = (layout.packing, Format::Rgba32F);
        let space = TextureSpace::new(machine, Layout::grid(packing.size, format))?;
        let matrix = SparseMatrix::of_pattern(machine, &packing, &layout.pointers, format)?;
        Ok(Self {
            b: space.zeros()?,
            x: space.vector(scatter(&packing, positions).as_flattened())?,
            entries: EntryKernels::new(machine, &packing, &layout.ring, &matrix)?,
            space,
            packing,
            matrix,
        })
    }

    /// Computes the matrix and the right-hand side from the present positions. `lambda_dt` is the
    /// speed λ times the time step Δt, in units of area.
    pub fn compute_entries(&self, lambda_dt: f64) -> Result<(), StreamError> {
        self.entries
            .compute(&self.x, lambda_dt, &self.matrix, &self.b)
    }

    /// One semi-implicit step, by conjugate gradients from the present positions.
    ///
    /// The three coordinates are one system, with one inner product: the matrix is the same for
    /// each of them.
    pub fn step(
        &mut self,
        lambda_dt: f64,
        preconditioned: bool,
        criteria: &Criteria,
    ) -> Result<Outcome, StreamError> {
        self.compute_entries(lambda_dt)?;
        self.solve(preconditioned, criteria)
    }

    /// Solves the system that was last computed, from the present positions.
    pub fn solve(
        &mut self,
        preconditioned: bool,
        criteria: &Criteria,
    ) -> Result<Outcome, StreamError> {
        let diagonal = TextureDiagonal::new(&self.space, &self.matrix.diagonal)?;
        let diagonal = preconditioned.then_some(&diagonal as &dyn Operator<TextureSpace>);
        let (space, matrix) = (&self.space, &self.matrix);
        conjugate_gradients(
            space,
            matrix,
            diagonal,
            &self.b,
            &mut self.x,
            criteria,
            |_| {},
        )
    }

    /// The positions of all vertices, read back.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>, StreamError> {
        let records = self.x.read()?;
        let (records, _) = records.as_chunks::<4>();
        let positions = self.packing.gather(records);
        Ok(positions.iter().map(|&[x, y, z, _]| [x, y, z]).collect())
    }

    /// The matrix, as last computed.
    pub fn matrix(&self) -> &SparseMatrix {
        &self.matrix
    }

    /// The right-hand side, as last computed.
    pub fn right_hand_side(&self) -> &Stream {
        &self.b
    }

    /// The space of its vectors.
    pub fn space(&self) -> &TextureSpace {
        &self.space
    }
}

/// The image of the positions, with an unused fourth channel.
fn scatter(packing: &Packing, positions: &[[f32; 3]]) -> Vec<[f32; 4]> {
    let records: Vec<[f32; 4]> = positions.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect();
    packing.scatter(&records)
}

impl EntryKernels {
    fn new(
        machine: &Machine,
        packing: &Packing,
        ring: &RingPointers,
        matrix: &SparseMatrix,
    ) -> Result<Self, StreamError> {
        let upload =
            |label, image: &[[f32; 2]]| pointer_stream(machine, label, packing.segment_size, image);
        Ok(Self {
            own: upload("own pointers", &ring.own)?,
            next: upload("next pointers", &ring.next)?,
            previous: upload("previous pointers", &ring.previous)?,
            segments: machine.rect(matrix.off_diagonal.full())?,
            zero: centre(packing.zero),
            off_diagonal: machine.kernel(&OFF_DIAGONAL, &[])?,
            diagonal: matrix.groups.kernels(machine, &DIAGONAL)?,
            right_hand_side: matrix.groups.kernels(machine, &RIGHT_HAND_SIDE)?,
        })
    }

    fn compute(
        &self,
        x: &Stream,
        lambda_dt: f64,
        matrix: &SparseMatrix,
        b: &Stream,
    ) -> Result<(), StreamError> {
        let pointers = &matrix.pointers;
        Pass::new(&self.off_diagonal)
            .read("own", &self.own)
            .read("column_pointer", &pointers.column)
            .read("next", &self.next)
            .read("previous", &self.previous)
            .read("x", x)
            .set("zero", self.zero)
            .set("lambda_dt", lambda_dt as f32)
            .draw(&matrix.off_diagonal, &self.segments)?;
        let rows = |kernel| {
            Pass::new(kernel)
                .read("row_pointer", &pointers.row)
                .read("column_pointer", &pointers.column)
                .read("previous", &self.previous)
                .read("x", x)
        };
        for (group, kernel) in matrix.groups.iter().zip(&self.diagonal) {
            rows(kernel)
                .read("offdiagonal", &matrix.off_diagonal)
                .draw(&matrix.diagonal, &group.rects)?;
        }
        for (group, kernel) in matrix.groups.iter().zip(&self.right_hand_side) {
            rows(kernel).draw(b, &group.rects)?;
        }
        Ok(())
    }
}
