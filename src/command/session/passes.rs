//! The passes of a run in their order, with repeated groups folded: the table that a reader of a paper makes by hand.

use std::cell::RefCell;
use std::fmt;

use serde::Serialize;

use crate::base::columns::aligned;
use crate::card::cost::work;
use crate::card::count::count;
use crate::stream::{Drawing, Observer, Rect, Stream, Switches};

/// Longest group that is recognised when it repeats.
const LONGEST: usize = 512;

/// One piece of work, or a group that is done several times.
#[derive(Serialize)]
#[serde(untagged)]
enum Item {
    Once(Work),
    Group { times: u64, passes: Vec<Item> },
}

/// A pass, or a read-back of the stream.
#[derive(Serialize)]
struct Work {
    pass: String,
    stream: String,
    /// Rectangles or points, fragments, fetches, and bytes fetched and written.
    #[serde(flatten)]
    counts: Counts,
    /// Switches of target, buffer, context and program, over all repetitions.
    switches: [u64; 4],
}

#[derive(Serialize, PartialEq)]
struct Counts {
    primitives: u64,
    fragments: u64,
    fetches: u64,
    bytes: u64,
}

impl Item {
    /// Tests whether it is the same work. Its switches may differ.
    fn repeats(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Once(one), Self::Once(other)) => {
                one.counts == other.counts
                    && (&one.pass, &one.stream) == (&other.pass, &other.stream)
            }
            (Self::Group { times, passes }, Self::Group { times: n, passes: others }) => {
                times == n && repeat(passes, others)
            }
            _ => false,
        }
    }

    fn add(&mut self, other: Self) {
        match (self, other) {
            (Self::Once(one), Self::Once(other)) => {
                one.switches.iter_mut().zip(other.switches).for_each(|(all, more)| *all += more);
            }
            (Self::Group { passes, .. }, Self::Group { passes: others, .. }) => add(passes, others),
            _ => {}
        }
    }

    fn lines(&self, depth: usize, lines: &mut Vec<Vec<String>>) {
        let indent = "  ".repeat(depth);
        match self {
            Self::Once(Work { pass, stream, counts, switches }) => {
                let Counts { primitives, fragments, fetches, bytes } = counts;
                let names = ["target", "buffer", "context", "program"].into_iter().zip(switches);
                let switches: Vec<_> = names.filter(|(_, times)| **times > 0).collect();
                let switches = switches.iter().map(|(name, times)| format!("{times} {name}"));
                let switches = switches.collect::<Vec<_>>().join(", ");
                // Without the folders of the program.
                let file = pass.split(' ').next().unwrap_or_default();
                let name = &pass[file.rfind('/').map_or(0, |slash| slash + 1)..];
                let mut line = vec![format!("{indent}{name}"), stream.clone(), switches];
                line.extend([primitives, fragments, fetches, bytes].map(u64::to_string));
                lines.push(line);
            }
            Self::Group { times, passes } => {
                lines.push(vec![format!("{indent}{times} × [")]);
                passes.iter().for_each(|item| item.lines(depth + 1, lines));
                lines.push(vec![format!("{indent}]")]);
            }
        }
    }
}

fn repeat(some: &[Item], others: &[Item]) -> bool {
    let mut pairs = some.iter().zip(others).rev();
    some.len() == others.len() && pairs.all(|(one, other)| one.repeats(other))
}

fn add(some: &mut [Item], others: Vec<Item>) {
    some.iter_mut().zip(others).for_each(|(one, other)| one.add(other));
}

/// Folds the end of the list once if it repeats what is before it.
fn fold(list: &mut Vec<Item>) -> bool {
    for length in 1..=LONGEST.min(list.len() - 1) {
        let (before, last) = list.split_at(list.len() - length);
        let is_known = matches!(before, [.., Item::Group { passes, .. }] if repeat(passes, last));
        let start = before.len().checked_sub(length);
        if is_known || start.is_some_and(|start| repeat(&before[start..], last)) {
            let last = list.split_off(list.len() - length);
            if !is_known {
                let passes = list.split_off(list.len() - length);
                list.push(Item::Group { times: 1, passes });
            }
            if let Some(Item::Group { times, passes }) = list.last_mut() {
                *times += 1;
                add(passes, last);
            }
            return true;
        }
    }
    false
}

/// Observer that keeps the passes. Serialises as a list; displays as a table.
#[derive(Default, Serialize)]
pub struct Passes(RefCell<Vec<Item>>);

impl Passes {
    fn push(&self, pass: &str, stream: &Stream, counts: Counts, switches: [bool; 4]) {
        let (pass, (columns, rows)) = (pass.to_owned(), stream.size());
        let stream = format!("{} {columns}x{rows}", stream.label());
        let mut list = self.0.borrow_mut();
        list.push(Item::Once(Work { pass, stream, counts, switches: switches.map(u64::from) }));
        while fold(&mut list) {}
    }
}

impl Observer for Passes {
    fn after(&self, Drawing { kernel, target, run, .. }: Drawing<'_>, switches: Switches) {
        let streams: Vec<String> = kernel.streams().map(str::to_owned).collect();
        // A program that cannot be counted has no known fetches.
        let count = count(&kernel.text().fragment).unwrap_or_default();
        let done = work(run, &streams, &count);
        let counts = Counts {
            primitives: done.rectangles + done.points,
            fragments: done.fragments,
            fetches: done.fetches,
            bytes: done.bytes(),
        };
        let Switches { target: to, buffer, context, program } = switches;
        self.push(kernel.name(), target, counts, [to, buffer, context, program]);
    }

    fn read(&self, stream: &Stream, part: Rect, context: bool) {
        let bytes = part.area() * stream.format().bytes() as u64;
        let counts = Counts { primitives: 1, fragments: part.area(), fetches: 0, bytes };
        self.push("(read back)", stream, counts, [false, false, context, false]);
    }
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings =
            ["pass", "stream", "switches", "primitives", "fragments", "fetches", "bytes"];
        let mut lines = Vec::new();
        self.0.borrow().iter().for_each(|item| item.lines(0, &mut lines));
        f.write_str(
            aligned(&headings, lines, |column| column < 3, f.width().unwrap_or(usize::MAX))
                .trim_end(),
        )
    }
}
