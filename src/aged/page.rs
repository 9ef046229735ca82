//! The page: the result, the chart, the table, the limits, notes on single values, the rule, and the test.

use serde_json::Value;

use super::expected::ARGUED;
use super::prediction::{limits, predictions, result};
use super::variations::tests;
use super::verdict::{Verdict, kappa};
use super::{Kind, Machine, Mechanism, Role, Sentence};
use crate::base::table::{Cell, Table, plain};
use crate::timing::Interval;
use crate::timing::interval::short;

/// Widening of an expected range.
const SLACK: f64 = 1.05;

/// A cell: the ratio, its interval, and the verdict.
fn cell(sentence: &Sentence, found: Option<Interval>) -> String {
    let Some(found) = found else { return "–".into() };
    let verdict = Verdict::of(sentence, &found).name();
    if found.rounds == 0 || found.low == found.high {
        return format!("{} {verdict}", short(found.median));
    }
    format!("{} [{}, {}] {verdict}", short(found.median), short(found.low), short(found.high))
}

/// Tests whether a range meets a measured interval within the slack.
fn meets([low, high]: [f64; 2], found: &Interval) -> bool {
    found.high * SLACK >= low && found.low <= high * SLACK
}

/// The page in Markdown.
pub(super) fn markdown(sentences: &[Sentence], machines: &[Machine]) -> String {
    let advice: Vec<&Sentence> = sentences.iter().filter(|one| one.kind == Kind::Advice).collect();
    let mut page = String::from(
        "# Which advice of 2003 aged\n\nMade by `fragstream reproduce --pages` from the reports of the machines and from \
         `src/aged/sentences.tsv`.\n\n",
    );
    page += &result(sentences, machines);
    page +=
        "![Measured ratios against expected and printed ones, on logarithmic axes](aged.svg)\n\n";
    page += "## Advice\n\n";
    page += &table(advice.iter().copied(), machines);
    page += "\nWith a ratio above 1 the advice pays. In brackets is the 95 % interval of the median within one run, mostly \
             of six rounds. Between two runs of one commit ratios near 1 moved by up to 9 % (`c6` of batty2003), so that a \
             verdict near 1.03 is not safe. *Its card* is a model, at the size that is timed here, and has no interval; \
             *× bytes* and the like are ratios of counts, and no times. A single number elsewhere is one whose interval was \
             not stored. *(r)*: the paper reports a time and recommends nothing; *(w)*: it wishes for other hardware.\n\n";
    let more = sentences.iter().filter(|one| one.kind != Kind::Advice);
    page += "<details><summary>Proportions, other values, and comparisons with CPUs</summary>\n\n";
    page += &table(more, machines);
    page += "\n</details>\n\n";
    page += &missed(sentences, machines);
    page += &notes(sentences, machines);
    page += &rule(sentences, machines);
    page + &tests(sentences, machines)
}

/// The table of the advice on such a page as records, in plain text.
pub fn advice(page: &str) -> Vec<Value> {
    let (_, table) = page.split_once("## Advice\n\n").unwrap_or_default();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut rows = rows.map(|line| line.trim_matches(['|', ' ']).split(" | "));
    let head: Vec<&str> = rows.next().into_iter().flatten().collect();
    let plain = |cell: &str| match cell.split('`').nth(1) {
        Some(row) => row.to_owned(),
        None => cell.replace('*', ""),
    };
    let record = |cells: std::str::Split<'_, &str>| {
        let cells = head.iter().zip(cells.map(plain));
        cells.map(|(&name, cell)| (name, cell)).collect()
    };
    rows.skip(1).map(record).collect()
}

/// Mark of a sentence that recommends nothing.
fn mark(one: &Sentence) -> &'static str {
    match (one.kind, one.role) {
        (Kind::Advice, Role::Remark) => " *(r)*",
        (Kind::Advice, Role::Wish) => " *(w)*",
        _ => "",
    }
}

/// The printed effect, with the number that the rule takes where it is another one.
fn printed(one: &Sentence) -> String {
    match one.number {
        Some(number) if !one.printed.contains(&number.to_string()) => {
            format!("{}, taken as {number}", one.printed)
        }
        _ => one.printed.to_owned(),
    }
}

fn table<'s>(sentences: impl Iterator<Item = &'s Sentence>, machines: &[Machine]) -> String {
    let limited = machines.iter().rfind(|machine| machine.limits.is_some());
    let mut head = ["sentence", "saves", "printed", "its card"].map(str::to_owned).to_vec();
    head.extend(machines.iter().map(|machine| machine.name.clone()));
    head.extend(limited.map(|machine| format!("expected on the {}", machine.name)));
    head.push("row".into());
    let mut table = Table::new("", head);
    for one in sentences {
        let its = machines.first().and_then(|machine| one.on_its_card(&machine.report));
        let its = its.map(|it| Interval { rounds: 0, ..it });
        let mut cells = vec![
            format!("{} {}: {}{}", one.paper, one.section, one.statement, mark(one)),
            one.mechanism.name().to_owned(),
            printed(one),
            its.map_or("–".into(), |it| match one.counts() {
                Some(counted) => format!("*{} × {counted}*", short(it.median)),
                None => format!("{} {}", short(it.median), Verdict::of(one, &it).name()),
            }),
        ];
        cells.extend(machines.iter().map(|machine| cell(one, one.measured(&machine.report))));
        if let Some(machine) = limited {
            let range = machine.limits.as_ref().and_then(|limits| limits.expected(one.key));
            cells.push(range.map_or(String::new(), |[low, high]| match low == high {
                true => short(low),
                false => format!("{} to {}", short(low), short(high)),
            }));
        }
        cells.push(match one.row.split_once('/') {
            Some((paper, row)) => format!("[`{row}`](../{paper}/README.md#{row})"),
            None => "no timed row".into(),
        });
        table.row(cells);
    }
    table.markdown(|_| false)
}

/// The expected ratios that were not met, and what the others do not show.
fn missed(sentences: &[Sentence], machines: &[Machine]) -> String {
    let mut text = String::new();
    for machine in machines.iter().filter(|machine| machine.limits.is_some()) {
        let all = predictions(sentences, machine, machines);
        let misses = all.iter().filter(|one| !meets(one.range, &one.found));
        let misses = misses.map(|one| {
            let ([low, high], key, found) = (one.range, one.sentence.key, short(one.found.median));
            match low == high {
                true => format!("`{key}` ({found} for {})", short(low)),
                false => format!("`{key}` ({found} for {} to {})", short(low), short(high)),
            }
        });
        let misses: Vec<String> = misses.collect();
        let met = all.len() - misses.len();
        text += &format!(
            "- {}: {met} of {} ranges, widened by 5 %, overlap the measured interval. The others: {}.\n",
            machine.name,
            all.len(),
            misses.join(", ")
        );
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "## What limits let one expect\n\n{text}\nFor {} sentences the expectation is 1 by argument, because what they save does \
         not bind: no rate of instructions was measured. On the H100 the waits of `fin` and `c7` are taken from each other's \
         solve, which is one agreement and not two; the pass of a chain was fitted to one row of its report, \
         `half-storage`, and enters `dpp`, `rej` and `fast`; most limits of its probe have no interval. The limits of \
         llvmpipe are [those](../limits.csv) of `fragstream info --limits`, measured after the formulas were fixed: a trial out of sample, on \
         a machine where instructions bind.\n\n## Limits\n\n{}\n",
        ARGUED.len(),
        limits(machines),
    )
}

fn notes(sentences: &[Sentence], machines: &[Machine]) -> String {
    let Some(last) = machines.last() else { return String::new() };
    let mut text = format!("## Notes on values of the {}\n\n", last.name);
    for one in sentences.iter().filter(|one| !one.cause.is_empty()) {
        let Sentence { key, statement, cause, .. } = one;
        if let Some(found) = one.measured(&last.report) {
            text += &format!("- `{key}`, {statement}: {}. {cause}\n", cell(one, Some(found)));
        }
    }
    text + "\n"
}

fn rule(sentences: &[Sentence], machines: &[Machine]) -> String {
    let advice = sentences.iter().filter(|one| one.kind == Kind::Advice);
    let pairs: Vec<_> = advice.map(|one| (one.mechanism, one.second)).collect();
    let agreed = pairs.iter().filter(|(a, b)| a == b).count();
    let [kappa, error] = kappa(&pairs);
    let text = format!(
        "## The rule\n\n\
         - *Mechanism*: what falls by the largest factor when one follows the advice, by counts, never by a clock: round \
           trips (waits, read-backs, switches, passes), bytes (width, texels fetched or written, locality), instructions \
           (or registers), lanes (entries per texel, shape, batches); of equal ones the first in this order. If one \
           falls and another rises, the one that falls decides.\n\
         - *Outcome* of a ratio with its interval: held above 1.03; reversed below 1/1.03; aged within 1/1.1 and 1.1; \
           otherwise open, and left out. Held by less than the square root of the printed effect is *less than half*. A \
           proportion holds within a factor of 1.5.\n\
         - The mechanisms were chosen before the values of the H100 were looked at, but not blind: outcomes on the H200 of \
           {} of {} were known. A second rater had statements and the rule alone, without counts, and agrees in {agreed} of \
           {} (kappa {:.2} ± {:.2}). Both raters are of this project. The hash of statements and mechanisms in the tests was \
           added a day later, after the values.\n\n\
         ## What it does not show\n\n\
         - Anything about a card for games: of an H100's 66 texture processing clusters two run fragment programs (NVIDIA's \
           paper on its architecture; of the H200 we know no such sentence). What is measured is the fragment path of a card \
           for computing, which writes a fiftieth and fetches an eighth of what a compute program moves there.\n\
         - Anything about all machines: these are {}, with programs of different commits. A second run of the software \
           rasteriser changed verdicts near 1 (`c6` 1.05 and 0.96), and the GPUs have one run per sentence. Short passes of \
           the H200 and the H100 very likely ran below their clock, which makes round trips look cheaper; that is inferred \
           from times, as no clock was recorded. A device is woken before a race since.\n\
         - Drivers without machines: the advice is largely about drivers, and each machine has one. bolz2003 expected \
           its limit on target switches to vanish. A switch fell from 5 ms to 5 to 11 µs on the H100, and still shows \
           (`sw`).\n\
         - Causes: a mechanism is a class, not an explanation. The expected ranges are, for one card.\n\n\
         ## Machines\n\n",
        sentences.iter().filter(|one| one.kind == Kind::Advice && one.was_known).count(),
        pairs.len(),
        pairs.len(),
        kappa,
        error,
        machines.len(),
    );
    let head = ["machine", "renderer", "driver", "processor, cores", "commit", "date"];
    let mut table = Table::new("", head);
    for machine in machines {
        for run in &machine.report.runs {
            let processor = format!("{}, {}", plain(&run.cpu), run.cores);
            let [renderer, version, commit, date] =
                [&run.renderer, &run.version, &run.commit, &run.date].map(|of| plain(of));
            table.row(
                [&machine.name, &renderer, &version, &processor, &commit, &date]
                    .map(String::as_str),
            );
        }
    }
    text + &table.markdown(|_| false)
}

/// All values as CSV.
pub(super) fn csv(sentences: &[Sentence], machines: &[Machine]) -> String {
    let head = "key,paper,section,mechanism,by words,second rater,statement,printed,row,its card";
    let ends = ["", " low", " high", " rounds"];
    let of = |machine: &Machine| ends.map(|end| format!("{}{end}", machine.name));
    let head = head.split(',').map(str::to_owned).chain(machines.iter().flat_map(of));
    let mut table =
        Table::new("", head.chain(["expected low", "expected high"].map(str::to_owned)));
    for one in sentences {
        let its = machines.first().and_then(|machine| one.on_its_card(&machine.report));
        let raters = [one.mechanism, one.by_words, one.second].map(Mechanism::name);
        let texts = [one.key, one.paper, one.section].into_iter().chain(raters);
        let texts = texts.chain([one.statement, one.printed, one.row]).map(Cell::from);
        let found = machines.iter().flat_map(|machine| match one.measured(&machine.report) {
            Some(Interval { median, low, high, rounds, .. }) => {
                [median.into(), low.into(), high.into(), rounds.into()]
            }
            None => [const { Cell::Missing }; 4],
        });
        let expected =
            machines.iter().rev().find_map(|machine| machine.limits.as_ref()?.expected(one.key));
        let expected = [0, 1].map(|end| expected.map(|ends| ends[end]).into());
        let its = its.map(|its| its.median).into();
        table.push(texts.chain([its]).chain(found).chain(expected));
    }
    table.csv()
}
