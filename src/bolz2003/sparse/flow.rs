//! Geometric flow: a mesh smoothed by its mean curvature (Bolz et al. 2003, section 3).
//!
//! A semi-implicit step solves Σ_j a_ij x_j = 4 A_i x_i(old) with
//! a_ij = −λΔt (cot α_ij + cot β_ij) and a_ii = 4 A_i − Σ_j a_ij, all computed from the positions at
//! the beginning of the step. Vertices on the boundary have prescribed positions: they are stored in x and
//! enter the coefficients, but have no row. Everything stays in textures from step to step; the
//! CPU reads back one record per inner product, and the positions on request.
//!
//! Relative to ‖b‖, the residual of a small displacement is small from the start, and single precision hardly
//! reduces it. fragstream's variant ([`GeometricFlow::step_refined`]) therefore solves for the displacement, with
//! residuals in double precision.

use std::rc::Rc;

use crate::bolz2003::Error;
use crate::mesh::assembly::flow_residual;
use crate::mesh::vector::Vector;
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::solver::host::tree_dot;
use crate::solver::refinement::{Correction, Defect, PATIENCE, refine};
use crate::solver::{
    Criteria, Ending, LinearSystem, Operator, Outcome, TextureDiagonal, TextureSpace, Workspace,
    conjugate_gradients,
};
use crate::stream::rows::{centre, pointer_stream};
use crate::stream::{
    Format, Kernel, Layout, Machine, Pass, Rects, Source, Stream, StreamError, source,
};

use super::packing::{Packing, PackingOptions};
use super::spmv::SparseMatrix;

const OFF_DIAGONAL: Source = source!(bolz2003, "sparse/off_diagonal");
const DIAGONAL: Source = source!(bolz2003, "sparse/diagonal");
const RIGHT_HAND_SIDE: Source = source!(bolz2003, "sparse/right_hand_side");

/// Rounding error of a residual in double precision, relative to the sum of its terms' magnitudes: a few
/// operations per term, and the angles of narrow triangles.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Layout of a mesh in textures: its packing, and its pointers ready for upload. The entries of
/// its matrix are computed from x.
///
/// Every vertex is a degree of freedom. Interior vertices have a row; those on the boundary, and those
/// that no triangle uses, are prescribed.
pub struct FlowLayout {
    /// The layout of vectors and rows.
    pub packing: Packing,
    /// Positions of the vertices of the two triangles on an edge ij, for each off-diagonal entry a_ij
    /// (section 3.1.2): x_j (𝒞), x_i (ℐ), the next neighbour after j (𝒩), and the one before it (𝒫).
    pub pointers: [Vec<[f32; 2]>; 4],
}

impl FlowLayout {
    /// Packs a mesh.
    ///
    /// Every row takes one pass here: if a vertex has more neighbours than
    /// [`PackingOptions::longest_pass`], its program is as long as necessary.
    pub fn new(rings: &Connectivity, options: &PackingOptions) -> Result<Self, Error> {
        // Vertices have numbers of 32 bits.
        let valence = |i| rings.valence(i) as u32;
        let interior = |i: &usize| rings.kind()[*i] == VertexKind::Interior;
        let vertices = || 0..rings.vertices();
        let lengths = vertices().map(|i| Some(i).filter(interior).map(valence));
        let highest_valence = vertices().map(valence).max().unwrap_or(0);
        let options =
            PackingOptions { longest_pass: options.longest_pass.max(highest_valence), ..*options };
        let packing = Packing::new(&lengths.collect::<Vec<_>>(), &options)?;
        let mut pointers = [(); 4].map(|()| vec![centre(packing.zero); packing.segment_area()]);
        for (vertex, group) in packing.rows() {
            for (c, at) in (0..).zip(rings.ring(vertex)) {
                let place = packing.entry_index(vertex, group, c);
                let [j, next, previous] = [rings.neighbours(), rings.next(), rings.previous()];
                let vertices = [j[at] as usize, vertex, next[at] as usize, previous[at] as usize];
                for (pointers, to) in pointers.iter_mut().zip(vertices) {
                    pointers[place] = centre(packing.texel[to]);
                }
            }
        }
        Ok(Self { packing, pointers })
    }
}

/// A mesh in textures that is being smoothed.
pub struct GeometricFlow {
    /// The space of its vectors.
    pub space: TextureSpace,
    packing: Packing,
    /// 𝒳: the positions.
    x: Stream,
    /// The right-hand side.
    b: Stream,
    /// The matrix last computed.
    pub matrix: SparseMatrix,
    /// ℐ, 𝒩, 𝒫: positions of the vertices of the two triangles at each edge.
    own: Stream,
    next: Stream,
    previous: Stream,
    /// All entries of the segment texture.
    segments: Rects,
    off_diagonal: Rc<Kernel>,
    diagonal: Vec<Rc<Kernel>>,
    right_hand_side: Vec<Rc<Kernel>>,
}

impl GeometricFlow {
    /// Uploads a mesh: its pointers once, and its positions.
    pub fn new(
        machine: &Machine,
        positions: &[Vector],
        layout: FlowLayout,
    ) -> Result<Self, StreamError> {
        let FlowLayout { packing, pointers } = layout;
        let [column, own, next, previous] = pointers;
        let format = Format::Rgba32F;
        let space = TextureSpace::new(machine, Layout::grid(packing.size, format))?;
        let matrix = SparseMatrix::of_pattern(machine, &packing, &column, format)?;
        let upload = |label, image: Vec<[f32; 2]>| {
            pointer_stream(machine, label, packing.segment_size, &image)
        };
        Ok(Self {
            b: space.zeros()?,
            x: space.vector(&image(&packing, &single(positions)))?,
            own: upload("own pointers", own)?,
            next: upload("next pointers", next)?,
            previous: upload("previous pointers", previous)?,
            segments: machine.rect(matrix.off_diagonal.full())?,
            off_diagonal: machine.kernel(&OFF_DIAGONAL, &[])?,
            diagonal: matrix.groups.kernels(machine, &DIAGONAL)?,
            right_hand_side: matrix.groups.kernels(machine, &RIGHT_HAND_SIDE)?,
            space,
            packing,
            matrix,
        })
    }

    /// Computes the matrix and the right-hand side from the current positions. `lambda_dt` is the
    /// speed λ times the time step Δt, in units of area.
    pub fn compute_entries(&self, lambda_dt: f64) -> Result<(), StreamError> {
        let matrix = &self.matrix;
        // §3.1.2: a_ij = −λΔt (cot(x_j, x_jp, x_i) + cot(x_i, x_jn, x_j))
        Pass::new(&self.off_diagonal)
            .read("own", &self.own)
            .read("column_pointer", &matrix.column_pointers)
            .read("next", &self.next)
            .read("previous", &self.previous)
            .read("x", &self.x)
            .set("zero", centre(self.packing.zero))
            .set("lambda_dt", lambda_dt as f32)
            .draw(&matrix.off_diagonal, &self.segments)?;
        let rows = |kernel| {
            Pass::new(kernel)
                .read("row_pointer", &matrix.row_pointers)
                .read("column_pointer", &matrix.column_pointers)
                .read("previous", &self.previous)
                .read("x", &self.x)
        };
        // §3.1.2: a_ii = Σ_j (4 A(x_i, x_jp, x_j) − a_ij)
        for (group, kernel) in matrix.groups.iter().zip(&self.diagonal) {
            rows(kernel)
                .read("offdiagonal", &matrix.off_diagonal)
                .draw(&matrix.diagonal, &group.rects)?;
        }
        // §3, the right-hand side of Eq. 1: f_i = 4 A_i x_i
        for (group, kernel) in matrix.groups.iter().zip(&self.right_hand_side) {
            rows(kernel).draw(&self.b, &group.rects)?;
        }
        Ok(())
    }

    /// Takes one semi-implicit step, by conjugate gradients from the current positions.
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

    /// Solves the system last computed, starting from the current positions.
    pub fn solve(
        &mut self,
        preconditioned: bool,
        criteria: &Criteria,
    ) -> Result<Outcome, StreamError> {
        let diagonal = TextureDiagonal::new(&self.space, &self.matrix.diagonal)?;
        let diagonal = preconditioned.then_some(&diagonal as &dyn Operator<TextureSpace>);
        let (space, matrix) = (&self.space, &self.matrix);
        conjugate_gradients(space, matrix, diagonal, &self.b, &mut self.x, criteria, |_| {})
    }

    /// Takes one step from the positions of `mesh`, and returns its end by the true residual, and the displacement of
    /// each vertex in double precision: conjugate gradients in textures solve for corrections ([`refine`]).
    ///
    /// The relative tolerance refers to the residual before the step. If that is only a rounding error, as on a
    /// flat mesh, the displacement is zero.
    pub fn step_refined(
        &self,
        mesh: &TriangleMesh,
        connectivity: &Connectivity,
        lambda_dt: f64,
        preconditioned: bool,
        criteria: &Criteria,
    ) -> Result<(Outcome, Ending, Vec<Vector>), StreamError> {
        self.x.write(&image(&self.packing, &single(&mesh.positions)))?;
        self.compute_entries(lambda_dt)?;
        let sums = |d: &[f64], term| {
            flow_residual(mesh, connectivity, lambda_dt, d.as_chunks().0, term).into_flattened()
        };
        let residual = |d: &[f64]| sums(d, |term| term);
        let rounding = |d: &[f64]| ROUNDING * norm(&sums(d, f64::abs));
        let mut displacement = vec![[0.0; 3]; mesh.positions.len()];
        let first = norm(&residual(displacement.as_flattened()));
        let is_solved = first <= rounding(displacement.as_flattened());
        let criteria = Criteria {
            atol: if is_solved { first } else { criteria.atol },
            patience: PATIENCE,
            ..*criteria
        };

        let space = &self.space;
        let diagonal = TextureDiagonal::new(space, &self.matrix.diagonal)?;
        let mut workspace = Workspace::new(space)?;
        let correct = |defect: &Defect<'_>| {
            let system = LinearSystem {
                space,
                operator: &self.matrix,
                preconditioner: preconditioned.then_some(&diagonal as _),
                b: &space.vector(&image(&self.packing, defect.residual.as_chunks().0))?,
            };
            let mut d = space.zeros()?;
            let inner = defect.criteria(&criteria, !preconditioned);
            let outcome = workspace.correction(&system, &mut d, &inner, defect.rescaled, |_| {})?;
            Ok::<_, StreamError>(Correction {
                values: self.vertices(&d)?.into_flattened(),
                shift: 0.0,
                // The first norm is that of the residual itself.
                norms: outcome.history[1..].to_vec(),
                reason: outcome.reason,
            })
        };
        let (outcome, left) = refine(
            &criteria,
            criteria.max_iterations,
            first,
            displacement.as_flattened_mut(),
            (residual, rounding),
            correct,
            |_, _| (),
        )?;
        let ending = Ending::judge(outcome.reason, &left, norm, criteria.tolerance(first));
        Ok((outcome, ending, displacement))
    }

    /// The positions of all vertices, read back.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>, StreamError> {
        self.vertices(&self.x)
    }

    /// The values of a vector at all vertices, read back.
    fn vertices(&self, vector: &Stream) -> Result<Vec<[f32; 3]>, StreamError> {
        let records = vector.read()?;
        let (records, _) = records.as_chunks::<4>();
        let values = self.packing.gather(records);
        Ok(values.iter().map(|&[x, y, z, _]| [x, y, z]).collect())
    }

    /// The right-hand side last computed.
    pub fn right_hand_side(&self) -> &Stream {
        &self.b
    }
}

fn single(positions: &[Vector]) -> Vec<[f32; 3]> {
    positions.iter().map(|p| p.map(|coordinate| coordinate as f32)).collect()
}

/// The image of one value per vertex. The fourth channel is unused.
fn image(packing: &Packing, values: &[[f32; 3]]) -> Vec<f32> {
    let records: Vec<[f32; 4]> = values.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect();
    packing.scatter(&records).into_flattened()
}

fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}
