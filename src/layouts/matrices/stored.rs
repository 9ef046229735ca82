//! A matrix in textures, in any layout: its product, and the trivial kernel with the same fetches.

use std::rc::Rc;

use crate::batty2003;
use crate::batty2003::pressure::gpu::Placement;
use crate::batty2003::pressure::gpu::matrix::SevenDiagonals;
use crate::batty2003::pressure::gpu::space::PressureSpace;
use crate::bolz2003::sparse::matrix::MatrixImages;
use crate::bolz2003::sparse::packing::Packing;
use crate::bolz2003::sparse::speed::Ceiling;
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::geveler2011;
use crate::geveler2011::products::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, RowFormat,
};
use crate::kruger2003::matrices::vertices::VertexMatrix;
use crate::kruger2003::speed::{columns_ceiling, five_diagonals_ceiling, vertices_ceiling};
use crate::kruger2003::{
    Accumulation, ColumnMatrix, ColumnOptions, DiagonalMatrix, DiagonalOptions, Matrix,
};
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{Format, Layout, LayoutError, Machine, Stream, StreamError};
use crate::system::quarters::{QuarterMatrix, Quarters, Sum};
use crate::system::stored::texels_a_row;
use crate::timing::rig::work;
use crate::timing::{PingPong, TimingError, Work};

use super::boxes;
use super::layout::MatrixLayout;
use super::plan::Plan;

/// y ← A x
type Multiply = Rc<dyn Fn(&Stream, &mut Stream) -> Result<(), TimingError>>;

/// The trivial kernel, and how many of its runs make up a product.
type CeilingWork = (Work<'static>, f64);

/// Where the entries of vectors are.
enum Places {
    InOrder,
    Packed(Packing),
    Quarters(Quarters),
}

/// A matrix in textures.
pub struct Stored {
    machine: Machine,
    vectors: Layout,
    places: Places,
    multiply: Multiply,
    ceiling: Option<CeilingWork>,
}

impl Stored {
    /// Uploads a matrix as planned.
    ///
    /// # Errors
    /// Textures that cannot be had after all.
    pub fn new(
        machine: &Machine,
        matrix: &Csr<f64>,
        layout: MatrixLayout,
        plan: Plan,
    ) -> Result<Self, TimingError> {
        let square = |format| Layout::square(matrix.rows(), format);
        match layout {
            MatrixLayout::Rows => Self::rows(machine, matrix, plan),
            MatrixLayout::Diagonals => Self::diagonals(machine, matrix, square(Format::R32F)?),
            MatrixLayout::DiagonalsRgba => {
                Self::diagonals(machine, matrix, square(Format::Rgba32F)?)
            }
            MatrixLayout::Quarters => Self::quarters(machine, matrix),
            MatrixLayout::Columns => Self::columns(machine, matrix, square(Format::R32F)?),
            MatrixLayout::Points => Self::points(machine, matrix, square(Format::R32F)?),
            MatrixLayout::Ellpack => Self::ellpack(machine, matrix, RowFormat::Ellpack),
            MatrixLayout::EllpackR => Self::ellpack(machine, matrix, RowFormat::EllpackR),
            MatrixLayout::Wrapped | MatrixLayout::OneTexture | MatrixLayout::Slices => {
                Self::boxes(machine, layout, plan)
            }
        }
    }

    /// A vector with these entries, where the product looks for them.
    pub fn vector(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        let from =
            |entries: &[f32]| Stream::from_entries(&self.machine, "vector", self.vectors, entries);
        match &self.places {
            Places::InOrder => from(entries),
            Places::Packed(packing) => from(&packing.scatter(entries)),
            Places::Quarters(quarters) => from(&quarters.scatter(entries)),
        }
    }

    /// A vector of zeros.
    pub fn zeros(&self) -> Result<Stream, StreamError> {
        Stream::vector(&self.machine, "vector", self.vectors)
    }

    /// The entries of a vector.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        let image = vector.read()?;
        Ok(match &self.places {
            Places::InOrder => image,
            Places::Packed(packing) => packing.gather(&image),
            Places::Quarters(quarters) => quarters.gather(&image),
        })
    }

    /// y ← A x
    pub fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), TimingError> {
        (self.multiply)(x, y)
    }

    /// How its vectors lie in their textures.
    pub fn vectors(&self) -> Layout {
        self.vectors
    }

    /// Which of a vector's floats is this row's.
    pub fn place(&self, row: usize) -> usize {
        match &self.places {
            Places::InOrder => row,
            Places::Packed(packing) => packing.index(packing.texel[row]),
            Places::Quarters(quarters) => quarters.place(row),
        }
    }

    /// The trivial kernel with a product's fetches, and how many of its runs make up one; once.
    pub fn take_ceiling(&mut self) -> Option<CeilingWork> {
        self.ceiling.take()
    }

    /// Products in a chain that starts with this vector.
    pub fn products(&self, x: Stream) -> Result<Work<'static>, StreamError> {
        let mut pair = PingPong::new(2, || self.zeros())?.from(x);
        let multiply = Rc::clone(&self.multiply);
        Ok(work(move |run| {
            let (x, y) = pair.of(run);
            multiply(x, y)
        }))
    }

    fn of(machine: &Machine, vectors: Layout, multiply: Multiply, ceiling: CeilingWork) -> Self {
        Self {
            machine: machine.clone(),
            vectors,
            places: Places::InOrder,
            multiply,
            ceiling: Some(ceiling),
        }
    }

    fn rows(machine: &Machine, matrix: &Csr<f64>, plan: Plan) -> Result<Self, TimingError> {
        let packing = plan.packing.ok_or(StreamError::from(LayoutError::Empty))?;
        let images = MatrixImages::new(&packing, matrix)?;
        let stored = SparseMatrix::upload(machine, &packing, &images, Format::R32F)?;
        let stored = Rc::new(stored);
        let size = packing.size;
        let vectors = Layout::grid(size, Format::R32F);
        let ceiling = Ceiling::new(machine, &packing, &stored)?;
        let mut pair = PingPong::new(2, || Stream::vector(machine, "vector", vectors))?;
        let read = Rc::clone(&stored);
        let ceiling = work(move |run| {
            let (x, y) = pair.of(run);
            let extent = [size.0 as f32, size.1 as f32];
            ceiling.draw(&read, extent, x, y)
        });
        let multiply: Multiply = Rc::new(move |x, y| Ok(stored.multiply(x, y)?));
        Ok(Self {
            places: Places::Packed(packing),
            ..Self::of(machine, vectors, multiply, (ceiling, 1.0))
        })
    }

    fn diagonals(
        machine: &Machine,
        matrix: &Csr<f64>,
        vectors: Layout,
    ) -> Result<Self, TimingError> {
        let stored = DiagonalMatrix::new(machine, vectors, matrix, DiagonalOptions::default())?;
        let count = stored.numbers().count();
        let ceiling = five_diagonals_ceiling(machine, vectors)?;
        let multiply: Multiply = Rc::new(move |x, y| Ok(stored.multiply(x, y)?));
        let ceiling = (ceiling, count as f64 / 5.0);
        Ok(Self::of(machine, vectors, multiply, ceiling))
    }

    fn quarters(machine: &Machine, matrix: &Csr<f64>) -> Result<Self, TimingError> {
        let limit = machine.context().description().rectangle_limit;
        let quarters = Quarters::new(matrix.rows(), texels_a_row(limit, matrix.rows()))?;
        let vectors = quarters.layout();
        let space = TextureSpace::new(machine, vectors)?;
        let stored = QuarterMatrix::new(machine, quarters, matrix, Sum::Product, false)?;
        let ceiling = five_diagonals_ceiling(machine, vectors)?;
        let ceiling = (ceiling, stored.count() as f64 / 5.0);
        let multiply: Multiply = Rc::new(move |x, y| Ok(stored.apply(&space, x, y)?));
        Ok(Self {
            places: Places::Quarters(quarters),
            ..Self::of(machine, vectors, multiply, ceiling)
        })
    }

    fn columns(machine: &Machine, matrix: &Csr<f64>, vectors: Layout) -> Result<Self, TimingError> {
        let stored = ColumnMatrix::new(machine, vectors, matrix, ColumnOptions::default())?;
        let ceiling = columns_ceiling(machine, vectors)?;
        let multiply: Multiply = Rc::new(move |x, y| Ok(stored.multiply(x, y)?));
        Ok(Self::of(machine, vectors, multiply, (ceiling, 1.0)))
    }

    fn points(machine: &Machine, matrix: &Csr<f64>, vectors: Layout) -> Result<Self, TimingError> {
        let stored = VertexMatrix::new(machine, vectors, matrix, Accumulation::default())?;
        let stored = Rc::new(stored);
        let ceiling = vertices_ceiling(machine, vectors, Rc::clone(&stored))?;
        let multiply: Multiply = Rc::new(move |x, y| Ok(stored.multiply(x, y)?));
        Ok(Self::of(machine, vectors, multiply, (ceiling, 1.0)))
    }

    fn ellpack(machine: &Machine, matrix: &Csr<f64>, rows: RowFormat) -> Result<Self, TimingError> {
        let vectors = Layout::square(matrix.rows(), Format::R32F)?;
        let entries = Entries::Packed;
        let layout = EllpackLayout { rows, entries };
        let storage = Rc::new(EllpackStorage::new(machine, matrix, layout)?);
        let product = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
        let pair = PingPong::new(2, || Stream::vector(machine, "vector", vectors))?;
        let ceiling = geveler2011::speed::ceiling(machine, &storage, pair)?;
        let multiply: Multiply = Rc::new(move |x, y| Ok(product.multiply(x, y)?));
        Ok(Self::of(machine, vectors, multiply, ceiling))
    }

    fn boxes(machine: &Machine, layout: MatrixLayout, plan: Plan) -> Result<Self, TimingError> {
        let system = plan.system.ok_or(StreamError::from(LayoutError::Empty))?;
        let settings = boxes::settings(layout).unwrap_or_default();
        let placement = Placement::new(machine, system.size, &settings)?;
        let space = PressureSpace::new(machine, placement.layout(), &settings)?;
        let stored = SevenDiagonals::new(machine, placement, &settings)?;
        stored.write(&system)?;
        let ceiling = batty2003::speed::product_ceiling(machine, placement)?;
        let multiply: Multiply = Rc::new(move |x, y| Ok(stored.apply(&space, x, y)?));
        Ok(Self::of(
            machine,
            placement.layout(),
            multiply,
            (ceiling, 1.0),
        ))
    }
}
