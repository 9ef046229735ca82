//! The report as a page: self-explaining, light and dark, readable without scripts. Figures are files next to it.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Report, plural};
use crate::claim::{
    Cell, Class, Exhibit, Figure, Finding, JudgedOn, Paper, Program, Table, Variant, Verdict,
};

use super::glossary::WORDS;
use crate::program::{Listing, own_text};

/// The style sheet and the script, which are embedded in the page.
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("filter.js");

/// Renders the whole page.
pub fn page(report: &Report) -> String {
    let findings = &report.findings;
    let papers: Vec<&[Finding]> =
        findings.chunk_by(|left, right| left.paper.id == right.paper.id).collect();
    let listed = listed(findings);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "fragstream: claims and measurements" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kicker { "fragstream" }
                    h1 { "Claims and measurements" }
                    p.lead.quiet {
                        "Claims of papers on numerical solvers in fragment programs, and the results of rebuilding \
                         and running them on this machine."
                    }
                    (tally(report))
                    @for warning in &report.run.warnings { p.warning { (warning) } }
                    (machine(report))
                    p.cite { "To cite this run: " code { (report.citation()) } }
                    (contents(&papers, report))
                    (filters(&papers))
                }
                @for findings in papers {
                    (section(report, findings, &listed))
                }
                (gallery(&report.exhibits))
                (programs(&listed))
                (glossary())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// Number of claims per verdict.
fn tally(report: &Report) -> Markup {
    let counts = Verdict::ALL.map(|verdict| (verdict, report.count(verdict)));
    let findings = report.findings.iter();
    let uncounted = findings.filter(|f| !f.claim.class.is_counted()).count();
    html! {
        ul.tally {
            @for (verdict, count) in counts {
                @if count > 0 || matches!(verdict, Verdict::Reproduced | Verdict::Differs) {
                    li class=(class_of(verdict)) { b { (count) } (verdict) }
                }
            }
            @if uncounted > 0 {
                li.quiet { b { (uncounted) } (plural(uncounted, "identity, fit or erratum", "identities, fits or errata")) ", not counted" }
            }
        }
    }
}

/// The system of the run.
fn machine(report: &Report) -> Markup {
    html! {
        dl.machine {
            @for (name, value) in report.run.entries() {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

/// Links to the papers, each with its own tally, to the exhibits, the programs and the glossary.
fn contents(papers: &[&[Finding]], report: &Report) -> Markup {
    let has_programs = report.findings.iter().any(|f| !f.programs.is_empty());
    html! {
        nav.contents id="contents" {
            h2 { "Contents" }
            ol {
                @for findings in papers {
                    @let paper = findings[0].paper;
                    li {
                        a href={ "#" (paper.id) } { (paper.title) }
                        " " span.quiet { (paper.id) ", " (counted(findings)) }
                    }
                }
                @if !report.exhibits.is_empty() { li { a href="#exhibits" { "Layouts side by side" } } }
                @if has_programs { li { a href="#programs" { "Programs" } } }
                li { a href="#glossary" { "Glossary" } }
            }
        }
    }
}

/// `31 claims: 23 reproduced, 8 differ`.
fn counted(findings: &[Finding]) -> String {
    let counts = Verdict::ALL.map(|verdict| {
        let same = findings.iter().filter(|f| f.verdict == verdict && f.claim.class.is_counted());
        (same.count(), verdict)
    });
    let counts = counts.into_iter().filter(|&(count, _)| count > 0);
    let counts: Vec<String> = counts.map(|(count, verdict)| format!("{count} {verdict}")).collect();
    let all = findings.len();
    format!("{all} {}: {}", plural(all, "claim", "claims"), counts.join(", "))
}

/// The filters; the script makes them visible.
fn filters(papers: &[&[Finding]]) -> Markup {
    html! {
        form.filters id="filters" hidden {
            label { "Search " input type="search" id="words" placeholder="Table 2, Fig. 4, words"; }
            label {
                "Verdict "
                select id="verdict" {
                    option value="" { "all" }
                    @for verdict in Verdict::ALL { option value=(class_of(verdict)) { (verdict) } }
                }
            }
            label {
                "Paper "
                select id="paper" {
                    option value="" { "all" }
                    @for findings in papers { option { (findings[0].paper.id) } }
                }
            }
            output id="matches" {}
        }
    }
}

/// A paper: its title, the table of its claims, a card for each.
fn section(report: &Report, findings: &[Finding], listed: &Listed<'_>) -> Markup {
    let paper = findings[0].paper;
    html! {
        section.paper id=(paper.id) {
            h2 { (paper.title) }
            p.quiet { (by(paper)) (counted(findings)) "." }
            div.scroll {
                table.claims {
                    thead {
                        tr {
                            th { "claim" } th { "verdict" } th { "paper" } th { "measured" }
                            th.wide { "model" } th.wide { "class" } th.wide { "variant" }
                        }
                    }
                    tbody { @for finding in findings { (row(finding)) } }
                }
            }
            @for (place, finding) in findings.iter().enumerate() {
                @let near = [place.checked_sub(1), Some(place + 1)].map(|at| findings.get(at?));
                (card(report, finding, near, listed))
            }
        }
    }
}

fn by(paper: &Paper) -> String {
    if paper.authors.is_empty() {
        return String::new();
    }
    format!("{}, {}. ", paper.authors, paper.year)
}

fn row(finding: &Finding) -> Markup {
    let claim = finding.claim;
    html! {
        tr.claim data-verdict=(class_of(finding.verdict)) data-paper=(finding.paper.id) data-words=(words(finding)) {
            td.id {
                a href={ "#" (finding.id()) } { (claim.id) }
                br;
                span.quiet { (claim.section) }
            }
            td.verdict { (verdict(finding.verdict)) }
            td { (claim.printed()) }
            td { (finding.found.text()) }
            td.wide { (finding.found.model) }
            td.wide { (claim.class) }
            td.wide { (finding.variant()) }
        }
    }
}

/// Text for the search.
fn words(finding: &Finding) -> String {
    let claim = finding.claim;
    let words = [&finding.id(), claim.section, claim.says, &finding.found.cause];
    words.join(" ").to_lowercase()
}

/// A claim: statement, result, cause, commands, figures.
fn card(
    report: &Report,
    finding: &Finding,
    [before, after]: [Option<&Finding>; 2],
    listed: &Listed<'_>,
) -> Markup {
    let (claim, found) = (finding.claim, &finding.found);
    html! {
        article.claim id=(finding.id()) data-verdict=(class_of(finding.verdict)) data-paper=(finding.paper.id)
            data-words=(words(finding)) {
            nav.near {
                @if let Some(before) = before { a href={ "#" (before.id()) } { "← previous" } " " }
                a href="#contents" { "contents" }
                @if let Some(after) = after { " " a href={ "#" (after.id()) } { "next →" } }
            }
            header {
                h3 { (finding.id()) }
                p.verdict { (verdict(finding.verdict)) }
            }
            p.meta {
                (claim.section) " · " (claim.class) " · variant: " (finding.variant()) " · judged on: "
                (claim.judged_on.name())
            }
            p.statement { (claim.says) }
            dl.compare {
                div { dt { "paper" } dd { (claim.printed()) } }
                div {
                    dt { "measured" }
                    dd { @for value in &found.values { div { (value) } } }
                }
                @if !found.model.is_empty() { div { dt { "model" } dd { (found.model) } } }
            }
            p.plain { (plainly(finding)) }
            @if !finding.cause().is_empty() {
                p.why { b { "Notes. " } (finding.cause()) }
            }
            dl.commands {
                (command("check it again", &finding.command(report.run.is_quick())))
                @if !claim.command.is_empty() { (command("with your own input", claim.command)) }
                div {
                    dt { "this run" }
                    dd.quiet {
                        (report.run.commit) ", " (report.run.date) ", "
                        (format!("{:.1} s", finding.seconds)) ", " (report.run.renderer)
                    }
                }
            }
            @for figure in &finding.figures { (drawn(figure)) }
            @for table in &finding.tables { (numbers(table)) }
            (ran(&finding.programs, listed))
        }
    }
}

/// The result in a plain sentence.
fn plainly(finding: &Finding) -> String {
    let how = match finding.claim.judged_on {
        JudgedOn::Count => "Counted",
        JudgedOn::Measurement => "Measured",
        JudgedOn::Model => "In the model of a GPU of 2003",
        JudgedOn::Picture => "Drawn",
    };
    let whose = match finding.claim.variant {
        Variant::Paper => "with the paper’s method",
        Variant::Ours => "with fragstream’s variant",
    };
    match finding.verdict {
        Verdict::Reproduced if finding.claim.class == Class::Erratum => {
            "The corrected formulas keep their bounds, and the printed ones miss them.".to_owned()
        }
        Verdict::Reproduced => format!("{how} {whose}, the result is as claimed."),
        Verdict::Differs => format!("{how} {whose}, the result differs."),
        Verdict::Undecided => {
            format!("{how} {whose}, the scatter of the rounds leaves the result open.")
        }
        Verdict::NotReproduced => format!("{how} {whose}, the result is not reproduced."),
        Verdict::NotJudged => {
            format!("It ran with {}, on which the paper makes no statement.", finding.inputs)
        }
        Verdict::NotRun => "It could not be run on this driver.".to_owned(),
    }
}

fn command(name: &str, line: &str) -> Markup {
    html! { div { dt { (name) } dd { code { (line) } } } }
}

fn drawn(figure: &Figure) -> Markup {
    html! {
        figure {
            a href=(figure.file) { img alt=(figure.caption) src=(figure.file) loading="lazy"; }
            figcaption {
                (figure.caption)
                @if figure.numbers.is_some() { " " a href=(super::csv_of(&figure.file)) { "Its numbers." } }
            }
        }
    }
}

fn numbers(table: &Table) -> Markup {
    html! {
        figure {
            div.scroll {
                table.numbers {
                    thead { tr { @for column in &table.columns { th { (column) } } } }
                    tbody {
                        @for row in &table.rows {
                            tr {
                                @for cell in row {
                                    td.number[matches!(cell, Cell::Number(_))] { (cell.text()) }
                                }
                            }
                        }
                    }
                }
            }
            figcaption { (table.caption) " " a href=(table.file) { "As CSV." } }
        }
    }
}

/// Every program by its name, with its listing if it has one.
type Listed<'a> = BTreeMap<&'a str, (&'a Program, Option<Listing>)>;

fn listed(findings: &[Finding]) -> Listed<'_> {
    let mut listed = Listed::new();
    for program in findings.iter().flat_map(|finding| &finding.programs) {
        let of = || (program, Listing::of(&program.text).ok());
        listed.entry(&program.name).or_insert_with(of);
    }
    listed
}

/// Name of a program without definitions: they are numbers, such as the length of a row; the text is the same.
fn without_definitions(name: &str) -> String {
    let words = name.split_whitespace().filter(|word| !word.contains('='));
    words.collect::<Vec<_>>().join("-")
}

/// `33 instructions, 21 fetches, 4 registers`.
fn size(listing: &Listing) -> String {
    let sizes = [
        (listing.instructions.len(), "instruction", "instructions"),
        (listing.fetches(), "fetch", "fetches"),
        (listing.registers(), "register", "registers"),
    ];
    let sizes = sizes.map(|(count, one, many)| format!("{count} {}", plural(count, one, many)));
    sizes.join(", ")
}

/// The programs that ran for a claim, with links to their listings.
fn ran(programs: &[Program], listed: &Listed<'_>) -> Markup {
    html! {
        @if !programs.is_empty() {
            details.programs {
                summary { "the programs that ran" }
                @for program in programs {
                    p.known {
                        a href={ "#program-" (without_definitions(&program.name)) } { (program.name) }
                        @if let Some((_, Some(listing))) = listed.get(&*program.name) { ": " (size(listing)) }
                    }
                }
            }
        }
    }
}

/// Longest listing in the page.
const LONGEST: usize = 400;

/// All programs, with text and listing. A program that ran with several definitions is shown once, with the median
/// length of those at most [`LONGEST`].
fn programs(listed: &Listed<'_>) -> Markup {
    let mut variants: BTreeMap<String, Vec<&(&Program, Option<Listing>)>> = BTreeMap::new();
    for (name, one) in listed {
        variants.entry(without_definitions(name)).or_default().push(one);
    }
    let length = |listing: &Listing| listing.instructions.len();
    let chosen = variants.into_iter().map(|(id, mut all)| {
        all.sort_by_key(|(_, listing)| listing.as_ref().map(length));
        let short =
            all.partition_point(|(_, listing)| listing.as_ref().map(length) <= Some(LONGEST));
        (id, all[short / 2])
    });
    html! {
        @if !listed.is_empty() {
            section.paper id="programs" {
                h2 { "Programs" }
                p.quiet {
                    "Each program as text and as a listing in the assembly of " code { "NV_fragment_program" }
                    ", with loops unrolled and functions inlined. In front of each text is "
                    code { "glsl/stream/program/prelude.glsl" } "."
                }
                @for (id, (program, listing)) in chosen {
                    details id={ "program-" (id) } {
                        summary { (program.name) @if let Some(listing) = listing { ": " (size(listing)) } }
                        pre { (own_text(&program.text).trim()) }
                        @match listing {
                            Some(listing) if length(listing) > LONGEST => {
                                p { "The listing: " code { (print_command(&program.name)) } }
                            }
                            Some(listing) => pre { (listing) },
                            None => {}
                        }
                    }
                }
            }
        }
    }
}

/// The command that prints a listing.
fn print_command(name: &str) -> String {
    let words = name.split_whitespace().filter(|word| *word != "with");
    let options = words.enumerate().map(|(at, word)| match word {
        _ if at == 0 => format!(" {word}"),
        _ if word.contains('=') => format!(" --define {word}"),
        _ => format!(" --with {}", word.trim_end_matches(',')),
    });
    format!("fragstream listing{}", options.collect::<String>())
}

/// The exhibits without a claim.
fn gallery(exhibits: &[Exhibit]) -> Markup {
    html! {
        @if !exhibits.is_empty() {
            section.paper id="exhibits" {
                h2 { "Layouts side by side" }
                p.quiet {
                    "Shown, not judged: the same matrix, the same grid in every layout of the papers. "
                    em { "Ceiling" } " is the share of the speed of a trivial program with the same fetches."
                }
                @for exhibit in exhibits {
                    article {
                        header { h3 { (exhibit.title) } }
                        (drawn(&exhibit.figure))
                        dl.commands { (command("show it again", &exhibit.command)) }
                        details {
                            summary { "bytes, counts, times, errors" }
                            pre { (exhibit.text) }
                        }
                    }
                }
            }
        }
    }
}

fn glossary() -> Markup {
    html! {
        section.paper id="glossary" {
            h2 { "Glossary" }
            dl.glossary {
                @for (word, meaning) in WORDS { dt { (word) } dd { (meaning) } }
            }
        }
    }
}

/// The verdict in its colour, with a sign, so that it does not depend on colour alone.
fn verdict(verdict: Verdict) -> Markup {
    let sign = match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Differs => "≠",
        Verdict::Undecided => "?",
        Verdict::NotReproduced => "✗",
        Verdict::NotJudged | Verdict::NotRun => "–",
    };
    html! { span class=(class_of(verdict)) { (sign) " " (verdict) } }
}

fn class_of(verdict: Verdict) -> String {
    verdict.name().replace(' ', "-")
}
