//! The lines as text, and as comma-separated values.

#[cfg(feature = "plot")]
use serde_json::{Map, Value, json};

use crate::base::columns::aligned;
use crate::base::memory::in_words;
use crate::base::order::ShortSort;
#[cfg(feature = "plot")]
use crate::base::table::{Cell, Table, read_csv};
use crate::card::cost::CARDS;

use super::answer::{Advice, answer};
use super::{CACHES, Line, Run, Section};

/// A column of a table: its heading, and its cell for a layout.
type Column = (&'static str, fn(&Line, &Run) -> String);

const TIMES: [Column; 5] = [
    ("ms", |_, run| format!("{:.3}", 1e3 * run.seconds)),
    // Several uploads have an interval.
    ("95 %", |_, run| {
        let range = || format!("{:.3}–{:.3}", 1e3 * run.seconds_low, 1e3 * run.seconds_high);
        cell(run.of_fastest.filter(|ratio| ratio.processes > 1), |_| range())
    }),
    ("GB/s", |_, run| format!("{:.2}", 1e-9 * run.bytes_per_second)),
    ("ceiling", |_, run| cell(run.of_ceiling, |share| format!("{share:.2}"))),
    ("error", |_, run| cell(run.error, |error| format!("{error:.1e}"))),
];

const WORK: [Column; 5] = [
    ("passes", |_, run| run.passes.to_string()),
    ("fragments", |_, run| run.fragments.to_string()),
    ("fetches", |_, run| run.fetches.to_string()),
    ("targets", |_, run| run.target_switches.to_string()),
    ("buffers", |_, run| run.buffer_switches.to_string()),
];
const PROGRAMS: Column = ("programs", |_, run| run.programs.to_string());
const STEPS: Column = ("steps", |line, _| cell(line.iterations, |steps| steps.to_string()));

/// The longest name of a layout for which there is room for the number of programs.
const SHORT: usize = 20;

/// A section as text of at most this width: memory, time and work of one run, the cards' model, bytes moved. Refused
/// layouts have the reason instead of numbers.
pub fn text(section: &Section, width: usize) -> String {
    let Section { title, run: one, lines, features, useful_bytes, .. } = section;
    let mut ran: Vec<(&Line, &Run)> =
        lines.iter().filter_map(|line| Some((line, line.run.as_ref()?))).collect();
    // The CPU's lines come last: they show the cost of textures, and are not candidates.
    ran.order_by(|(a, first), (b, second)| {
        a.is_cpu().cmp(&b.is_cpu()).then(first.seconds.total_cmp(&second.seconds))
    });
    let in_textures: Vec<_> = ran.iter().copied().filter(|(line, _)| !line.is_cpu()).collect();
    let refused = lines.iter().filter_map(|line| {
        Some(format!("{}: not timed: {}\n", line.layout, line.refused.as_ref()?))
    });
    let refused: String = refused.collect();
    let stopped = ran.iter().filter(|(_, run)| run.is_stopped);
    let stopped: String =
        stopped.map(|(line, _)| format!("{}: stopped after two rounds\n", line.layout)).collect();

    let memory = in_memory(lines, width);
    let advice = answer(section);
    let times = table(&format!("one {one}"), &TIMES, &ran, &advice, width);
    let second = match ran.first() {
        Some((line, _)) if line.iterations.is_some() => Some(STEPS),
        _ if in_textures.iter().any(|(line, _)| line.layout.chars().count() > SHORT) => None,
        _ => Some(PROGRAMS),
    };
    let work: Vec<Column> = second.into_iter().chain(WORK).collect();
    let work = table("its work", &work, &in_textures, &advice, width);

    let names = CARDS.map(|card| {
        let name = card.device.name;
        name.find("FX").map_or(name, |at| &name[at..])
    });
    let is_cycle = one == "cycle";
    let cells = in_textures.iter().map(|(line, run)| card_cells(line, run, is_cycle)).collect();
    let head = [&["model of 2003, ms"], &names[..]].concat();
    let cards = aligned(&head, cells, |column| column == 0, width);
    let notes = [
        (ran.iter().any(|(_, run)| run.is_scattered && run.cards.is_some()), "scattered fetches"),
        (is_cycle, "V-cycles"),
    ];
    let notes = notes.iter().filter(|(applies, _)| *applies);
    let notes: String =
        notes.map(|(_, what)| format!("~: the model was not fitted to {what}\n")).collect();
    let moved = moved(&in_textures, *useful_bytes, width);
    let features = if features.is_empty() { String::new() } else { format!("{features}\n") };
    format!(
        "{title}\n{features}\n{memory}{refused}\n{times}{stopped}\n{work}\n{cards}{notes}{moved}\n{}\n",
        advice.text
    )
}

/// A table of runs, the fastest first. The advised one is marked.
fn table(
    title: &str,
    columns: &[Column],
    ran: &[(&Line, &Run)],
    advice: &Advice,
    width: usize,
) -> String {
    let mut head = vec![title];
    head.extend(columns.iter().map(|(name, _)| *name));
    let row = |&(line, run): &(&Line, &Run)| -> Vec<String> {
        let is_advised = advice.here.as_ref() == Some(&line.layout);
        let name = format!("{}{}", line.layout, if is_advised { " *" } else { "" });
        [name].into_iter().chain(columns.iter().map(|(_, cell)| cell(line, run))).collect()
    };
    aligned(&head, ran.iter().map(row).collect(), |column| column == 0, width)
}

/// Bytes moved through texture caches, as a table; empty if nothing was traced.
fn moved(ran: &[(&Line, &Run)], useful_bytes: u64, width: usize) -> String {
    let traced = ran.iter().filter_map(|(line, run)| {
        let moved = run.bytes_moved.as_ref()?.iter();
        let shares = moved.map(|&bytes| format!("{:.2}", bytes as f64 / useful_bytes as f64));
        Some([line.layout.clone()].into_iter().chain(shares).collect())
    });
    let traced: Vec<Vec<String>> = traced.collect();
    if traced.is_empty() {
        return String::new();
    }
    let sizes = CACHES.map(|kb| format!("{kb} KB"));
    let head = ["moved per useful byte", &sizes[0], &sizes[1], &sizes[2]];
    let table = aligned(&head, traced, |column| column == 0, width);
    format!("\n{table}(texture caches of 2003, batch by batch)\n")
}

/// The table of memory.
fn in_memory(lines: &[Line], width: usize) -> String {
    let head = ["in memory", "from", "bytes", "padding", "textures"];
    let cells = lines.iter().map(|Line { layout, from, memory, .. }| {
        let size = (memory.bytes > 0).then_some(memory.bytes);
        let padding = cell(memory.padding, |padding| format!("{:.1} %", 100.0 * padding));
        vec![layout.clone(), from.clone(), cell(size, in_words), padding, memory.textures.clone()]
    });
    aligned(&head, cells.collect(), |column| [0, 1, 4].contains(&column), width)
}

fn card_cells(line: &Line, run: &Run, is_cycle: bool) -> Vec<String> {
    let sign = if run.is_scattered || is_cycle { "~" } else { "" };
    let cells = (0..CARDS.len()).map(|card| match run.cards {
        Some(seconds) => format!("{sign}{:.3}", 1e3 * seconds[card]),
        None => "no program".to_owned(),
    });
    [line.layout.clone()].into_iter().chain(cells).collect()
}

fn cell<T>(value: Option<T>, format: impl Fn(T) -> String) -> String {
    value.map(format).unwrap_or_default()
}

/// Sections as comma-separated values, a layout per line, and on each their number. Columns are named as in JSON:
/// `run.seconds` is `seconds` in `run`.
#[cfg(feature = "plot")]
pub fn csv(sections: &[Section]) -> String {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    let count = sections.iter().map(|section| section.lines.len()).sum::<usize>();
    for section in sections {
        let mut own = Map::new();
        flatten(&mut own, "", &json!(section));
        own.insert(COUNT.to_owned(), count.into());
        for line in &section.lines {
            let mut row = own.clone();
            flatten(&mut row, "", &json!(line));
            rows.push(row);
        }
    }
    let mut columns: Vec<&String> = Vec::new();
    for name in rows.iter().flat_map(Map::keys) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let mut table = Table::new("", columns.iter().map(|&name| name.clone()));
    for row in &rows {
        table.push(columns.iter().map(|&name| match &row.get(name) {
            Some(Value::Number(number)) => number.as_f64().into(),
            Some(Value::String(text)) => text.as_str().into(),
            Some(Value::Bool(value)) => value.to_string().into(),
            _ => Cell::Missing,
        }));
    }
    table.csv()
}

/// Column with the number of lines, by which a part of a table is known; tables of older versions have none.
#[cfg(feature = "plot")]
const COUNT: &str = "lines_of_table";

/// Reads what [`csv`] writes, except for features and times of rounds.
///
/// # Errors
/// The reason why the text is not a table, or not a whole one.
#[cfg(feature = "plot")]
pub fn read(text: &str) -> Result<Vec<Section>, String> {
    let mut lines = read_csv(text).into_iter();
    let names = lines.next().unwrap_or_default();
    let (found, mut announced) = (lines.len(), None);
    let mut sections: Vec<Section> = Vec::new();
    for cells in lines {
        // Both have a `run`.
        let (mut own, mut line) = (json!({}), json!({}));
        for (name, cell) in names.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let first = name.split('.').next().unwrap_or_default();
            let is_own = ["title", "run", "useful_bytes", "features", COUNT].contains(&&**name)
                || ["twins", "origin"].contains(&first);
            let into = if is_own { &mut own } else { &mut line };
            let place = name.split('.').fold(into, |place, name| &mut place[name]);
            // A commit may consist of digits.
            let is_text = first == "origin" && !["true", "false"].contains(&&*cell);
            let value = if is_text { None } else { serde_json::from_str(&cell).ok() };
            *place = value.unwrap_or(Value::String(cell));
        }
        announced = own[COUNT].as_u64().or(announced);
        let not_one = |error: serde_json::Error| format!("not a table of layouts ({error})");
        let line: Line = serde_json::from_value(line).map_err(not_one)?;
        let own: Section = serde_json::from_value(own).map_err(not_one)?;
        match sections.last_mut().filter(|last| (&last.title, &last.run) == (&own.title, &own.run))
        {
            Some(last) => last.lines.push(line),
            None => sections.push(Section { lines: vec![line], ..own }),
        }
    }
    match announced {
        Some(all) if all != found as u64 => {
            Err(format!("a part of a table, {found} of {all} lines"))
        }
        _ => Ok(sections),
    }
}

/// The number of a line in the column with this name, blanks left out.
#[cfg(feature = "plot")]
pub(super) fn number(line: &Line, column: &str) -> Option<f64> {
    let mut row = Map::new();
    flatten(&mut row, "", &json!(line));
    row.iter().find(|(name, _)| name.replace(' ', "") == column)?.1.as_f64()
}

/// Adds the values of an object, and those of objects in it. Lists are left out.
#[cfg(feature = "plot")]
fn flatten(into: &mut Map<String, Value>, prefix: &str, value: &Value) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let name = format!("{prefix}{name}");
        match value {
            Value::Object(_) => flatten(into, &format!("{name}."), value),
            Value::Array(_) => {}
            _ => drop(into.insert(name, value.clone())),
        }
    }
}
