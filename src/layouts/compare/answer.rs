//! The last line of a comparison: the layout to use here, and on a card of 2003.

use serde::Serialize;

use crate::base::order::ShortSort;
use crate::card::cost::CARDS;
use crate::layouts::{ALL, fastest};
use crate::timing::Interval;

use super::{CACHES, Line, Run, Section};

/// The model's times agree with most of the papers' timings to within this factor (claim `card/cards`). Layouts
/// whose modelled times are closer are not distinguished.
const MODEL: f64 = 1.3;
/// Less memory than this factor is not part of the advice.
const MORE: f64 = 1.5;

/// The layout to use for the run of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Advice {
    /// Layout on this machine, chosen by [`fastest`]; `None` if none was timed.
    pub here: Option<String>,
    /// Layout on a card of 2003; `None` if that is not decided.
    pub on_2003: Option<String>,
    /// Both in one line with their reasons.
    pub text: String,
}

/// The advice for a section. A factor is named only if the intervals do not overlap.
pub fn answer(section: &Section) -> Advice {
    let mut ran: Vec<(&Line, &Run)> =
        section.lines.iter().filter_map(|line| Some((line, line.run.as_ref()?))).collect();
    let mut cpu = ran.clone();
    cpu.retain(|(line, _)| line.is_cpu() && line.layout.ends_with(", one core"));
    ran.retain(|(line, _)| !line.is_cpu());
    ran.order_by_key(|(line, _)| ALL.iter().position(|layout| layout.name == line.layout));
    let all = ran.clone();
    ran.retain(|(_, run)| !run.is_stopped);
    let Some(place) = fastest(&ran.iter().map(|(_, run)| interval(run)).collect::<Vec<_>>()) else {
        return Advice { text: "No layout holds it".to_owned(), ..Advice::default() };
    };
    let ((line, run), name) = (ran[place], &ran[place].0.layout);
    let mut reasons = Vec::new();
    let others = || ran.iter().filter(|(other, _)| other.layout != *name);
    let level = others().filter(|(_, other)| !is_apart(run, other) && !is_apart(other, run));
    let level: Vec<&str> = level.map(|(other, _)| &*other.layout).collect();
    if !level.is_empty() {
        // Some names have commas.
        let names = match level.len() {
            ..=3 => level.join(" and "),
            count => format!("{count} others"),
        };
        reasons.push(format!("as fast as {names} (their intervals overlap)"));
    }
    let slower = others().filter(|(_, other)| is_apart(run, other));
    if let Some((next, slow)) = slower.min_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds)) {
        reasons.push(format!("{} times as fast as {}", times(slow, run), next.layout));
    }
    let memory = |line: &Line| line.memory.bytes as f64;
    let small = others().map(|(other, _)| other).filter(|other| other.memory.bytes > 0);
    if let Some(least) = small.min_by_key(|other| other.memory.bytes)
        && memory(line) > MORE * memory(least)
    {
        let factor = rounded(memory(line) / memory(least));
        reasons.push(format!("{factor} times the memory of {}", least.layout));
    }
    if reasons.is_empty() {
        reasons.push("no other layout was timed to its end".to_owned());
    }
    if let Some((line, cpu)) = cpu.first().filter(|(_, cpu)| is_apart(cpu, run)) {
        let name = line.layout.replace(", ", " on ");
        reasons.push(format!("{name} is {} times as fast", times(run, cpu)));
    }
    let (on_2003, then) = on_2003(&all, &section.run);
    let text = format!("Use {name} for one {}: {}; {then}", section.run, reasons.join(", "));
    Advice { here: Some(name.clone()), on_2003, text }
}

/// The advice for each section.
pub fn advice(sections: &[Section]) -> Vec<Advice> {
    sections.iter().map(answer).collect()
}

fn interval(run: &Run) -> Interval {
    Interval {
        median: run.seconds,
        low: run.seconds_low,
        high: run.seconds_high,
        ..Interval::default()
    }
}

/// Tests whether one run is faster than the other, whatever their noise.
fn is_apart(one: &Run, other: &Run) -> bool {
    one.seconds_high < other.seconds_low
}

/// Time of one run relative to another.
fn times(run: &Run, of: &Run) -> String {
    rounded(run.seconds / of.seconds)
}

fn rounded(factor: f64) -> String {
    let digits = if factor < 2.0 { 2 } else { usize::from(factor < 10.0) };
    format!("{factor:.digits$}")
}

/// The layout that is better on a card of 2003 than every other that such a card could run, and the reason for it or for
/// none.
fn on_2003(ran: &[(&Line, &Run)], run: &str) -> (Option<String>, String) {
    let could: Vec<_> = ran.iter().filter(|(_, run)| run.cards.is_some()).collect();
    let undecided = |why: &str| (None, format!("not decided for 2003, {why}"));
    match could[..] {
        [] => return undecided("as no layout that ran could run on such a card"),
        [(line, _)] => {
            return (Some(line.layout.clone()), format!("for 2003 only {}", line.layout));
        }
        _ if run == "cycle" => return undecided("as the model is not fitted to cycles"),
        _ => {}
    }
    let is_better = |&&(one, a): &&(&Line, &Run)| {
        could.iter().all(|(other, b)| one.layout == other.layout || beats(a, b))
    };
    let is_scattered = |is: bool| could.iter().any(|(_, run)| run.is_scattered == is);
    let caches = format!("the bytes through its cache of {} to {} KB", CACHES[0], CACHES[2]);
    let model = format!("the model of a {}", CARDS[0].device.name);
    let why = match [true, false].map(is_scattered) {
        [true, true] => format!("{caches}, and {model} where no fetch is scattered"),
        [true, false] => caches,
        [false, _] => model,
    };
    match could.iter().find(|one| is_better(one)) {
        Some((best, _)) => {
            (Some(best.layout.clone()), format!("for 2003 {}, by {why}", best.layout))
        }
        None => {
            let is_beaten = |one: &Run| could.iter().any(|(_, other)| beats(other, one));
            let front = could.iter().filter(|(_, one)| !is_beaten(one));
            let names: Vec<&str> = front.map(|(line, _)| &*line.layout).collect();
            let names = match names.len() {
                2..=3 => names.join(" and "),
                _ => format!("{} layouts", could.len()),
            };
            (None, format!("not decided for 2003 between {names}, by {why}"))
        }
    }
}

/// Tests whether a layout is better than another on a card of 2003. If a fetch of either is scattered, which the model does
/// not know, it moves fewer bytes through each cache, in no more passes.
fn beats(one: &Run, other: &Run) -> bool {
    if one.is_scattered || other.is_scattered {
        let moved = one.bytes_moved.iter().flatten().zip(other.bytes_moved.iter().flatten());
        let fewer = moved.filter(|(a, b)| a < b).count();
        return fewer == CACHES.len() && one.passes <= other.passes;
    }
    let seconds = |run: &Run| run.cards.map(|cards| cards[0]);
    seconds(one).zip(seconds(other)).is_some_and(|(a, b)| MODEL * a < b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(layout: &str, [low, seconds, high]: [f64; 3], bytes: u64) -> Line {
        let mut line = Line::new(layout, if layout.contains("core") { "CPU" } else { "here" });
        line.memory.bytes = bytes;
        let (seconds_low, seconds_high) = (low, high);
        line.run = Some(Run { passes: 1, seconds, seconds_low, seconds_high, ..Run::default() });
        line
    }

    fn advice(lines: Vec<Line>) -> Advice {
        answer(&Section::new("a matrix".to_owned(), "product", 1, lines))
    }

    #[test]
    fn a_factor_is_named_only_between_intervals_that_are_apart() {
        let lines = vec![
            line("ellpack-r", [0.9, 1.0, 1.2], 6700),
            line("ellpack", [3.8, 4.0, 4.2], 6700),
            line("rows", [1.1, 1.3, 1.5], 100),
            line("CSR, one core", [0.1, 0.13, 0.2], 50),
        ];
        let both = advice(lines.clone());
        assert_eq!(both.here.as_deref(), Some("rows"));
        assert_eq!(
            both.text,
            "Use rows for one product: as fast as ellpack-r (their intervals overlap), 3.1 times as fast as \
             ellpack, CSR on one core is 10 times as fast; not decided for 2003, as no layout that ran could run on such \
             a card"
        );
        let mut apart = lines;
        apart[2] = line("rows", [2.0, 2.1, 2.2], 100);
        let one = advice(apart);
        assert_eq!(one.here.as_deref(), Some("ellpack-r"));
        assert!(one.text.contains("2.1 times as fast as rows, 67 times the memory of rows, "));
        assert_eq!(advice(Vec::new()).here, None);
    }

    #[test]
    fn bytes_decide_for_2003_where_fetches_are_scattered_and_the_model_only_where_none_is() {
        let of = |layout: &str, moved: [u64; 3], seconds: f64, scattered: bool, passes: u64| {
            let mut line = line(layout, [1.0; 3], 1);
            let run = line.run.as_mut().unwrap();
            (run.bytes_moved, run.cards) = (Some(moved.to_vec()), Some([seconds; CARDS.len()]));
            (run.is_scattered, run.passes) = (scattered, passes);
            line
        };
        let then = |lines| advice(lines).on_2003;
        // The model prefers rows.
        let ellpack = || of("ellpack", [9, 8, 7], 3.0, true, 1);
        let rows = |last, passes| of("rows", [16, 15, last], 1.0, true, passes);
        assert_eq!(then(vec![rows(14, 1), ellpack()]).as_deref(), Some("ellpack"));
        assert_eq!(then(vec![rows(6, 1), ellpack()]), None, "a cache disagrees");
        assert_eq!(then(vec![rows(6, 2), ellpack()]), None);
        let few_bytes = of("points", [1, 1, 1], 1.0, true, 7);
        assert_eq!(then(vec![few_bytes, ellpack()]), None, "more passes");
        let quarters = |seconds| of("quarters", [2, 2, 2], seconds, false, 1);
        let diagonals = || of("diagonals", [1, 1, 1], 3.0, false, 1);
        assert_eq!(then(vec![diagonals(), quarters(1.0)]).as_deref(), Some("quarters"));
        assert_eq!(then(vec![diagonals(), quarters(2.9)]), None, "within the model's accuracy");
        let mixed = then(vec![diagonals(), quarters(1.0), ellpack()]);
        assert_eq!(mixed.as_deref(), Some("quarters"));
        // Without another layout nothing was compared.
        let text = |lines| advice(lines).text;
        let only = text(vec![rows(14, 1), line("ellpack-r", [1.0; 3], 1)]);
        assert!(only.ends_with("; for 2003 only rows"), "{only}");
        let open = text(vec![rows(6, 1), ellpack()]);
        let why = "; not decided for 2003 between rows and ellpack, by the bytes through its cache of 2 to 16 KB";
        assert!(open.ends_with(why), "{open}");
    }
}
