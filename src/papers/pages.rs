//! The pages, as the committed report has them: the results, the claims of each paper and the runs.
//!
//! A generated part of a page is between `<!-- name -->` and `<!-- end of name -->`. A number of the report in
//! hand-written text is between `<!--= claim: name of the value -->` and `<!--/-->`, for example
//! `<!--= timestep: share of advection -->1.72 %<!--/-->`. On the page of layouts the name is a formula of
//! [`factor`].

use std::io::Write;
use std::path::{Path, PathBuf};

use super::PAPERS;
use super::main_claims::MainClaims;
use crate::aged::{self, AgedError, Kind};
use crate::base::order::ShortSort;
use crate::base::table::{Cell, Table, plain};
use crate::claim::report::compare::{Comparison, compare};
use crate::claim::report::html;
use crate::claim::report::json::Entry;
use crate::claim::report::markdown::claims;
use crate::claim::report::store::others;
use crate::claim::{
    Bound, BoxedError, Class, Measured, Paper, Printed, Report, Value, Variant, Verdict,
};
use crate::io::reading::read_stored;
use crate::io::write_atomically;
use crate::layouts::compare::families::{factor, stored};
use crate::program::CountError;
use crate::retrodiction::{Gain, Timing, gains, refit, timings, witnesses};
use crate::timing::interval::short;
use crate::view::keys::KEYS;

/// A page or a report that cannot be read, used or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct PagesError {
    path: PathBuf,
    what: String,
}

const BEGIN: &str = "<!--= ";
const END: &str = "<!--/-->";

type Result<T> = std::result::Result<T, PagesError>;

fn at<E: ToString>(path: &Path) -> impl Fn(E) -> PagesError {
    move |what| PagesError { path: path.to_owned(), what: what.to_string() }
}

/// Reads `report.json` in `folder`.
pub fn report(folder: &Path) -> Result<Report> {
    Report::read(folder).map_err(at(folder))
}

/// The pages in `root`, a clone of the project, with the generated parts that follow from its `figures/report.json`.
pub fn pages(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let report = report(&root.join("figures"))?;
    let entries = &report.claims;
    let figures = "figures/README.md";
    let others = others(&root.join("figures")).map_err(at(root))?;
    let reports: Vec<&Report> = [&report].into_iter().chain(&others).collect();
    let all = compare(PAPERS, &reports);
    let their_runs: String = others.iter().map(|report| format!("\n{}", runs(report))).collect();
    let list = root.join("figures/main-claims.toml");
    let main = read_stored(&list).map_err(at(&list))?;
    let main = MainClaims::of(&main, &reports).map_err(at(&list))?;
    let aged = advice_of_all(root).map_err(at(&root.join("figures/aged")))?;
    // Between its title and origin, and its picture, the page of the advice has the result.
    let found: Vec<&str> =
        aged[0].1.split("\n\n").skip(2).take_while(|part| !part.starts_with("![")).collect();
    let found = found.join("\n\n").replace("](#", "](../aged/README.md#");
    // Its first paragraph has the errors of the predictions.
    let predicted = found.split("\n\n").next().unwrap_or_default();
    let limits =
        aged[0].1.split("\n## Limits\n\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let article = "figures/article/README.md";
    let mut parts = vec![
        ("README.md".to_owned(), "main claims", main.lines("figures/")),
        (figures.to_owned(), "main claims", main.tables("")),
        (figures.to_owned(), "second reader", main.second()),
        (article.to_owned(), "main claims", main.tables("../")),
        (article.to_owned(), "evidence", main.evidence()),
        (article.to_owned(), "summary", format!("{}\n{predicted}\n", main.counts())),
        (article.to_owned(), "limits", format!("{}\n", limits.unwrap_or_default())),
        ("README.md".to_owned(), "results", results(entries, "figures/")),
        (figures.to_owned(), "results", results(entries, "")),
        (article.to_owned(), "results", results(entries, "../")),
        (article.to_owned(), "aged", format!("{found}\n")),
        (figures.to_owned(), "runs", runs(&report)),
        (figures.to_owned(), "elsewhere", machines(&all) + &their_runs),
        ("figures/card/README.md".to_owned(), "timings", model_timings().map_err(at(root))?),
        ("figures/card/README.md".to_owned(), "refits", model_refits().map_err(at(root))?),
        (
            "figures/card/README.md".to_owned(),
            "witnesses",
            witnesses::table().markdown(|column| (2..5).contains(&column)),
        ),
        ("figures/card/README.md".to_owned(), "gains", model_gains().map_err(at(root))?),
        ("figures/kruger2003/README.md".to_owned(), "keys", format!("```text\n{KEYS}\n```\n")),
    ];
    parts.extend(PAPERS.iter().map(|paper| {
        let its = entries.iter().filter(|entry| entry.parts().0 == paper.id);
        let its: Vec<&Entry> = its.collect();
        let text = [
            claims(&its, paper.id),
            failures(paper, &its),
            machines(&all.of(paper.id)),
            advice(paper.id),
        ];
        let text = text.concat();
        (format!("figures/{}/README.md", paper.id), "claims", text)
    }));
    parts.order_by(|one, other| one.0.cmp(&other.0));
    let mut pages: Vec<(PathBuf, String)> = Vec::new();
    for (page, name, part) in parts {
        let path = root.join(&page);
        if pages.last().is_none_or(|(last, _)| *last != path) {
            let text = read_stored(&path).map_err(at(&path))?;
            let paper = page.split('/').nth(1).unwrap_or_default();
            let number = |name: &str| number_of(&report, paper, name);
            pages.push((path.clone(), filled(&text, number).map_err(at(&path))?));
        }
        let (_, text) = pages.last_mut().expect("a page was just added");
        let marks = [format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->")];
        let [begin, end] = marks.each_ref().map(|mark| text.find(mark.as_str()));
        let (Some(begin), Some(end)) = (begin.map(|begin| begin + marks[0].len()), end) else {
            return Err(at(&path)(format!("there is no {}. Add both marks.", marks.join(" … "))));
        };
        text.replace_range(begin..end, &part);
    }
    let folder = root.join("figures/layouts");
    pages.push(layouts(&folder).map_err(at(&folder))?);
    for (name, text) in aged {
        pages.push((root.join("figures/aged").join(name), text));
    }
    // A start page leads to it, on any web server.
    // The texts of the programs are kept beside a report, but are no part of the project.
    let report = Report { programs: Default::default(), ..report };
    pages.push((root.join("figures/report.html"), html::page(&report)));
    Ok(pages)
}

/// A table of what would make each row fail: its conditions, turned over.
fn failures(paper: &Paper, entries: &[&Entry]) -> String {
    let mut table = Table::new("", ["claim", "it fails if"]);
    for entry in entries {
        let claim = paper.claims.iter().find(|claim| entry.parts().1 == claim.id);
        let Some(claim) = claim.filter(|_| entry.inputs.is_empty()) else { continue };
        let mut printed = claim.paper.each().into_iter().cycle();
        let fails = entry.values.iter().filter_map(|value| {
            let ratio = (value.bound == Bound::Printed).then(|| printed.next()).flatten();
            let how = match (&value.bound, ratio.and_then(|ratio| ratio.range())) {
                (Bound::None, _) => return None,
                (Bound::Printed, Some([least, most])) if most.is_infinite() => {
                    format!("is not above {}", short(least))
                }
                (Bound::Printed, Some([0.0, most])) => format!("is not below {}", short(most)),
                (Bound::Printed, Some([least, most])) => {
                    format!("is not from {} to {}", short(least), short(most))
                }
                (bound, _) => format!("is not {}", bound.text(1.0)),
            };
            Some(format!("{} {how}", plain(&value.name)))
        });
        let fails = fails.collect::<Vec<_>>().join("; ");
        if !fails.is_empty() {
            table.row([format!("`{}`", claim.id), fails]);
        }
    }
    let table = table.markdown(|_| false);
    format!(
        "\n<details>\n<summary>What would make each row fail</summary>\n\n{table}\n</details>\n"
    )
}

/// A paper's advice about performance, which a page of its own judges on later machines.
fn advice(paper: &str) -> String {
    let all = aged::sentences();
    let its = all.iter().filter(|one| one.paper == paper && one.kind == Kind::Advice);
    let its: Vec<&str> = its.map(|one| one.statement).collect();
    let list = its.join("; ");
    if its.is_empty() {
        return list;
    }
    format!(
        "\nIts advice on later machines is in [which advice of 2003 aged](../aged/README.md): {list}.\n"
    )
}

/// The files of that page.
fn advice_of_all(root: &Path) -> std::result::Result<Vec<(&'static str, String)>, AgedError> {
    let folders = aged::FOLDERS.iter().map(|folder| aged::Machine::read(&root.join(folder)));
    Ok(aged::files(&folders.collect::<std::result::Result<Vec<_>, _>>()?)?.into())
}

/// The text with numbers at their places, by their names.
fn filled(
    text: &str,
    number: impl Fn(&str) -> Option<String>,
) -> std::result::Result<String, String> {
    let mut parts = text.split(BEGIN);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let broken = || {
            format!(
                "'{BEGIN}{}' has no ' -->' or no '{END}'",
                part.lines().next().unwrap_or_default()
            )
        };
        let (name, rest) = part.split_once(" -->").ok_or_else(broken)?;
        let (_, rest) = rest.split_once(END).ok_or_else(broken)?;
        let number = number(name).ok_or_else(|| format!("there is no number {name}"))?;
        filled += &format!("{BEGIN}{name} -->{number}{END}{rest}");
    }
    Ok(filled)
}

/// A number of the report by its claim and its name, or the duration of the run with the most claims: `run: minutes`. Claims without a paper
/// are those of `paper`.
fn number_of(report: &Report, paper: &str, name: &str) -> Option<String> {
    let (claim, value) = name.split_once(": ")?;
    let is_it = |entry: &&Entry| entry.id == claim || entry.id == format!("{paper}/{claim}");
    match (claim, report.claims.iter().find(is_it)) {
        ("run", _) if value == "minutes" => {
            let claims = |name: &str| report.claims.iter().filter(|one| one.run == name).count();
            let full = report.runs.iter().max_by_key(|run| claims(&run.name()))?;
            Some(format!("{:.0} minutes", full.seconds / 60.0))
        }
        (_, entry) => number(entry?.values.iter().find(|one| one.name == value)?),
    }
}

/// The page of layouts with the factors of its table.
fn layouts(folder: &Path) -> std::result::Result<(PathBuf, String), BoxedError> {
    let (page, table) = (folder.join("README.md"), folder.join("families.csv"));
    let members = stored(&read_stored(&table)?).map_err(|why| format!("families.csv is {why}"))?;
    let text = filled(&read_stored(&page)?, |formula| factor(&members, formula))?;
    Ok((page, text))
}

/// A number as text with its unit: the median, or the range of several values.
fn number(value: &Value) -> Option<String> {
    let text = matches!(value.measured, Measured::Number(_)).then(|| value.text())?;
    Some(text.split(", ").next().unwrap_or_default().to_owned())
}

/// Writes the pages of `root`.
pub fn write(root: &Path) -> Result<()> {
    pages(root)?.into_iter().try_for_each(|(path, text)| {
        write_atomically(&path, |out| out.write_all(text.as_bytes())).map_err(at(&path))
    })
}

/// Two tables with a row per paper: its sentences on method and arithmetic with fragstream's own rows, and those on
/// performance. Identities, fits and errata are not counted.
fn results(entries: &[Entry], folder: &str) -> String {
    let counted: Vec<&Entry> = entries.iter().filter(|entry| entry.is_counted()).collect();
    let reproduced = |entry: &Entry| entry.verdict == Verdict::Reproduced;
    let share = |is_it: &dyn Fn(&Entry) -> bool| {
        let its: Vec<&&Entry> = counted.iter().filter(|&&entry| is_it(entry)).collect();
        let held = its.iter().filter(|&&&entry| reproduced(entry)).count();
        if its.is_empty() { String::new() } else { format!("{held} of {}", its.len()) }
    };
    let is_ours = |entry: &Entry| entry.variant == Variant::Ours.name();
    let is_performance = |entry: &Entry| entry.class == Class::Shape;
    let is_method = |entry: &Entry| !is_ours(entry) && !is_performance(entry);
    let of = |paper: &str, verdict: Verdict| {
        let is_it = |entry: &&&Entry| {
            entry.parts().0 == paper
                && !is_ours(entry)
                && is_performance(entry)
                && entry.verdict == verdict
        };
        match counted.iter().filter(is_it).count() {
            0 => String::new(),
            some => some.to_string(),
        }
    };
    const VERDICTS: [Verdict; 6] = [
        Verdict::Reproduced,
        Verdict::Differs,
        Verdict::Undecided,
        Verdict::NotResolvable,
        Verdict::NotDecidable,
        Verdict::NotApplicable,
    ];
    let head = "paper|what it runs in textures|method and arithmetic: reproduced|fragstream's own rows: reproduced";
    let mut table = Table::new("", head.split('|'));
    let heads = VERDICTS.iter().map(Verdict::to_string);
    let mut times = Table::new("", ["performance".to_owned()].into_iter().chain(heads));
    for paper in PAPERS {
        let its = |entry: &Entry| entry.parts().0 == paper.id;
        let link = format!("[{0}]({folder}{0}/README.md)", paper.id);
        let method = share(&|entry| its(entry) && is_method(entry));
        let ours = share(&|entry| its(entry) && is_ours(entry));
        table.row([&*link, paper.subject, &method, &ours]);
        let performance = VERDICTS.map(|verdict| of(paper.id, verdict));
        if performance.iter().any(|count| !count.is_empty()) {
            times.row([link].into_iter().chain(performance));
        }
    }
    let (text, times) = (table.markdown(|column| column > 1), times.markdown(|column| column > 0));
    let failed = counted.iter().filter(|entry| entry.verdict == Verdict::NotReproduced);
    let failed: Vec<String> = failed.map(|entry| format!("`{}`", entry.id)).collect();
    let failed = match failed.is_empty() {
        true => String::new(),
        false => format!(" Not reproduced: {}.", failed.join(", ")),
    };
    // Only a count can differ among them.
    let differ = counted.iter().filter(|e| is_method(e) && e.verdict == Verdict::Differs).count();
    let differ = if differ == 0 { String::new() } else { format!("; {differ} differ, by count") };
    let method = share(&is_method);
    let own: Vec<&Entry> = entries.iter().filter(|e| e.class == Class::Consistency).collect();
    let consistent = own.iter().filter(|&&entry| reproduced(entry)).count();
    let own = match own.len() {
        0 => String::new(),
        all => format!(" *Consistency* of a paper with itself: {consistent} of {all} hold."),
    };
    format!(
        "{text}\n{times}\n*Method and arithmetic*: {method} are reproduced{differ}.{failed}{own}\n"
    )
}

/// The sentences about performance on all machines; empty without any.
fn machines(comparison: &Comparison) -> String {
    if comparison.rows.is_empty() {
        return String::new();
    }
    format!(
        "\nThe sentences about performance in the model of the paper's card, through traced caches, and on each machine \
         that has a report. The row names what it is *decided by*:\n\n{}",
        comparison.markdown()
    )
}

/// Commit, date, mode and renderer of the runs, the number of claims that each has checked, and reasons to distrust its
/// timings.
fn runs(report: &Report) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for entry in &report.claims {
        match runs.iter_mut().find(|(run, _)| *run == entry.run) {
            Some((_, count)) => *count += 1,
            None => runs.push((&entry.run, 1)),
        }
    }
    let mut table = Table::new("", ["claims", "commit", "date", "mode", "renderer"]);
    for &(run, count) in &runs {
        table.row([&*count.to_string()].into_iter().chain(run.splitn(4, ", ")));
    }
    let named = |name: &str| report.runs.iter().find(|run| run.name() == name);
    let warnings = runs.iter().filter_map(|(name, _)| named(name)).flat_map(|run| {
        run.warnings.iter().map(|warning| format!("\nThe run of {}: {warning}\n", run.date))
    });
    let warnings: String = warnings.collect();
    table.markdown(|column| column == 0) + &warnings
}

/// Every printed timing compared with the model's.
fn model_timings() -> std::result::Result<String, CountError> {
    let head = "timing,paper,section,card,what,prints a,basis,printed (ms),model (ms),ratio,range";
    let mut table = Table::new("", head.split(','));
    for (timing, [low, high]) in timings()?.iter().zip(refit::ranges()?) {
        let Timing { id, paper, section, card, what, basis, provenance, .. } = timing;
        let [printed, model] =
            [timing.printed, timing.model].map(|seconds| format!("{:.3}", 1e3 * seconds));
        let (ratio, range) = (format!("{:.2}", timing.ratio()), format!("{low:.2} to {high:.2}"));
        let texts = [id, paper, section, card, what, provenance.name(), basis.name()];
        table.row(texts.into_iter().chain([&*printed, &model, &ratio, &range]));
    }
    Ok(table.markdown(|column| (7..10).contains(&column)))
}

/// The fitted numbers: as published, fitted again, their intervals, and without each paper.
fn model_refits() -> std::result::Result<String, CountError> {
    let (refits, intervals) = (refit::refits()?, refit::intervals()?);
    let published = refit::published();
    let names = refits
        .map(|one| one.without.map_or("fitted again".into(), |paper| format!("without {paper}")));
    let head = ["number", "published"].map(str::to_owned).into_iter().chain(names);
    let mut table = Table::new("", head.chain(["95 % interval".to_owned()]));
    for (at, (name, unit, scale)) in refit::NAMES.into_iter().enumerate() {
        let shown = |value: f64| match value.is_finite() {
            true => short(scale * value),
            false => "∞".into(),
        };
        let name = if unit.is_empty() { name.into() } else { format!("{name} ({unit})") };
        let values = refits.map(|one| one.numbers[at].map_or("–".into(), shown));
        let [low, high] = intervals[at].map(shown);
        let range = [format!("{low} to {high}")];
        let cells = [name, shown(published[at])].into_iter().chain(values).chain(range);
        table.row(cells);
    }
    let mut row = |name: &str, of: &dyn Fn(&refit::Refit) -> String| {
        let cells = [name.into(), Cell::Missing].into_iter();
        table.push(cells.chain(refits.each_ref().map(|refit| of(refit).into())));
    };
    row("root mean square of ln(model / printed), fitted", &|one| short(one.fitted));
    row("the same, left out", &|one| one.left_out.map_or("–".into(), short));
    row("judged timings within 30 %, of all or of the paper left out", &|one| {
        let [near, all] = one.within;
        format!("{near} of {all}")
    });
    Ok(table.markdown(|column| (1..2 + refits.len()).contains(&column)))
}

/// Gains of single changes, as printed and in the model, judged as printed ratios are, and what the best constant gives.
fn model_gains() -> std::result::Result<String, CountError> {
    let is_near = |gain: &Gain, model: f64| {
        let range = Printed::Ratio(gain.printed).range();
        range.is_some_and(|[low, high]| (low..=high).contains(&model))
    };
    let all = gains()?;
    let mut table = Table::new("", ["step", "change", "paper", "model", "met"]);
    for gain in &all {
        let [paper, model] = [gain.printed, gain.model].map(|of| format!("{of:.2}"));
        let met = if is_near(gain, gain.model) { "yes" } else { "no" };
        table.row([gain.id, gain.what, &paper, &model, met]);
    }
    let spread = |model: &dyn Fn(&Gain) -> f64| {
        let squares = all.iter().map(|gain| (model(gain) / gain.printed).ln().powi(2));
        (squares.sum::<f64>() / all.len() as f64).sqrt()
    };
    let constant = all.iter().map(|gain| gain.printed.ln()).sum::<f64>() / all.len() as f64;
    let constant = constant.exp();
    let met =
        |model: &dyn Fn(&Gain) -> f64| all.iter().filter(|gain| is_near(gain, model(gain))).count();
    let last = format!(
        "\nThe bounds are wide: {constant:.2} for every step meets {} of {}, the model {}. The root mean square of ln(model / \
         paper) is {:.3} for the model and {:.3} for this constant.\n",
        met(&|_| constant),
        all.len(),
        met(&|gain| gain.model),
        spread(&|gain| gain.model),
        spread(&|_| constant),
    );
    Ok(table.markdown(|column| [2, 3].contains(&column)) + &last)
}
