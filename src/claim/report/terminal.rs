//! The report as text for a terminal: one line per claim, grouped by paper.

use super::json::Entry;
use super::{counts_with, plural};
use crate::claim::Verdict;

/// Space between two columns.
const GAP: usize = 2;

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns of the terminal; words are broken to fit, and a line has at least one character.
    pub width: usize,
    /// True if signs are coloured by ANSI codes.
    pub is_coloured: bool,
    /// True if statement, evidence and reason follow each claim.
    pub why: bool,
}

/// The claims of each paper: sign of the verdict, name, the paper's number and the headline; what does not fit is
/// wrapped. Ends with the counts and what failed.
pub fn table(claims: &[Entry], look: Look) -> String {
    let papers = claims.chunk_by(|one, other| one.parts().0 == other.parts().0);
    papers.map(|claims| of_paper(claims, look) + "\n").collect::<String>() + &summary(claims, look)
}

/// One line on a claim that has just been checked.
pub fn line(claim: &Entry) -> String {
    let (sign, here) = (claim.verdict.sign(), claim.here());
    format!("{sign} {}: {here}, {} ({:.1} s)", claim.id, claim.verdict, claim.seconds)
}

fn of_paper(claims: &[Entry], look: Look) -> String {
    let rows: Vec<[String; 3]> = claims.iter().map(cells).collect();
    let head = [claims[0].parts().0, "the paper", "here"].map(str::to_owned);
    let widest = |column: usize| {
        let cells = rows.iter().chain([&head]).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let name = widest(0);
    // The sign and its space take as much as a gap.
    let rest = look.width.saturating_sub(name + 3 * GAP).max(2 * GAP);
    let paper = widest(1).min((rest / 2).max(rest.saturating_sub(widest(2))));
    let widths = [name, paper, rest - paper];
    let mut text = format!("  {}", wrapped(&head, widths));
    for (claim, row) in claims.iter().zip(&rows) {
        text += &format!("{} {}", sign(claim.verdict, look), wrapped(row, widths));
        if look.why {
            for part in [&claim.statement, &format!("{}.", claim.measured()), &claim.why] {
                let lines = wrap(part, look.width.saturating_sub(GAP))
                    .into_iter()
                    .filter(|line| !line.is_empty());
                text.extend(lines.map(|line| format!("  {line}\n")));
            }
        }
    }
    text
}

/// The columns after the sign.
fn cells(claim: &Entry) -> [String; 3] {
    let name = format!("{} {}", claim.parts().1, claim.inputs);
    let here = match claim.here() {
        empty if empty.is_empty() => claim.verdict.to_string(),
        here if claim.is_unstored => here + " (not stored)",
        here => here,
    };
    [name.trim_end().to_owned(), claim.paper.clone(), here]
}

/// The signs with their counts, and what failed.
fn summary(claims: &[Entry], look: Look) -> String {
    let failed: Vec<&str> =
        claims.iter().filter(|claim| claim.is_failure()).map(|claim| claim.id.as_str()).collect();
    let failed = match failed.as_slice() {
        [] => "No exact or tolerance claim failed.".to_owned(),
        failed => {
            let claims = plural(failed.len(), "claim", "claims");
            format!("Failed {claims}: {}.", failed.join(", "))
        }
    };
    let counts = counts_with(claims, |verdict| sign(verdict, look) + " ");
    format!("{counts}\n{}\n", wrap(&failed, look.width).join("\n"))
}

fn sign(verdict: Verdict, look: Look) -> String {
    let colour = match verdict {
        Verdict::Reproduced => 32,
        Verdict::Differs => 33,
        Verdict::NotReproduced => 31,
        Verdict::Undecided => 34,
        Verdict::NotApplicable | Verdict::NotJudged | Verdict::NotRun => 2,
    };
    match (verdict.sign(), look.is_coloured) {
        (sign, true) => format!("\x1b[{colour}m{sign}\x1b[0m"),
        (sign, false) => sign.to_owned(),
    }
}

/// A row, with as many lines as its highest cell, without trailing spaces.
fn wrapped(row: &[String; 3], widths: [usize; 3]) -> String {
    let cells: [Vec<String>; 3] = std::array::from_fn(|column| wrap(&row[column], widths[column]));
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let lines = (0..height).map(|k| {
        let parts = cells.iter().zip(widths).map(|(cell, width)| {
            let part = cell.get(k).map_or("", String::as_str);
            format!("{part:0$}", width + GAP)
        });
        format!("{}\n", parts.collect::<String>().trim_end())
    });
    // The lines after the first one have no sign.
    lines.collect::<Vec<_>>().join("  ")
}

/// Breaks a text between words into lines of at most `width` characters, and a longer word anywhere.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_to_fit_the_narrowest_terminal() {
        for width in [0, 1] {
            assert_eq!(wrap("ab c", width), ["a", "b", "c"]);
        }
    }
}
