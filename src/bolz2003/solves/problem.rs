//! The right-hand side g at the nodes.

use std::path::Path;

use crate::base::error::BoxedError;
use crate::base::formula::Formula;
use crate::bolz2003::Error;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::scenes::poisson::named::sampled;
use crate::io::grey::{Grey, nodes_of, read_grey};
use crate::io::raw::read_floats;
use crate::io::remark;
use crate::settings::GridSize;

use super::poisson::{RightSideSource, Settings};

/// Bytes of memory per node.
const NODE: u64 = 140;

/// Default size, unless a picture has its own.
const DEFAULT_SIZE: GridSize = GridSize::new(257, 257);

/// A grid and g on it.
pub struct Problem {
    /// The nodes and the conditions on the sides.
    pub grid: Grid,
    /// Distance between nodes.
    pub spacing: f64,
    /// g at every node.
    pub g: Vec<f64>,
    /// The solution of the continuous equation at every node, if it is known.
    pub exact: Option<Vec<f64>>,
}

impl Problem {
    /// Reads the files and evaluates g, before a driver is needed.
    ///
    /// # Errors
    /// A file that does not fit the grid, a grid that does not fit in memory, a formula without a finite value
    /// at some node.
    pub fn read(settings: &Settings) -> Result<Self, BoxedError> {
        let (source, size) = (&settings.rhs, settings.size.unwrap_or(DEFAULT_SIZE));
        let (grid, picture) = match source {
            RightSideSource::Picture(path) => {
                let picture = read_grey(path)?;
                (grid_of_picture(path, &picture, settings)?, Some(picture))
            }
            _ if settings.fit => {
                let what = format!(
                    "--fit resamples a picture, and --rhs {source} is not one. Leave it out"
                );
                return Err(what.into());
            }
            _ => (grid_of(size, settings)?, None),
        };
        let [columns, rows] = [grid.columns(), grid.rows()].map(|side| side as u32);
        GridSize::new(columns, rows).check_memory(NODE)?;
        let (spacing, mut exact) = (1.0 / grid.cells[1] as f64, None);
        let g = match source {
            RightSideSource::Named(named) => {
                exact = named.exact(&grid, spacing);
                named.values(&grid, spacing, settings.sigma)
            }
            RightSideSource::Formula(formula) => values_of(formula, &grid, spacing)?,
            RightSideSource::Picture(_) => {
                let picture = picture.map(|picture| nodes_of(picture, columns, rows));
                doubles(&picture.unwrap_or_default())
            }
            RightSideSource::Raw(path) => {
                let floats = read_floats(path, grid.nodes());
                doubles(&floats.map_err(|error| format!("{error} (--size is {size})"))?)
            }
        };
        Ok(Problem { grid, spacing, g, exact })
    }
}

fn grid_of(size: GridSize, settings: &Settings) -> Result<Grid, Error> {
    let [columns, rows] = size.sides();
    Grid::new(columns, rows, settings.boundary)
}

/// The grid for a picture: of `--size`, or of the picture's size. If that grid cannot be coarsened, `--fit` takes a
/// larger one, and the picture is resampled with a note.
fn grid_of_picture(path: &Path, picture: &Grey, settings: &Settings) -> Result<Grid, BoxedError> {
    let (own, fit) = (GridSize::new(picture.width(), picture.height()), settings.fit);
    let size = match settings.size {
        Some(size) if size != own && !fit => {
            let what = format!(
                "the picture is {own}, but --size is {size}. Leave out --size, or resample the picture by \
                 --fit"
            );
            return Err(format!("{}: {what}", path.display()).into());
        }
        size => size.unwrap_or(own),
    };
    let grid = match grid_of(size, settings) {
        Err(Error::Size { suggested_columns, suggested_rows, .. }) if size == own => {
            Grid::new(suggested_columns, suggested_rows, settings.boundary)
        }
        other => other,
    };
    let grid = grid.map_err(|error| format!("{}: {error}", path.display()))?;
    let new = GridSize::new(grid.columns() as u32, grid.rows() as u32);
    if new != own && !fit {
        let what = format!("a picture of {own} cannot be coarsened. Resample it to {new} by --fit");
        return Err(format!("{}: {what}", path.display()).into());
    }
    if new != own {
        let [from, to] = [own, new].map(|size| {
            let [width, height] = size.sides().map(|nodes| (nodes.max(2) - 1) as f64);
            width / height
        });
        remark(format!(
            "{}: resampled from {own} to {new}, width over height from {from:.3} to {to:.3}",
            path.display()
        ));
    }
    Ok(grid)
}

fn doubles(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}

/// A formula at every unknown node, and zero elsewhere.
fn values_of(formula: &Formula, grid: &Grid, spacing: f64) -> Result<Vec<f64>, BoxedError> {
    let place = |i: usize, j: usize| [i as f64 * spacing, j as f64 * spacing];
    let at = |i, j| if grid.is_computed(i, j) { formula.at(place(i, j)) } else { 0.0 };
    let g = sampled(grid, at);
    match g.iter().position(|g| !g.is_finite()) {
        None => Ok(g),
        Some(k) => {
            let ([x, y], g) = (place(k % grid.columns(), k / grid.columns()), g[k]);
            let what = format!(
                "--rhs {formula} is {g} at ({x}, {y}). It must be finite wherever u is not prescribed"
            );
            Err(what.into())
        }
    }
}
