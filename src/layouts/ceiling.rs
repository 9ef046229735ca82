//! Trivial programs in the place of others: as many fetches of the same streams, into the same targets,
//! and nothing else. What is left of a run with them is its ceiling.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::card::count::{Count, count};
use crate::card::dialect::user_source;
use crate::stream::{Kernel, Machine, StandIn, StreamError};
use crate::timing::Work;

/// A work, and the same one with a trivial program in the place of each that can be counted. Both render into
/// the same streams: once the second one has run, their contents mean nothing.
pub fn with_ceiling<'a>(machine: &Machine, work: Work<'a>) -> [Work<'a>; 2] {
    let work = Rc::new(RefCell::new(work));
    let (machine, stand_in, other) = (machine.clone(), trivial(machine), Rc::clone(&work));
    [
        Box::new(move |n| work.borrow_mut()(n)),
        Box::new(move |n| machine.standing_in(&stand_in, || other.borrow_mut()(n))),
    ]
}

/// What stands in: made once for each kernel.
fn trivial(machine: &Machine) -> StandIn {
    let machine = machine.clone();
    let known: RefCell<FxHashMap<String, Option<Rc<Kernel>>>> = RefCell::default();
    Rc::new(move |kernel| {
        if let Some(known) = known.borrow().get(kernel.name()) {
            return Ok(known.clone());
        }
        let made = made(&machine, kernel)?;
        let mut known = known.borrow_mut();
        known.insert(kernel.name().to_owned(), made.clone());
        Ok(made)
    })
}

fn made(machine: &Machine, kernel: &Kernel) -> Result<Option<Rc<Kernel>>, StreamError> {
    let Ok(count) = count(&kernel.text().fragment) else {
        return Ok(None);
    };
    let source = user_source(
        format!("as many fetches as {}", kernel.name()),
        text(kernel, &count),
    )?;
    let made = match kernel.is_for_points() {
        true => machine.point_kernel(&source, &[]),
        false => machine.kernel(&source, &[]),
    };
    made.map(Some)
}

/// The mean of what is fetched, from places about a fragment's own.
fn text(kernel: &Kernel, count: &Count) -> String {
    let mut text = String::new();
    let mut body = String::new();
    for (name, fetches) in kernel.streams().zip(&count.by_stream) {
        if fetches.all > 0 {
            let _ = writeln!(text, "uniform stream {name};");
        }
        for fetch in 0..fetches.all {
            let place = match [fetch % 3, fetch / 3 % 3] {
                [0, 0] => "here".to_owned(),
                [x, y] => format!("here + vec2({x}.0, {y}.0)"),
            };
            let _ = writeln!(body, "    sum += fetch({name}, {place});");
        }
    }
    let share = 1.0 / f64::from(count.fetches.max(1));
    let _ = write!(
        text,
        "\nvoid main() {{\n    vec4 sum = vec4(0.0);\n{body}    result = sum * {share:?};\n}}\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use crate::stream::{Format, Pass, Stream};

    use super::*;

    const PROGRAM: &str = "uniform stream a;\nuniform stream b;\nuniform float factor;\nvoid main() {\n    \
                           vec4 sum = fetch(a, here) + fetch(a, here + vec2(1.0, 0.0));\n    \
                           result = factor * sum * fetch(b, here);\n}\n";

    #[test]
    fn what_stands_in_fetches_as_often_and_the_ledger_tells_of_what_it_stands_for() {
        let machine = Machine::headless().unwrap();
        let source = user_source("a program", PROGRAM.to_owned()).unwrap();
        let kernel = machine.kernel(&source, &[]).unwrap();
        let stand_in = made(&machine, &kernel).unwrap().unwrap();
        let [own, other] = [&kernel, &stand_in].map(|one| count(&one.text().fragment).unwrap());
        assert_eq!(own.by_stream, other.by_stream);
        assert_eq!(own.fetches, 3);

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
        let [first, ..] = target.read().unwrap()[..] else {
            panic!("four records")
        };
        assert_eq!(first, 2.0 * (1.0 + 2.0) * 3.0);
        let before = machine.take_ledger();
        machine.standing_in(&trivial(&machine), draw).unwrap();
        let mean = target.read().unwrap();
        assert_eq!(
            mean[..2],
            [(1.0 + 2.0 + 3.0) / 3.0, (2.0 + 4.0 + 3.0) / 3.0]
        );
        let during = machine.take_ledger();
        assert_eq!(
            before.kernels.keys().collect::<Vec<_>>(),
            during.kernels.keys().collect::<Vec<_>>()
        );
        draw().unwrap();
        assert_eq!(target.read().unwrap()[0], first);
    }
}
