//! Geometric flow: a mesh smoothed by its mean curvature (Bolz et al. 2003, section 3).
//!
//! A semi-implicit step solves Σ_j a_ij x_j = 4 A_i x_i(old) with
//! a_ij = −λΔt (cot α_ij + cot β_ij) and a_ii = 4 A_i − Σ_j a_ij, all computed from the positions at
//! the beginning of the step. Vertices on the boundary are known values: they are stored in x and
//! enter the coefficients, but have no row. Everything stays in textures, from step to step; the
//! CPU sees one record of each inner product, and the positions when they are asked for.

use std::rc::Rc;

use crate::mesh::Connectivity;
use crate::solver::{
    Criteria, Operator, Outcome, TextureDiagonal, TextureSpace, conjugate_gradients,
};
use crate::stream::rows::{RowGroups, centre, pointer_stream};
use crate::stream::{
    Format, Kernel, Layout, Machine, Pass, Rects, Source, Stream, StreamError, source,
};

use super::matrix::{MatrixError, MeshImages, pack_mesh};
use super::packing::{Packing, PackingOptions};
use super::spmv::{PointerStreams, SparseMatrix};

const OFF_DIAGONAL: Source = source!("bolz2003/sparse/off_diagonal");
const DIAGONAL: Source = source!("bolz2003/sparse/diagonal");
const RIGHT_HAND_SIDE: Source = source!("bolz2003/sparse/right_hand_side");

/// Where a mesh lies in textures: its packing and the images of its pointers.
///
/// Every vertex is a degree of freedom. Interior ones have a row; those on the boundary, and those
/// that no triangle uses, are known values.
pub struct FlowLayout {
    /// Where everything lies.
    pub packing: Packing,
    /// The pointers.
    pub images: MeshImages,
}

impl FlowLayout {
    /// Packs a mesh.
    ///
    /// A row is one pass here: where a vertex has more neighbours than
    /// [`PackingOptions::longest_pass`], its program is as long as it needs.
    pub fn new(rings: &Connectivity, options: &PackingOptions) -> Result<Self, MatrixError> {
        let highest_valence = (0..rings.vertices()).map(|i| rings.valence(i)).max();
        let options = PackingOptions {
            longest_pass: options
                .longest_pass
                .max(highest_valence.unwrap_or(0) as u32),
            ..*options
        };
        let (packing, images) = pack_mesh(rings, &options)?;
        Ok(Self { packing, images })
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
    groups: Rc<RowGroups>,
    pointers: Rc<PointerStreams>,
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
        let FlowLayout { packing, images } = layout;
        let format = Format::Rgba32F;
        let space = TextureSpace::new(machine, Layout::grid(packing.size, format))?;
        let groups = Rc::new(packing.upload_groups(machine)?);
        let pointers = Rc::new(PointerStreams::new(machine, &packing, &images.pointers)?);
        let matrix = SparseMatrix::of_pattern(
            machine,
            &packing,
            Rc::clone(&groups),
            Rc::clone(&pointers),
            format,
        )?;
        let x = space.vector(scatter(&packing, positions).as_flattened())?;
        Ok(Self {
            b: space.zeros()?,
            x,
            entries: EntryKernels::new(machine, &packing, &images, groups, pointers)?,
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
        let preconditioner: Option<&dyn Operator<TextureSpace>> = if preconditioned {
            Some(&diagonal)
        } else {
            None
        };
        conjugate_gradients(
            &self.space,
            &self.matrix,
            preconditioner,
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
        images: &MeshImages,
        groups: Rc<RowGroups>,
        pointers: Rc<PointerStreams>,
    ) -> Result<Self, StreamError> {
        let ring = &images.ring;
        let upload =
            |label, image: &[[f32; 2]]| pointer_stream(machine, label, packing.segment_size, image);
        Ok(Self {
            own: upload("own pointers", &ring.own)?,
            next: upload("next pointers", &ring.next)?,
            previous: upload("previous pointers", &ring.previous)?,
            segments: machine.rect(pointers.column.full())?,
            zero: centre(packing.zero),
            off_diagonal: machine.kernel(&OFF_DIAGONAL, &[])?,
            diagonal: groups.kernels(machine, &DIAGONAL)?,
            right_hand_side: groups.kernels(machine, &RIGHT_HAND_SIDE)?,
            groups,
            pointers,
        })
    }

    fn compute(
        &self,
        x: &Stream,
        lambda_dt: f64,
        matrix: &SparseMatrix,
        b: &Stream,
    ) -> Result<(), StreamError> {
        Pass::new(&self.off_diagonal)
            .read("own", &self.own)
            .read("column_pointer", &self.pointers.column)
            .read("next", &self.next)
            .read("previous", &self.previous)
            .read("x", x)
            .set("zero", self.zero)
            .set("lambda_dt", lambda_dt as f32)
            .draw(&matrix.off_diagonal, &self.segments)?;
        let rows = |kernel| {
            Pass::new(kernel)
                .read("row_pointer", &self.pointers.row)
                .read("column_pointer", &self.pointers.column)
                .read("previous", &self.previous)
                .read("x", x)
        };
        for (group, kernel) in self.groups.iter().zip(&self.diagonal) {
            rows(kernel)
                .read("offdiagonal", &matrix.off_diagonal)
                .draw(&matrix.diagonal, &group.rects)?;
        }
        for (group, kernel) in self.groups.iter().zip(&self.right_hand_side) {
            rows(kernel).draw(b, &group.rects)?;
        }
        Ok(())
    }
}
