//! The lines as text, and as comma-separated values.

use std::collections::BTreeMap;

use crate::card::cost::CARDS;
#[cfg(feature = "plot")]
use crate::claim::{Cell, Table};
use crate::columns::aligned;
use crate::memory::in_words;

use super::answer::answer;
use super::{CACHES, Line, Run, Section, Texture};

/// A section as text: memory, one run, and the cards' model. Refused layouts have the reason instead of
/// numbers.
pub fn text(section: &Section) -> String {
    let Section { title, run, lines, features, useful_bytes } = section;
    let ran = || lines.iter().filter_map(|l| Some((l, l.run.as_ref()?)));
    let is_solve = lines.iter().any(|line| line.iterations.is_some());
    let one = format!("one {run}");
    let second = if is_solve { "iterations" } else { "programs" };
    let memory = ["in memory", "from", "bytes", "padding", "textures"];
    let counts = [
        &one,
        second,
        "passes",
        "fragments",
        "fetches",
        "targets",
        "buffers",
        "ms",
        "95 %",
        "GB/s",
        "ceiling",
        "error",
    ];
    let names = CARDS.map(|card| card.device.name);
    let cards = [&["model of 2003 (ms)"], &names[..]].concat();
    let refused = lines.iter().filter_map(|line| {
        let why = line.refused.as_ref()?;
        Some(format!("{}: not timed: {why}\n", line.layout))
    });
    let refused: String = refused.collect();
    let memory = aligned(&memory, lines.iter().map(memory_cells).collect(), |column| {
        [0, 1, 4].contains(&column)
    });
    let mut sorted: Vec<(&Line, &Run)> = ran().collect();
    // The CPU's lines come last: they show the cost of textures, and are not candidates.
    sorted.sort_by(|(a, first), (b, second)| {
        let is_cpu = (a.from == "CPU").cmp(&(b.from == "CPU"));
        is_cpu.then(first.seconds.total_cmp(&second.seconds))
    });
    let cells = sorted.iter().enumerate();
    let cells = cells.map(|(place, (line, run))| run_cells(line, run, place == 0));
    let counts = aligned(&counts, cells.collect(), |column| column == 0);
    let modelled = ran().filter(|(line, _)| line.from != "CPU");
    let cards = aligned(
        &cards,
        modelled.map(|(l, r)| card_cells(l, r, run == "cycle")).collect(),
        |column| column == 0,
    );
    let is_cycle = run == "cycle";
    let notes = [
        (ran().any(|(_, run)| run.is_scattered && run.cards.is_some()), "scattered fetches"),
        (is_cycle, "V-cycles"),
    ];
    let notes = notes.iter().filter(|(applies, _)| *applies);
    let notes: String =
        notes.map(|(_, what)| format!("~: the model was not fitted to {what}\n")).collect();
    let stopped = ran().filter(|(_, run)| run.is_stopped);
    let stopped: String =
        stopped.map(|(line, _)| format!("{}: stopped after one round\n", line.layout)).collect();
    let moved = moved(&sorted, *useful_bytes);
    let features = if features.is_empty() { String::new() } else { format!("{features}\n") };
    let answer = answer(section);
    format!(
        "{title}\n{features}\n{memory}{refused}\n{counts}{stopped}\n{cards}{notes}{moved}\n{answer}\n"
    )
}

/// Bytes moved through texture caches, as a table; empty if nothing was traced.
fn moved(sorted: &[(&Line, &Run)], useful_bytes: u64) -> String {
    let traced = sorted.iter().filter_map(|(line, run)| {
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
    let table = aligned(&head, traced, |column| column == 0);
    format!("\n{table}(texture caches of 2003, batch by batch)\n")
}

fn memory_cells(line: &Line) -> Vec<String> {
    let memory = &line.memory;
    let size = (memory.bytes > 0).then_some(memory.bytes);
    vec![
        line.layout.clone(),
        line.from.clone(),
        size.map(in_words).unwrap_or_default(),
        cell(memory.padding, |padding| format!("{:.1} %", 100.0 * padding)),
        textures(&memory.textures),
    ]
}

fn run_cells(line: &Line, run: &Run, is_fastest: bool) -> Vec<String> {
    let count = |count: u64| match line.from.as_str() {
        "CPU" => String::new(),
        _ => count.to_string(),
    };
    vec![
        format!("{}{}", line.layout, if is_fastest { " *" } else { "" }),
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
        format!("{:.3}–{:.3}", 1e3 * run.interval[0], 1e3 * run.interval[1]),
        format!("{:.2}", 1e-9 * run.bytes_a_second),
        cell(run.of_ceiling, |share| format!("{share:.2}")),
        cell(run.error, |error| format!("{error:.1e}")),
    ]
}

fn card_cells(line: &Line, run: &Run, is_cycle: bool) -> Vec<String> {
    let sign = if run.is_scattered || is_cycle { "~" } else { "" };
    let cells = (0..CARDS.len()).map(|card| match run.cards {
        Some(seconds) => format!("{sign}{:.3}", 1e3 * seconds[card]),
        None => "no program".to_owned(),
    });
    [line.layout.clone()].into_iter().chain(cells).collect()
}

fn cell(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map(format).unwrap_or_default()
}

/// Textures of one size and format together, as in `5 of 31x31 R32F, 64x70 R32F`.
fn textures(textures: &[Texture]) -> String {
    let mut counts: BTreeMap<(u64, u64, String), usize> = BTreeMap::new();
    for texture in textures {
        let key = (texture.width, texture.height, texture.format.to_string());
        *counts.entry(key).or_default() += 1;
    }
    let each = counts.into_iter().map(|((width, height, format), count)| {
        let one = format!("{width}x{height} {format}");
        if count > 1 { format!("{count} of {one}") } else { one }
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Sections as comma-separated values, with a line of names.
#[cfg(feature = "plot")]
pub fn csv(sections: &[Section]) -> String {
    let mut table = Table::default();
    for section in sections {
        for line in &section.lines {
            let (names, cells) = fields(section, line).into_iter().unzip();
            table.columns = names;
            table.rows.push(cells);
        }
    }
    table.csv()
}

/// The names and the values of a line.
#[cfg(feature = "plot")]
fn fields(section: &Section, line: &Line) -> Vec<(String, Cell)> {
    let run = line.run.as_ref();
    let count = |count: fn(&Run) -> u64| run.map(|run| count(run) as f64).into();
    let own = [
        ("section", section.title.as_str().into()),
        ("layout", line.layout.as_str().into()),
        ("from", line.from.as_str().into()),
        ("textures", textures(&line.memory.textures).into()),
        ("bytes", Cell::Number(line.memory.bytes as f64)),
        ("padding", line.memory.padding.into()),
        ("refused", line.refused.as_deref().into()),
        ("iterations", line.iterations.into()),
        ("programs", count(|run| run.programs as u64)),
        ("passes", count(|run| run.passes)),
        ("fragments", count(|run| run.fragments)),
        ("fetches", count(|run| run.fetches)),
        ("target_switches", count(|run| run.target_switches)),
        ("buffer_switches", count(|run| run.buffer_switches)),
        ("seconds", run.map(|run| run.seconds).into()),
        ("seconds_low", run.map(|run| run.interval[0]).into()),
        ("seconds_high", run.map(|run| run.interval[1]).into()),
        ("bytes_per_second", run.map(|run| run.bytes_a_second).into()),
        ("of_ceiling", run.and_then(|run| run.of_ceiling).into()),
        ("error", run.and_then(|run| run.error).into()),
    ];
    let cards = CARDS.iter().enumerate().map(|(place, card)| {
        let seconds = run.and_then(|run| run.cards).map(|cards| cards[place]);
        (format!("{} (s)", card.device.name), seconds.into())
    });
    let own = own.map(|(name, value)| (name.to_owned(), value));
    let moved = CACHES.into_iter().enumerate().map(|(place, kb)| {
        let moved = run.and_then(|run| run.bytes_moved.as_ref()?.get(place).copied());
        (format!("bytes_moved_{kb}_kb"), moved.map(|bytes| bytes as f64).into())
    });
    let useful = ("useful_bytes".to_owned(), Cell::Number(section.useful_bytes as f64));
    own.into_iter().chain(cards).chain([useful]).chain(moved).collect()
}
