//! The report as text for a terminal, in 100 columns.

use super::json::Entry;

/// Width of the table.
const WIDTH: usize = 100;

/// Space between two columns.
const GAP: &str = "  ";

/// The headings.
const HEADINGS: [&str; 5] = ["claim", "class", "paper", "measured", "verdict"];

/// Largest width of the column of claim ids.
const WIDEST_ID: usize = 32;

/// The table: claim, class, paper, measured, verdict; long cells are wrapped. Ends with a newline.
pub fn table(claims: &[Entry]) -> String {
    let cells: Vec<[String; 5]> = claims.iter().map(cells).collect();
    let borrowed = cells.iter().map(|row| row.each_ref().map(String::as_str));
    let rows: Vec<[&str; 5]> = borrowed.collect();
    let widths = widths(&rows);
    let rules = widths.map(|width| "─".repeat(width));
    let head = line(HEADINGS, &widths) + &line(rules.each_ref().map(String::as_str), &widths);
    head + &rows.iter().map(|row| wrapped(row, &widths)).collect::<String>()
}

fn cells(claim: &Entry) -> [String; 5] {
    [
        claim.id.clone(),
        claim.class.to_string(),
        claim.paper.clone(),
        claim.here(),
        claim.verdict.to_string(),
    ]
}

/// Widths of the columns' contents; the two columns of free text are limited to half of the remaining width.
fn widths(rows: &[[&str; 5]]) -> [usize; 5] {
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.fold(HEADINGS[column].len(), usize::max)
    };
    let (id, class, verdict) = (widest(0).min(WIDEST_ID), widest(1), widest(4));
    let half = (WIDTH - id - class - verdict - 4 * GAP.len()) / 2;
    [id, class, widest(2).min(half), widest(3).min(half), verdict]
}

/// A row, with as many lines as its highest cell.
fn wrapped(row: &[&str; 5], widths: &[usize; 5]) -> String {
    let cells: [Vec<String>; 5] = std::array::from_fn(|column| wrap(row[column], widths[column]));
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let part = |k: usize| cells.each_ref().map(|cell| cell.get(k).map_or("", String::as_str));
    (0..height).map(|k| line(part(k), widths)).collect()
}

/// One line of cells, padded to their widths, without trailing spaces.
fn line(cells: [&str; 5], widths: &[usize; 5]) -> String {
    let padded: Vec<String> =
        cells.iter().zip(widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
    format!("{}\n", padded.join(GAP).trim_end())
}

/// Breaks a text between words into lines of at most `width` characters, and a longer word anywhere.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        while !rest.is_empty() {
            let last = lines.last_mut().expect("there is always a line");
            let used = last.chars().count();
            let space = usize::from(used > 0);
            if used + space + rest.len() <= width {
                last.push_str(&" ".repeat(space));
                last.extend(rest.drain(..));
            } else if used == 0 {
                last.extend(rest.drain(..width));
                lines.push(String::new());
            } else {
                lines.push(String::new());
            }
        }
    }
    lines
}
