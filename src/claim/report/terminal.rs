//! The report as text for a terminal: one line per claim, grouped by paper.

use super::json::Entry;
use super::{counts_with, plural};
use crate::base::columns::{broken, lines};
use crate::claim::Verdict;

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
    let rows: Vec<Vec<String>> = claims.iter().map(|claim| cells(claim, look)).collect();
    let head = [&*format!("  {}", claims[0].parts().0), "the paper", "here"];
    let mut lines = lines(&head, &rows, &|_| true, look.width).into_iter();
    let mut text = lines.next().unwrap_or_default();
    for (claim, line) in claims.iter().zip(lines) {
        text += &line;
        if look.why {
            for part in [&claim.statement, &format!("{}.", claim.measured()), &claim.why] {
                let lines = broken(part, look.width.saturating_sub(2)).into_iter();
                let lines = lines.filter(|line| !line.is_empty());
                text.extend(lines.map(|line| format!("  {line}\n")));
            }
        }
    }
    text
}

/// The sign and the name, the paper's number, and the headline.
fn cells(claim: &Entry, look: Look) -> Vec<String> {
    let sign = sign(claim.verdict, look);
    let name = format!("{sign} {} {}", claim.parts().1, claim.inputs);
    let here = match claim.here() {
        empty if empty.is_empty() => claim.verdict.to_string(),
        here if claim.is_unstored => here + " (not stored)",
        here => here,
    };
    vec![name.trim_end().to_owned(), claim.paper.clone(), here]
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
    let counts = match counts_with(claims, |verdict| sign(verdict, look) + " ") {
        none if none.is_empty() => {
            let rows = plural(claims.len(), "row", "rows");
            let verdicts = Verdict::ALL.map(|verdict| {
                let its = claims.iter().filter(|claim| claim.verdict == verdict).count();
                (its > 0).then(|| format!("{its} {verdict}"))
            });
            let verdicts: Vec<String> = verdicts.into_iter().flatten().collect();
            let what = match claims.iter().all(|claim| claim.inputs.is_empty()) {
                true => "not counted",
                false => "with your inputs, compared with theory where there is one",
            };
            format!("{} {rows} {what}: {}.", claims.len(), verdicts.join(", "))
        }
        counts => counts,
    };
    let [counts, failed] = [counts, failed].map(|text| broken(&text, look.width).join("\n"));
    format!("{counts}\n{failed}\n")
}

fn sign(verdict: Verdict, look: Look) -> String {
    let colour = match verdict {
        Verdict::Reproduced => 32,
        Verdict::Differs => 33,
        Verdict::NotReproduced => 31,
        Verdict::Undecided => 34,
        Verdict::NotResolvable
        | Verdict::NotDecidable
        | Verdict::NotApplicable
        | Verdict::NotJudged
        | Verdict::NotRun => 2,
    };
    match (verdict.sign(), look.is_coloured) {
        (sign, true) => format!("\x1b[{colour}m{sign}\x1b[0m"),
        (sign, false) => sign.to_owned(),
    }
}
