//! The report as a page: self-explaining, light and dark, readable without scripts. Figures are files next to it.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::columns::{Column, outcome};
use super::glossary::WORDS;
use super::json::Entry;
use super::provenance::Provenance;
use super::{Heading, Report, count, counts, plural};
use crate::base::order::ShortSort;
use crate::claim::{Cell, Class, Exhibit, Figure, JudgedOn, Table, Verdict};
use crate::program::{Listing, own_text};

/// The style sheet and the script, which are embedded in the page.
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("filter.js");

/// The policy of the page: its own script, styles, and figures next to it.
fn policy() -> String {
    let script = STANDARD.encode(Sha256::digest(SCRIPT));
    format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; img-src 'self' file: data:; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Renders the whole page.
pub fn page(report: &Report) -> String {
    let papers = report.claims.chunk_by(|left, right| left.parts().0 == right.parts().0);
    let papers: Vec<Section<'_>> =
        papers.map(|claims| (heading(report, &claims[0]), claims)).collect();
    let listed = listed(report);
    let mut runs: Vec<&Provenance> = report.runs.iter().collect();
    runs.order_by_key(|run| std::cmp::Reverse(report.rows_of(run)));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
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
                    (contents(&papers, report))
                    (filters(&papers))
                    table.runs {
                        thead { tr { th { "claims" } th { "run" } th { "machine" } } }
                        tbody { @for run in &runs { (machine(run, report)) } }
                    }
                    p.cite { "To cite: " code { (report.citation()) } }
                    pre { (report.bibtex()) }
                }
                @for paper in &papers { (section(paper, report, &listed)) }
                (gallery(&report.exhibits))
                (programs(&listed))
                (glossary())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A paper with its claims.
type Section<'a> = (Heading, &'a [Entry]);

/// The paper of a claim; its id alone if the report does not describe it.
fn heading(report: &Report, claim: &Entry) -> Heading {
    let id = claim.parts().0;
    let known = report.papers.iter().find(|paper| paper.id == id);
    let unknown = || Heading { id: id.to_owned(), title: id.to_owned(), ..Heading::default() };
    known.cloned().unwrap_or_else(unknown)
}

/// Number of claims per verdict.
fn tally(report: &Report) -> Markup {
    let counts = Verdict::ALL.map(|verdict| (verdict, count(&report.claims, verdict)));
    let uncounted = report.claims.iter().filter(|claim| !claim.class.is_counted()).count();
    html! {
        ul.tally {
            @for (verdict, count) in counts {
                @if count > 0 || matches!(verdict, Verdict::Reproduced | Verdict::Differs) {
                    li class=(class_of(verdict)) {
                        b { (count) } (verdict)
                    }
                }
            }
            @if uncounted > 0 {
                li.quiet { b { (uncounted) } "not counted: identities, fits, errata, consistency" }
            }
        }
    }
}

/// A run: the number of its claims, its mode and date, and its system.
fn machine(run: &Provenance, report: &Report) -> Markup {
    html! {
        tr { td.number { (report.rows_of(run)) } @for cell in run.entries() { td { (cell) } } }
    }
}

/// Links to the papers, each with its own tally, to the exhibits, the programs and the glossary.
fn contents(papers: &[Section<'_>], report: &Report) -> Markup {
    html! {
        nav.contents id="contents" {
            h2 { "Contents" }
            ol {
                @for (paper, claims) in papers {
                    li {
                        a href={ "#" (paper.id) } { (paper.title) }
                        " " span.quiet { (paper.id) ", " (counted(claims)) }
                    }
                }
                @if !report.exhibits.is_empty() { li { a href="#exhibits" { "Layouts side by side" } } }
                @if !report.programs.is_empty() { li { a href="#programs" { "Programs" } } }
                li { a href="#glossary" { "Glossary" } }
            }
        }
    }
}

/// `31 claims: 23 reproduced, 8 differ`.
fn counted(claims: &[Entry]) -> String {
    let all = claims.len();
    format!("{all} {}: {}", plural(all, "claim", "claims"), counts(claims))
}

/// The filters; the script makes them visible.
fn filters(papers: &[Section<'_>]) -> Markup {
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
                    @for (paper, _) in papers { option { (paper.id) } }
                }
            }
            output id="matches" {}
        }
    }
}

/// A paper: its title, the table of its claims, a card for each.
fn section((paper, claims): &Section<'_>, report: &Report, listed: &Listed<'_>) -> Markup {
    html! {
        section.paper id=(paper.id) {
            h2 { (paper.title) }
            p.quiet { (by(paper)) (counted(claims)) "." }
            table.claims {
                thead { tr { @for head in HEADS { th { (head) } } } }
                tbody { @for claim in *claims { (row(claim)) } }
            }
            @for exhibit in report.exhibits.iter().filter(|one| is_of(one, &paper.id)) { (drawn(&exhibit.figure)) }
            @for (place, claim) in claims.iter().enumerate() {
                @let near = [place.checked_sub(1), Some(place + 1)].map(|at| claims.get(at?));
                (card(claim, near, listed, report.run_of(&claim.run)))
            }
        }
    }
}

fn by(paper: &Heading) -> String {
    if paper.authors.is_empty() {
        return String::new();
    }
    format!("{}, {}. ", paper.authors, paper.year)
}

/// Heads of the table of a paper's claims.
const HEADS: [&str; 5] = ["claim", "statement", "the paper", "here", "verdict"];

fn row(claim: &Entry) -> Markup {
    let (paper, name) = claim.parts();
    html! {
        tr.claim data-verdict=(class_of(claim.verdict)) data-paper=(paper) data-words=(words(claim)) {
            td.id {
                a href={ "#" (claim.anchor()) } { (name) }
                br;
                span.quiet { (claim.section) @if !claim.inputs.is_empty() { ", " (claim.inputs) } }
            }
            td.statement { (claim.statement) }
            td data-head=(HEADS[2]) { (claim.paper) }
            td.here data-head=(HEADS[3]) { (claim.here()) }
            td.verdict { (verdict(claim)) }
        }
    }
}

/// Text for the search.
fn words(claim: &Entry) -> String {
    let words = [&claim.id, &claim.section, &claim.statement, &claim.why];
    words.map(String::as_str).join(" ").to_lowercase()
}

/// A claim, closed: its name and verdict; open: statement, result, cause, commands, figures.
fn card(
    claim: &Entry,
    [before, after]: [Option<&Entry>; 2],
    listed: &Listed<'_>,
    run: Option<&Provenance>,
) -> Markup {
    let is_timed = claim.class == Class::Shape && claim.judged_on == JudgedOn::Measurement;
    let warnings = run.filter(|_| is_timed).map_or(&[][..], |run| &run.warnings);
    html! {
        article.claim id=(claim.anchor()) data-verdict=(class_of(claim.verdict)) data-paper=(claim.parts().0)
            data-words=(words(claim)) {
            details.evidence {
                summary {
                    h3 { (claim.row()) @if !claim.inputs.is_empty() { " " (claim.inputs) } }
                    " " span.verdict { (verdict(claim)) }
                }
                nav.near {
                    @if let Some(before) = before { a href={ "#" (before.anchor()) } { "← previous" } " " }
                    a href="#contents" { "contents" }
                    @if let Some(after) = after { " " a href={ "#" (after.anchor()) } { "next →" } }
                }
                p.statement { (claim.statement) }
                dl.compare {
                    div { dt { (HEADS[2]) } dd { (claim.paper) } }
                    div { dt { (HEADS[3]) } dd { (claim.here()) } }
                    @let model = claim.model();
                    @if !model.is_empty() { div { dt { "model" } dd { (model) } } }
                }
                @if !claim.why.is_empty() { p.why { (claim.why) } }
                @let open = claim.undecided_by();
                @if !open.is_empty() { p.why { (open) } }
                @for warning in warnings { p.warning { (warning) } }
                (columns(&claim.columns))
                @for figure in &claim.figures { (drawn(figure)) }
                p.meta {
                    (claim.section) " · " (claim.class) " · variant: " (claim.variant) " · judged on: "
                    (claim.basis())
                }
                @let trust = claim.trust();
                @if !trust.is_empty() { p.meta { (trust) } }
                ul.values {
                    @for value in &claim.values { li { @if value.is_model { "model: " } (value) } }
                }
                @for table in &claim.tables { (numbers(table)) }
                dl.commands {
                    (command("check it again", &claim.command))
                    @for line in claim.records() { (command("record", line)) }
                    div {
                        dt { "this run" }
                        dd.quiet { (claim.run) ", " (format!("{:.1} s", claim.seconds)) }
                    }
                }
                (ran(&claim.programs, listed))
            }
        }
    }
}

/// The columns of a sentence about performance, if there are others than its own.
fn columns(columns: &[Column]) -> Markup {
    let heads = ["value", "source", "machine", "number", "verdict"];
    html! {
        @if columns.iter().any(|column| !column.decides) {
            table.numbers.columns {
                thead { tr { @for head in heads { th { (head) } } } }
                tbody {
                    @for column in columns {
                        tr {
                            td { (column.name) }
                            td { (column.source) @if column.decides { ", decides" } }
                            td { (column.machine) }
                            td.number { (column.amount()) }
                            td { @if !column.decides { (outcome(&[column])) } }
                        }
                    }
                }
            }
        }
    }
}

fn command(name: &str, line: &str) -> Markup {
    html! { div { dt { (name) } dd { code { (line) } } } }
}

fn drawn(figure: &Figure) -> Markup {
    let [width, height] = figure.size;
    html! {
        figure {
            a href=(figure.file) {
                img alt=(figure.caption) src=(figure.file) loading="lazy" width=(width) height=(height)
                    style={ "--ratio: " (f64::from(width) / f64::from(height.max(1))) };
            }
            figcaption {
                (figure.caption)
                @if !figure.numbers.is_empty() { " " a href=(figure.numbers) { "Its numbers." } }
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
                                    td.number[matches!(cell, Cell::Number(_) | Cell::Measured(_))] { (cell.text()) }
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

/// The text of a program, with its listing if it has one.
type Text<'a> = (&'a str, Option<Listing>);
/// Every program by its name.
type Listed<'a> = BTreeMap<&'a str, Text<'a>>;

fn listed(report: &Report) -> Listed<'_> {
    let programs = report.programs.iter();
    programs.map(|(name, text)| (&**name, (&**text, Listing::of(text).ok()))).collect()
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
fn ran(programs: &[String], listed: &Listed<'_>) -> Markup {
    html! {
        @if !programs.is_empty() {
            details.programs {
                summary { "the programs that ran" }
                @for program in programs {
                    p.known {
                        a href={ "#program-" (without_definitions(program)) } { (program) }
                        @if let Some((_, Some(listing))) = listed.get(&**program) { ": " (size(listing)) }
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
    let mut variants: BTreeMap<String, Vec<(&&str, &Text<'_>)>> = BTreeMap::new();
    for one in listed {
        variants.entry(without_definitions(one.0)).or_default().push(one);
    }
    let length = |listing: &Listing| listing.instructions.len();
    let chosen = variants.into_iter().map(|(id, mut all)| {
        all.order_by_key(|(_, (_, listing))| listing.as_ref().map(length));
        let short =
            all.partition_point(|(_, (_, listing))| listing.as_ref().map(length) <= Some(LONGEST));
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
                @for (id, (name, (text, listing))) in chosen {
                    details id={ "program-" (id) } {
                        summary { (name) @if let Some(listing) = listing { ": " (size(listing)) } }
                        pre { (own_text(text).trim()) }
                        @match listing {
                            Some(listing) if length(listing) > LONGEST => {
                                p { "The listing: " code { (print_command(name)) } }
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

/// Tests whether an exhibit belongs to a paper, or to the comparison of layouts.
fn is_of(exhibit: &Exhibit, folder: &str) -> bool {
    exhibit.figure.file.split('/').next() == Some(folder)
}

/// The exhibits of layouts.
fn gallery(exhibits: &[Exhibit]) -> Markup {
    let exhibits: Vec<&Exhibit> = exhibits.iter().filter(|one| is_of(one, "layouts")).collect();
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
fn verdict(claim: &Entry) -> Markup {
    html! { span class=(class_of(claim.verdict)) { (claim.verdict.sign()) " " (claim.result()) } }
}

fn class_of(verdict: Verdict) -> String {
    verdict.name().replace(' ', "-")
}
