//! Text for a terminal: tables and paragraphs of at most its width.

/// The gap between two columns.
const GAP: &str = "  ";
/// Columns by which the rest of a line is indented.
const HANGING: usize = 4;
/// Smallest width to which a column of text is reduced.
const NARROW: usize = 12;
/// Largest number of lines in a cell.
const LINES: usize = 4;

/// Columns below their headings, with at most this total width: text to the left, numbers to the right.
///
/// Where they do not fit, cells of text are broken. Where even these do not fit, each row is a paragraph of headings and
/// values.
pub(crate) fn aligned(
    headings: &[&str],
    rows: Vec<Vec<String>>,
    is_text: impl Fn(usize) -> bool,
    width: usize,
) -> String {
    lines(headings, &rows, &is_text, width).concat()
}

/// The headings and the rows of such a table, each with its line ends.
pub(crate) fn lines(
    headings: &[&str],
    rows: &[Vec<String>],
    is_text: &dyn Fn(usize) -> bool,
    width: usize,
) -> Vec<String> {
    let head: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
    let all = || [&head].into_iter().chain(rows);
    let columns = all().map(Vec::len).max().unwrap_or(0);
    let widest =
        |column: usize| all().filter_map(|row| row.get(column)).map(|cell| shown(cell)).max();
    let mut widths: Vec<usize> = (0..columns).map(|at| widest(at).unwrap_or(0)).collect();
    // Long cells of the last column are below their row.
    let least = |column: usize| match widest(column) {
        Some(widest) if column + 1 < columns => widest.div_ceil(LINES).max(NARROW),
        _ => NARROW,
    };
    let gaps = GAP.len() * columns.saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        let gives_way = |&at: &usize| is_text(at) && widths[at] > least(at);
        // The first column names the row.
        let Some(at) = (0..columns).filter(gives_way).max_by_key(|&at| (at > 0, widths[at])) else {
            let first = head.first().filter(|_| is_text(0));
            let first = first.map(|heading| wrapped(&format!("{heading}\n"), width));
            let rows = rows.iter().map(|row| record(headings, row, is_text(0), width));
            return [first.unwrap_or_default()].into_iter().chain(rows).collect();
        };
        widths[at] -= 1;
    }
    all().map(|row| line(row, &widths, is_text, width)).collect()
}

/// A row of a table, with as many lines as its highest cell.
fn line(row: &[String], widths: &[usize], is_text: &dyn Fn(usize) -> bool, width: usize) -> String {
    let mut cells: Vec<Vec<String>> =
        row.iter().zip(widths).map(|(cell, &width)| broken(cell, width)).collect();
    let mut below = String::new();
    if let Some(last) = cells.last_mut().filter(|last| last.len() > LINES) {
        last.clear();
        let text = row.last().map_or("", String::as_str);
        let lines = broken(text, width.saturating_sub(HANGING));
        below = lines.iter().map(|line| format!("{:HANGING$}{line}\n", "")).collect();
    }
    let line = |k: usize| {
        let parts = cells.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            let part = cell.get(k).map_or("", String::as_str);
            let space = " ".repeat(width - shown(part));
            if is_text(column) { format!("{part}{space}") } else { format!("{space}{part}") }
        });
        format!("{}\n", parts.collect::<Vec<_>>().join(GAP).trim_end())
    };
    let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    (0..height).map(line).collect::<String>() + &below
}

/// A row as a paragraph: its first cell, then headings and values.
pub(crate) fn record(headings: &[&str], row: &[String], is_named: bool, width: usize) -> String {
    let pairs = headings.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let pairs = pairs.map(|(heading, cell)| match format!("{heading} {cell}") {
        // Pairs of a heading and a number stay together.
        short if shown(&short) <= width / 2 => short.replace(' ', "\u{a0}"),
        long => long,
    });
    let mut pairs = pairs.skip(usize::from(is_named)).collect::<Vec<_>>().join(", ");
    if let Some(name) = row.first().filter(|_| is_named) {
        let colon = if pairs.is_empty() { "" } else { ": " };
        pairs = format!("{name}{colon}{pairs}");
    }
    wrapped(&format!("{pairs}\n"), width).replace('\u{a0}', " ")
}

/// A text whose lines have at most this number of columns: the rest of a longer line is below it, indented. A longer
/// word keeps its line.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut all = String::new();
    for line in text.split_inclusive('\n') {
        let (mut rest, mut indent) = (line.trim_end_matches('\n'), 0);
        let start = rest.len() - rest.trim_start().len();
        while shown(rest) + indent > width {
            let fits = |at: &usize| shown(&rest[..*at]) + indent <= width;
            let ends = rest.match_indices(' ').map(|(at, _)| at);
            let ends = ends.filter(|&at| !rest[..at].trim().is_empty());
            let Some(end) = ends.clone().take_while(fits).last().or(ends.clone().next()) else {
                break;
            };
            all += &format!("{}\n", rest[..end].trim_end());
            rest = rest[end..].trim_start();
            indent = (start + HANGING).min(width / 2);
            all += &" ".repeat(indent);
        }
        all += rest;
        all += if line.ends_with('\n') { "\n" } else { "" };
    }
    all
}

/// Breaks a text between words into lines of at most `width` characters, and a longer word after a slash, a comma or a
/// hyphen, or anywhere.
pub(crate) fn broken(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    if shown(text) <= width {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut rest = word;
        while !rest.is_empty() {
            let last = lines.last_mut().expect("there is always a line");
            let space = usize::from(!last.is_empty());
            if shown(last) + space + shown(rest) <= width {
                last.push_str(&" ".repeat(space));
                last.push_str(rest);
                break;
            }
            if last.is_empty() {
                let end = rest.char_indices().nth(width).map_or(rest.len(), |(at, _)| at);
                let after = rest[..end].rfind(['/', ',', '-', '_']).map(|at| at + 1);
                let (part, more) = rest.split_at(after.unwrap_or(end));
                last.push_str(part);
                rest = more;
            }
            lines.push(String::new());
        }
    }
    lines
}

/// Columns that a text takes: its characters, except for codes of colours.
fn shown(text: &str) -> usize {
    let mut parts = text.split("\x1b[");
    let first = parts.next().map_or(0, |part| part.chars().count());
    let after = |part: &str| part.split_once('m').map_or(0, |(_, rest)| rest.chars().count());
    first + parts.map(after).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn the_rest_of_a_long_line_is_below_it_with_all_words_in_their_order() {
        let text =
            "name      value of this and that\n  - a list with some words\nunbreakable_word\n\nend";
        for width in [20, 12, 40] {
            let narrow = wrapped(text, width);
            assert_eq!(words(&narrow), words(text));
            let is_wide = |line: &&str| shown(line) > width;
            assert!(narrow.lines().filter(is_wide).all(|line| line.trim() == "unbreakable_word"));
        }
        assert_eq!(wrapped(text, 40), text);
        assert_eq!(wrapped("- one two three\n", 12), "- one two\n    three\n");
    }

    #[test]
    fn words_are_broken_to_fit_the_narrowest_terminal() {
        for width in [0, 1] {
            assert_eq!(broken("ab c", width), ["a", "b", "c"]);
        }
        assert_eq!(broken("a/path of/two", 4), ["a/", "path", "of/", "two"]);
    }

    #[test]
    fn a_table_fits_any_width_and_keeps_its_cells() {
        let rows = [
            ["\x1b[32m✓\x1b[0m first", "12", "a sentence of some words that is rather long"],
            ["second", "345678", ""],
        ];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let table = |width| aligned(&["row", "count", "what"], rows.clone(), |at| at != 1, width);
        let wide = table(usize::MAX);
        assert_eq!(wide.lines().count(), 3);
        assert!(wide.contains("second   345678\n"), "{wide}");
        for width in [24, 30, 40, 80] {
            let narrow = table(width);
            assert!(narrow.lines().all(|line| shown(line) <= width), "{narrow}");
            for word in words(&wide) {
                assert!(narrow.contains(word), "{width}: {word}: {narrow}");
            }
        }
        assert!(table(24).contains("second: count 345678\n"), "{}", table(24));
    }
}
