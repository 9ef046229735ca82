//! The report as a page that a teacher can put on a screen: one file, pictures inside, no scripts,
//! no fonts from elsewhere, light and dark.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::finding::{Figure, Finding, Verdict};
use super::papers;

/// The style sheet; it becomes part of the page.
const STYLE: &str = include_str!("report.css");

/// The whole page: what the run was made on, and its findings.
pub fn page(machine: &BTreeMap<String, String>, findings: &[Finding]) -> String {
    let sections: String = findings
        .chunk_by(|left, right| left.claim.paper_id() == right.claim.paper_id())
        .map(section)
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>fragstream: claims and measurements</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"kicker\">fragstream</p>\n<h1>Claims and measurements</h1>\n\
         <p class=\"lead quiet\">What papers on numerical solvers in fragment programs claim, \
         and what came out when they were rebuilt and run on this machine.</p>\n{}{}</header>\n\
         {sections}</body>\n</html>\n",
        tally(findings),
        described(machine),
    )
}

/// How many claims came to which verdict.
fn tally(findings: &[Finding]) -> String {
    let verdicts = [
        Verdict::Reproduced,
        Verdict::Differs,
        Verdict::NotReproduced,
    ];
    let items = verdicts.map(|verdict| {
        let class = class_of(verdict);
        let count = findings.iter().filter(|f| f.verdict == verdict).count();
        format!("<li class=\"{class}\"><b>{count}</b>{verdict}</li>\n")
    });
    format!("<ul class=\"tally\">\n{}</ul>\n", items.concat())
}

/// What the run was made on.
fn described(machine: &BTreeMap<String, String>) -> String {
    if machine.is_empty() {
        return String::new();
    }
    let pairs = machine.iter().map(|(name, value)| {
        let (name, value) = (escape(name), escape(value));
        format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n")
    });
    format!(
        "<dl class=\"machine\">\n{}</dl>\n",
        pairs.collect::<String>()
    )
}

/// A paper: its title, the table of its claims, a card for each.
fn section(findings: &[Finding]) -> String {
    let id = findings
        .first()
        .map_or("", |finding| finding.claim.paper_id());
    let heading = match papers::find(id) {
        Some(paper) => format!(
            "<h2>{}</h2>\n<p class=\"quiet\">{}, {}</p>\n",
            escape(paper.title),
            escape(paper.authors),
            paper.year
        ),
        None => format!("<h2>{}</h2>\n", escape(id)),
    };
    let rows: String = findings.iter().map(row).collect();
    let cards: String = findings.iter().map(card).collect();
    format!(
        "<section class=\"paper\">\n{heading}<div class=\"scroll\"><table>\n\
         <thead><tr><th>claim</th><th>section</th><th>class</th><th>variant</th>\
         <th>judged on</th><th>paper</th><th>measured</th><th>verdict</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{cards}</section>\n"
    )
}

fn row(finding: &Finding) -> String {
    let claim = &finding.claim;
    format!(
        "<tr><td class=\"id\"><a href=\"#{anchor}\">{}</a></td><td class=\"section\">{}</td><td>{}</td>\
         <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"verdict\">{}</td></tr>\n",
        escape(short(finding)),
        escape(claim.section),
        claim.class,
        claim.variant.name(),
        claim.judged_on.name(),
        escape(claim.paper),
        escape(&finding.measured),
        verdict(finding.verdict),
        anchor = escape(claim.id),
    )
}

fn card(finding: &Finding) -> String {
    let claim = &finding.claim;
    let why = match finding.why.as_str() {
        "" => String::new(),
        why => format!("<p class=\"why\">{}</p>\n", escape(why)),
    };
    let figures: String = finding.figures.iter().map(figure).collect();
    format!(
        "<article id=\"{}\">\n<header><div><h3>{}</h3><p class=\"meta\">{} · {} · variant: {} · judged on: {}</p></div>\
         <p class=\"verdict\">{}</p></header>\n<p class=\"statement\">{}</p>\n\
         <dl class=\"compare\"><div><dt>paper</dt><dd>{}</dd></div>\
         <div><dt>measured</dt><dd>{}</dd></div></dl>\n{why}{figures}</article>\n",
        escape(claim.id),
        escape(short(finding)),
        escape(claim.section),
        claim.class,
        claim.variant.name(),
        claim.judged_on.name(),
        verdict(finding.verdict),
        escape(claim.statement),
        escape(claim.paper),
        escape(&finding.measured),
    )
}

fn figure(figure: &Figure) -> String {
    let caption = escape(&figure.caption);
    format!(
        "<figure><img alt=\"{caption}\" src=\"data:image/png;base64,{}\">\
         <figcaption>{caption}</figcaption></figure>\n",
        STANDARD.encode(&figure.png)
    )
}

/// The name of a claim within its paper.
fn short(finding: &Finding) -> &str {
    let id = finding.claim.id;
    id.split_once('/').map_or(id, |(_, name)| name)
}

/// The verdict in its colour, with a sign, so that the colour is not all that tells.
fn verdict(verdict: Verdict) -> String {
    let sign = match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Differs => "≠",
        Verdict::NotReproduced => "✗",
    };
    format!(
        "<span class=\"{}\">{sign} {verdict}</span>",
        class_of(verdict)
    )
}

fn class_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::Differs => "differs",
        Verdict::NotReproduced => "not-reproduced",
    }
}

/// A text as HTML, in an element or in a quoted attribute.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}
