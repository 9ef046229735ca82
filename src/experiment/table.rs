//! The report as text for a terminal, in 100 columns.

use super::claim::Finding;

/// A column: its heading, and how wide it may become.
const COLUMNS: [(&str, usize); 5] = [
    ("claim", 23),
    ("class", 9),
    ("paper", 23),
    ("measured", 23),
    ("verdict", 14),
];

/// What stands between two columns.
const GAP: &str = "  ";

/// The table: claim, class, paper, measured, verdict; long cells are wrapped. Ends with a newline.
pub fn table(findings: &[Finding]) -> String {
    let rows: Vec<[&str; 5]> = findings
        .iter()
        .map(|finding| {
            [
                finding.claim.id,
                finding.claim.class.name(),
                finding.claim.paper,
                &finding.measured,
                finding.verdict.name(),
            ]
        })
        .collect();
    // A column is no wider than what stands in it.
    let widths: Vec<usize> = COLUMNS
        .iter()
        .enumerate()
        .map(|(column, &(heading, limit))| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.fold(heading.len(), usize::max).min(limit)
        })
        .collect();

    let mut text = line(&COLUMNS.map(|(heading, _)| heading), &widths);
    text += &line(
        &widths
            .iter()
            .map(|&width| "─".repeat(width))
            .collect::<Vec<_>>(),
        &widths,
    );
    for row in rows {
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| wrap(cell, width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for k in 0..height {
            let parts: Vec<&str> = cells
                .iter()
                .map(|cell| cell.get(k).map_or("", String::as_str))
                .collect();
            text += &line(&parts, &widths);
        }
    }
    text
}

/// One line of cells, padded to their widths, nothing at the end.
fn line<C: AsRef<str>>(cells: &[C], widths: &[usize]) -> String {
    let padded: Vec<String> = cells
        .iter()
        .zip(widths)
        .map(|(cell, &width)| format!("{:width$}", cell.as_ref()))
        .collect();
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
