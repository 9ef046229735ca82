//! The generated parts of the pages: the results in README.md, each paper's claims on its page, and the runs
//! and pictures in `figures/README.md`. A part stands between `<!-- name -->` and `<!-- end of name -->`.

use std::fmt::Write;
use std::fs;

use fragstream::claim::{Claim, Verdict};
use fragstream::retrodiction::timings;

use crate::readme::{is_whole, root};
use crate::table::{Document, Entry, HOW, claims, report};

/// A generated part: the page, its name there, and its text.
struct Part {
    page: String,
    name: &'static str,
    text: String,
}

/// What each paper runs in textures, for the table of results.
fn subject(paper: &str) -> &'static str {
    match paper {
        "bolz2003" => "sparse conjugate gradients for mesh smoothing; multigrid; a fluid",
        "kruger2003" => "vector and matrix operators; water; Navier–Stokes",
        "goodnight2003" => "multigrid for heat, tone mapping and a flapping wing",
        "batty2003" => "the pressure solve of a production liquid",
        "geveler2011" => "finite-element multigrid built from sparse products",
        "card" => "the papers' timings, computed by a model of their cards",
        _ => panic!("{paper} needs a subject here"),
    }
}

/// All parts, from the reports as they are.
fn parts() -> Vec<Part> {
    let papers: Vec<(&str, Vec<Claim>, Document)> = claims()
        .into_iter()
        .map(|(paper, claims)| (paper, claims, report(paper)))
        .collect();
    let part = |page: &str, name, text| Part {
        page: page.to_owned(),
        name,
        text,
    };
    let mut parts = vec![
        part("README.md", "results", results(&papers, "figures/")),
        part("figures/README.md", "results", results(&papers, "")),
        part("figures/README.md", "runs", runs(&papers)),
        part("figures/README.md", "pictures", pictures()),
        part("figures/card/README.md", "timings", model_timings()),
    ];
    parts.extend(papers.iter().map(|(paper, claims, document)| Part {
        page: format!("figures/{paper}/README.md"),
        name: "claims",
        text: claims_of(claims, &document.claims),
    }));
    parts
}

/// One row per paper, and a sentence on what must hold.
fn results(papers: &[(&str, Vec<Claim>, Document)], folder: &str) -> String {
    let count = |document: &Document, verdict: Verdict| {
        let of = |entry: &&Entry| entry.verdict == verdict.name();
        document.claims.iter().filter(of).count()
    };
    let any = |verdict| papers.iter().any(|(.., found)| count(found, verdict) > 0);
    let mut shown = vec![
        Verdict::Reproduced,
        Verdict::Differs,
        Verdict::NotReproduced,
    ];
    shown.extend(any(Verdict::NotRun).then_some(Verdict::NotRun));
    let mut text = "| paper | what it runs in textures | claims |".to_owned();
    for verdict in &shown {
        write!(text, " {verdict} |").expect("memory");
    }
    text += "\n|---|---|--:|";
    text += &"--:|".repeat(shown.len());
    for (paper, claims, document) in papers {
        let (subject, all) = (subject(paper), claims.len());
        write!(
            text,
            "\n| [{paper}]({folder}{paper}/README.md) | {subject} | {all} |"
        )
        .expect("memory");
        for &verdict in &shown {
            match count(document, verdict) {
                0 => text += " |",
                some => write!(text, " {some} |").expect("memory"),
            }
        }
    }
    let entries = || papers.iter().flat_map(|(.., document)| &document.claims);
    let of = |verdict: Verdict| entries().filter(move |entry| entry.verdict == verdict.name());
    let is_binding = |entry: &&Entry| matches!(entry.class.as_str(), "exact" | "tolerance");
    let held = of(Verdict::Reproduced).filter(is_binding).count();
    let binding = entries().filter(is_binding).count();
    let (reproduced, all) = (of(Verdict::Reproduced).count(), entries().count());
    let failed = of(Verdict::NotReproduced).map(|entry| format!("`{}`", entry.id));
    let failed: Vec<String> = failed.collect();
    text += &format!(
        "\n\nOf {all} claims {reproduced} are reproduced; of the {binding} *exact* and *tolerance* claims, {held}."
    );
    if !failed.is_empty() {
        text += &format!(" Not reproduced: {}.", failed.join(", "));
    }
    text += "\n";
    text
}

/// A table, and below it a paragraph per claim that opens.
fn claims_of(claims: &[Claim], entries: &[Entry]) -> String {
    let mut text =
        "| claim | kind | the paper | here | verdict |\n|---|---|---|---|---|\n".to_owned();
    let name = |claim: &Claim| claim.id.split('/').nth(1).unwrap_or(claim.id);
    for (claim, entry) in claims.iter().zip(entries) {
        let kind = [&entry.class, &entry.variant, &entry.judged_on].map(String::as_str);
        let cells = [&entry.paper, &entry.measured].map(|cell| cell.replace('|', "\\|"));
        let (name, verdict) = (name(claim), &entry.verdict);
        writeln!(
            text,
            "| [`{name}`](#{name}) | {} | {} | {verdict} |",
            kind.join(", "),
            cells.join(" | ")
        )
        .expect("memory");
    }
    text += "\n*Kind*: the class, whose method ran (the paper's, or a variant of ours), and what the verdict rests on.\n";
    for (claim, entry) in claims.iter().zip(entries) {
        let (name, verdict, section) = (name(claim), &entry.verdict, claim.section);
        write!(
            text,
            "\n<details id=\"{name}\"><summary><code>{name}</code> ({section}): {verdict}</summary>\n\n{}\n",
            claim.statement
        )
        .expect("memory");
        for (head, what) in [("Why", &entry.why), ("Model", &entry.model)] {
            if !what.is_empty() {
                write!(text, "\n*{head}:* {what}\n").expect("memory");
            }
        }
        let pictures = entry.figures.iter().map(|figure| {
            let file = figure.rsplit('/').next().unwrap_or(figure);
            format!("[{file}]({file})")
        });
        let pictures: Vec<String> = pictures.collect();
        if !pictures.is_empty() {
            write!(text, "\nPictures: {}\n", pictures.join(", ")).expect("memory");
        }
        write!(
            text,
            "\n`fragstream reproduce {}`\n\n</details>\n",
            claim.id
        )
        .expect("memory");
    }
    text
}

/// Where each report comes from.
fn runs(papers: &[(&str, Vec<Claim>, Document)]) -> String {
    let mut text = "| page | commit | run | seconds | renderer | OpenGL | CPU | cores |\n\
                    |---|---|---|--:|---|---|---|--:|\n"
        .to_owned();
    for (paper, _, document) in papers {
        let of = |key: &str| document.machine.get(key).map_or("", String::as_str);
        let keys = [
            "commit", "mode", "seconds", "renderer", "version", "cpu", "cores",
        ];
        writeln!(
            text,
            "| [{paper}]({paper}/README.md) | {} |",
            keys.map(of).join(" | ")
        )
        .expect("memory");
    }
    text
}

/// A contact sheet of all pictures, by folder.
fn pictures() -> String {
    let mut text = String::new();
    let figures = root().join("figures");
    for folder in names(&figures) {
        let pictures = names(&figures.join(&folder));
        let pictures = pictures.iter().filter(|name| name.ends_with(".png"));
        let pictures: Vec<String> = pictures
            .map(|name| {
                let file = format!("{folder}/{name}");
                format!("<a href=\"{file}\"><img src=\"{file}\" alt=\"{name}\" height=\"110\"></a>")
            })
            .collect();
        if !pictures.is_empty() {
            write!(text, "**{folder}**\n\n{}\n\n", pictures.join("\n")).expect("memory");
        }
    }
    text
}

/// What is in a folder, in order; nothing of what is no folder.
fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Every printed timing compared with the model's.
fn model_timings() -> String {
    let mut text =
        "| timing | paper | section | card | what | basis | printed (ms) | model (ms) | ratio |\n\
                    |---|---|---|---|---|---|--:|--:|--:|\n"
            .to_owned();
    for timing in timings().expect("countable programs") {
        let [printed, model] = [timing.printed, timing.model].map(|seconds| 1e3 * seconds);
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {printed:.3} | {model:.3} | {:.2} |",
            timing.id,
            timing.paper,
            timing.section,
            timing.card,
            timing.what,
            timing.basis.name(),
            timing.ratio()
        )
        .expect("memory");
    }
    text
}

/// A page in three: up to the part and its mark, the part, and the rest.
fn split<'a>(page: &'a str, part: &Part) -> [&'a str; 3] {
    let (name, file) = (part.name, &part.page);
    let missing = |mark: &str| -> ! { panic!("{file} has no mark {mark}") };
    let begin = format!("<!-- {name} -->\n");
    let end = format!("<!-- end of {name} -->");
    let start = page.find(&begin).unwrap_or_else(|| missing(&begin)) + begin.len();
    let length = page[start..].find(&end).unwrap_or_else(|| missing(&end));
    let (before, rest) = page.split_at(start);
    let (part, after) = rest.split_at(length);
    [before, part, after]
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Writes all generated parts into their pages.
pub fn write() {
    for part in parts() {
        let page = read(&part.page);
        let [before, _, after] = split(&page, &part);
        let text = format!("{before}{}{after}", part.text);
        fs::write(root().join(&part.page), text).expect("a page");
    }
}

#[test]
fn generated_parts_are_those_of_the_reports() {
    let shown = |part: &Part| part.name != "pictures" || is_whole();
    for part in parts().into_iter().filter(shown) {
        let page = read(&part.page);
        let [_, stands, _] = split(&page, &part);
        let (file, name) = (&part.page, part.name);
        for (stands, should) in stands.lines().zip(part.text.lines()) {
            assert_eq!(stands, should, "{file}, {name}: {HOW}");
        }
        assert_eq!(stands, part.text, "{file}, {name}: {HOW}");
    }
}
