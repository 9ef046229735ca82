//! The grid of a picture that is a right-hand side.

use std::path::Path;

use crate::arguments::GridSize;
use crate::bolz2003::Error;
use crate::bolz2003::grid::geometry::Grid;
use crate::io::grey::Grey;

use super::super::failure::Failure;

/// The grid for a picture: of this size, or of the picture's. If that cannot be coarsened, `fit` allows the
/// next size that can.
pub fn grid_of_picture(
    path: &Path,
    picture: &Grey,
    size: Option<GridSize>,
    fit: bool,
    grid_of: impl Fn([usize; 2]) -> Result<Grid, Error>,
) -> Result<Grid, Failure> {
    let own = GridSize {
        columns: picture.width(),
        rows: picture.height(),
    };
    let size = match size {
        Some(size) if size != own && !fit => {
            let what = format!(
                "the picture is {own}, but --size is {size}. Leave out --size, or resample the picture by \
                 --fit"
            );
            return Err(Failure::in_file(path, what));
        }
        size => size.unwrap_or(own),
    };
    match grid_of(size.sides()) {
        Err(Error::Size {
            suggested_columns,
            suggested_rows,
            ..
        }) if fit && size == own => {
            grid_of([suggested_columns, suggested_rows]).map_err(Failure::input)
        }
        Err(error) if !fit => {
            let what = format!("{error}, and --fit resamples it to that");
            Err(Failure::in_file(path, what))
        }
        other => other.map_err(Failure::input),
    }
}
