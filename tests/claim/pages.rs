//! The generated parts of the pages: the results in README.md, each paper's claims on its page, and the runs
//! and pictures in `figures/README.md`. A part stands between `<!-- name -->` and `<!-- end of name -->`.

use std::fmt::Write;
use std::fs;

use fragstream::claim::report::json::{Entry, markdown};
use fragstream::claim::{Class, Paper, Verdict};
use fragstream::papers::PAPERS;
use fragstream::retrodiction::timings;

use crate::claim::readme::{is_whole, root};
use crate::claim::table::{HOW, committed};

/// A paper, and what the committed report has of its claims.
type OfPaper = (&'static Paper, Vec<Entry>);

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

/// All parts, from the report as it is.
fn parts() -> Vec<Part> {
    let entries = committed().claims;
    let of = |paper: &Paper| -> Vec<Entry> {
        let is_its =
            |entry: &&Entry| entry.id.split_once('/').is_some_and(|(id, _)| id == paper.id);
        entries.iter().filter(is_its).cloned().collect()
    };
    let papers: Vec<OfPaper> = PAPERS.iter().map(|paper| (*paper, of(paper))).collect();
    let part = |page: &str, name, text| Part { page: page.to_owned(), name, text };
    let mut parts = vec![
        part("README.md", "results", results(&papers, "figures/")),
        part("figures/README.md", "results", results(&papers, "")),
        part("figures/README.md", "runs", runs(&entries)),
        part("figures/README.md", "pictures", pictures()),
        part("figures/card/README.md", "timings", model_timings()),
    ];
    parts.extend(papers.iter().map(|(paper, entries)| Part {
        page: format!("figures/{}/README.md", paper.id),
        name: "claims",
        text: markdown(entries, &format!("{}/", paper.id)),
    }));
    parts
}

/// One row per paper, and a sentence on what must hold. Identities, fits and errata are not counted.
fn results(papers: &[OfPaper], folder: &str) -> String {
    let counted: Vec<(&str, Vec<&Entry>)> = (papers.iter())
        .map(|(paper, entries)| {
            let uncounted = [Class::Identity, Class::Fit, Class::Erratum].map(Class::name);
            let is_counted = |entry: &&Entry| !uncounted.contains(&entry.class.as_str());
            (paper.id, entries.iter().filter(is_counted).collect())
        })
        .collect();
    let count = |entries: &[&Entry], verdict: Verdict| {
        let of = |entry: &&&Entry| entry.verdict == verdict.name();
        entries.iter().filter(of).count()
    };
    let any = |verdict| counted.iter().any(|(_, entries)| count(entries, verdict) > 0);
    let mut shown =
        vec![Verdict::Reproduced, Verdict::Differs, Verdict::Undecided, Verdict::NotReproduced];
    shown.extend(any(Verdict::NotRun).then_some(Verdict::NotRun));
    let mut text = "| paper | what it runs in textures | claims |".to_owned();
    for verdict in &shown {
        write!(text, " {verdict} |").expect("memory");
    }
    text += "\n|---|---|--:|";
    text += &"--:|".repeat(shown.len());
    for (paper, entries) in &counted {
        let (subject, all) = (subject(paper), entries.len());
        let link = format!("{folder}{paper}/README.md");
        write!(text, "\n| [{paper}]({link}) | {subject} | {all} |").expect("memory");
        for &verdict in &shown {
            match count(entries, verdict) {
                0 => text += " |",
                some => write!(text, " {some} |").expect("memory"),
            }
        }
    }
    let all: Vec<&Entry> = counted.iter().flat_map(|(_, entries)| entries).copied().collect();
    let is_binding = |entry: &&&Entry| matches!(entry.class.as_str(), "exact" | "tolerance");
    let binding: Vec<&Entry> = all.iter().filter(is_binding).copied().collect();
    let failed = all.iter().filter(|entry| entry.verdict == Verdict::NotReproduced.name());
    let failed: Vec<String> = failed.map(|entry| format!("`{}`", entry.id)).collect();
    text += &format!(
        "\n\nOf {} claims {} are reproduced; of the {} *exact* and *tolerance* claims, {}.",
        all.len(),
        count(&all, Verdict::Reproduced),
        binding.len(),
        count(&binding, Verdict::Reproduced)
    );
    if !failed.is_empty() {
        text += &format!(" Not reproduced: {}.", failed.join(", "));
    }
    text += "\n";
    text
}

/// Commit, date, mode and renderer of the runs, and the number of claims that each has checked.
fn runs(entries: &[Entry]) -> String {
    let mut text =
        "| claims | commit | date | mode | renderer |\n|--:|---|---|---|---|\n".to_owned();
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for entry in entries {
        match runs.iter_mut().find(|(run, _)| *run == entry.run) {
            Some((_, count)) => *count += 1,
            None => runs.push((&entry.run, 1)),
        }
    }
    for (run, count) in runs {
        let parts: Vec<&str> = run.splitn(4, ", ").collect();
        writeln!(text, "| {count} | {} |", parts.join(" | ")).expect("memory");
    }
    text
}

/// The file with the numbers of a figure.
pub fn csv_of(figure: &str) -> String {
    let stem = figure.rsplit_once('.').map_or(figure, |(stem, _)| stem);
    format!("{stem}.csv")
}

/// A contact sheet of all pictures, by folder.
fn pictures() -> String {
    let mut text = String::new();
    let figures = root().join("figures");
    for folder in names(&figures) {
        let pictures = names(&figures.join(&folder));
        let pictures =
            pictures.iter().filter(|name| name.ends_with(".png") || name.ends_with(".svg"));
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
