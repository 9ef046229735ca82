//! `fragstream layouts families`: curves over the number of rows, and maps of times and of bytes moved.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::arguments::count;
use crate::io::{read_text, write_atomically};
use crate::layouts::compare::answer::{advice, answer};
use crate::layouts::compare::families::{Measure, Member, curves, maps, members, sizes, stored};
use crate::layouts::compare::{Section, table};
use crate::layouts::named::Family;
use crate::timing::{Effort, Origin};

use super::super::failure::Failure;
use super::super::output::Folder;
use super::super::session::{Progress, Session, warned};

#[derive(Args)]
pub struct Arguments {
    /// Rows of the largest matrix of each family
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = count(1000..=4_000_000_u64))]
    largest: u64,

    /// Number of uploads, at most four, and of timed rounds after each
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count(1..=super::ROUNDS))]
    rounds: usize,

    /// Leave out matrices that are expected to take longer than the rest of this time
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    limit: f64,

    /// Draw the families.csv of an earlier run instead of timing
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["largest", "rounds", "limit"])]
    from: Option<PathBuf>,

    /// Draw a second map of times next to the first, from the families.csv of another machine
    #[arg(long, value_name = "FILE.csv")]
    compare: Option<PathBuf>,

    /// Write the table, curves and the maps into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Folder,
}

/// Families whose bytes and fetches are drawn by size: regular, scattered, and with few long rows.
const BY_SIZE: [Family; 3] = [Family::Grid, Family::Mesh, Family::Graph];

/// Times all families, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let Arguments { from, compare, out, .. } = arguments;
    let other = compare.as_deref().map(read).transpose()?;
    let own = from.as_deref().map(read).transpose()?;
    out.make()?;
    let write = |name: &str, text: String| {
        let path = out.path().join(name);
        write_atomically(&path, |out| out.write_all(text.as_bytes()))
    };
    let is_new = own.is_none();
    let warnings = if is_new { warned() } else { Vec::new() };
    let (members, left_out) = match own {
        Some(own) => (own, Vec::new()),
        None => timed(arguments, session)?,
    };
    let is_there = |family: &Family| members.iter().any(|member| member.family == *family);
    for family in Family::ALL.into_iter().filter(is_there) {
        for (name, measure) in
            [("family", Measure::Seconds), ("moved", Measure::Moved), ("fetches", Measure::Fetches)]
        {
            if measure == Measure::Seconds || BY_SIZE.contains(&family) {
                let curves = curves(family, &members, measure).svg().map_err(Failure::input)?;
                write(&format!("{name}-{}.svg", family.name()), curves)?;
            }
        }
    }
    let name = |path: &Option<PathBuf>, members: &[Member]| {
        let path = path.as_ref().map_or("this run".to_owned(), |path| path.display().to_string());
        format!("{path}: {}", origin(members))
    };
    let (own, others) = (name(from, &members), other.as_ref().map(|other| name(compare, other)));
    let mut runs = vec![(&*own, &*members)];
    let moved = maps(&runs, Measure::Moved).map_err(Failure::input)?;
    runs.extend(others.as_deref().zip(other.as_deref()));
    write("families.svg", maps(&runs, Measure::Seconds).map_err(Failure::input)?)?;
    write("families-moved.svg", moved)?;
    let sections: Vec<Section> = members.into_iter().map(|member| member.section).collect();
    if is_new {
        write("families.csv", table::csv(&sections))?;
    }
    out.report(if is_new { "curves, two maps and families.csv" } else { "curves and two maps" });
    let names: Vec<&String> = [&own].into_iter().chain(&others).collect();
    let result = json!({
        "sections": sections,
        "advice": advice(&sections),
        "left_out": left_out,
        "runs": names,
        "warnings": warnings,
    });
    session.print_as(&result, |out| {
        for section in &sections {
            writeln!(out, "{}: {}", section.title, answer(section).text.replace('\n', ". "))?;
        }
        for run in names.iter().filter(|_| names.len() > 1) {
            writeln!(out, "{run}")?;
        }
        for what in &left_out {
            writeln!(out, "{what}: left out, to stay within --limit")?;
        }
        Ok(())
    })
}

/// The machine of a run, and whether some of it was timed on a busy one.
fn origin(members: &[Member]) -> String {
    let mut origins = members.iter().map(|member| member.section.origin.as_ref());
    let Some(Origin { machine, renderer, commit, date, .. }) = origins.clone().flatten().next()
    else {
        return "of an unknown machine".to_owned();
    };
    let is_busy = origins.any(|origin| origin.is_some_and(|origin| origin.is_busy));
    let busy = if is_busy { ", busy" } else { "" };
    format!("{machine}, {renderer}, {date}, {commit}{busy}")
}

/// Reads the table of a run.
fn read(path: &Path) -> Result<Vec<Member>, Failure> {
    stored(&read_text(path)?).map_err(|why| {
        Failure::in_file(path, format!("{why}. Give a whole families.csv of `layouts families`"))
    })
}

/// Times the families, and names what was left out.
fn timed(arguments: &Arguments, session: &Session) -> Result<(Vec<Member>, Vec<String>), Failure> {
    let machine = session.machine()?;
    let effort = Effort { rounds: arguments.rounds, chain: 1 };
    let largest = usize::try_from(arguments.largest).map_err(Failure::input)?;
    let progress = Progress::of_steps((Family::ALL.len() * sizes(largest).count()) as u64);
    let shows = |family: Family, rows, seconds| {
        progress.say(|| format!("{}, {rows} rows: about {seconds:.0} s", family.name()));
        progress.step();
    };
    Ok(members(&machine, largest, arguments.limit, effort, shows)?)
}
