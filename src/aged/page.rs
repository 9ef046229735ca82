//! The page: one paragraph, the chart, the table, the test with every variation, the exceptions, and the rule.

use super::verdict::{Test, Verdict, kappa};
use super::{Kind, Machine, Mechanism, Sentence};
use crate::picture::field;
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

/// The test of one machine: advice that is wanted, in two groups; others are left out.
fn test(
    sentences: &[Sentence],
    machine: &Machine,
    counts_less: bool,
    group: impl Fn(&Sentence, &Interval) -> Option<bool>,
) -> Test {
    let verdicts = sentences.iter().filter(|one| one.kind == Kind::Advice).filter_map(|one| {
        let found = one.measured(&machine.report)?;
        Some((group(one, &found)?, Verdict::of(one, &found)))
    });
    Test::of(verdicts, counts_less)
}

/// Registered test: round trips and bytes against instructions and lanes.
fn registered(sentences: &[Sentence], machine: &Machine) -> Test {
    test(sentences, machine, true, |one, _| Some(one.mechanism.is_outside()))
}

/// Sentences whose expected range meets the measured interval, and all that have both.
fn met(sentences: &[Sentence], machine: &Machine) -> [usize; 2] {
    let pairs = sentences.iter().filter_map(|one| {
        let [low, high] = machine.limits.as_ref()?.expected(one.key)?;
        let found = one.measured(&machine.report)?;
        Some(found.high * SLACK >= low && found.low <= high * SLACK)
    });
    let pairs: Vec<bool> = pairs.collect();
    [pairs.iter().filter(|&&is_met| is_met).count(), pairs.len()]
}

fn shares(test: &Test) -> String {
    let ([a, n], [c, m]) = (test.first, test.second);
    format!("{a} of {n}, {c} of {m}; {}, {}", short(test.one_sided), short(test.two_sided))
}

/// The page in Markdown.
pub(super) fn markdown(sentences: &[Sentence], machines: &[Machine]) -> String {
    let advice: Vec<&Sentence> = sentences.iter().filter(|one| one.kind == Kind::Advice).collect();
    let mut page = String::from(
        "# Which advice of 2003 aged\n\nMade by `fragstream aged` from the reports of the machines and from \
         `src/aged/sentences.tsv`.\n\n",
    );
    let timed = |machine: &Machine| {
        advice.iter().filter(|one| one.measured(&machine.report).is_some()).count()
    };
    if let Some(last) = machines.last() {
        let all = registered(sentences, last);
        let of = |mechanism| {
            let Test { first: [held, all], .. } =
                test(sentences, last, true, |one, _| (one.mechanism == mechanism).then_some(true));
            format!("{held} of {all}")
        };
        page += &format!(
            "The five papers give {} pieces of advice about performance; the {} has a time for {}. Of those that \
             are decided there, advice that saves round trips held in {} cases, bytes in {}, instructions in {}, lanes in \
             {}. The hypothesis before the values were seen, that round trips and bytes held while instructions and \
             lanes aged, has p = {:.3} (Fisher's exact test, one-sided; {:.3} two-sided): two-sided it is {} at \
             5 %, and the sentences are not independent.",
            advice.len(),
            last.name,
            timed(last),
            of(Mechanism::RoundTrips),
            of(Mechanism::Bytes),
            of(Mechanism::Instructions),
            of(Mechanism::Lanes),
            all.one_sided,
            all.two_sided,
            if all.two_sided < 0.05 { "established" } else { "not established" },
        );
        let [met, of] = met(sentences, last);
        if of > 0 {
            page += &format!(
                " The limits of this card's fragment path and the seconds of some of its solves let one expect {met} of {of} \
                 ratios (within 5 %). That was formed after the ratios were seen."
            );
        }
        page += "\n\n";
    }
    page += "![Ratios of times without and with each advice, on a logarithmic axis](aged.svg)\n\n";
    page += "## Advice\n\n";
    page += &table(advice.iter().copied(), machines);
    page += "\nWith a ratio above 1 the advice pays. *Its card* is a model or a count, so it has no interval. A \
             single number elsewhere is one whose interval was not stored.\n\n";
    let more = sentences.iter().filter(|one| one.kind != Kind::Advice);
    page += "<details><summary>Proportions, other values, and comparisons with CPUs</summary>\n\n";
    page += &table(more, machines);
    page += "\n</details>\n\n";
    page += &tests(sentences, machines);
    page += &exceptions(sentences, machines);
    page += &rule(sentences, machines);
    page
}

fn table<'s>(sentences: impl Iterator<Item = &'s Sentence>, machines: &[Machine]) -> String {
    let names: Vec<&str> = machines.iter().map(|machine| &*machine.name).collect();
    let limited = machines.iter().find(|machine| machine.limits.is_some());
    let head = limited.map(|machine| format!(" expected on the {} |", machine.name));
    let mut text = format!(
        "| sentence | saves | printed | its card | {} |{} row |\n|---|---|---|---|{}---|{}\n",
        names.join(" | "),
        head.clone().unwrap_or_default(),
        "---|".repeat(names.len()),
        if head.is_some() { "---|" } else { "" },
    );
    for one in sentences {
        let its = machines.first().and_then(|machine| one.on_its_card(&machine.report));
        let its = its.map(|it| Interval { rounds: 0, ..it });
        let mut cells = vec![
            format!("{} {}: {}", one.paper, one.section, one.statement),
            one.mechanism.name().to_owned(),
            one.printed.to_owned(),
            its.map_or("–".into(), |it| {
                format!("{} {}", short(it.median), Verdict::of(one, &it).name())
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
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

fn tests(sentences: &[Sentence], machines: &[Machine]) -> String {
    type Group = fn(&Sentence, &Interval) -> Option<bool>;
    const OUTSIDE: Group = |one, _| Some(one.mechanism.is_outside());
    let variations: [(&str, bool, Group); 8] = [
        ("**as registered**", true, OUTSIDE),
        ("*held, less than half* counted as aged", false, OUTSIDE),
        ("mechanism by the paper's words", true, |one, _| Some(one.by_words.is_outside())),
        ("mechanism by the second rater", true, |one, _| Some(one.second.is_outside())),
        ("only sentences that print a number", true, |one, _| {
            one.number.map(|_| one.mechanism.is_outside())
        }),
        ("without values that have no interval", true, |one, found| {
            (found.low < found.high).then(|| one.mechanism.is_outside())
        }),
        ("only sentences whose outcome was not known before", true, |one, _| {
            (!one.was_known).then(|| one.mechanism.is_outside())
        }),
        ("round trips against instructions, looked at afterwards", true, |one, _| {
            match one.mechanism {
                Mechanism::RoundTrips => Some(true),
                Mechanism::Instructions => Some(false),
                _ => None,
            }
        }),
    ];
    let names: Vec<&str> = machines.iter().map(|machine| &*machine.name).collect();
    let mut text = format!(
        "## The test\n\nHeld among the decided ones: round trips and bytes, then instructions and lanes; p one-sided and \
         two-sided.\n\n| variation | {} |\n|---|{}\n",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for (name, counts_less, group) in variations {
        let cells = machines.iter().map(|one| shares(&test(sentences, one, counts_less, group)));
        text += &format!("| {name} | {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    text + "\nA software rasteriser is the control: there all four mechanisms are work of one CPU. Several sentences share \
            a mechanism (four of those about instructions are one product of batty2003, two waits are one call), so \
            every p is too small, and the last line cannot count as a test, because it was looked at after the values.\n\n"
}

fn exceptions(sentences: &[Sentence], machines: &[Machine]) -> String {
    let Some(last) = machines.last() else { return String::new() };
    let mut text = format!("## Exceptions on the {}, and what explains them\n\n", last.name);
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
    let mut text = format!(
        "## The rule\n\n\
         - *Mechanism*: what falls by the largest factor when one follows the advice, by counts, never by a clock: round \
           trips (waits, read-backs, switches, passes), bytes (width, texels fetched or written, locality), instructions \
           (or registers), lanes (entries per texel, shape, batches); of equal ones the first in this order. If one \
           falls and another rises, the one that falls decides.\n\
         - *Outcome* of a ratio with its interval: held above 1.03; reversed below 1/1.03; aged within 1/1.1 and 1.1; \
           otherwise open, and left out. Held by less than the square root of the printed effect is *less than half*. A \
           proportion holds within a factor of 1.5.\n\
         - The mechanisms were chosen before the values of the H100 were looked at, but not blind: outcomes on the H200 of \
           {} of {} were known. A second rater had statements and the rule alone and agrees in {agreed} of {} (kappa \
           {:.2}). Both raters are of this project.\n\n\
         ## What it does not show\n\n\
         - Anything about a card for games: of an H100's 66 texture processing clusters two run fragment programs. What is \
           measured is the fragment path of a card for computing, one twentieth or less of what its memory can do.\n\
         - Anything about all machines: these are {}, each with one run per sentence. Short passes of the H200 and the H100 \
           ran below their clock (a device is woken before a race only since), which makes round trips look cheaper.\n\
         - Causes: a mechanism is a class, not an explanation. The expected ranges are, for one card.\n\n\
         ## Machines\n\n| machine | renderer | commit | date |\n|---|---|---|---|\n",
        sentences.iter().filter(|one| one.kind == Kind::Advice && one.was_known).count(),
        pairs.len(),
        pairs.len(),
        kappa(&pairs),
        machines.len(),
    );
    for machine in machines {
        for run in &machine.report.runs {
            text += &format!(
                "| {} | {} | {} | {} |\n",
                machine.name, run.renderer, run.commit, run.date
            );
        }
    }
    text
}

/// All values as CSV.
pub(super) fn csv(sentences: &[Sentence], machines: &[Machine]) -> String {
    let mut text =
        "key,paper,section,mechanism,by words,second rater,statement,printed,row,its card"
            .to_owned();
    for machine in machines {
        let name = &machine.name;
        text += &format!(",{name},{name} low,{name} high,{name} rounds");
    }
    text += ",expected low,expected high\n";
    for one in sentences {
        let its = machines.first().and_then(|machine| one.on_its_card(&machine.report));
        let mut cells: Vec<String> = vec![
            one.key.into(),
            one.paper.into(),
            field(one.section),
            one.mechanism.name().into(),
            one.by_words.name().into(),
            one.second.name().into(),
            field(one.statement),
            field(one.printed),
            one.row.into(),
            its.map_or(String::new(), |its| its.median.to_string()),
        ];
        for machine in machines {
            cells.extend(match one.measured(&machine.report) {
                Some(Interval { median, low, high, rounds }) => {
                    [median.to_string(), low.to_string(), high.to_string(), rounds.to_string()]
                }
                None => Default::default(),
            });
        }
        let expected =
            machines.iter().find_map(|machine| machine.limits.as_ref()?.expected(one.key));
        let ends = expected.map(|ends| ends.map(|end| end.to_string())).unwrap_or_default();
        cells.extend(ends);
        text += &format!("{}\n", cells.join(","));
    }
    text
}
