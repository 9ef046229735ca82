//! The last lines of a comparison: the fastest layout here, and on a card of 2003.

use std::cmp::Ordering;

use crate::card::cost::CARDS;

use super::{Line, Run, Section};

/// The model's times agree with most of the papers' timings to within this factor (claim `card/cards`). Layouts
/// whose modelled times are closer are not distinguished.
const MODEL: f64 = 1.3;

/// Names the fastest layout on this machine and in the model of the first card, with ≈ between layouts that
/// cannot be distinguished: here because their intervals overlap, in the model because of its limited accuracy.
pub fn answer(section: &Section) -> String {
    let ran = section.lines.iter().filter(|line| !line.is_cpu());
    let ran: Vec<(&Line, &Run)> = ran.filter_map(|l| Some((l, l.run.as_ref()?))).collect();
    let here = fastest(
        &ran,
        |run| Some(run.seconds),
        |best, other| other.seconds_low <= best.seconds_high,
    );
    let then = fastest(&ran, seconds_then, |best, other| {
        seconds_then(other) <= seconds_then(best).map(|seconds| MODEL * seconds)
    });
    let Some(here) = here else {
        return "no layout holds it".to_owned();
    };
    let then = then.map(|names| format!("\non a {} (model): {names}", CARDS[0].device.name));
    let [next, moved] = [runner_up(&ran), least_moved(&ran)].map(Option::unwrap_or_default);
    format!("fastest here: {here}{}{next}{moved}", then.unwrap_or_default())
}

/// Compares the two fastest layouts.
fn runner_up(ran: &[(&Line, &Run)]) -> Option<String> {
    let [(first, a), (second, b)] = *sorted(ran, |run| Some(run.seconds)).first_chunk()?;
    let times = b.seconds / a.seconds;
    let mut text = format!("\n{} is {times:.1} times as fast as {}", first.layout, second.layout);
    let bytes = [first, second].map(|line| line.memory.bytes as f64);
    if bytes[1] > 0.0 {
        text += &format!(" and takes {:.2} of its memory", bytes[0] / bytes[1]);
    }
    Some(text)
}

/// Compares the two layouts that move the fewest bytes through a cache of 8 KB.
fn least_moved(ran: &[(&Line, &Run)]) -> Option<String> {
    let moved = |run: &Run| Some(run.bytes_moved.as_ref()?[1] as f64);
    let [(first, a), (second, b)] = *sorted(ran, moved).first_chunk()?;
    let share = moved(a)? / moved(b)?;
    Some(format!(
        "\non a card with a cache of 8 KB, {} moves {share:.2} of the bytes of {}",
        first.layout, second.layout
    ))
}

/// The layouts that have this number, the least one first.
fn sorted<'a>(
    ran: &[(&'a Line, &'a Run)],
    of: impl Fn(&Run) -> Option<f64>,
) -> Vec<(&'a Line, &'a Run)> {
    let mut sorted: Vec<_> = ran.iter().filter(|(_, run)| of(run).is_some()).copied().collect();
    sorted.sort_by(|a, b| of(a.1).partial_cmp(&of(b.1)).unwrap_or(Ordering::Equal));
    sorted
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
    let timed = sorted(ran, seconds);
    let best = timed.first()?.1;
    let names = timed.iter().filter(|(_, run)| is_as_fast(best, run));
    let names: Vec<&str> = names.map(|(line, _)| line.layout.as_str()).collect();
    Some(names.join(" ≈ "))
}
