//! Figure 5: all levels, twice, in one buffer of two surfaces.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::Grid;
use crate::goodnight2003::multigrid::atlas::Atlas;
use crate::stream::{Machine, Size};

use super::atlas_picture;

const FIG5: Claim = Claim {
    id: "goodnight2003/fig5",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§6, Fig. 5",
    statement: "All levels lie in one buffer, once on its front and once on its back surface; the \
                largest problem, 1025², fits surfaces of 2048².",
    paper: "1025² in 2048²",
};

/// The longest side of a pbuffer in 2003 (§6).
const LIMIT: u32 = 2048;

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/atlas",
    section: "§6, Fig. 5",
    title: "All levels in one buffer",
    claims: &[FIG5],
    run,
};

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = levels(1025)?;
    let atlas = Atlas::pack(&sizes, LIMIT)?;
    let (width, height) = atlas.size;
    let places = &atlas.places;
    let overlaps = (0..places.len())
        .flat_map(|a| (0..a).map(move |b| (a, b)))
        .filter(|&(a, b)| places[a].overlaps(places[b]))
        .count();
    let complete =
        (places.iter().map(|place| (place.width, place.height))).eq(sizes.iter().copied());
    // Any packing holds the two largest side by side, or one above the other.
    let least = u64::from(sizes[0].0 + sizes[1].0) * u64::from(sizes[0].1);
    let area = u64::from(width) * u64::from(height);
    let used: u64 = places.iter().map(|place| place.area()).sum();
    let largest = largest_side()?;
    let measured = format!(
        "1025² in {width}×{height}: {} levels, {overlaps} overlaps; up to {largest}² in 2048²",
        places.len()
    );
    let why = format!(
        "{:.0} % of the surface hold nodes. No surface is smaller: the two largest levels take {}×{} \
         in any packing.",
        100.0 * used as f64 / area as f64,
        sizes[0].0 + sizes[1].0,
        sizes[0].1,
    );
    let fits = width <= LIMIT && height <= LIMIT && overlaps == 0 && complete && area == least;
    let finding = FIG5.judge(fits, measured, why);
    let finding = finding.with_image(
        "goodnight2003/fig5.png",
        "Where the levels of 1025² lie: two buffers, as the paper had them first, and one.",
        &atlas_picture::draw(&sizes, LIMIT)?,
    )?;
    Ok(vec![finding])
}

fn levels(n: u32) -> Result<Vec<Size>, BoxedError> {
    let grid = Grid::unit(n, n)?;
    Ok((0..grid.levels()).map(|level| grid.size(level)).collect())
}

/// The most nodes a side for which all levels fit the paper's surface.
fn largest_side() -> Result<u32, BoxedError> {
    let (mut fitting, mut too_large) = (1025, LIMIT + 1);
    while too_large - fitting > 1 {
        let middle = (fitting + too_large) / 2;
        match Atlas::pack(&levels(middle)?, LIMIT) {
            Ok(_) => fitting = middle,
            Err(_) => too_large = middle,
        }
    }
    Ok(fitting)
}
