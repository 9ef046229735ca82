//! Ceilings: trivial substitutes for other programs, with the same number of fetches from the same streams to
//! the same targets, and nothing else.
//!
//! Fetches are at positions next to the fragment's own, so none of them is scattered. Two fetched values take
//! one instruction: no program that uses all of them is shorter.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::card::count::{Count, count};
use crate::stream::{Kernel, Limits, Machine, Source, StandIn, StreamError};

use super::rig::Work;

/// Returns a work, and the same work with a trivial program in place of each that can be counted. Both render
/// to the same streams: after the second has run, their contents are meaningless. A program that cannot be
/// counted, because no card of 2003 could run it, runs in both.
pub fn with_ceiling<'a>(machine: &Machine, work: Work<'a>) -> [Work<'a>; 2] {
    let work = Rc::new(RefCell::new(work));
    let (machine, stand_in, other) = (machine.clone(), trivial(machine), Rc::clone(&work));
    [
        Box::new(move |n| work.borrow_mut()(n)),
        Box::new(move |n| machine.standing_in(&stand_in, || other.borrow_mut()(n))),
    ]
}

/// The substitutes, each created once.
fn trivial(machine: &Machine) -> StandIn {
    let machine = machine.clone();
    let known: RefCell<FxHashMap<u64, Option<Rc<Kernel>>>> = RefCell::default();
    Rc::new(move |kernel| {
        if let Some(known) = known.borrow().get(&kernel.number()) {
            return Ok(known.clone());
        }
        let made = made(&machine, kernel)?;
        let mut known = known.borrow_mut();
        known.insert(kernel.number(), made.clone());
        Ok(made)
    })
}

fn made(machine: &Machine, kernel: &Kernel) -> Result<Option<Rc<Kernel>>, StreamError> {
    let Ok(count) = count(&kernel.text().fragment) else {
        return Ok(None);
    };
    // It keeps the rules, but may be longer than a user's program.
    let name = format!("as many fetches as {}", kernel.name());
    let limits = Limits::none("it takes the place of another program");
    let source = Source::checked(name, text(&count), limits);
    let made = if kernel.is_for_points() {
        machine.kernel(&source.for_points(), &[])
    } else {
        machine.kernel(&source, &[])
    };
    made.map(Some)
}

/// Columns of the block of positions of a stream's fetches.
const COLUMNS: u32 = 4;

/// Sums products of two fetches each. Every fetch of a stream has its own position, because a driver merges
/// equal ones.
fn text(count: &Count) -> String {
    let (mut text, mut fetches) = (String::new(), Vec::new());
    for counted in &count.by_stream {
        let name = &counted.name;
        let _ = writeln!(text, "uniform stream {name};");
        fetches.extend((0..counted.all).map(|k| match [k % COLUMNS, k / COLUMNS] {
            [0, 0] => format!("fetch({name}, here)"),
            [x, y] => format!("fetch({name}, here + vec2({x}.0, {y}.0))"),
        }));
    }
    text += "\nvoid main() {\n    vec4 sum = vec4(0.0);\n";
    for pair in fetches.chunks(2) {
        let _ = writeln!(text, "    sum += {};", pair.join(" * "));
    }
    text + "    result = sum;\n}\n"
}

#[cfg(test)]
mod tests {
    use crate::card::dialect::user_source;
    use crate::stream::{Format, Pass, Stream};

    use super::*;

    const PROGRAM: &str = "uniform stream a;\nuniform stream b;\nuniform float factor;\nvoid main() {\n    \
                           vec4 sum = fetch(a, here) + fetch(a, here + vec2(1.0, 0.0));\n    \
                           result = factor * sum * fetch(b, here);\n}\n";

    #[test]
    fn what_stands_in_fetches_as_often_and_the_ledger_tells_of_what_it_stands_for() {
        let machine = Machine::headless().unwrap();
        let source = user_source("a program", PROGRAM, Limits::NV30).unwrap();
        let kernel = machine.kernel(&source, &[]).unwrap();
        let stand_in = made(&machine, &kernel).unwrap().unwrap();
        let [own, other] = [&kernel, &stand_in].map(|one| count(&one.text().fragment).unwrap());
        assert_eq!(own.by_stream, other.by_stream);
        assert_eq!(own.fetches, 3);
        assert!(other.instructions <= own.instructions, "{other:?}");

        let stream = |label| Stream::zeros(&machine, label, (4, 1), Format::R32F).unwrap();
        let (a, b, target) = (stream("a"), stream("b"), stream("target"));
        a.write(&[1.0, 2.0, 4.0, 8.0]).unwrap();
        b.write(&[3.0, 3.0, 3.0, 3.0]).unwrap();
        let full = machine.rect(target.full()).unwrap();
        let draw = || {
            let pass = Pass::new(&kernel).read("a", &a).read("b", &b);
            pass.set("factor", 2.0).draw(&target, &full)
        };
        machine.take_ledger();
        draw().unwrap();
        let [first, ..] = target.read().unwrap()[..] else { panic!("four records") };
        assert_eq!(first, 2.0 * (1.0 + 2.0) * 3.0);
        let before = machine.take_ledger();
        machine.standing_in(&trivial(&machine), draw).unwrap();
        let other = target.read().unwrap();
        assert_eq!(other[..2], [1.0 * 2.0 + 3.0, 2.0 * 4.0 + 3.0]);
        let during = machine.take_ledger();
        assert_eq!(
            before.kernels.keys().collect::<Vec<_>>(),
            during.kernels.keys().collect::<Vec<_>>()
        );
        draw().unwrap();
        assert_eq!(target.read().unwrap()[0], first);
    }
}
