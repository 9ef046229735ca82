//! The last line of a comparison: the fastest layout here, and on a card of 2003.

use crate::card::cost::CARDS;

use super::{Line, Run, Section};

/// The model's times agree with most of the papers' timings to within this factor (claim `card/cards`). Layouts
/// whose modelled times are closer are not distinguished.
const MODEL: f64 = 1.3;

/// Names the fastest layout on this machine and in the model of the first card, with ≈ between layouts that
/// cannot be distinguished: here because their intervals overlap, in the model because of its limited accuracy.
pub fn answer(section: &Section) -> String {
    let ran = section.lines.iter().filter(|line| line.from != "CPU");
    let ran: Vec<(&Line, &Run)> = ran.filter_map(|l| Some((l, l.run.as_ref()?))).collect();
    let here =
        fastest(&ran, |run| Some(run.seconds), |best, other| other.interval[0] <= best.interval[1]);
    let then = fastest(&ran, seconds_then, |best, other| {
        seconds_then(other) <= seconds_then(best).map(|seconds| MODEL * seconds)
    });
    let Some(here) = here else {
        return "no layout holds it".to_owned();
    };
    let then = then.map(|names| format!("; on a {} (model): {names}", CARDS[0].device.name));
    let next = runner_up(&ran).unwrap_or_default();
    format!("fastest here: {here}{}{next}", then.unwrap_or_default())
}

/// Compares the fastest layout with the next one: time, memory, and the bytes moved through a cache of 8 KB.
fn runner_up(ran: &[(&Line, &Run)]) -> Option<String> {
    let mut sorted = ran.to_vec();
    sorted.sort_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    let &[(first, a), (second, b), ..] = &sorted[..] else { return None };
    let times = b.seconds / a.seconds;
    let mut next = format!("\n{} is {times:.1} times as fast as {}", first.layout, second.layout);
    if second.memory.bytes > 0 {
        let memory = first.memory.bytes as f64 / second.memory.bytes as f64;
        next += &format!(" and takes {memory:.2} of its memory");
    }
    if let (Some(a), Some(b)) = (&a.bytes_moved, &b.bytes_moved)
        && let [_, a, _] = a[..]
        && let [_, b, _] = b[..]
        && b > 0
    {
        next += &format!("; on a card with 8 KB it moves {:.2} of its bytes", a as f64 / b as f64);
    }
    Some(next)
}

/// Seconds in the model of the first card.
fn seconds_then(run: &Run) -> Option<f64> {
    run.cards.map(|cards| cards[0])
}

/// The names of the fastest layout and of those that cannot be distinguished from it, the fastest first.
fn fastest(
    ran: &[(&Line, &Run)],
    seconds: impl Fn(&Run) -> Option<f64>,
    is_as_fast: impl Fn(&Run, &Run) -> bool,
) -> Option<String> {
    let timed = ran.iter().filter_map(|&(line, run)| Some((seconds(run)?, line, run)));
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best = timed.first()?.2;
    let names = timed.iter().filter(|(_, _, run)| is_as_fast(best, run));
    let names: Vec<&str> = names.map(|(_, line, _)| line.layout.as_str()).collect();
    Some(names.join(" ≈ "))
}
