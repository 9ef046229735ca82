//! The right-hand side g: a name, a formula, a picture, or raw numbers.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::arguments::GridSize;
use crate::bolz2003::Error;
use crate::bolz2003::grid::geometry::{Grid, Sides};
use crate::formula::{Formula, FormulaError};
use crate::io::grey::{Grey, nodes_of, read_grey};
use crate::io::raw::read_floats;
use crate::nearest::suggestion;

use super::super::failure::Failure;
use super::super::output::{extension, note};
use super::Arguments;
use super::named::{NAMES, Named, sampled};

/// Bytes of memory per node.
const NODE: u64 = 130;

/// Default size, unless a picture has its own.
const DEFAULT_SIZE: GridSize = GridSize::new(257, 257);

/// Source of g.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A name.
    Named(Named),
    /// A formula in x and y.
    Formula(Formula),
    /// The luminance of a picture, from 0 to 1.
    Picture(PathBuf),
    /// Numbers of single precision.
    Raw(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Named(named) => named.fmt(formatter),
            Source::Formula(formula) => formula.fmt(formatter),
            Source::Picture(path) | Source::Raw(path) => path.display().fmt(formatter),
        }
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(named) = Named::of(text)? {
            return Ok(Source::Named(named));
        }
        match extension(text).as_str() {
            "png" | "gif" | "hdr" | "exr" => return Ok(Source::Picture(text.into())),
            "f32" => return Ok(Source::Raw(text.into())),
            _ => {}
        }
        text.parse().map(Source::Formula).map_err(|fault: FormulaError| {
            if text.contains(['+', '-', '*', '/', '^', '(']) && !text.contains(':') {
                return fault.to_string();
            }
            format!(
                "{}give one of {}, a formula in x and y, a picture (.png, .gif, .hdr, .exr) or numbers \
                 (.f32)",
                suggestion(text, &NAMES),
                NAMES.join(", ")
            )
        })
    }
}

/// A grid and g on it.
pub struct Problem {
    /// The nodes and the conditions on the sides.
    pub grid: Grid,
    /// Distance between nodes.
    pub spacing: f64,
    /// g at every node.
    pub g: Vec<f32>,
    /// The solution of the continuous equation at every node, if it is known.
    pub exact: Option<Vec<f64>>,
}

impl Problem {
    /// Reads the files and evaluates g, before a driver is needed.
    ///
    /// # Errors
    /// A file that does not fit the grid, a grid that does not fit in memory, a formula without a finite value
    /// in single precision at some node.
    pub fn read(arguments: &Arguments) -> Result<Self, Failure> {
        let (source, size) = (&arguments.rhs, arguments.size.unwrap_or(DEFAULT_SIZE));
        let (grid, picture) = match source {
            Source::Picture(path) => {
                let picture = read_grey(path)?;
                (grid_of_picture(path, &picture, arguments)?, Some(picture))
            }
            _ if arguments.fit => {
                let what = format!(
                    "--fit resamples a picture, and --rhs {source} is not one. Leave it out"
                );
                return Err(Failure::input(what));
            }
            _ => (grid_of(size, arguments)?, None),
        };
        let [columns, rows] = [grid.columns(), grid.rows()].map(|side| side as u32);
        GridSize::new(columns, rows).check_memory(NODE)?;
        let (spacing, mut exact) = (1.0 / grid.cells[1] as f64, None);
        let g = match source {
            Source::Named(named) => {
                exact = named.exact(&grid, spacing);
                named.values(&grid, spacing, arguments.sigma)
            }
            Source::Formula(formula) => values_of(formula, &grid, spacing)?,
            Source::Picture(_) => {
                let picture = picture.map(|picture| nodes_of(picture, columns, rows));
                picture.unwrap_or_default()
            }
            Source::Raw(path) => read_floats(path, grid.nodes())
                .map_err(|error| Failure::input(format!("{error} (--size is {size})")))?,
        };
        Ok(Problem { grid, spacing, g, exact })
    }
}

fn grid_of(size: GridSize, arguments: &Arguments) -> Result<Grid, Error> {
    let [columns, rows] = size.sides();
    Grid::new(columns, rows, arguments.boundary.0)
}

/// The grid for a picture: of `--size`, or of the picture's. If that cannot be coarsened, `--fit` allows a larger one
/// that can. Resampling is reported.
fn grid_of_picture(path: &Path, picture: &Grey, arguments: &Arguments) -> Result<Grid, Failure> {
    let (own, fit) = (GridSize::new(picture.width(), picture.height()), arguments.fit);
    let size = match arguments.size {
        Some(size) if size != own && !fit => {
            let what = format!(
                "the picture is {own}, but --size is {size}. Leave out --size, or resample the picture by \
                 --fit"
            );
            return Err(Failure::in_file(path, what));
        }
        size => size.unwrap_or(own),
    };
    let fitted = || fitted(own, arguments.boundary.0);
    let grid = match grid_of(size, arguments) {
        Err(Error::Size { .. })
            if size == own
                && let Some(grid) = fitted() =>
        {
            grid
        }
        other => other.map_err(|error| Failure::in_file(path, error))?,
    };
    let new = GridSize::new(grid.columns() as u32, grid.rows() as u32);
    if new != own && !fit {
        let what = format!("a picture of {own} cannot be coarsened. Resample it to {new} by --fit");
        return Err(Failure::in_file(path, what));
    }
    if new != own {
        let shape = |[columns, rows]: [usize; 2]| (columns - 1) as f64 / (rows - 1) as f64;
        let [from, to] = [own, new].map(|size| shape(size.sides()));
        note(format_args!(
            "{}: resampled from {own} to {new}, width over height from {from:.3} to {to:.3}",
            path.display()
        ));
    }
    Ok(grid)
}

/// Largest change of a picture's shape when it is resampled, in percent.
const SHAPE: usize = 1;

/// A grid of nearly a picture's shape that can be coarsened as often as possible: at least as large, and at most 1.3
/// times as wide.
fn fitted(picture: GridSize, conditions: Sides) -> Option<Grid> {
    let [width, height] = picture.sides().map(|side| side.max(2) - 1);
    let halved = |times: u32| {
        let cell = 1 << times;
        let mut widths = width.div_ceil(cell)..=13 * width / (10 * cell);
        widths.find_map(|columns| {
            let rows = (columns * height + width / 2) / width;
            let is_alike = 100 * (columns * height).abs_diff(rows * width) <= SHAPE * rows * width;
            let grid = Grid::new(columns * cell + 1, rows * cell + 1, conditions).ok();
            grid.filter(|_| rows * cell >= height && is_alike)
        })
    };
    (1..20).rev().find_map(halved)
}

/// A formula at every node.
fn values_of(formula: &Formula, grid: &Grid, spacing: f64) -> Result<Vec<f32>, Failure> {
    let place = |i: usize, j: usize| [i as f64 * spacing, j as f64 * spacing];
    let g = sampled(grid, |i, j| formula.at(place(i, j)) as f32);
    match g.iter().position(|g| !g.is_finite()) {
        None => Ok(g),
        Some(k) => {
            let ([x, y], g) = (place(k % grid.columns(), k / grid.columns()), g[k]);
            let what =
                format!("--rhs {formula} is {g} at ({x}, {y}). It must be finite everywhere");
            Err(Failure::input(what))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::bolz2003::grid::geometry::Boundary;

    use super::*;

    #[test]
    fn a_picture_is_fitted_to_a_grid_of_its_shape() {
        let cases = [[301, 201], [50, 40], [640, 480], [1000, 700], [200, 1000], [4001, 2999]];
        for [width, height] in cases {
            let own = GridSize::new(width, height);
            let grid = fitted(own, Sides::all(Boundary::Dirichlet)).expect("a grid");
            let ratio = |at: usize| grid.cells[at] as f64 / f64::from([width, height][at] - 1);
            let [wider, higher] = [0, 1].map(ratio);
            assert!((wider / higher - 1.0).abs() < 0.0101, "{own}: {grid:?}");
            assert!(wider.min(higher) >= 1.0 && wider < 1.3, "{own}: {grid:?}");
        }
    }

    #[test]
    fn names_and_files_are_told_apart_and_slips_understood() {
        assert_eq!("sine".parse(), Ok(Source::Named(Named::Sine)));
        let formula: Source = "-x*y".parse().unwrap();
        assert!(matches!(&formula, Source::Formula(_)) && formula.to_string() == "-x*y");
        assert_eq!("a/sine.PNG".parse(), Ok(Source::Picture("a/sine.PNG".into())));
        assert_eq!("g.f32".parse(), Ok(Source::Raw("g.f32".into())));
        let slip = "cheker".parse::<Source>().unwrap_err();
        assert!(slip.starts_with("did you mean checker? "), "{slip}");
        for bad in ["", "random", "random:x", "g.jpg", "sinus/"] {
            assert!(bad.parse::<Source>().is_err(), "{bad}");
        }
    }
}
