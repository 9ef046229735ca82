//! The input of `layouts`.

use std::borrow::Cow;
use std::path::Path;

use crate::arguments::GridSize;
use crate::base::error::BoxedError;
use crate::base::memory;
use crate::layouts::Layout;
use crate::layouts::compare::products::{Contest, compare, of_limit};
use crate::layouts::compare::{Section, grids, picture, vectors};
use crate::solve::compare::solves;
use crate::solve::files::read_any;
use crate::solve::{Method, SolveError};
use crate::solver::{Csr, CsrError};
use crate::stream::{Format, Layout as VectorLayout, Machine};
use crate::timing::Effort;

use super::super::arguments::check_limit;
use super::super::failure::Failure;

/// Bytes of main memory and textures in all layouts, per entry of a vector, or per row and entry of a matrix.
const BYTES_AN_ENTRY: u64 = 300;

/// Largest side of a grid that is drawn node by node; for larger grids a smaller one is drawn.
const DRAWN: usize = 33;

/// The input of `layouts`.
pub enum Input {
    /// A matrix with at least one row and one column.
    Matrix {
        /// A line about the matrix.
        title: String,
        /// The matrix.
        matrix: Csr<f64>,
        /// Its layouts.
        layouts: Vec<Layout>,
        /// Method by which it is also solved, if any.
        method: Option<Method>,
        /// Limit on the memory; the free memory by default.
        limit: Option<u64>,
        /// True if layouts that are far too large are left out.
        leaves_out: bool,
    },
    /// A grid with these sides.
    Plane(GridSize),
    /// A grid with this number of cells per side in three dimensions.
    Space(usize),
    /// A vector with this number of entries.
    Vector(usize),
}

impl Input {
    /// Checks, before memory is allocated, that textures and memory can hold the input.
    pub fn check(&self, machine: &Machine) -> Result<(), Failure> {
        let (what, nodes, bytes, dimensions) = match *self {
            Input::Matrix { ref matrix, .. } => {
                let rows = matrix.rows().max(matrix.columns()) as u64;
                let entries = matrix.entries() as u64;
                let what = format!("{rows} rows, {entries} entries, in all layouts");
                (what, rows + entries, BYTES_AN_ENTRY, 1)
            }
            Input::Plane(size) => {
                // A grid is surrounded by a ring of texels.
                let [columns, rows] = [size.columns, size.rows].map(|side| side.saturating_add(2));
                check_limit(machine, GridSize::new(columns, rows))?;
                let what = format!("a grid of {size} nodes in all layouts");
                let nodes = u64::from(size.columns) * u64::from(size.rows);
                (what, nodes, grids::BYTES_A_NODE, 2)
            }
            Input::Space(n) => {
                let what = format!("a grid of {n}³ cells in all layouts");
                (what, (n as u64).saturating_pow(3), grids::BYTES_A_NODE, 3)
            }
            Input::Vector(n) => {
                // The densest layout; layouts that do not fit have lines of their own.
                VectorLayout::square(n, Format::Rgba32F)
                    .and_then(|layout| layout.check(machine))?;
                let what = format!("a vector of {n} entries in all layouts");
                (what, n as u64, BYTES_AN_ENTRY, 1)
            }
        };
        Ok(memory::check(what, nodes, bytes, dimensions)?)
    }

    /// The tables.
    pub fn sections(&self, machine: &Machine, effort: Effort) -> Result<Vec<Section>, BoxedError> {
        match self {
            Input::Matrix { title, matrix, layouts, method, limit, leaves_out } => {
                let section = |title, run: &str, raced| Section {
                    run: run.to_owned(),
                    features: features(matrix),
                    ..Section::of_products(title, matrix, raced)
                };
                let (bytes, leaves_out) = (of_limit(*limit), *leaves_out);
                let square = squared(matrix)?;
                let contest = Contest { layouts, bytes, leaves_out };
                let products = compare(machine, &square, contest, effort)?;
                let mut sections = vec![section(title.clone(), "product", products)];
                if let Some(method) = *method {
                    let solves = solves(machine, &square, layouts, method, effort)?;
                    let title = format!("{title}; {method} in single precision, to 1e-5 of b");
                    sections.push(section(title, "solve", solves));
                }
                Ok(sections)
            }
            Input::Plane(size) => grids::plane(machine, (size.columns, size.rows), effort),
            Input::Space(n) => grids::space(machine, *n, effort),
            Input::Vector(n) => vectors::sections(machine, *n, effort),
        }
    }

    /// The picture of a matrix or of a grid of two dimensions, PNG.
    pub fn picture(&self, machine: &Machine) -> Result<Vec<u8>, Failure> {
        let (title, legend, panels) = match self {
            Input::Matrix { title, matrix, layouts, .. } => {
                let square = squared(matrix).map_err(Failure::input)?;
                let panels = picture::matrices::panels(machine, &square, layouts)?;
                (title.clone(), picture::matrices::LEGEND, panels)
            }
            Input::Plane(size) => {
                let drawn = (size.columns.min(size.rows) as usize).min(DRAWN);
                let panels = picture::grids::panels(machine, drawn)?;
                let title = if size.sides() == [drawn; 2] {
                    format!("a grid of {size} nodes")
                } else {
                    format!("a grid, drawn with {drawn}x{drawn} of {size} nodes")
                };
                (title, picture::grids::LEGEND, panels)
            }
            Input::Space(_) | Input::Vector(_) => return Ok(Vec::new()),
        };
        picture::sheet(&title, &legend, &panels).map_err(Failure::input)
    }
}

/// Reads a file, or finds a bundled matrix of that name.
pub fn read(path: &Path, layouts: Vec<Layout>, method: Option<Method>) -> Result<Input, Failure> {
    let matrix = read_any(path)?;
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if method.is_some() && rows != columns {
        return Err(Failure::in_file(path, SolveError::NotSquare { rows, columns }));
    }
    // Smaller values become zero, as in any product in textures.
    let is_too_large = |(_, _, value): &(usize, usize, f64)| value.abs() > f64::from(f32::MAX);
    if let Some((row, column, value)) = matrix.triplets().find(is_too_large) {
        let what = format!(
            "the entry at row {}, column {} (counted from 1) is {value:e}, beyond the range of single precision. Scale the \
             matrix",
            row + 1,
            column + 1
        );
        return Err(Failure::in_file(path, what));
    }
    Ok(of(&path.to_string_lossy(), matrix, layouts, method))
}

/// The matrix as it is stored: the textures of x and y have one size.
fn squared(matrix: &Csr<f64>) -> Result<Cow<'_, Csr<f64>>, CsrError> {
    let is_square = matrix.rows() == matrix.columns();
    Ok(if is_square { Cow::Borrowed(matrix) } else { Cow::Owned(matrix.squared()?) })
}

/// A matrix with its name.
pub fn of(name: &str, matrix: Csr<f64>, layouts: Vec<Layout>, method: Option<Method>) -> Input {
    let lengths = || (0..matrix.rows()).map(|row| matrix.row_length(row));
    let [least, most] = [lengths().min(), lengths().max()].map(Option::unwrap_or_default);
    let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.entries());
    let size = match rows == columns {
        true => format!("{rows} rows"),
        false => format!("{rows} rows, {columns} columns"),
    };
    let title = format!("{name}: {size}, {entries} entries, {least} to {most} per row");
    Input::Matrix { title, matrix, layouts, method, limit: None, leaves_out: true }
}

/// Length of rows, bandwidth, diagonal and symmetry of a matrix.
fn features(matrix: &Csr<f64>) -> String {
    let rows = matrix.rows() as f64;
    let mean = matrix.entries() as f64 / rows;
    let squares = (0..matrix.rows()).map(|row| (matrix.row_length(row) as f64 - mean).powi(2));
    let deviation = (squares.sum::<f64>() / rows).sqrt();
    let bandwidth = matrix.triplets().map(|(row, column, _)| row.abs_diff(column)).max();
    let on_diagonal = matrix.diagonal().iter().filter(|&&value| value != 0.0).count() as f64;
    let symmetry = match matrix.rows() == matrix.columns() {
        false => "not square: stored with rows or columns without entries",
        true if matrix.first_asymmetry(0.0).is_none() => "symmetric",
        true => "not symmetric",
    };
    format!(
        "{mean:.1} ± {deviation:.1} entries per row, bandwidth {}, {:.0} % of the diagonal, {symmetry}",
        bandwidth.unwrap_or_default(),
        100.0 * on_diagonal / matrix.diagonal().len() as f64
    )
}
