//! The report as a table in Markdown: what stands in README.md.

use crate::claim::finding::Finding;

/// The table's head.
const HEAD: &str = "| claim | class | variant | judged on | the paper | here | verdict |\n\
                    |---|---|---|---|---|---|---|\n";

/// The table of these findings.
pub fn markdown(findings: &[Finding]) -> String {
    table(findings.iter().map(|finding| {
        let claim = &finding.claim;
        let (class, variant) = (claim.class.name(), claim.variant.name());
        let (judged_on, verdict) = (claim.judged_on.name(), finding.verdict.name());
        let (paper, measured) = (claim.paper, finding.measured.as_str());
        [
            claim.id, class, variant, judged_on, paper, measured, verdict,
        ]
    }))
}

/// The table of these rows: id, class, variant, what the verdict rests on, what the paper says, what was
/// measured, and the verdict.
pub fn table<'a>(rows: impl Iterator<Item = [&'a str; 7]>) -> String {
    let lines = rows.map(|[id, rest @ ..]| {
        let cells = rest.map(|cell| cell.replace('|', "\\|"));
        format!("| `{id}` | {} |\n", cells.join(" | "))
    });
    HEAD.to_owned() + &lines.collect::<String>()
}
