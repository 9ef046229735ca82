//! Claims as a file from which a user's own can start.

use super::{BoxedError, Row};
use crate::claim::{Chosen, Claim};
use crate::experiment::Experiment;

/// The rows of these claims, with the numbers that they name. A claim that is written in Rust has a row with its
/// experiments and the quantities that these record.
///
/// # Errors
/// A claim without experiments.
pub fn own(chosen: &[Chosen]) -> Result<String, BoxedError> {
    let (mut shared, mut printed): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rows = String::new();
    for (paper, claim) in chosen {
        let row = match claim.row {
            Some(row) => {
                let numbers = named(row);
                let numbers =
                    numbers.map(|name| format!("\"{name}\" = {}", row.printed.written(name)));
                printed.extend(numbers.filter(|one| !printed.contains(one)).collect::<Vec<_>>());
                shared.extend(used(row).filter(|line| !shared.contains(line)).collect::<Vec<_>>());
                row.text.clone()
            }
            None => skeleton(claim).map_err(|what| format!("{}/{}: {what}", paper.id, claim.id))?,
        };
        rows += &format!("\n{row}\n");
    }
    let printed = if printed.is_empty() {
        String::new()
    } else {
        format!("\n[printed]\n{}\n", printed.join("\n"))
    };
    let shared =
        if shared.is_empty() { String::new() } else { format!("\n{}\n", shared.join("\n")) };
    Ok(format!("[paper]\nid = \"mine\"\n{printed}{shared}{rows}"))
}

/// Tests whether a line is that of a list which the row names.
fn is_list(row: &Row, line: &str) -> bool {
    let name = line.split_once(" = [").map_or("", |(name, _)| name);
    !name.is_empty() && row.text.contains(&format!("{{{name}}}"))
}

/// The lines of the file's lists and groups that a row uses.
fn used(row: &Row) -> impl Iterator<Item = &str> {
    let mut table = "";
    row.shared.lines().filter(move |line| {
        if line.starts_with('[') {
            table = line;
        }
        match table.strip_prefix("[group.").and_then(|name| name.strip_suffix(']')) {
            Some(name) => row.text.contains(&format!("also = \"{name}\"")),
            None if line.starts_with('[') => row.shared.lines().any(|line| is_list(row, line)),
            None => is_list(row, line),
        }
    })
}

/// The printed numbers that a row names, alone or by a list.
fn named(row: &Row) -> impl Iterator<Item = &str> {
    row.printed.record.names().filter(|name| {
        let start = name.rsplit_once('.').map_or("", |(start, _)| start);
        let is_named = |name: &str| {
            let mut places = row.text.match_indices(name).map(|(at, name)| at + name.len());
            let is_inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            places.any(|end| !row.text[end..].starts_with(is_inside))
        };
        let starts = name.match_indices('.').map(|(at, _)| &name[..at]);
        let mut starts = starts.chain(std::iter::once(*name));
        starts.any(|start| is_named(&format!("printed.{start}")))
            || row.text.contains(&format!("printed.{start}.{{"))
    })
}

/// A row for a claim that is written in Rust: the condition is the user's.
fn skeleton(claim: &Claim) -> Result<String, BoxedError> {
    let experiments = claim.experiments(false, &[])?;
    if experiments.is_empty() {
        return Err(
            "it has no experiment to start from. Choose another claim (fragstream list)".into()
        );
    }
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let words = |one: &Experiment| {
        let words = one.words();
        let is_study = words.first().is_some_and(|first| first == "run");
        words[usize::from(is_study)..].join(" ")
    };
    let (mut runs, mut values) = (String::new(), String::new());
    for (number, experiment) in (1..).zip(&experiments) {
        runs += &format!("run.run{number} = {}\n", quoted(&words(experiment)));
        if number == 1 {
            for name in experiment.subject().quantities() {
                let id = name.replace('.', "_");
                values += &format!("value.{id} = {}\n", quoted(&format!("{name}: run1.{name}")));
            }
        }
    }
    if values.is_empty() {
        values = "value.passes = \"passes: run1.passes\"\n".to_owned();
    }
    let (id, place, says, paper) =
        (claim.id, quoted(claim.section), quoted(claim.says), quoted(&claim.printed()));
    Ok(format!(
        "[row.{id}]\nplace = {place}\nsays = {says}\nabout = \"arithmetic\"\npaper = {paper}\nclass = \"{}\"\n{runs}\
         # A condition makes a value judged, as in \"passes: run1.passes == 12\".\n{}",
        claim.class,
        values.trim_end()
    ))
}
