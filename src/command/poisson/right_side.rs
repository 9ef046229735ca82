//! The right-hand side g: a name, a formula, a picture, or raw numbers.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::arguments::GridSize;
use crate::bolz2003::Error;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::named::{NAMES, Named, sampled};
use crate::formula::{Formula, FormulaError};
use crate::io::grey::{Grey, nodes_of, read_grey};
use crate::io::raw::read_floats;
use crate::nearest::suggestion;

use super::super::failure::Failure;
use super::super::output::{extension, note};
use super::Arguments;

/// Bytes of memory per node.
const NODE: u64 = 130;

/// Default size, unless a picture has its own.
const DEFAULT_SIZE: GridSize = GridSize::new(257, 257);

/// Source of g.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightSideSource {
    /// A name.
    Named(Named),
    /// A formula in x and y.
    Formula(Formula),
    /// The luminance of a picture, from 0 to 1.
    Picture(PathBuf),
    /// Numbers of single precision.
    Raw(PathBuf),
}

impl fmt::Display for RightSideSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RightSideSource::Named(named) => named.fmt(formatter),
            RightSideSource::Formula(formula) => formula.fmt(formatter),
            RightSideSource::Picture(path) | RightSideSource::Raw(path) => {
                path.display().fmt(formatter)
            }
        }
    }
}

impl FromStr for RightSideSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(named) = Named::of(text)? {
            return Ok(RightSideSource::Named(named));
        }
        match extension(text).as_str() {
            "png" | "gif" | "hdr" | "exr" => return Ok(RightSideSource::Picture(text.into())),
            "f32" => return Ok(RightSideSource::Raw(text.into())),
            _ => {}
        }
        text.parse().map(RightSideSource::Formula).map_err(|fault: FormulaError| {
            let place = match extension(text).as_str() {
                "" if is_word(text) && fault.column == 1 => format!("column 1: unknown name {text}: "),
                end if end.len() > 1 && is_word(end) => String::new(),
                _ => return fault.to_string(),
            };
            format!(
                "{place}{}give one of {}, a formula in x and y, a picture (.png, .gif, .hdr, .exr) or numbers \
                 (.f32)",
                suggestion(text, &NAMES),
                NAMES.join(", ")
            )
        })
    }
}

/// Tests whether a text is a name.
fn is_word(text: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_of_word)
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
            RightSideSource::Picture(path) => {
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
            RightSideSource::Named(named) => {
                exact = named.exact(&grid, spacing);
                named.values(&grid, spacing, arguments.sigma)
            }
            RightSideSource::Formula(formula) => values_of(formula, &grid, spacing)?,
            RightSideSource::Picture(_) => {
                let picture = picture.map(|picture| nodes_of(picture, columns, rows));
                picture.unwrap_or_default()
            }
            RightSideSource::Raw(path) => read_floats(path, grid.nodes())
                .map_err(|error| Failure::input(format!("{error} (--size is {size})")))?,
        };
        Ok(Problem { grid, spacing, g, exact })
    }
}

fn grid_of(size: GridSize, arguments: &Arguments) -> Result<Grid, Error> {
    let [columns, rows] = size.sides();
    Grid::new(columns, rows, arguments.boundary)
}

/// The grid for a picture: of `--size`, or of the picture's size. If that grid cannot be coarsened, `--fit` takes a
/// larger one, and the picture is resampled with a note.
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
    let grid = match grid_of(size, arguments) {
        Err(Error::Size { suggested_columns, suggested_rows, .. }) if size == own => {
            Grid::new(suggested_columns, suggested_rows, arguments.boundary)
        }
        other => other,
    };
    let grid = grid.map_err(|error| Failure::in_file(path, error))?;
    let new = GridSize::new(grid.columns() as u32, grid.rows() as u32);
    if new != own && !fit {
        let what = format!("a picture of {own} cannot be coarsened. Resample it to {new} by --fit");
        return Err(Failure::in_file(path, what));
    }
    if new != own {
        let [from, to] = [own, new].map(|size| {
            let [width, height] = size.sides().map(|nodes| (nodes.max(2) - 1) as f64);
            width / height
        });
        note(format_args!(
            "{}: resampled from {own} to {new}, width over height from {from:.3} to {to:.3}",
            path.display()
        ));
    }
    Ok(grid)
}

/// A formula at every unknown node, and zero elsewhere.
fn values_of(formula: &Formula, grid: &Grid, spacing: f64) -> Result<Vec<f32>, Failure> {
    let place = |i: usize, j: usize| [i as f64 * spacing, j as f64 * spacing];
    let at = |i, j| if grid.is_computed(i, j) { formula.at(place(i, j)) as f32 } else { 0.0 };
    let g = sampled(grid, at);
    match g.iter().position(|g| !g.is_finite()) {
        None => Ok(g),
        Some(k) => {
            let ([x, y], g) = (place(k % grid.columns(), k / grid.columns()), g[k]);
            let what = format!(
                "--rhs {formula} is {g} at ({x}, {y}). It must be finite wherever u is not prescribed"
            );
            Err(Failure::input(what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_are_told_apart_and_slips_understood() {
        assert_eq!("sine".parse(), Ok(RightSideSource::Named(Named::Sine)));
        let formula: RightSideSource = "-x*y".parse().unwrap();
        assert!(matches!(&formula, RightSideSource::Formula(_)) && formula.to_string() == "-x*y");
        assert_eq!("a/sine.PNG".parse(), Ok(RightSideSource::Picture("a/sine.PNG".into())));
        assert_eq!("g.f32".parse(), Ok(RightSideSource::Raw("g.f32".into())));
        let slip = "cheker".parse::<RightSideSource>().unwrap_err();
        assert!(
            slip.starts_with("column 1: unknown name cheker: did you mean checker? "),
            "{slip}"
        );
        for bad in ["random", "random:x", "g.jpg", "a/b-c.jpg"] {
            let fault = bad.parse::<RightSideSource>().expect_err(bad);
            assert!(fault.contains("give ") && !fault.contains("column"), "{bad}: {fault}");
        }
        for bad in [
            "",
            "z",
            "sin",
            "sinus/",
            "sin x",
            "2x",
            "x>0.5",
            "x²",
            "1 \u{2212} x",
            "x:y",
            "sin(x.y)",
        ] {
            let fault = bad.parse::<RightSideSource>().expect_err(bad);
            assert!(fault.starts_with("column "), "{bad}: {fault}");
        }
    }
}
