//! The right-hand side g: a name, a formula, a picture, or raw numbers.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::arguments::GridSize;
use crate::bolz2003::grid::geometry::Grid;
use crate::formula::{Formula, FormulaError};
use crate::io::grey::{Grey, nodes_of, read_grey};
use crate::io::raw::read_floats;
use crate::nearest::suggestion;

use super::super::failure::Failure;
use super::super::output::extension;
use super::domain::Conditions;
use super::luminance::grid_of_picture;
use super::named::{NAMES, Named, sampled};

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

/// A grid and the contents of the files, which are read before a driver is needed.
pub struct Problem {
    /// The nodes and the conditions on the sides.
    pub grid: Grid,
    content: Content,
}

/// A source without its file.
enum Content {
    Named(Named),
    Formula(Formula),
    Picture(Grey),
    Numbers(Vec<f32>),
}

/// g, and u if it is known.
pub struct RightSide {
    /// g at every node.
    pub g: Vec<f32>,
    /// The solution of the continuous equation at every node.
    pub exact: Option<Vec<f64>>,
}

impl Problem {
    /// Reads the files. Without a size, a picture has its own; with `fit` it will be
    /// resampled to the size, or to the next one that can be coarsened.
    pub fn read(
        source: &Source,
        size: Option<GridSize>,
        conditions: Conditions,
        fit: bool,
    ) -> Result<Self, Failure> {
        let grid_of = |[columns, rows]: [usize; 2]| Grid::new(columns, rows, conditions.0);
        let grid = || grid_of(size.unwrap_or(DEFAULT_SIZE).sides());
        let (grid, content) = match source {
            Source::Picture(path) => {
                let picture = read_grey(path)?;
                let grid = grid_of_picture(path, &picture, size, fit, grid_of)?;
                (grid, Content::Picture(picture))
            }
            _ if fit => {
                let what = format!(
                    "--fit resamples a picture, and --rhs {source} is not one. Leave it out"
                );
                return Err(Failure::input(what));
            }
            Source::Raw(path) => {
                let (grid, size) = (grid()?, size.unwrap_or(DEFAULT_SIZE));
                let numbers = read_floats(path, grid.nodes())
                    .map_err(|error| Failure::input(format!("{error} (--size is {size})")))?;
                (grid, Content::Numbers(numbers))
            }
            Source::Named(named) => (grid()?, Content::Named(*named)),
            Source::Formula(formula) => (grid()?, Content::Formula(formula.clone())),
        };
        Ok(Problem { grid, content })
    }

    /// The right-hand side of -lap u + sigma u = g.
    ///
    /// # Errors
    /// A formula without a finite value in single precision at some node.
    pub fn right_side(self, spacing: f64, sigma: f64) -> Result<RightSide, Failure> {
        let grid = &self.grid;
        let (g, exact) = match self.content {
            Content::Named(named) => (
                named.values(grid, spacing, sigma),
                named.exact(grid, spacing),
            ),
            Content::Formula(formula) => (values_of(&formula, grid, spacing)?, None),
            Content::Picture(picture) => {
                let (columns, rows) = (grid.columns() as u32, grid.rows() as u32);
                (nodes_of(picture, columns, rows), None)
            }
            Content::Numbers(numbers) => (numbers, None),
        };
        Ok(RightSide { g, exact })
    }
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
    use super::*;

    #[test]
    fn names_and_files_are_told_apart_and_slips_understood() {
        assert_eq!("sine".parse(), Ok(Source::Named(Named::Sine)));
        let formula: Source = "-x*y".parse().unwrap();
        assert!(matches!(&formula, Source::Formula(_)) && formula.to_string() == "-x*y");
        assert_eq!(
            "a/sine.PNG".parse(),
            Ok(Source::Picture("a/sine.PNG".into()))
        );
        assert_eq!("g.f32".parse(), Ok(Source::Raw("g.f32".into())));
        let slip = "cheker".parse::<Source>().unwrap_err();
        assert!(slip.starts_with("did you mean checker? "), "{slip}");
        for bad in ["", "random", "random:x", "g.jpg", "sinus/"] {
            assert!(bad.parse::<Source>().is_err(), "{bad}");
        }
    }
}
