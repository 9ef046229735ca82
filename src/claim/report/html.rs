//! The report as a page that a teacher can put on a screen: one file, pictures inside, no scripts,
//! no fonts from elsewhere, light and dark.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::imageops::{FilterType, resize};
use rayon::prelude::*;

use super::glossary::WORDS;
use crate::claim::exhibit::Exhibit;
use crate::claim::finding::{Figure, Finding, JudgedOn, Variant, Verdict};
use crate::claim::{commands, papers};
use crate::picture::gif;

/// The style sheet; it becomes part of the page.
const STYLE: &str = include_str!("style.css");

/// Pictures of more bytes than this are made smaller for the page; the files hold them as they are.
const LARGEST: usize = 48_000;
/// Columns of a picture made smaller, the first that fits; and what fits: of a claim's picture, and of an
/// exhibit's, which is a table of small print.
const WIDTHS: [u32; 5] = [960, 720, 540, 400, 320];
const FITS: usize = 42_000;
const EXHIBIT_FITS: usize = 180_000;

/// The whole page: what the run was made on, its findings, and what it shows beside.
pub fn page(
    machine: &BTreeMap<String, String>,
    findings: &[Finding],
    exhibits: &[Exhibit],
) -> String {
    let quick = machine.get("mode").is_some_and(|mode| mode == "quick");
    let drawn = |finding: &Finding| figures(&finding.figures);
    let drawn: Vec<String> = findings.par_iter().map(drawn).collect();
    let mut shown = BTreeSet::new();
    let mut cards = findings.iter().enumerate().map(|(place, finding)| {
        let near = [place.checked_sub(1), Some(place + 1)];
        let near = near.map(|place| Some(findings.get(place?)?.claim.id));
        let programs = programs(finding, &mut shown);
        card(finding, near, quick, (&drawn[place], &programs))
    });
    let papers: Vec<&[Finding]> = findings
        .chunk_by(|left, right| left.claim.paper_id() == right.claim.paper_id())
        .collect();
    let sections: String = papers
        .iter()
        .map(|findings| section(findings, cards.by_ref().take(findings.len()).collect()))
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>fragstream: claims and measurements</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"kicker\">fragstream</p>\n<h1>Claims and measurements</h1>\n\
         <p class=\"lead quiet\">What papers on numerical solvers in fragment programs claim, \
         and what came out when they were rebuilt and run on this machine.</p>\n{}{}{}</header>\n\
         {sections}{}{}</body>\n</html>\n",
        tally(findings),
        described(machine),
        contents(&papers, exhibits),
        gallery(exhibits),
        glossary(),
    )
}

/// Links to the papers, to the exhibits and to the glossary.
fn contents(papers: &[&[Finding]], exhibits: &[Exhibit]) -> String {
    let items = papers.iter().filter_map(|findings| {
        let id = findings.first()?.claim.paper_id();
        let title = papers::find(id).map_or(id, |paper| paper.title);
        let (id, title, count) = (escape(id), escape(title), findings.len());
        let claims = if count == 1 { "claim" } else { "claims" };
        Some(format!(
            "<li><a href=\"#{id}\">{title}</a> <span class=\"quiet\">{id}, {count} {claims}</span></li>\n"
        ))
    });
    let exhibits = match exhibits {
        [] => "",
        _ => "<li><a href=\"#exhibits\">Layouts side by side</a></li>\n",
    };
    format!(
        "<nav id=\"contents\" class=\"contents\"><h2>Contents</h2>\n<ol>\n{}{exhibits}\
         <li><a href=\"#glossary\">What the words mean</a></li>\n</ol></nav>\n",
        items.collect::<String>()
    )
}

/// What is shown without any claim.
fn gallery(exhibits: &[Exhibit]) -> String {
    let each = exhibits.par_iter().map(|exhibit| {
        format!(
            "<article>\n<header><h3>{}</h3></header>\n{}<dl class=\"commands\">\n{}</dl>\n\
             <details><summary>bytes, counts, times, errors</summary><pre>{}</pre></details>\n</article>\n",
            escape(&exhibit.title),
            figure(&exhibit.figure, EXHIBIT_FITS),
            command("shown again by", &exhibit.command),
            escape(&exhibit.text),
        )
    });
    match exhibits {
        [] => String::new(),
        _ => format!(
            "<section class=\"paper\" id=\"exhibits\">\n<h2>Layouts side by side</h2>\n\
             <p class=\"quiet\">Shown, not judged: the same matrix, the same grid in every layout of the \
             papers. <em>Ceiling</em> is the part of the speed of a trivial program with the same fetches.</p>\n{}\
             </section>\n",
            each.collect::<String>()
        ),
    }
}

/// The words that need it.
fn glossary() -> String {
    let words = WORDS
        .iter()
        .map(|(word, meaning)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(word), escape(meaning)));
    format!(
        "<section class=\"paper\" id=\"glossary\">\n<h2>What the words mean</h2>\n\
         <dl class=\"glossary\">\n{}</dl>\n</section>\n",
        words.collect::<String>()
    )
}

/// How many claims came to which verdict.
fn tally(findings: &[Finding]) -> String {
    let items = Verdict::ALL.map(|verdict| {
        let class = class_of(verdict);
        let count = findings.iter().filter(|f| f.verdict == verdict).count();
        match (verdict, count) {
            // Rare, and nothing that a reader should look for.
            (Verdict::NotRun, 0) => String::new(),
            _ => format!("<li class=\"{class}\"><b>{count}</b>{verdict}</li>\n"),
        }
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
fn section(findings: &[Finding], cards: String) -> String {
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
    format!(
        "<section class=\"paper\" id=\"{}\">\n{heading}<div class=\"scroll\"><table>\n\
         <thead><tr><th>claim</th><th>class</th><th>variant</th>\
         <th>judged on</th><th>paper</th><th>measured</th><th>model</th><th>verdict</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{cards}</section>\n",
        escape(id)
    )
}

fn row(finding: &Finding) -> String {
    let claim = &finding.claim;
    format!(
        "<tr><td class=\"id\"><a href=\"#{anchor}\">{}</a><br><span class=\"quiet\">{}</span></td><td>{}</td>\
         <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"verdict\">{}</td></tr>\n",
        escape(claim.id),
        escape(claim.section),
        claim.class,
        claim.variant.name(),
        claim.judged_on.name(),
        escape(claim.paper),
        escape(&finding.measured),
        escape(&finding.model),
        verdict(finding.verdict),
        anchor = escape(claim.id),
    )
}

/// A claim: what the paper says, what came out, why, how to see it again, and the pictures. `near` are
/// the claims before and after it.
fn card(
    finding: &Finding,
    near: [Option<&str>; 2],
    quick: bool,
    (figures, programs): (&str, &str),
) -> String {
    let claim = &finding.claim;
    let why = match finding.why.as_str() {
        "" => String::new(),
        why => format!("<p class=\"why\">{}</p>\n", escape(why)),
    };
    let model = match finding.model.as_str() {
        "" => String::new(),
        model => format!("<div><dt>model</dt><dd>{}</dd></div>", escape(model)),
    };
    let link = |id: Option<&str>, name: &str| match id {
        Some(id) => format!("<a href=\"#{}\">{name}</a> ", escape(id)),
        None => String::new(),
    };
    let [before, after] = near;
    format!(
        "<article id=\"{}\">\n<nav class=\"near\">{}<a href=\"#contents\">contents</a> {}</nav>\n\
         <header><div><h3>{}</h3><p class=\"meta\">{} · {} · variant: {} · judged on: {}</p></div>\
         <p class=\"verdict\">{}</p></header>\n<p class=\"statement\">{}</p>\n\
         <dl class=\"compare\"><div><dt>paper</dt><dd>{}</dd></div>\
         <div><dt>measured</dt><dd>{}</dd></div>{model}</dl>\n<p class=\"plain\">{}</p>\n{why}{}{figures}{programs}</article>\n",
        escape(claim.id),
        link(before, "← previous"),
        link(after, "next →"),
        escape(claim.id),
        escape(claim.section),
        claim.class,
        claim.variant.name(),
        claim.judged_on.name(),
        verdict(finding.verdict),
        escape(claim.statement),
        escape(claim.paper),
        escape(&finding.measured),
        plainly(finding),
        commands(finding, quick),
    )
}

/// What came out, in a plain sentence.
fn plainly(finding: &Finding) -> String {
    let how = match finding.claim.judged_on {
        JudgedOn::Count => "Counted",
        JudgedOn::Measurement => "Measured",
        JudgedOn::Model => "In the model of a card of 2003",
        JudgedOn::Picture => "Drawn",
    };
    let whose = match finding.claim.variant {
        Variant::Paper => "with the paper’s method",
        Variant::Ours => "with a variant of ours",
    };
    match finding.verdict {
        Verdict::Reproduced => format!("{how} {whose}, it comes out as claimed."),
        Verdict::Differs => format!("{how} {whose}, it comes out otherwise, for this reason:"),
        Verdict::NotReproduced => format!("{how} {whose}, it does not come out:"),
        Verdict::NotRun => "It could not be run on this driver:".to_owned(),
    }
}

/// The commands that check a claim again, and that do the same with another input.
fn commands(finding: &Finding, quick: bool) -> String {
    let again = commands::again(finding.claim.id, quick, &finding.inputs);
    let again = command("checked again by", &again);
    let behind = commands::behind(finding.claim.id);
    let behind = behind.map_or_else(String::new, |line| command("for an input of yours", line));
    format!("<dl class=\"commands\">\n{again}{behind}</dl>\n")
}

/// A command, and what it is for.
fn command(name: &str, line: &str) -> String {
    let line = escape(line);
    format!("<div><dt>{name}</dt><dd><code>{line}</code></dd></div>\n")
}

/// The texts of a finding's programs; of those shown before, if with other numbers, a link to them.
fn programs(finding: &Finding, shown: &mut BTreeSet<String>) -> String {
    let each = finding.programs.iter().map(|program| {
        let name = escape(&program.name);
        // What is defined is a number, such as the length of a row: the text is the same.
        let words = program.name.split_whitespace();
        let words: Vec<&str> = words.filter(|word| !word.contains('=')).collect();
        let id = escape(&words.join("-")).into_owned();
        match shown.insert(id.clone()) {
            true => format!(
                "<details id=\"program-{id}\"><summary>{name}</summary><pre>{}</pre></details>\n",
                escape(program.text.trim())
            ),
            false => format!("<p class=\"known\"><a href=\"#program-{id}\">{name}</a></p>\n"),
        }
    });
    let each: String = each.collect();
    match each.as_str() {
        "" => each,
        _ => format!(
            "<details class=\"programs\"><summary>the programs that ran</summary>\n{each}</details>\n"
        ),
    }
}

/// A claim's figures, packed on all cores.
fn figures(figures: &[Figure]) -> String {
    figures.par_iter().map(|one| figure(one, FITS)).collect()
}

fn figure(figure: &Figure, fits: usize) -> String {
    let caption = escape(&figure.caption);
    let file = escape(&figure.file);
    let picture = smaller(&figure.png, fits);
    let numbers = match (figure.numbers(), figure.file.rsplit_once('.')) {
        (Some(_), Some((stem, _))) => {
            format!(" <a href=\"{}.csv\">its numbers</a>", escape(stem))
        }
        _ => String::new(),
    };
    format!(
        "<figure><a href=\"{file}\"><img alt=\"{caption}\" src=\"data:image/{};base64,{}\"></a>\
         <figcaption>{caption}{numbers}</figcaption></figure>\n",
        if picture.starts_with(b"GIF") {
            "gif"
        } else {
            "png"
        },
        STANDARD.encode(picture)
    )
}

/// A picture as the page holds it, so that it can be sent: a large one with fewer pixels and 256 colours,
/// down to so many bytes.
fn smaller(file: &[u8], fits: usize) -> Cow<'_, [u8]> {
    let Some(picture) = (file.len() > LARGEST).then(|| image::load_from_memory(file)) else {
        return Cow::Borrowed(file);
    };
    let Ok(mut picture) = picture.map(image::DynamicImage::into_rgb8) else {
        return Cow::Borrowed(file);
    };
    let (mut smallest, mut packed) = (Cow::Borrowed(file), 0);
    for width in WIDTHS {
        // Of fewer pixels each takes as many bytes or more: a width too large is known beforehand.
        let share = f64::from(width) / f64::from(picture.width());
        if packed as f64 * share * share > fits as f64 && width != WIDTHS[WIDTHS.len() - 1] {
            continue;
        }
        if width < picture.width() {
            let height = (picture.height() * width).div_ceil(picture.width());
            picture = resize(&picture, width, height, FilterType::Triangle);
        }
        if let Ok(bytes) = gif(&picture) {
            packed = bytes.len();
            if packed < smallest.len() {
                smallest = Cow::Owned(bytes);
            }
        }
        if smallest.len() <= fits {
            break;
        }
    }
    smallest
}

/// The verdict in its colour, with a sign, so that the colour is not all that tells.
fn verdict(verdict: Verdict) -> String {
    let sign = match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Differs => "≠",
        Verdict::NotReproduced => "✗",
        Verdict::NotRun => "–",
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
        Verdict::NotRun => "not-run",
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
