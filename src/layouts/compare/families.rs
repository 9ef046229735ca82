//! Families of matrices from a thousand to a million rows, in every layout: curves over the number of rows,
//! and two maps of all.

use std::collections::BTreeSet;

use web_time::Instant;

use crate::base::error::BoxedError;
use crate::base::interval::range;
use crate::base::order::ShortSort;
use crate::layouts::named::Family;
use crate::layouts::{Layout, WRAPPED, usual};
use crate::picture::plot::{Axis, Chart, PlotError, Series, Style};
use crate::picture::sheet::{Align, INK, Sheet, blend};
use crate::stream::Machine;
use crate::timing::{Effort, Origin};

use super::answer::answer;
use super::products::{Contest, compare};
use super::table::{number, read};
use super::{Line, Section};

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
        let origin = Some(Origin::of(machine));
        let raced = compare(machine, &matrix, Contest::of(&layouts()), effort)?;
        let section = Section { origin, ..Section::of_products(title, &matrix, raced) };
        Ok(Self { family, rows, section })
    }

    /// A matrix by the title of its section.
    fn of(section: Section) -> Option<Self> {
        let (family, rest) = section.title.split_once(": ")?;
        let family = Family::ALL.into_iter().find(|one| one.name() == family)?;
        Some(Self { family, rows: rest.split_once(" rows, ")?.0.parse().ok()?, section })
    }
}

/// Reads the `families.csv` of a run.
///
/// # Errors
/// The reason why the text is not one.
pub fn stored(csv: &str) -> Result<Vec<Member>, String> {
    let members: Option<Vec<Member>> = read(csv)?.into_iter().map(Member::of).collect();
    let members = members.filter(|members| !members.is_empty());
    members.ok_or_else(|| "not a table of families".to_owned())
}

/// The text of a factor between layouts, by its formula: a column, a quotient of two layouts, families, the smallest number
/// of rows, and optionally the largest. `run.seconds rows/quarters box,grid 30000` is the smallest and the largest quotient over
/// these matrices. `fastest` is the fastest layout in textures, `useful` the useful bytes; ± takes the larger of a quotient and
/// its inverse, and rounds it up. `2003 layout mesh,elements 2000` are the layouts that [`answer`] names first for a card of
/// 2003. `None` for another formula, and without such matrices.
pub fn factor(members: &[Member], formula: &str) -> Option<String> {
    let mut words = formula.split(' ');
    let [column, quotient, families] = [words.next()?, words.next()?, words.next()?];
    let rows: Vec<usize> = words.map(|rows| rows.parse().ok()).collect::<Option<_>>()?;
    let (&least, most) = (rows.first()?, rows.get(1).copied().unwrap_or(usize::MAX));
    let is_meant = |member: &&Member| {
        (least..=most).contains(&member.rows)
            && families.split(',').any(|family| family == member.family.name())
    };
    let meant = members.iter().filter(is_meant);
    if column == "2003" {
        let mut named: Vec<String> = Vec::new();
        for name in meant.filter_map(|member| answer(&member.section).on_2003) {
            let name = format!("`{name}`");
            named.extend((!named.contains(&name)).then_some(name));
        }
        return (!named.is_empty()).then(|| named.join(" or "));
    }
    let (a, b) = quotient.trim_start_matches('±').split_once('/')?;
    let value = |Member { section, .. }: &Member, layout: &str| {
        if layout == "useful" {
            return Some(section.useful_bytes as f64);
        }
        let is_meant = |line: &&Line| match layout {
            "fastest" => !line.is_cpu(),
            _ => line.layout.replace(' ', "") == layout,
        };
        let lines = section.lines.iter().filter(is_meant);
        lines.filter_map(|line| number(line, column)).reduce(f64::min)
    };
    let [low, high] = range(meant.filter_map(|member| Some(value(member, a)? / value(member, b)?)));
    let digits = |value: f64| format!("{value:.*}", usize::from(value < 9.95));
    Some(match [low, high].map(digits) {
        _ if low > high => return None,
        _ if quotient.starts_with('±') => digits((10.0 * high.max(1.0 / low)).ceil() / 10.0),
        [low, high] if low == high => low,
        [low, high] => format!("{low} to {high}"),
    })
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

/// The curves of a family: a measure per useful byte against rows, one series per layout.
pub fn curves(family: Family, members: &[Member], measure: Measure) -> Chart {
    let own = || members.iter().filter(|member| member.family == family);
    let of = |layout: Layout| {
        let points = own().filter_map(|Member { rows, section, .. }| {
            let line = section.lines.iter().find(|line| line.layout == layout.name)?;
            let value = measure.of(section, line)?;
            let unit =
                if measure == Measure::Seconds { 1e12 / section.useful_bytes as f64 } else { 1.0 };
            Some((*rows as f64, unit * value))
        });
        Series::new(layout.name, Style::LinePoints, points)
    };
    let series = layouts().into_iter().map(of).filter(|series| !series.points.is_empty());
    let (what, axis) = match measure {
        Measure::Seconds => ("one matrix–vector product", "picoseconds per useful byte"),
        Measure::Moved => ("a card of 2003", "bytes through 8 KB per useful byte"),
        Measure::Fetches => ("one matrix–vector product", "fetches per useful byte"),
    };
    let axes = [Axis::logarithmic("rows"), Axis::logarithmic(axis)];
    Chart::new(format!("{}: {what}", family.name()), axes, series)
}

/// Colour of a cell without a number.
const UNKNOWN: [u8; 3] = [0xdd, 0xdd, 0xdd];

/// Number in a map or a curve for each matrix and layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Seconds of a product, relative to the fastest layout of the matrix.
    Seconds,
    /// Bytes that a product moves through a texture cache of 8 KB, per useful byte.
    Moved,
    /// Fetches of a product, per useful byte.
    Fetches,
}

impl Measure {
    fn title(self) -> &'static str {
        match self {
            Self::Seconds => "seconds of a product, relative to the fastest layout of the matrix",
            Self::Moved => "bytes moved through a cache of 8 KB (a card of 2003), per useful byte",
            Self::Fetches => "fetches per useful byte",
        }
    }

    /// The meaning of a grey cell.
    fn legend(self) -> &'static str {
        match self {
            Self::Seconds | Self::Fetches => {
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
            Self::Fetches => Some(run.fetches as f64 / section.useful_bytes as f64),
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

/// The maps of all matrices and layouts as SVG, side by side, of the runs with these names. The colour of a layout compares it
/// with the best of its matrix in the same run.
pub fn maps(runs: &[(&str, &[Member])], measure: Measure) -> Result<String, PlotError> {
    const LEFT: f64 = 260.0;
    const CELL: [f64; 2] = [135.0, 34.0];
    const NAME: f64 = 30.0;
    let layouts = layouts();
    let is_single = runs.len() == 1;
    let top = if is_single { 120.0 } else { 120.0 + NAME };
    let side = CELL[0] * layouts.len() as f64 + 20.0;
    let members = || runs.iter().flat_map(|(_, members)| *members);
    let matrices: BTreeSet<_> = members().map(|one| (one.family as usize, one.rows)).collect();
    let width = LEFT + side * runs.len() as f64;
    let height = top + CELL[1] * matrices.len() as f64 + 20.0;
    let mut sheet = Sheet::vector(width as u32, height as u32);
    sheet.text(measure.title(), [20.0, 28.0], Align::Left, 26.0, INK)?;
    sheet.text(measure.legend(), [20.0, 60.0], Align::Left, 20.0, INK)?;
    let row = |of: (usize, usize)| top + CELL[1] * matrices.range(..of).count() as f64;
    for &(family, rows) in &matrices {
        let name = format!("{} {rows}", Family::ALL[family].name());
        let middle = row((family, rows)) + CELL[1] / 2.0;
        sheet.text(&name, [20.0, middle], Align::Left, 22.0, INK)?;
    }
    for (number, (name, members)) in runs.iter().enumerate() {
        let left = LEFT + side * number as f64;
        if !is_single {
            sheet.text(name, [left, top - 18.0 - NAME], Align::Left, 22.0, INK)?;
        }
        for (column, layout) in layouts.iter().enumerate() {
            let x = left + CELL[0] * (column as f64 + 0.5);
            sheet.text(layout.name, [x, top - 18.0], Align::Centre, 22.0, INK)?;
        }
        for Member { family, rows, section } in *members {
            let all = section.lines.iter().filter_map(|line| measure.of(section, line));
            let best = all.fold(f64::INFINITY, f64::min);
            for (column, layout) in layouts.iter().enumerate() {
                let line = section.lines.iter().find(|line| line.layout == layout.name);
                let from = [left + CELL[0] * column as f64, row((*family as usize, *rows))];
                let to = [from[0] + CELL[0] - 2.0, from[1] + CELL[1] - 2.0];
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
                    (Some(value), _) => (format!("{value:.1}"), 20.0),
                    (None, _) => (state(line, measure), 16.0),
                };
                sheet.text(&text, middle, Align::Centre, size, INK)?;
            }
        }
    }
    Ok(sheet.svg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::cost::CARDS;
    use crate::layouts::compare::table::csv;
    use crate::layouts::compare::{Raced, Run};
    use crate::timing::Interval;

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

    /// A matrix with these milliseconds of layouts.
    fn member(title: &str, useful_bytes: u64, of: &[(&str, f64)]) -> Member {
        let lines = of.iter().map(|&(layout, ms)| {
            let run = Run { seconds: 1e-3 * ms, fetches: 7, ..Run::default() };
            Line {
                run: Some(run),
                ..Line::new(layout, if layout.contains("core") { "CPU" } else { "" })
            }
        });
        let raced = Raced { lines: lines.collect(), twins: None };
        let section = Section::new(title.to_owned(), "product", useful_bytes as usize, raced);
        Member::of(section).expect("a title")
    }

    #[test]
    fn factors_are_quotients_over_the_named_matrices() {
        let cpu = ("CSR, one core", 0.5);
        let members = [
            member("grid: 100 rows, 9 entries", 8, &[("rows", 9.0), ("quarters", 1.0), cpu]),
            member("grid: 1000 rows, 9 entries", 8, &[("rows", 6.0), ("quarters", 4.0), cpu]),
            member("box: 900 rows, 9 entries", 8, &[("rows", 2.0), ("quarters", 4.0), cpu]),
            member("mesh: 900 rows, 9 entries", 8, &[("rows", 70.0), ("quarters", 1.0), cpu]),
        ];
        for (formula, expected) in [
            ("run.seconds rows/quarters grid 0", Some("1.5 to 9.0")),
            ("run.seconds rows/quarters grid,box 500", Some("0.5 to 1.5")),
            ("run.seconds rows/quarters grid 0 100", Some("9.0")),
            ("run.seconds ±rows/fastest box,grid 500", Some("1.5")),
            ("run.seconds ±rows/quarters box 500", Some("2.0")),
            ("run.seconds rows/CSR,onecore mesh 500", Some("140")),
            ("run.fetches rows/useful mesh 500", Some("0.9")),
            ("run.seconds rows/quarters dense 0", None),
            ("run.seconds rows/columns grid 0", None),
            ("run.seconds rows grid 0", None),
        ] {
            assert_eq!(factor(&members, formula).as_deref(), expected, "{formula}");
        }
    }

    #[test]
    fn a_stored_table_is_read_as_it_was_written_and_drawn_beside_another() {
        let mut first =
            member("grid: 1000 rows, 9 entries", 800, &[("rows", 6.0), ("quarters", 4.0)]);
        let run = first.section.lines[0].run.as_mut().expect("a run");
        (run.bytes_moved, run.cards) = (Some(vec![3, 2, 1]), Some([0.5; CARDS.len()]));
        first.section.lines[1].refused = Some("2.4 GB, \"too large\"".to_owned());
        first.section.lines[1].memory.bytes = 9;
        let origin = Origin { commit: "37074522".to_owned(), is_busy: true, ..Origin::default() };
        first.section.origin = Some(origin);
        first.section.twins = Some(Interval { processes: 4, ..Interval::from([0.5, 1.5]) });
        let table = csv(std::slice::from_ref(&first.section));
        let part: Vec<&str> = table.lines().take(2).collect();
        assert_eq!(
            stored(&part.join("\n")).err().as_deref(),
            Some("a part of a table, 1 of 2 lines")
        );
        let again = stored(&table).expect("a table");
        assert_eq!((again[0].family, again[0].rows), (Family::Grid, 1000));
        assert_eq!(again[0].section, first.section);
        assert!(stored("name,value\na,1\n").is_err() && stored("").is_err());
        let other = member("mesh: 50 rows, 9 entries", 800, &[("rows", 6.0)]);
        let svg = maps(&[("here", &again), ("there", &[other])], Measure::Seconds).expect("a map");
        for text in ["here", "there", "grid 1000", "mesh 50", "1.5", "not compared"] {
            assert!(svg.contains(text), "{text}");
        }
        let fetches = curves(Family::Grid, &again, Measure::Fetches);
        assert_eq!(fetches.series[0].points, [(1000.0, 7.0 / 800.0)]);
    }
}
