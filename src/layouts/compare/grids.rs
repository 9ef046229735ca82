//! One grid in every layout: products with five-, nine- and seven-point stencils, and V-cycles.

use crate::base::error::BoxedError;
use crate::bolz2003;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::{BorderSync, ChannelUse};
use crate::bolz2003::grid::stencil::{ConstantStencil, Stencils};
use crate::bolz2003::grid::{Boundary, Grid, Sides};
use crate::goodnight2003::scenes::heat::plate;
use crate::goodnight2003::study::cases;
use crate::goodnight2003::{Hazard, Settings, Strategy};
use crate::layouts::named::difference;
use crate::layouts::textures::{Texture, observe, total_bytes};
use crate::layouts::{ALL, DIAGONALS, DIAGONALS_RGBA};
use crate::solver::Cycle;
use crate::stream::{Machine, Size};
use crate::timing::rig::work;
use crate::timing::{Effort, PingPong, Work};

use super::products::{Contest, Problem, bytes_allowed, compare, entrant, with_cpu};
use super::{Entrant, Line, Memory, Race, Section};

/// Sweeps before and after the coarser level, in the V-cycles of both papers.
const SWEEPS: usize = 2;

/// Bytes of main memory and textures per node while all layouts are in memory.
pub const BYTES_A_NODE: u64 = 1100;

/// Stencil of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// The neighbours in its row and its column.
    Five,
    /// The neighbours at the corners, too.
    Nine,
}

/// Layout of a grid in bolz2003: name, source, and settings.
type Variant = (&'static str, &'static str, ChannelUse, BorderSync);

/// All have the ring of duplicates, or of zeros.
const VARIANTS: [Variant; 3] = [
    ("quadrants, border fused", "as bolz2003 §4.2", ChannelUse::Layered, BorderSync::Fused),
    ("quadrants, border copied", "bolz2003 §4.2", ChannelUse::Layered, BorderSync::Copy),
    ("one per texel, ring of zeros", "as bolz2003 §4.2", ChannelUse::Scalar, BorderSync::Fused),
];

/// Layout of the levels in goodnight2003.
const STRATEGIES: [(&str, &str, Strategy, Hazard); 4] = [
    ("one surface pair per level", "goodnight2003 §4.1", Strategy::Separate, Hazard::Barrier),
    ("two buffers", "goodnight2003 §6", Strategy::Two, Hazard::Barrier),
    ("one buffer", "goodnight2003 §6", Strategy::One, Hazard::Barrier),
    ("one buffer, with copies", "goodnight2003 §6", Strategy::One, Hazard::Copy),
];

/// The sections of a grid with these sides.
pub fn plane(machine: &Machine, size: Size, effort: Effort) -> Result<Vec<Section>, BoxedError> {
    Ok(vec![
        product(machine, size, Points::Five, effort)?,
        product(machine, size, Points::Nine, effort)?,
        cycles(machine, size, effort)?,
    ])
}

/// A product with a stencil on a grid with closed sides.
pub fn product(
    machine: &Machine,
    (width, height): Size,
    points: Points,
    effort: Effort,
) -> Result<Section, BoxedError> {
    let grid = Grid::new(width as usize, height as usize, Sides::all(Boundary::Neumann))?;
    let five = ConstantStencil::five_point(0.0);
    let (name, stencil, is_stored, kept) = match points {
        Points::Five => {
            ("five", five, false, "in quadrants its entries are constants of the program")
        }
        Points::Nine => ("nine", five.composed(), true, "every node has its own stencil"),
    };
    let problem = Problem::scaled(&stencil.stencils::<f64>(grid).matrix()?, 1.0)?;
    let stencils = is_stored.then(|| stencil.stencils::<f32>(grid));
    let allowed = bytes_allowed();
    let mut race = Race::new(machine, effort);
    while race.is_open() {
        let mut entrants = Vec::new();
        for (layout, name) in [(DIAGONALS, "one node per texel"), (DIAGONALS_RGBA, "four in a row")]
        {
            let mut entrant = entrant(machine, &problem, layout, allowed)?;
            entrant.line.layout = name.to_owned();
            entrants.push(entrant);
        }
        for way in VARIANTS {
            let made = layered(machine, (grid, stencils.as_ref()), &problem, way);
            entrants.push(Entrant::or_refused(Line::new(way.0, way.1), made)?);
        }
        race.run(with_cpu(entrants, &problem)?)?;
    }
    let own = if is_stored { problem.matrix.entries() } else { 0 };
    let title = format!("a stencil of {name} points on {width}x{height} nodes; {kept}");
    Ok(Section::new(title, "product", 4 * (grid.nodes() + own), race.raced()))
}

/// The product of bolz2003, with stencils in streams or, without them, five constants.
fn layered(
    machine: &Machine,
    (grid, stencils): (Grid, Option<&Stencils<f32>>),
    problem: &Problem,
    (name, from, layout, sync): Variant,
) -> Result<Entrant<'static>, BoxedError> {
    let options = HierarchyOptions { layout, sync, ..HierarchyOptions::fused() };
    let hierarchy = match stencils {
        Some(stencils) => GridHierarchy::stored(machine, stencils, options)?,
        None => GridHierarchy::constant(machine, grid, 0.0, options)?,
    };
    let (u, v) = (hierarchy.grid().upload(&problem.x)?, hierarchy.grid().zeros("product")?);
    let seen = observe(machine, &["product"], false, || hierarchy.level(0).multiply(&u, &v))?;
    let error = problem.error(&hierarchy.grid().download(&v)?);
    let places = u.full().area() as f64 * u.format().channels() as f64;
    let line = Line {
        memory: Memory::of(&seen.data, seen.bytes(), Some(1.0 - grid.nodes() as f64 / places)),
        ..Line::new(name, from)
    };
    let mut pair = PingPong::new(2, || hierarchy.grid().zeros("vector"))?.from(u);
    let product = work(move |run| {
        let (u, v) = pair.of(run);
        hierarchy.level(0).multiply(u, v)
    });
    Ok(Entrant { error: Some(error), ..Entrant::on_machine(machine, line, product) })
}

/// A V(2, 2)-cycle on a grid, by bolz2003 (Jacobi) and by goodnight2003 (red-black).
pub fn cycles(
    machine: &Machine,
    (width, height): Size,
    effort: Effort,
) -> Result<Section, BoxedError> {
    let shape = Cycle::v(SWEEPS, SWEEPS);
    let grid = Grid::new(width as usize, height as usize, Sides::all(Boundary::Dirichlet))?;
    let problem = plate((width, height))?;
    let mut race = Race::new(machine, effort.of_long_runs(effort.rounds));
    while race.is_open() {
        let mut hierarchies = Vec::new();
        for (name, from, layout, sync) in VARIANTS {
            let options = HierarchyOptions { layout, sync, ..HierarchyOptions::fused() };
            let hierarchy = GridHierarchy::constant(machine, grid, 0.0, options)?;
            hierarchies.push((Line::new(name, from), hierarchy));
        }
        let mut entrants = Vec::new();
        for (line, hierarchy) in &hierarchies {
            let cycle = bolz2003::study::cases::cycle(hierarchy, shape).map_err(BoxedError::from);
            entrants.push(entrant_of_cycle(machine, line, cycle)?);
        }
        for (name, from, storage, hazard) in STRATEGIES {
            let settings = Settings { storage, hazard, cycle: shape, ..Settings::robust() };
            let cycle = cases::cycle(machine, &problem, &settings).map_err(BoxedError::from);
            entrants.push(entrant_of_cycle(machine, &Line::new(name, from), cycle)?);
        }
        race.run(entrants)?;
    }
    let title = format!(
        "V({SWEEPS},{SWEEPS}) on {width}x{height} nodes; Jacobi in quadrants, red-black on surfaces: their \
         cycles do not converge equally fast"
    );
    // The right-hand side and the start.
    Ok(Section::new(title, "cycle", 8 * grid.nodes(), race.raced()))
}

/// A cycle with all of its textures, inputs and outputs.
fn entrant_of_cycle<'a>(
    machine: &Machine,
    line: &Line,
    cycle: Result<Work<'a>, BoxedError>,
) -> Result<Entrant<'a>, BoxedError> {
    let observed = cycle.and_then(|mut cycle| {
        let seen = observe(machine, &[], false, || cycle(0))?;
        let textures: Vec<Texture> = seen.data.into_iter().chain(seen.work).collect();
        let memory = Memory::of(&textures, total_bytes(&textures), None);
        Ok(Entrant::on_machine(machine, Line { memory, ..line.clone() }, cycle))
    });
    Entrant::or_refused(line.clone(), observed)
}

/// The sections of a grid with n³ cells.
pub fn space(machine: &Machine, n: usize, effort: Effort) -> Result<Vec<Section>, BoxedError> {
    let matrix = difference(n, 3)?;
    let raced = compare(machine, &matrix, Contest::of(ALL), effort)?;
    let title = format!("a stencil of seven points on {n}³ cells");
    Ok(vec![Section::of_products(title, &matrix, raced)])
}
