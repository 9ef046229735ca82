//! Tables as text: of commands, layouts, ledgers and caches.

/// The gap between two columns.
const GAP: &str = "  ";

/// Columns below their headings: text to the left, numbers to the right.
pub(crate) fn aligned(
    headings: &[&str],
    rows: Vec<Vec<String>>,
    is_text: impl Fn(usize) -> bool,
) -> String {
    let headings: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
    let all = || [&headings].into_iter().chain(&rows);
    let columns = all().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = all().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let cell = |(column, cell): (usize, &String)| {
        if is_text(column) {
            format!("{cell:<0$}", widths[column])
        } else {
            format!("{cell:>0$}", widths[column])
        }
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        format!("{}\n", cells.join(GAP).trim_end())
    };
    all().map(line).collect()
}
