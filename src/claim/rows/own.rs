//! Claims as a file from which a user's own can start.

use super::Row;
use crate::claim::Chosen;

/// The rows of these claims, with the numbers that they name.
pub fn own(chosen: &[Chosen]) -> String {
    let (mut shared, mut printed): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rows = String::new();
    for (_, claim) in chosen {
        let row = claim.row;
        let numbers = named(row).map(|name| format!("\"{name}\" = {}", row.printed.written(name)));
        printed.extend(numbers.filter(|one| !printed.contains(one)).collect::<Vec<_>>());
        shared.extend(used(row).filter(|line| !shared.contains(line)).collect::<Vec<_>>());
        rows += &format!("\n{}\n", row.text);
    }
    let printed = if printed.is_empty() {
        String::new()
    } else {
        format!("\n[printed]\n{}\n", printed.join("\n"))
    };
    let shared =
        if shared.is_empty() { String::new() } else { format!("\n{}\n", shared.join("\n")) };
    format!("[paper]\nid = \"mine\"\n{printed}{shared}{rows}")
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
