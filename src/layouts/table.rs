//! The lines as text, and as comma-separated values.

use std::collections::BTreeMap;

use crate::card::cost::CARDS;

use super::race::{Line, Run, Section};
use super::textures::Texture;

/// What stands between two columns.
const GAP: &str = "  ";

/// A section as text: in memory, one run, and the cards' model. What was refused has its reason in place
/// of numbers.
pub fn text(section: &Section) -> String {
    let Section {
        title,
        run: what,
        lines,
    } = section;
    let memory = lines.iter().map(memory_cells).collect();
    let run = lines
        .iter()
        .filter_map(|line| Some(run_cells(line, line.run.as_ref()?)));
    let cards = lines.iter().filter_map(|line| {
        let run = line.run.as_ref()?;
        (line.from != "CPU").then(|| card_cells(line, run))
    });
    let names = CARDS.map(|card| card.device.name);
    let mut text = format!("{title}\n\n");
    text += &aligned(
        &["in memory", "from", "bytes", "padding", "textures"],
        memory,
    );
    for line in lines {
        if let Some(why) = &line.refused {
            text += &format!("{}: not timed: {why}\n", line.layout);
        }
    }
    let is_solve = lines.iter().any(|line| line.iterations.is_some());
    let one = format!("one {what}");
    let headings = [
        one.as_str(),
        match is_solve {
            true => "iterations",
            false => "programs",
        },
        "passes",
        "fragments",
        "fetches",
        "targets",
        "buffers",
        "ms",
        "GB/s",
        "ceiling",
        "error",
    ];
    text += "\n";
    text += &aligned(&headings, run.collect());
    text += "\n";
    let headings = [&["model of 2003 (ms)"], &names[..]].concat();
    text += &aligned(&headings, cards.collect());
    text
}

fn memory_cells(line: &Line) -> Vec<String> {
    let is_there = line.memory.bytes > 0;
    vec![
        line.layout.clone(),
        line.from.clone(),
        if is_there {
            bytes(line.memory.bytes)
        } else {
            String::new()
        },
        match line.memory.padding {
            Some(padding) => format!("{:.1} %", 100.0 * padding),
            None => String::new(),
        },
        textures(&line.memory.textures),
    ]
}

fn run_cells(line: &Line, run: &Run) -> Vec<String> {
    let count = |count: u64| match line.from == "CPU" {
        true => String::new(),
        false => count.to_string(),
    };
    vec![
        line.layout.clone(),
        match line.iterations {
            Some(iterations) => iterations.to_string(),
            None => count(run.programs as u64),
        },
        count(run.passes),
        count(run.fragments),
        count(run.fetches),
        count(run.target_switches),
        count(run.buffer_switches),
        format!("{:.3}", 1e3 * run.seconds),
        format!("{:.2}", 1e-9 * run.bytes_a_second),
        run.of_ceiling
            .map_or_else(String::new, |share| format!("{share:.2}")),
        run.error
            .map_or_else(String::new, |error| format!("{error:.1e}")),
    ]
}

fn card_cells(line: &Line, run: &Run) -> Vec<String> {
    let cells = (0..CARDS.len()).map(|card| match run.cards {
        Some(seconds) => format!("{:.3}", 1e3 * seconds[card]),
        None => "no program".to_owned(),
    });
    [line.layout.clone()].into_iter().chain(cells).collect()
}

/// As in `1.2 MB`.
pub fn bytes(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        0.0..1e3 => format!("{bytes} B"),
        1e3..1e6 => format!("{:.1} kB", 1e-3 * bytes),
        1e6..1e9 => format!("{:.1} MB", 1e-6 * bytes),
        _ => format!("{:.1} GB", 1e-9 * bytes),
    }
}

/// Textures of one size and format together, as in `5 of 31x31 R32F, 64x70 R32F`.
fn textures(textures: &[Texture]) -> String {
    let mut counts: BTreeMap<(u64, u64, String), usize> = BTreeMap::new();
    for texture in textures {
        let key = (texture.width, texture.height, texture.format.to_string());
        *counts.entry(key).or_default() += 1;
    }
    let each = counts.into_iter().map(|((width, height, format), count)| {
        let times = if count > 1 {
            format!("{count} of ")
        } else {
            String::new()
        };
        format!("{times}{width}x{height} {format}")
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Columns, those of text to the left, those of numbers to the right.
fn aligned(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let headings: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
    let all = || [&headings].into_iter().chain(&rows);
    let width = |column: usize| {
        let cells = all().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let is_text =
        |column: usize| column == 0 || matches!(headings[column].as_str(), "from" | "textures");
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .enumerate()
            .map(|(column, cell)| match is_text(column) {
                true => format!("{cell:<0$}", width(column)),
                false => format!("{cell:>0$}", width(column)),
            });
        format!("{}\n", cells.collect::<Vec<_>>().join(GAP).trim_end())
    };
    all().map(line).collect()
}

/// The names of the columns of [`csv`].
pub fn csv_names() -> String {
    let cards = CARDS
        .map(|card| format!(",{} (s)", card.device.name))
        .concat();
    format!(
        "section,layout,from,textures,bytes,padding,refused,iterations,programs,passes,fragments,fetches,target_switches,buffer_switches,\
         seconds,bytes_per_second,of_ceiling,error{cards}"
    )
}

/// A text that may hold commas.
fn quoted(text: &str) -> String {
    match text.contains(',') {
        true => format!("\"{text}\""),
        false => text.to_owned(),
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:e}"))
}

/// The lines of a section as comma-separated values.
pub fn csv(section: &Section) -> impl Iterator<Item = String> {
    section.lines.iter().map(|line| csv_line(section, line))
}

fn csv_line(section: &Section, line: &Line) -> String {
    let memory = &line.memory;
    let refused = line.refused.as_deref().unwrap_or_default();
    let own = format!(
        "\"{}\",{},\"{}\",\"{}\",{},{},\"{}\"",
        section.title,
        quoted(&line.layout),
        line.from,
        textures(&memory.textures),
        memory.bytes,
        number(memory.padding),
        refused.replace('"', "'"),
    );
    let Some(run) = &line.run else {
        return own + &",".repeat(11 + CARDS.len());
    };
    let cards = (0..CARDS.len()).map(|card| number(run.cards.map(|seconds| seconds[card])));
    let cards: Vec<String> = cards.collect();
    format!(
        "{own},{},{},{},{},{},{},{},{:e},{:e},{},{},{}",
        line.iterations.map_or_else(String::new, |n| n.to_string()),
        run.programs,
        run.passes,
        run.fragments,
        run.fetches,
        run.target_switches,
        run.buffer_switches,
        run.seconds,
        run.bytes_a_second,
        number(run.of_ceiling),
        number(run.error),
        cards.join(",")
    )
}
