//! The last lines of a comparison: the layout to use here, and the layouts to choose from on a card of 2003.

use serde::Serialize;

use crate::base::memory::in_words;
use crate::card::cost::{CARDS, Nv30};
use crate::card::limits::SIDE;
use crate::layouts::taken;
use crate::timing::Interval;
use crate::timing::heats::{is_busy, is_slower};

use super::{CACHES, Line, Run, Section};

/// Less memory than this factor is not part of the advice.
const MORE: f64 = 1.5;
/// A layout that fetches this number of times as often as another, and too often to be traced, is not the first one.
const MANY: u64 = 8;
/// Names in a sentence; more are counted.
const FEW: usize = 3;

/// The layout to use for the run of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Advice {
    /// Layout on this machine; `None` if none was timed.
    pub here: Option<String>,
    /// True if it is faster than every other one by this machine's intervals.
    pub is_decided: bool,
    /// First layout to try on a card of 2003; `None` if no layout that ran could run on one.
    pub on_2003: Option<String>,
    /// Both in two lines with their reasons.
    pub text: String,
}

/// A layout that ran, in textures.
type Ran<'a> = (&'a Line, &'a Run);

/// The advice for a section.
pub fn answer(section: &Section) -> Advice {
    let ran = || section.lines.iter().filter_map(|line| Some((line, line.run.as_ref()?)));
    let textures: Vec<Ran<'_>> = ran().filter(|(line, _)| !line.is_cpu()).collect();
    let cpu = ran().find(|(line, _)| line.is_cpu() && line.layout.ends_with(", one core"));
    let (here, is_decided, own) = here(section, &textures, cpu);
    let (on_2003, then) = on_2003(section, &textures);
    let text = if textures.is_empty() { own } else { format!("{own}\n{then}") };
    Advice { here, is_decided, on_2003, text }
}

/// The advice for each section.
pub fn advice(sections: &[Section]) -> Vec<Advice> {
    sections.iter().map(answer).collect()
}

/// The layout on this machine, whether it is decided, and the sentence.
fn here(
    section: &Section,
    textures: &[Ran<'_>],
    cpu: Option<Ran<'_>>,
) -> (Option<String>, bool, String) {
    let raced = textures.iter().filter_map(|&(line, run)| Some((line, run.of_fastest?)));
    let mut raced: Vec<(&Line, Interval)> = raced.collect();
    raced.sort_by(|(_, a), (_, b)| a.median.total_cmp(&b.median));
    let Some(place) = taken(raced.iter().map(|(line, ratio)| (*ratio, line.memory.bytes))) else {
        return (None, false, "No layout holds it".to_owned());
    };
    let (take, fastest) = (&raced[place].0.layout, &raced[0].0.layout);
    let (slower, level): (Vec<_>, Vec<_>) =
        raced.iter().copied().partition(|(_, ratio)| is_slower(*ratio));
    let is_decided = level.len() == 1 && !slower.is_empty();
    let mut reasons = Vec::new();
    let stores = || match level.len() {
        1 => "",
        2 => ", which stores less",
        _ => ", which stores the least of these",
    };
    match section.twins.filter(|twins| is_busy(*twins)) {
        Some(twins) => reasons.push(format!(
            "This machine is too busy for factors: a program took {} of its twin's time. Run again on a quiet machine, or take \
             {take}{}",
            range(twins),
            stores()
        )),
        None => {
            if level.len() > 1 {
                let (_, factors): (Vec<_>, Vec<_>) =
                    level.iter().filter(|(_, ratio)| !ratio.is_exact()).copied().unzip();
                // One round has no interval.
                let between = match factors.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", range(Interval::span(factors))),
                };
                reasons.push(format!(
                    "Undecided between {}{between}: run again on a quiet machine, or take {take}{}",
                    listed(&level.iter().map(|(line, _)| &*line.layout).collect::<Vec<_>>()),
                    stores()
                ));
            }
            if let Some((next, ratio)) = slower.first() {
                reasons.push(times(fastest, &next.layout, *ratio));
            }
            if let Some((line, run)) = cpu
                && let Some(ratio) = run.of_fastest.map(inverse)
                && is_slower(ratio)
            {
                reasons.push(times(&line.layout.replace(", ", " on "), fastest, ratio));
            }
        }
    }
    let memory = raced[place].0.memory.bytes as f64;
    let least = textures.iter().filter(|(line, run)| line.memory.bytes > 0 && !run.is_stopped);
    if let Some((least, _)) = least.min_by_key(|(line, _)| line.memory.bytes)
        && is_decided
        && memory > MORE * least.memory.bytes as f64
    {
        let factor = rounded(memory / least.memory.bytes as f64);
        reasons.push(format!("{factor} times the memory of {}", least.layout));
    }
    if raced.len() == 1 {
        let others = textures.len() > 1;
        reasons.push(
            match others {
                true => "The others take more than four times as long, each timed alone",
                false => "No other layout was timed",
            }
            .to_owned(),
        );
    }
    let text = format!("Use {take} for one {}. {}", section.run, reasons.join("; "));
    (Some(take.clone()), is_decided, text)
}

/// `ellpack: 2.1 times as fast as rows (1.8 to 2.4)`, from the seconds of the slower relative to the faster.
fn times(faster: &str, slower: &str, ratio: Interval) -> String {
    format!("{faster}: {} times as fast as {slower} ({})", rounded(ratio.median), range(ratio))
}

fn inverse(ratio: Interval) -> Interval {
    let Interval { median, low, high, .. } = ratio;
    Interval { median: 1.0 / median, low: 1.0 / high, high: 1.0 / low, ..ratio }
}

fn range(ratio: Interval) -> String {
    let [low, high] = [ratio.low, ratio.high].map(rounded);
    if low == high { low } else { format!("{low} to {high}") }
}

fn rounded(factor: f64) -> String {
    let digits = if factor < 2.0 { 2 } else { usize::from(factor < 10.0) };
    format!("{factor:.digits$}")
}

/// Some names, which may have commas, or their number.
fn listed(names: &[&str]) -> String {
    match names.len() {
        ..=FEW => names.join(" and "),
        count => format!("{count} layouts"),
    }
}

/// The layouts to choose from on a card of 2003, the first one to try, and the others with their reasons.
fn on_2003(section: &Section, textures: &[Ran<'_>]) -> (Option<String>, String) {
    let (of_2003, others): (Vec<Ran<'_>>, Vec<_>) =
        textures.iter().copied().partition(|(_, run)| run.cards.is_some());
    let (fit, wide): (Vec<Ran<'_>>, Vec<_>) =
        of_2003.into_iter().partition(|(line, _)| line.memory.side <= SIDE.into());
    let mut left: Vec<String> = Vec::new();
    let mut leave = |why: &str, of: &[Ran<'_>]| {
        let names: Vec<&str> = of.iter().map(|(line, _)| &*line.layout).collect();
        left.extend((!names.is_empty()).then(|| format!("{why}: {}", listed(&names))));
    };
    leave("no program of that time", &others);
    leave(&format!("over {SIDE}²"), &wide);
    let left = if left.is_empty() { String::new() } else { format!(" ({})", left.join("; ")) };
    let Some(first) = first(section, &fit) else {
        return (None, format!("For 2003 no layout that ran here{left}"));
    };
    let name = &first.0.layout;
    if fit.len() == 1 {
        return (Some(name.clone()), format!("For 2003 only {name}{left}"));
    }
    let mut front: Vec<Ran<'_>> = fit.iter().copied().filter(|one| one.0.layout != *name).collect();
    front.retain(|one| !fit.iter().any(|other| dominates(section, other, one)));
    let also = front.iter().filter_map(|one| compared(one, &first));
    let parts: Vec<String> = [of_first(section, &first, &fit)].into_iter().chain(also).collect();
    (Some(name.clone()), format!("For 2003 {name}: {}{left}", parts.join("; ")))
}

/// Bytes through a cache, on average over its sizes.
fn moved(run: &Run) -> Option<f64> {
    let bytes = run.bytes_moved.as_ref().filter(|bytes| bytes.len() == CACHES.len())?;
    Some(bytes.iter().sum::<u64>() as f64 / CACHES.len() as f64)
}

/// Tests whether the cards' model was fitted to such work: no V-cycles, and no fetches at positions from textures.
fn is_modelled(section: &Section, run: &Run) -> bool {
    section.run != "cycle" && !run.is_scattered
}

/// Seconds on the first card: those that the bytes take at its bandwidth, and those of the target switches. By its model if
/// some bytes are not known.
fn seconds(run: &Run, by_bytes: bool) -> f64 {
    let card = CARDS[0];
    match moved(run) {
        Some(bytes) if by_bytes => {
            bytes / Nv30::default().bandwidth + run.target_switches as f64 * card.driver.switch
        }
        _ => run.cards.map_or(f64::INFINITY, |cards| cards[0]),
    }
}

/// The layout to try first. Of those that the model knows it is the fastest there; the rest, and the best of both, are
/// compared by bytes and switches.
fn first<'a>(section: &Section, fit: &[Ran<'a>]) -> Option<Ran<'a>> {
    let fewest = fit.iter().map(|(_, run)| run.fetches).min()?;
    let is_short = |(_, run): &Ran<'_>| moved(run).is_some() || run.fetches <= MANY * fewest;
    let fit: Vec<Ran<'a>> = fit.iter().copied().filter(is_short).collect();
    let by_bytes = fit.iter().all(|(_, run)| moved(run).is_some());
    let best = |of: Vec<Ran<'a>>, by_bytes: bool| {
        let key = |one: &Ran<'_>| seconds(one.1, by_bytes);
        of.into_iter().min_by(|a, b| key(a).total_cmp(&key(b)))
    };
    let (known, rest): (Vec<_>, Vec<_>) =
        fit.into_iter().partition(|(_, run)| is_modelled(section, run));
    let both = [best(known, false), best(rest, by_bytes)];
    best(both.into_iter().flatten().collect(), by_bytes)
}

/// Tests whether a layout is nowhere worse than another, and somewhere better: bytes through each cache, passes, memory, and
/// the model where it knows both.
fn dominates(section: &Section, one: &Ran<'_>, other: &Ran<'_>) -> bool {
    let costs = |(line, run): &Ran<'_>| {
        let mut costs = vec![run.passes as f64, line.memory.bytes as f64];
        costs.extend(run.bytes_moved.iter().flatten().map(|&bytes| bytes as f64));
        if [one, other].iter().all(|(_, run)| is_modelled(section, run)) {
            costs.push(seconds(run, false));
        }
        costs
    };
    let (a, b) = (costs(one), costs(other));
    a.len() == b.len() && a != b && a.iter().zip(&b).all(|(a, b)| a <= b)
}

fn in_passes(run: &Run) -> String {
    if run.passes == 1 { "one pass".to_owned() } else { format!("{} passes", run.passes) }
}

/// The reason of the first layout.
fn of_first(section: &Section, (line, run): &Ran<'_>, fit: &[Ran<'_>]) -> String {
    let work = match moved(run) {
        Some(bytes) => {
            let (bytes, [least, .., most]) = (in_words(bytes as u64), CACHES);
            format!("{bytes} through a cache of {least} to {most} KB in {}", in_passes(run))
        }
        None => format!(
            "{:.2} ms in the model of a {}",
            1e3 * seconds(run, false),
            CARDS[0].device.name
        ),
    };
    let others =
        fit.iter().filter(|other| other.0.layout != line.layout && is_modelled(section, other.1));
    let next = others.min_by(|a, b| seconds(a.1, false).total_cmp(&seconds(b.1, false)));
    let by_model = next.filter(|_| is_modelled(section, run)).and_then(|(next, other)| {
        let factors = run.cards?.into_iter().zip(other.cards?).map(|(own, other)| other / own);
        let factors = Interval::span(factors.map(Interval::from));
        let text = format!(", {} times as fast as {} in the model", range(factors), next.layout);
        (factors.low > 1.0).then_some(text)
    });
    work + &by_model.unwrap_or_default()
}

/// What another layout of the front has over the first; `None` if only the model separates them.
fn compared((line, run): &Ran<'_>, (first, best): &Ran<'_>) -> Option<String> {
    let name = &line.layout;
    let bytes = moved(run).zip(moved(best)).map(|(own, best)| own / best);
    let memory = line.memory.bytes as f64 / (first.memory.bytes as f64).max(1.0);
    let passes = in_passes(run);
    Some(match bytes {
        Some(bytes) if bytes < 1.0 => {
            format!("{name}: {} of its bytes, in {passes}", rounded(bytes))
        }
        Some(bytes) if run.passes < best.passes => {
            format!("{name}: {passes}, {} times its bytes", rounded(bytes))
        }
        None if run.passes < best.passes => format!("{name}: {passes}"),
        Some(bytes) if memory < 1.0 => {
            format!("{name}: {} of its memory, {} times its bytes", rounded(memory), rounded(bytes))
        }
        None if memory < 1.0 => format!("{name}: {} of its memory", rounded(memory)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(layout: &str, [low, ratio, high]: [f64; 3], bytes: u64) -> Line {
        let mut line = Line::new(layout, if layout.contains("core") { "CPU" } else { "here" });
        line.memory.bytes = bytes;
        let of_fastest = Interval { median: ratio, low, high, processes: 4, ..Interval::default() };
        line.run = Some(Run { passes: 1, of_fastest: Some(of_fastest), ..Run::default() });
        line
    }

    fn section(lines: Vec<Line>, deviation: f64) -> Section {
        let twins = Interval { processes: 4, ..Interval::of_ratios([1.0 / deviation, deviation]) };
        Section { run: "product".to_owned(), twins: Some(twins), lines, ..Section::default() }
    }

    #[test]
    fn a_factor_has_its_interval_and_what_is_not_decided_stores_less() {
        let lines = vec![
            line("ellpack-r", [1.0; 3], 6700),
            line("ellpack", [2.5, 3.1, 4.0], 6700),
            line("rows", [0.9, 1.04, 1.2], 100),
            line("CSR, one core", [0.08, 0.1, 0.125], 50),
        ];
        let both = answer(&section(lines.clone(), 1.1));
        assert_eq!((both.here.as_deref(), both.is_decided), (Some("rows"), false));
        assert_eq!(
            both.text,
            "Use rows for one product. Undecided between ellpack-r and rows (0.90 to 1.20): run again on a quiet machine, \
             or take rows, which stores less; ellpack-r: 3.1 times as fast as ellpack (2.5 to 4.0); CSR on one core: 10 \
             times as fast as ellpack-r (8.0 to 12)\nFor 2003 no layout that ran here (no program of that time: ellpack-r and ellpack and rows)"
        );
        let mut apart = lines;
        apart[2] = line("rows", [1.8, 2.1, 2.4], 100);
        let one = answer(&section(apart.clone(), 1.1));
        assert_eq!((one.here.as_deref(), one.is_decided), (Some("ellpack-r"), true));
        let expected =
            "product. ellpack-r: 2.1 times as fast as rows (1.80 to 2.4); CSR on one core: ";
        assert!(one.text.contains(expected), "{}", one.text);
        assert!(one.text.contains("; 67 times the memory of rows"), "{}", one.text);
        let busy = answer(&section(apart, 2.5));
        assert!(
            busy.text.contains("a program took 0.40 to 2.5 of its twin's time"),
            "{}",
            busy.text
        );
        assert!(!busy.text.contains("as fast"), "{}", busy.text);
        assert_eq!(answer(&section(Vec::new(), 1.1)).here, None);
    }

    #[test]
    fn one_upload_decides_nothing() {
        let mut lines = vec![line("ellpack", [1.0; 3], 9), line("rows", [3.0; 3], 8)];
        for line in &mut lines {
            line.run.as_mut().unwrap().of_fastest.as_mut().unwrap().processes = 1;
        }
        let advice = answer(&section(lines, 1.0));
        assert_eq!((advice.here.as_deref(), advice.is_decided), (Some("rows"), false));
    }

    #[test]
    fn for_2003_names_what_fits_and_has_a_program_with_what_each_has_over_the_first() {
        let of = |layout: &str, moved: [u64; 3], seconds: f64, scattered: bool, passes: u64| {
            let mut line = line(layout, [1.0; 3], 1000);
            let run = line.run.as_mut().unwrap();
            (run.bytes_moved, run.cards) = (Some(moved.to_vec()), Some([seconds; CARDS.len()]));
            (run.is_scattered, run.passes, run.target_switches) = (scattered, passes, passes);
            line
        };
        let then = |lines| answer(&section(lines, 1.1));
        let (ellpack, rows) = (
            || of("ellpack", [900_000; 3], 3.0, true, 1),
            |bytes: u64, passes| of("rows", [bytes; 3], 1.0, true, passes),
        );
        let text = |lines| then(lines).text.split_once("\n").unwrap().1.to_owned();
        assert_eq!(
            text(vec![rows(1_600_000, 1), ellpack(), of("points", [450_000; 3], 9.0, true, 13)]),
            "For 2003 ellpack: 900.0 kB through a cache of 2 to 16 KB in one pass; points: 0.50 of its bytes, in 13 passes"
        );
        // Many bytes in one pass are slower than few in three.
        let mut long = vec![rows(1_600_000, 3), of("ellpack", [90_000_000; 3], 1.0, true, 1)];
        assert_eq!(then(long.clone()).on_2003.as_deref(), Some("rows"));
        assert!(text(long.clone()).ends_with("; ellpack: one pass, 56 times its bytes"));
        long[0].memory.side = 4096;
        long.push(line("ellpack-r", [1.0; 3], 1));
        assert_eq!(
            text(long),
            "For 2003 only ellpack (no program of that time: ellpack-r; over 2048²: rows)"
        );
        // The model knows both, and not rows.
        let diagonals = of("diagonals", [1000; 3], 3.0, false, 1);
        let quarters = of("quarters", [2000; 3], 1.0, false, 1);
        let modelled = text(vec![diagonals, quarters, rows(1_600_000, 1)]);
        let expected = "For 2003 quarters: 2.0 kB through a cache of 2 to 16 KB in one pass, 3.0 times as fast as diagonals in the \
                        model; diagonals: 0.50 of its bytes, in one pass";
        assert_eq!(modelled, expected);
    }
}
