//! Families of matrices from a thousand to a million rows, in every layout: curves over the number of rows,
//! and two maps of all.

use web_time::Instant;

use crate::error::BoxedError;
use crate::geveler2011::{Element, Numbering, Setup, Space};
use crate::layouts::{Layout, WRAPPED, usual};
use crate::mesh::generate::torus;
use crate::mesh::{Connectivity, assembly};
use crate::order::ShortSort;
use crate::picture::plot::{Axis, Chart, PlotError, Series, Style};
use crate::picture::sheet::{Align, INK, Sheet, blend};
use crate::random::SplitMix64;
use crate::solver::{Csr, CsrError};
use crate::stream::Machine;
use crate::timing::Effort;

use super::grids::difference;
use super::products::{Contest, compare};
use super::{Line, Section};

/// A kind of matrix, in any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Seven points on a box of cells.
    Box,
    /// Five points on a square grid.
    Grid,
    /// The flow of a triangle mesh (bolz2003 §3.1.2) with rows of 5 to 9 entries, its vertices numbered at random.
    Mesh,
    /// Quadratic finite elements on the mesh of geveler2011, numbered after Cuthill and McKee.
    Elements,
    /// The Laplacian of a graph whose vertices prefer neighbours with many edges: few very long rows.
    Graph,
    /// All entries.
    Dense,
}

/// Rows of the largest dense matrix: a million entries.
const MOST_DENSE: usize = 1000;
/// Refinements of the elements' mesh with more than a million unknowns.
const MOST_LEVELS: usize = 8;
/// Edges added with each vertex of a graph.
const EDGES: usize = 3;

impl Family {
    /// All families.
    pub const ALL: [Self; 6] =
        [Self::Box, Self::Grid, Self::Mesh, Self::Elements, Self::Graph, Self::Dense];

    /// Name in tables and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Grid => "grid",
            Self::Mesh => "mesh",
            Self::Elements => "elements",
            Self::Graph => "graph",
            Self::Dense => "dense",
        }
    }

    /// A matrix with about this number of rows; for a dense one, with about this number of entries.
    pub fn matrix(self, rows: usize) -> Result<Csr<f64>, BoxedError> {
        let side = |power: f64| (rows as f64).powf(power).round().max(2.0) as usize;
        Ok(match self {
            Self::Box => difference(side(1.0 / 3.0), 3)?,
            Self::Grid => difference(side(0.5), 2)?,
            Self::Mesh => {
                let mesh = torus(rows, 1);
                let connectivity = Connectivity::new(&mesh)?;
                let flow = assembly::System::of_flow(&mesh, &connectivity, 1.0)?.matrix;
                let mut order: Vec<u32> = (0..flow.rows() as u32).collect();
                SplitMix64::new(2).shuffle(&mut order);
                flow.permuted(&order, &order)
            }
            Self::Elements => {
                // Each refinement has four times the unknowns of the previous one: the first with more than
                // half is taken.
                let element = Element::Q2;
                let unknowns = |levels| {
                    let meshes = Setup::Circle.meshes(levels);
                    Space::new(&meshes[levels - 1], element).dimension()
                };
                let levels = (1..MOST_LEVELS).find(|&levels| 2 * unknowns(levels) > rows);
                let meshes = Setup::Circle.meshes(levels.unwrap_or(MOST_LEVELS));
                let finest = &meshes[meshes.len() - 1..];
                let order = Numbering::CuthillMcKee;
                let mut levels = Setup::Circle.discretise(finest, element, order)?;
                levels.matrices.swap_remove(0)
            }
            Self::Graph => graph(rows)?,
            Self::Dense => {
                let n = side(0.5).min(MOST_DENSE);
                let mut random = SplitMix64::new(3);
                let entries = (0..n * n).map(|k| (k / n, k % n, random.signed()));
                Csr::from_triplets(n, n, entries)?
            }
        })
    }
}

/// I plus the Laplacian of a graph after Barabási and Albert: each new vertex is joined to ends of edges drawn
/// at random, so the number of neighbours follows a power law.
fn graph(rows: usize) -> Result<Csr<f64>, CsrError> {
    let (mut random, mut ends) = (SplitMix64::new(4), vec![0]);
    let mut entries = vec![(0, 0, 1.0)];
    for vertex in 1..rows {
        entries.push((vertex, vertex, 1.0));
        let before = ends.len();
        for _ in 0..EDGES {
            let other = ends[random.below(before)];
            ends.extend([vertex, other]);
            for (a, b) in [(vertex, other), (other, vertex)] {
                entries.extend([(a, b, -1.0), (a, a, 1.0)]);
            }
        }
    }
    Csr::from_triplets(rows, rows, entries)
}

/// One matrix of a family, laid out and timed.
pub struct Member {
    /// Family.
    pub family: Family,
    /// Number of rows.
    pub rows: usize,
    /// One line per layout.
    pub section: Section,
}

impl Member {
    /// Times the product of a family's matrix with about this number of rows, in every layout for any matrix.
    fn new(
        machine: &Machine,
        family: Family,
        rows: usize,
        effort: Effort,
    ) -> Result<Self, BoxedError> {
        let matrix = family.matrix(rows)?;
        let (rows, entries) = (matrix.rows(), matrix.entries());
        let title = format!("{}: {rows} rows, {entries} entries", family.name());
        let lines = compare(machine, &matrix, Contest::of(&layouts()), effort)?;
        Ok(Self { family, rows, section: Section::of_products(title, &matrix, lines) })
    }
}

/// The usual layouts that hold any matrix.
fn layouts() -> Vec<Layout> {
    usual().into_iter().filter(|&layout| layout != WRAPPED).collect()
}

/// Numbers of rows from a thousand on, two per decade.
pub fn sizes(largest: usize) -> impl Iterator<Item = usize> {
    let sizes = (6..).map(|half| 10.0_f64.powf(f64::from(half) / 2.0).round() as usize);
    sizes.take_while(move |&rows| rows <= largest)
}

/// Times all families at one size, then at the next one. Matrices that are expected to take longer than the
/// rest of the limit in seconds are skipped and named. `shows` gets the next matrix and its expected time.
pub fn members(
    machine: &Machine,
    largest: usize,
    limit: f64,
    effort: Effort,
    mut shows: impl FnMut(Family, usize, f64),
) -> Result<(Vec<Member>, Vec<String>), BoxedError> {
    let (started, mut members, mut left_out) = (Instant::now(), Vec::<Member>::new(), Vec::new());
    let mut last = [0.0_f64; Family::ALL.len()];
    for rows in sizes(largest) {
        for (family, last) in Family::ALL.into_iter().zip(&mut last) {
            let expected = *last * 10.0_f64.sqrt();
            shows(family, rows, expected);
            if expected > limit - started.elapsed().as_secs_f64() {
                left_out.push(format!("{} with {rows} rows", family.name()));
                continue;
            }
            let begun = Instant::now();
            let made = Member::new(machine, family, rows, effort)?;
            *last = begun.elapsed().as_secs_f64();
            // Elements have no matrix between two refinements.
            let is_new = |other: &Member| (other.family, other.rows) != (family, made.rows);
            if members.iter().all(is_new) {
                members.push(made);
            }
        }
    }
    members.order_by_key(|member| (member.family as usize, member.rows));
    Ok((members, left_out))
}

/// The curves of a family: milliseconds of a product against rows, one series per layout.
pub fn curves(family: Family, members: &[Member]) -> Chart {
    let own = || members.iter().filter(|member| member.family == family);
    let mut names: Vec<&str> = Vec::new();
    for line in own().flat_map(|member| &member.section.lines) {
        if line.run.is_some() && !line.is_cpu() && !names.contains(&line.layout.as_str()) {
            names.push(&line.layout);
        }
    }
    let series = names.into_iter().map(|name| {
        let points = own().filter_map(|member| {
            let line = member.section.lines.iter().find(|line| line.layout == name)?;
            Some((member.rows as f64, 1e3 * line.run.as_ref()?.seconds))
        });
        Series::new(name, Style::LinePoints, points)
    });
    let axes = [Axis::logarithmic("rows"), Axis::logarithmic("ms on llvmpipe (CPU)")];
    Chart::new(format!("{}: one matrix–vector product", family.name()), axes, series)
}

/// Colour of a cell without a number.
const UNKNOWN: [u8; 3] = [0xdd, 0xdd, 0xdd];

/// Number in a map for each matrix and layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Seconds of a product, relative to the fastest layout of the matrix.
    Seconds,
    /// Bytes that a product moves through a texture cache of 8 KB, per useful byte.
    Moved,
}

impl Measure {
    fn title(self) -> &'static str {
        match self {
            Self::Seconds => "seconds of a product, relative to the fastest layout of the matrix",
            Self::Moved => "bytes moved through a cache of 8 KB (a card of 2003), per useful byte",
        }
    }

    /// The meaning of a grey cell.
    fn legend(self) -> &'static str {
        match self {
            Self::Seconds => {
                "grey: not known; × k: not timed, its textures have k times the bytes that the fastest product fetches"
            }
            Self::Moved => {
                "grey: not known; not traced: no card of 2003 could run it, or it has more than 16 million fetches"
            }
        }
    }

    fn of(self, section: &Section, line: &Line) -> Option<f64> {
        let run = line.run.as_ref().filter(|_| !line.is_cpu())?;
        match self {
            Self::Seconds => Some(run.seconds),
            Self::Moved => Some(run.bytes_moved.as_ref()?[1] as f64 / section.useful_bytes as f64),
        }
    }
}

/// The state of a layout without a number: left out with the factor of its bytes, too large for this machine, not this kind
/// of matrix, or not traced.
fn state(line: Option<&Line>, measure: Measure) -> String {
    let Some(line) = line else { return "not compared".to_owned() };
    match (line.left_out, &line.refused) {
        (Some(times), _) => format!("× {times}"),
        (None, Some(_)) if line.memory.bytes > 0 => "does not fit".to_owned(),
        (None, Some(_)) => "cannot hold it".to_owned(),
        (None, None) if measure == Measure::Moved => "not traced".to_owned(),
        (None, None) => "not timed".to_owned(),
    }
}

/// The map of all matrices and layouts as SVG. The colour of a layout compares it with the best of its matrix.
pub fn map(members: &[Member], measure: Measure) -> Result<String, PlotError> {
    const LEFT: f64 = 260.0;
    const CELL: [f64; 2] = [135.0, 34.0];
    const TOP: f64 = 120.0;
    let layouts = layouts();
    let width = LEFT + CELL[0] * layouts.len() as f64 + 20.0;
    let height = TOP + CELL[1] * members.len() as f64 + 20.0;
    let mut sheet = Sheet::vector(width as u32, height as u32);
    sheet.text(measure.title(), [20.0, 28.0], Align::Left, 26.0, INK)?;
    sheet.text(measure.legend(), [20.0, 60.0], Align::Left, 20.0, INK)?;
    for (column, layout) in layouts.iter().enumerate() {
        let x = LEFT + CELL[0] * (column as f64 + 0.5);
        sheet.text(layout.name, [x, TOP - 18.0], Align::Centre, 22.0, INK)?;
    }
    for (row, Member { family, rows, section }) in members.iter().enumerate() {
        let top = TOP + CELL[1] * row as f64;
        let name = format!("{} {rows}", family.name());
        sheet.text(&name, [20.0, top + CELL[1] / 2.0], Align::Left, 22.0, INK)?;
        let all = section.lines.iter().filter_map(|line| measure.of(section, line));
        let best = all.fold(f64::INFINITY, f64::min);
        for (column, layout) in layouts.iter().enumerate() {
            let line = section.lines.iter().find(|line| line.layout == layout.name);
            let from = [LEFT + CELL[0] * column as f64, top];
            let to = [from[0] + CELL[0] - 2.0, top + CELL[1] - 2.0];
            let value = line.and_then(|line| measure.of(section, line));
            // White for the best layout, full colour from ten times its value on.
            let of_value = |value: f64| {
                let share = (value / best).log10().min(1.0);
                blend([0xe8, 0xf4, 0xee], [0xe0, 0x9a, 0x6a], share)
            };
            sheet.fill(from, to, value.map_or(UNKNOWN, of_value));
            let middle = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
            let (text, size) = match (value, measure) {
                (Some(value), Measure::Seconds) => (format!("{:.1}", value / best), 20.0),
                (Some(value), Measure::Moved) => (format!("{value:.1}"), 20.0),
                (None, _) => (state(line, measure), 16.0),
            };
            sheet.text(&text, middle, Align::Centre, size, INK)?;
        }
    }
    Ok(sheet.svg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_the_rows_asked_for_and_the_lengths_that_they_are_named_for()
    -> Result<(), BoxedError> {
        let lengths = |matrix: &Csr<f64>| {
            let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
            [lengths.clone().min(), lengths.max()].map(Option::unwrap_or_default)
        };
        for (family, expected) in [
            (Family::Box, [4, 7]),
            (Family::Grid, [3, 5]),
            (Family::Mesh, [5, 9]),
            (Family::Dense, [32, 32]),
        ] {
            let matrix = family.matrix(1000)?;
            let rows = if family == Family::Dense { 32.0 } else { 1000.0 };
            assert!((matrix.rows() as f64 / rows - 1.0).abs() < 0.05, "{}", family.name());
            assert_eq!(lengths(&matrix), expected, "{}", family.name());
        }
        // Inner nodes of quadratic elements have at least 9 (in a cell), 15 (on an edge) or 25 (at a vertex)
        // neighbours.
        assert!(lengths(&Family::Elements.matrix(1000)?)[1] >= 25);
        Ok(())
    }

    #[test]
    fn a_map_has_a_state_of_its_own_for_each_reason_why_a_number_is_missing() {
        let line = |bytes, left_out, why: Option<&str>| {
            let mut line = Line { left_out, refused: why.map(str::to_owned), ..Line::default() };
            line.memory.bytes = bytes;
            line
        };
        let of = |line: &Line, measure| state(Some(line), measure);
        let long = line(9, Some(275), Some("its textures have 275 times the bytes"));
        assert_eq!(of(&long, Measure::Seconds), "× 275");
        let large = line(9, None, Some("needs a texture of 99999x9 texels"));
        assert_eq!(of(&large, Measure::Seconds), "does not fit");
        assert_eq!(of(&line(0, None, Some("two diagonals")), Measure::Seconds), "cannot hold it");
        assert_eq!(of(&line(9, None, None), Measure::Moved), "not traced");
    }

    #[test]
    fn a_graph_s_matrix_is_one_plus_a_laplacian_with_few_long_rows() -> Result<(), BoxedError> {
        let graph = Family::Graph.matrix(3000)?;
        for row in 0..graph.rows() {
            let sum: f64 = graph.row(row).map(|(_, value)| value).sum();
            assert_eq!(sum, 1.0);
        }
        assert_eq!(graph.first_asymmetry(0.0), None);
        let mut lengths: Vec<usize> = (0..graph.rows()).map(|row| graph.row_length(row)).collect();
        lengths.sort_unstable();
        assert!(lengths[1500] <= 6 && lengths[2999] >= 50, "{:?}", &lengths[2990..]);
        Ok(())
    }
}
