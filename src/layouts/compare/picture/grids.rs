//! A grid in its layouts: every texel in the colour of its node.
//!
//! The nodes' numbers are uploaded, and read back from the textures.

use crate::base::error::BoxedError;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::ChannelUse;
use crate::bolz2003::grid::{Boundary, Grid, Sides};
use crate::goodnight2003::scenes::heat::plate;
use crate::goodnight2003::{Hazard, Settings, Solver, Strategy};
use crate::picture::sheet::Colour;
use crate::stream::{Format, Layout, Machine, Stream};

use super::panel::{Legend, PADDING, Panel, Tile};

/// Meaning of the colours.
pub const LEGEND: Legend = Legend {
    text: "the grid; every texel has the colour of its node, the same on all levels",
    colour,
};

/// Colours of the four corners of the grid, with interpolation in between (Okabe and Ito, 2008).
const CORNERS: [[f64; 3]; 4] =
    [[0.0, 90.0, 181.0], [230.0, 120.0, 0.0], [0.0, 158.0, 115.0], [240.0, 228.0, 66.0]];

/// The colour of a position with coordinates from 0 to 1.
fn colour(x: f64, y: f64) -> Colour {
    std::array::from_fn(|channel| {
        let [a, b, c, d] = CORNERS.map(|corner| corner[channel]);
        let (below, above) = (a + x * (b - a), c + x * (d - c));
        (below + y * (above - below)) as u8
    })
}

/// A grid with n² nodes in each layout, and all levels of a hierarchy on surfaces.
pub fn panels(machine: &Machine, n: usize) -> Result<Vec<Panel>, BoxedError> {
    let grid = Grid::new(n, n, Sides::all(Boundary::Neumann))?;
    let numbers: Vec<f32> = (1..=n * n).map(|number| number as f32).collect();
    let numbered = |value: f32| match (value as usize).checked_sub(1) {
        Some(node) => colour(share(node % n, n), share(node / n, n)),
        None => PADDING,
    };
    // One tile per channel, or one of texels with `entries` entries side by side.
    let planes = |stream: &Stream, entries: u32| -> Result<Vec<Tile>, BoxedError> {
        let (data, size) = (stream.read_rect(stream.full())?, stream.size());
        let channels = stream.format().channels();
        let planes = channels / entries as usize;
        let tile = |plane: usize| {
            Tile::new(size, entries, |x, y, entry| {
                let texel = y as usize * size.0 as usize + x as usize;
                numbered(data[texel * channels + plane + entry as usize])
            })
        };
        let labels = match planes {
            1 => [""; 4],
            _ => ["channel x", "channel y", "channel z", "channel w"],
        };
        let tiles = (0..planes).map(tile).zip(labels);
        Ok(tiles.map(|(tile, label)| tile.labelled(label)).collect())
    };
    let square = |format| -> Result<Stream, BoxedError> {
        let layout = Layout::square(n * n, format)?;
        Ok(Stream::from_entries(machine, "nodes", layout, &numbers)?)
    };
    let layered = |layout| -> Result<Stream, BoxedError> {
        let options = HierarchyOptions { layout, ..HierarchyOptions::fused() };
        let hierarchy = GridHierarchy::constant(machine, grid, 1.0, options)?;
        Ok(hierarchy.grid().upload(&numbers)?)
    };
    let panel =
        |name: &str, note: &str, tiles: Vec<Tile>| Panel::new(name, vec![note.to_owned()], tiles);
    let single = square(Format::R32F)?;
    let quads = square(Format::Rgba32F)?;
    let (ring, quadrants) = (layered(ChannelUse::Scalar)?, layered(ChannelUse::Layered)?);
    let mut panels = vec![
        panel("one node per texel", "kruger2003, goodnight2003", planes(&single, 1)?),
        panel("with a ring of zeros", "as bolz2003, one channel", planes(&ring, 1)?),
        panel("four in a row", "kruger2003 §6, batty2003", planes(&quads, 4)?),
        panel("quadrants, with a ring", "bolz2003 §4.2", planes(&quadrants, 1)?),
    ];
    for (name, storage, hazard) in [
        ("one surface pair per level", Strategy::Separate, Hazard::Barrier),
        ("two buffers", Strategy::Two, Hazard::Barrier),
        ("one buffer", Strategy::One, Hazard::Barrier),
    ] {
        let tiles = surfaces(machine, n, storage, hazard)?;
        panels.push(panel(name, "goodnight2003 §6, Fig. 5", tiles));
    }
    Ok(panels)
}

/// The position of a column or row among `count`, from 0 to 1.
fn share(at: usize, count: usize) -> f64 {
    at as f64 / count.saturating_sub(1).max(1) as f64
}

/// The surfaces of a hierarchy after a cycle, which has written all levels.
fn surfaces(
    machine: &Machine,
    n: usize,
    storage: Strategy,
    hazard: Hazard,
) -> Result<Vec<Tile>, BoxedError> {
    let settings = Settings { storage, hazard, ..Settings::robust() };
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    let problem = plate((n, n))?;
    let mut solver = Solver::new(machine, &problem, &settings)?;
    solver.cycle()?;
    let storage = &solver.levels().storage;
    let levels = problem.levels() as usize;
    let mut tiles = Vec::new();
    for (number, surface) in storage.surfaces.iter().enumerate() {
        let (data, size) = (surface.read_rect(surface.full())?, surface.size());
        let places = (0..levels).flat_map(|level| storage.places(level));
        let places: Vec<_> = places.filter(|place| place.surface == number).collect();
        tiles.push(Tile::new(size, 1, |x, y, _| {
            let first = 4 * (y as usize * size.0 as usize + x as usize);
            let is_written = data[first..first + 4].iter().any(|&value| value != 0.0);
            let place = places.iter().find(|place| {
                let rect = place.rect;
                (rect.x..rect.x + rect.width).contains(&x)
                    && (rect.y..rect.y + rect.height).contains(&y)
            });
            match place.filter(|_| is_written) {
                Some(place) => {
                    let rect = place.rect;
                    let share = |at, side| share(at as usize, side as usize);
                    colour(share(x - rect.x, rect.width), share(y - rect.y, rect.height))
                }
                None => PADDING,
            }
        }));
    }
    Ok(tiles)
}
