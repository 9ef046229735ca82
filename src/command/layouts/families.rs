//! `fragstream layouts families`: curves over the number of rows, and maps of times and of bytes moved.

use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::arguments::count;
use crate::io::write_atomically;
use crate::layouts::compare::answer::{advice, answer};
use crate::layouts::compare::families::{Family, Measure, curves, map, members, sizes};
use crate::layouts::compare::{Section, table};
use crate::timing::Effort;

use super::super::failure::Failure;
use super::super::output::Folder;
use super::super::session::{Progress, Session};

#[derive(Args)]
pub struct Arguments {
    /// Rows of the largest matrix of each family
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = count(1000..=4_000_000_u64))]
    largest: u64,

    /// Number of timed rounds, after one for warming up
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = count(1..=super::ROUNDS))]
    rounds: usize,

    /// Leave out matrices that are expected to take longer than the rest of this time
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    limit: f64,

    /// Write the tables, curves and the maps into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Folder,
}

/// Times all families, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    arguments.out.make()?;
    let machine = session.machine()?;
    let effort = Effort { rounds: arguments.rounds, chain: 1 };
    let largest = usize::try_from(arguments.largest).map_err(Failure::input)?;
    let progress = Progress::of_steps((Family::ALL.len() * sizes(largest).count()) as u64);
    let shows = |family: Family, rows, seconds| {
        progress.say(|| format!("{}, {rows} rows: about {seconds:.0} s", family.name()));
        progress.step();
    };
    let (members, left_out) = members(&machine, largest, arguments.limit, effort, shows)?;
    drop(progress);
    let write = |name: &str, text: String| {
        let path = arguments.out.path().join(name);
        write_atomically(&path, |out| out.write_all(text.as_bytes()))
    };
    let is_there = |family: &Family| members.iter().any(|member| member.family == *family);
    for family in Family::ALL.into_iter().filter(is_there) {
        let curves = curves(family, &members).svg().map_err(Failure::input)?;
        write(&format!("family-{}.svg", family.name()), curves)?;
    }
    for (name, measure) in [("families", Measure::Seconds), ("families-moved", Measure::Moved)] {
        let map = map(&members, measure).map_err(Failure::input)?;
        write(&format!("{name}.svg"), map)?;
    }
    let sections: Vec<Section> = members.into_iter().map(|member| member.section).collect();
    write("families.csv", table::csv(&sections))?;
    arguments.out.report("curves, two maps and families.csv");
    session.print_as(
        &json!({ "sections": sections, "advice": advice(&sections), "left_out": left_out }),
        |out| {
            for section in &sections {
                writeln!(out, "{}: {}", section.title, answer(section).text)?;
            }
            for what in &left_out {
                writeln!(out, "{what}: left out, to stay within --limit")?;
            }
            Ok(())
        },
    )
}
