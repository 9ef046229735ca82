//! Figures 4 and 5: bytes of the levels by the ways to store them, and their positions in one surface.

use crate::base::error::BoxedError;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::goodnight2003::multigrid::storage::Storage;
use crate::goodnight2003::scenes::heat::Stated;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::pictures::surfaces;
use crate::goodnight2003::{Atlas, Grid};
use crate::stream::Size;

use super::holds;

/// Bytes of the levels, without maps.
pub static BYTES: Study = Study::measuring(
    "goodnight2003/bytes",
    "Bytes of the surfaces that hold the levels, without maps",
    Takes::of(&HEAT, "paper", "size storage precision surface_limit"),
    &[("megabytes", "MB", "of all surfaces")],
    |experiment, place| {
        let one = heat::Settings { problem: Some(Stated::Flow), ..experiment.typed()? };
        let (sizes, method) = (levels(&one.problem()?.grid), one.method.settings());
        let limit = method.surface_limit.unwrap_or(u32::MAX);
        let storage = Storage::new(place.machine, &method, &sizes, limit)?;
        let texels = storage.surfaces.iter().map(|surface| {
            let (width, height) = surface.size();
            f64::from(width) * f64::from(height)
        });
        let mut record = Record::new();
        let megabytes = 1e-6 * texels.sum::<f64>() * method.precision.bytes() as f64;
        record.one("megabytes", megabytes);
        Ok(record)
    },
);

/// Nodes per side of the grid.
fn side(settings: &heat::Settings) -> Result<u32, BoxedError> {
    let square = settings.size.filter(|size| size.columns == size.rows);
    square
        .map(|size| size.columns)
        .ok_or("--size: the claim is about square grids. Give one number".into())
}

fn levels(grid: &Grid) -> Vec<Size> {
    (0..grid.levels()).map(|level| grid.size(level)).collect()
}

/// All levels in one surface.
pub static ATLAS: Study = Study::measuring(
    "goodnight2003/atlas",
    "Positions of all levels in one surface",
    Takes::of(&HEAT, "paper", "size surface_limit"),
    &[
        ("surface", "texels", "width and height of the surface, as a text"),
        ("{width|height}", "texels", "of the surface"),
        ("overlaps", "", "pairs of levels that overlap"),
        ("complete", "", "`holds` if all levels have their full size"),
        ("least", "texels", "that any packing takes"),
        ("used", "texels", "of the levels"),
        ("largest", "nodes", "along the side of the largest square that fits"),
    ],
    packed,
);

fn packed(experiment: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let settings = heat::Settings { problem: Some(Stated::Plate), ..experiment.typed()? };
    let limit =
        settings.method.solver.surface_limit.ok_or("--surface-limit: give the longest side")?;
    let (n, sizes) = (side(&settings)?, levels(&settings.problem()?.grid));
    let atlas = Atlas::pack(&sizes, limit)?;
    let (width, height) = atlas.size;
    let places = &atlas.places;
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let overlaps = pairs.filter(|&(a, b)| places[a].overlaps(places[b])).count();
    let placed = places.iter().map(|place| (place.width, place.height));
    let is_complete = placed.eq(sizes.iter().copied());
    // Any packing has the two largest next to each other, or one above the other.
    let least = f64::from(sizes[0].0 + sizes[1].0) * f64::from(sizes[0].1);
    let used: u64 = places.iter().map(|place| place.area()).sum();
    let mut record = Record::new();
    let found = [
        ("width", f64::from(width)),
        ("height", f64::from(height)),
        ("overlaps", overlaps as f64),
        ("least", least),
        ("used", used as f64),
        ("largest", f64::from(largest_side(n, limit)?)),
    ];
    found.into_iter().for_each(|(name, number)| record.one(name, number));
    record.text("surface", format!("{width}×{height}"));
    record.text("complete", holds(is_complete));
    let caption = format!(
        "Positions of the levels of {n}², from the finest (blue) to the coarsest (yellow): the paper's two buffers, and one."
    );
    record.picture("fig5", caption, surfaces(&sizes, limit)?);
    Ok(record)
}

/// The largest number of nodes per side, at least `n`, for which all levels fit in a surface.
fn largest_side(n: u32, limit: u32) -> Result<u32, BoxedError> {
    let (mut fitting, mut too_large) = (n, limit + 1);
    while too_large - fitting > 1 {
        let middle = (fitting + too_large) / 2;
        match Atlas::pack(&levels(&Grid::unit(middle, middle)?), limit) {
            Ok(_) => fitting = middle,
            Err(_) => too_large = middle,
        }
    }
    Ok(fitting)
}
