//! The right side g: a few by name, a picture, or raw numbers.

use std::f64::consts::PI;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use fragstream::bolz2003::grid::{Boundary, Grid, GridError, Sides};
use fragstream::io::raw::read_floats;
use fragstream::mesh::random::SplitMix64;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, ImageBuffer, ImageReader, Luma};

use super::super::failure::Failure;
use super::super::nearest::nearest;
use super::domain::{Conditions, Size};

/// What a right side may be called.
const NAMES: [&str; 6] = ["sine", "ones", "point", "dipole", "checker", "random:1"];

/// Squares of the checkerboard from bottom to top.
const SQUARES: usize = 8;

/// Where g comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A formula.
    Named(Formula),
    /// The luminance of a picture, from 0 to 1.
    Picture(PathBuf),
    /// Numbers of single precision.
    Raw(PathBuf),
}

/// A right side that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// That of a product of sines and cosines, which is the solution.
    Sine,
    /// One everywhere.
    Ones,
    /// A source of strength one in the middle.
    Point,
    /// A source and a sink of strength one.
    Dipole,
    /// Squares of 1 and -1.
    Checker,
    /// Uniform in (−1, 1], the same on every machine.
    Random {
        /// What the numbers depend on.
        seed: u64,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Picture(path) | Source::Raw(path) => path.display().fmt(formatter),
            Source::Named(Formula::Random { seed }) => write!(formatter, "random:{seed}"),
            Source::Named(formula) => formatter.write_str(match formula {
                Formula::Sine => "sine",
                Formula::Ones => "ones",
                Formula::Point => "point",
                Formula::Dipole => "dipole",
                Formula::Checker => "checker",
                Formula::Random { .. } => "random",
            }),
        }
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let extension = Path::new(text).extension().and_then(|end| end.to_str());
        Ok(match text {
            "sine" => Source::Named(Formula::Sine),
            "ones" => Source::Named(Formula::Ones),
            "point" => Source::Named(Formula::Point),
            "dipole" => Source::Named(Formula::Dipole),
            "checker" => Source::Named(Formula::Checker),
            _ if text == "random" || text.starts_with("random:") => {
                let seed = text.strip_prefix("random:").and_then(|s| s.parse().ok());
                let seed = seed.ok_or("give a whole number as the seed, as in random:1")?;
                Source::Named(Formula::Random { seed })
            }
            _ => match extension.map(str::to_ascii_lowercase).as_deref() {
                Some("png" | "gif" | "hdr" | "exr") => Source::Picture(text.into()),
                Some("f32") => Source::Raw(text.into()),
                _ => return Err(unknown(text)),
            },
        })
    }
}

fn unknown(text: &str) -> String {
    let meant = match nearest(text, &NAMES).first() {
        Some(near) => format!("did you mean {near}? "),
        None => String::new(),
    };
    let names = NAMES.join(", ");
    format!("{meant}give one of {names}, a picture (.png, .gif, .hdr, .exr) or numbers (.f32)")
}

/// A grid, and g where a file holds it: what is known before any driver is.
pub struct Given {
    /// The nodes and the conditions on the sides.
    pub grid: Grid,
    source: Source,
    from_file: Option<Vec<f32>>,
}

/// g, and u where it is known.
pub struct RightSide {
    /// g at every node.
    pub g: Vec<f32>,
    /// The solution of the continuous equation at every node.
    pub exact: Option<Vec<f64>>,
}

impl Given {
    /// Reads what is in files. Without a size, a picture has its own; with `fit` it is resampled to
    /// the size, or to the next one that can be coarsened.
    pub fn read(
        source: &Source,
        size: Option<Size>,
        conditions: Conditions,
        fit: bool,
    ) -> Result<Self, Failure> {
        let grid_of = |Size([columns, rows])| Grid::new(columns, rows, conditions.0);
        let (grid, from_file) = match source {
            Source::Picture(path) => {
                let picture = luminance(path)?;
                let grid = grid_of_picture(path, &picture, size, fit, grid_of)?;
                (grid, Some(nodes_of(picture, &grid)))
            }
            _ if fit => {
                let what = format!("--fit resamples a picture, and --rhs {source} is none");
                return Err(Failure::input(what));
            }
            Source::Raw(path) => {
                let size = size.unwrap_or_default();
                let grid = grid_of(size).map_err(Failure::input)?;
                let numbers = read_floats(path, grid.nodes())
                    .map_err(|error| Failure::input(format!("{error} (--size is {size})")))?;
                (grid, Some(numbers))
            }
            Source::Named(_) => {
                let grid = grid_of(size.unwrap_or_default()).map_err(Failure::input)?;
                (grid, None)
            }
        };
        Ok(Given {
            grid,
            source: source.clone(),
            from_file,
        })
    }

    /// The right side of -lap u + sigma u = g.
    pub fn right_side(self, spacing: f64, sigma: f64) -> RightSide {
        let grid = &self.grid;
        let [columns, rows] = [grid.columns(), grid.rows()];
        let nodes = || (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
        let sampled = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f32> {
            nodes().map(|(i, j)| f(i, j) as f32).collect()
        };
        // A source of strength one is spread over the control volume of its node.
        let strength = spacing.powi(-2);
        let [centre, middle] = grid.cells.map(|n| n / 2);
        let quarter = grid.cells[0].div_ceil(4);
        let mut exact = None;
        let g = match (self.from_file, &self.source) {
            (Some(numbers), _) => numbers,
            (None, Source::Named(Formula::Sine)) => {
                let wave = Wave::new(grid, spacing);
                let u: Vec<f64> = nodes().map(|(i, j)| wave.at(i, j)).collect();
                let factor = wave.eigenvalue() + sigma;
                let g = u.iter().map(|u| (factor * u) as f32).collect();
                exact = Some(u);
                g
            }
            (None, Source::Named(Formula::Point)) => {
                sampled(&|i, j| strength * f64::from((i, j) == (centre, middle)))
            }
            (None, Source::Named(Formula::Dipole)) => sampled(&|i, j| {
                let [source, sink] = [quarter, grid.cells[0] - quarter].map(|at| i == at);
                strength * f64::from(j == middle) * (f64::from(source) - f64::from(sink))
            }),
            (None, Source::Named(Formula::Checker)) => {
                let side = (grid.cells[1] / SQUARES).max(1);
                let sign = |index: usize| [1.0, -1.0][index / side % 2];
                sampled(&|i, j| sign(i) * sign(j))
            }
            (None, &Source::Named(Formula::Random { seed })) => {
                let mut random = SplitMix64::new(seed);
                let number = |_| (2.0 * random.uniform() - 1.0) as f32;
                (0..grid.nodes()).map(number).collect()
            }
            (None, _) => vec![1.0; grid.nodes()],
        };
        RightSide { g, exact }
    }
}

/// An eigenfunction of the Laplacian that fulfils the conditions on all sides: along each axis half
/// a wave, or a quarter between two sides of different kinds.
struct Wave {
    /// Wave number times h and phase along each axis.
    axes: [(f64, f64); 2],
    spacing: f64,
}

impl Wave {
    fn new(grid: &Grid, spacing: f64) -> Self {
        use Boundary::{Dirichlet, Neumann};
        let along = |cells: usize, first: Boundary, last: Boundary| {
            let half = PI / cells as f64;
            match (first, last) {
                (Dirichlet, Dirichlet) => (half, 0.0),
                (Dirichlet, Neumann) => (0.5 * half, 0.0),
                (Neumann, Dirichlet) => (0.5 * half, 0.5 * PI),
                (Neumann, Neumann) => (half, 0.5 * PI),
            }
        };
        let Sides {
            left,
            right,
            bottom,
            top,
        } = grid.sides;
        let axes = [
            along(grid.cells[0], left, right),
            along(grid.cells[1], bottom, top),
        ];
        Wave { axes, spacing }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        let along = |(number, phase): (f64, f64), index| (number * index as f64 + phase).sin();
        along(self.axes[0], i) * along(self.axes[1], j)
    }

    fn eigenvalue(&self) -> f64 {
        let square = |(number, _)| (number / self.spacing) * (number / self.spacing);
        square(self.axes[0]) + square(self.axes[1])
    }
}

type Picture = ImageBuffer<Luma<f32>, Vec<f32>>;

/// A picture's luminance, which is finite.
fn luminance(path: &Path) -> Result<Picture, Failure> {
    let unreadable = |error: &dyn fmt::Display| {
        let what = format!("cannot read: {error}; give a picture as PNG, GIF, HDR or EXR");
        Failure::in_file(path, what)
    };
    let reader = ImageReader::open(path)
        .and_then(ImageReader::with_guessed_format)
        .map_err(|error| unreadable(&error))?;
    let picture: DynamicImage = reader.decode().map_err(|error| unreadable(&error))?;
    let picture = picture.to_luma32f();
    match picture
        .enumerate_pixels()
        .find(|(_, _, p)| !p.0[0].is_finite())
    {
        None => Ok(picture),
        Some((x, y, pixel)) => {
            let what = format!(
                "the luminance is {} at column {x}, row {y} (from 0, from the top); all must be \
                 finite",
                pixel.0[0]
            );
            Err(Failure::in_file(path, what))
        }
    }
}

fn grid_of_picture(
    path: &Path,
    picture: &Picture,
    size: Option<Size>,
    fit: bool,
    grid_of: impl Fn(Size) -> Result<Grid, GridError>,
) -> Result<Grid, Failure> {
    let own = Size([picture.width() as usize, picture.height() as usize]);
    let size = match size {
        Some(size) if size != own && !fit => {
            let what = format!(
                "the picture is {own}, but --size is {size}; leave out --size, or resample it by \
                 --fit"
            );
            return Err(Failure::in_file(path, what));
        }
        size => size.unwrap_or(own),
    };
    match grid_of(size) {
        Err(GridError::Size {
            suggested_columns,
            suggested_rows,
            ..
        }) if fit && size == own => {
            grid_of(Size([suggested_columns, suggested_rows])).map_err(Failure::input)
        }
        Err(error) if !fit => {
            let what = format!("{error}, and --fit resamples it to that");
            Err(Failure::in_file(path, what))
        }
        other => other.map_err(Failure::input),
    }
}

/// The picture's values at the nodes, its last row at the bottom.
fn nodes_of(picture: Picture, grid: &Grid) -> Vec<f32> {
    let size = [grid.columns() as u32, grid.rows() as u32];
    let picture = if picture.dimensions() == (size[0], size[1]) {
        picture
    } else {
        resampled(picture, size)
    };
    let rows = picture.rows().rev();
    rows.flat_map(|row| row.map(|pixel| pixel.0[0])).collect()
}

/// Another size, without new extrema. `resize` clips what is not between 0 and 1.
fn resampled(mut picture: Picture, [width, height]: [u32; 2]) -> Picture {
    let values = || picture.iter().map(|&value| f64::from(value));
    let (low, high) = range(values());
    let scale = if high > low { high - low } else { 1.0 };
    picture
        .iter_mut()
        .for_each(|value| *value = ((f64::from(*value) - low) / scale) as f32);
    let mut picture = resize(&picture, width, height, FilterType::Triangle);
    picture
        .iter_mut()
        .for_each(|value| *value = (f64::from(*value) * scale + low) as f32);
    picture
}

/// The smallest and the largest value.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right_side(name: &str, size: [usize; 2], conditions: &str) -> (Grid, RightSide) {
        let source: Source = name.parse().unwrap();
        let conditions = conditions.parse().unwrap();
        let given = Given::read(&source, Some(Size(size)), conditions, false);
        let given = given.unwrap_or_else(|failure| panic!("{failure:?}"));
        (
            given.grid,
            given.right_side(1.0 / (size[1] - 1) as f64, 3.0),
        )
    }

    #[test]
    fn names_and_files_are_told_apart_and_slips_understood() {
        for name in NAMES {
            assert_eq!(name.parse::<Source>().unwrap().to_string(), name);
        }
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

    #[test]
    fn what_has_a_source_and_a_sink_balances_on_every_size() {
        for name in ["dipole", "checker"] {
            for size in [[17, 17], [513, 129], [97, 65]] {
                let (grid, side) = right_side(name, size, "neumann");
                let columns = grid.columns();
                let share = |k: usize| grid.extent(0, k % columns) * grid.extent(1, k / columns);
                let values = side.g.iter().enumerate();
                let sum: f64 = values.map(|(k, &g)| share(k) * f64::from(g)).sum();
                assert_eq!(sum, 0.0, "{name}, {size:?}");
                assert!(side.g.iter().any(|&g| g > 0.0));
            }
        }
    }

    #[test]
    fn the_known_solution_is_zero_where_values_are_known_and_level_elsewhere() {
        let (grid, side) = right_side("sine", [33, 17], "d,n,n,d");
        let u = side.exact.unwrap();
        let at = |i, j| u[grid.place(i, j)];
        assert!((0..17).all(|j| at(0, j).abs() < 1e-12));
        assert!((0..33).all(|i| at(i, 16).abs() < 1e-12));
        // Level: the step to the side is the short end of a cosine.
        let step = (at(32, 3) - at(31, 3)).abs();
        assert!(step < 0.3 * (at(31, 3) - at(30, 3)).abs() + 1e-12, "{step}");
        let eigenvalue = f64::from(side.g[grid.place(9, 5)]) / at(9, 5) - 3.0;
        let expected = (0.25 * PI).powi(2) + (0.5 * PI).powi(2);
        assert!((eigenvalue / expected - 1.0).abs() < 1e-6);
    }

    #[test]
    fn resampling_keeps_the_range_and_constants() {
        let bright = |x: u32, _: u32| Luma([if x < 4 { -2.0 } else { 5.0 }]);
        let large = resampled(Picture::from_fn(8, 8, bright), [33, 33]);
        let (low, high) = range(large.iter().map(|&v| f64::from(v)));
        assert_eq!((low, high), (-2.0, 5.0));
        let flat = resampled(Picture::from_pixel(5, 3, Luma([0.25])), [9, 9]);
        assert!(flat.iter().all(|&value| value == 0.25));
    }
}
