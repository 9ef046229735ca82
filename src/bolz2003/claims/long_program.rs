//! Time of a rectangle on the present GPU when only arithmetic counts: the
//! method of Fig. 3 (Bolz et al. 2003, section 3.2.1), a long program without fetches.

use std::rc::Rc;

use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Rects, Size, Source, Stream, StreamError, source,
};
use crate::timing::Work;
use crate::timing::rig::work;

const LONG_PROGRAM: Source = source!("bolz2003/sparse/long_program");

/// Multiply-adds per round of the program's loop.
const MADS_PER_ROUND: u32 = 8;

/// A rectangle drawn alone, with a program of a given length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Width and height in pixels.
    pub size: Size,
    /// Approximate number of multiply-adds.
    pub instructions: u32,
}

impl Rectangle {
    /// Rounds of the program's loop.
    fn rounds(&self) -> u32 {
        (self.instructions / MADS_PER_ROUND).max(2)
    }
}

/// Two works per rectangle: the long program, and one of a single round.
///
/// # Errors
/// Those of the machine.
pub fn works(machine: &Machine, all: &[Rectangle]) -> Result<Vec<Work<'static>>, StreamError> {
    let side = |of: fn(&Rectangle) -> u32| all.iter().map(of).max().unwrap_or(1);
    let size = (side(|one| one.size.0), side(|one| one.size.1));
    let target = Rc::new(Stream::zeros(
        machine,
        "end of the chain",
        size,
        Format::R32F,
    )?);
    let mut works = Vec::new();
    for one in all {
        for rounds in [one.rounds(), 1] {
            let rects = machine.rect(Rect::of_size(one.size.0, one.size.1))?;
            let (kernel, target) = (kernel(machine, rounds)?, Rc::clone(&target));
            works.push(work(move |_| draw(&kernel, &target, &rects)));
        }
    }
    Ok(works)
}

/// Seconds per multiply-add in each rectangle, from those of the [`works`], one run per draw with a wait, so that no
/// draw shares a batch with another, and none is dropped because a later one covers it. The time of a program
/// of a single round is subtracted from that of the long program, which removes the cost of a draw and of the wait.
pub fn seconds_per_instruction(all: &[Rectangle], seconds: &[f64]) -> Vec<f64> {
    let pairs = all.iter().zip(seconds.as_chunks::<2>().0);
    let a_mad = |(one, [long, short]): (&Rectangle, &[f64; 2])| {
        (long - short) / f64::from(MADS_PER_ROUND * (one.rounds() - 1))
    };
    pairs.map(a_mad).collect()
}

/// The program with a loop of `rounds` rounds.
fn kernel(machine: &Machine, rounds: u32) -> Result<Rc<Kernel>, StreamError> {
    machine.kernel(&LONG_PROGRAM, &[("ROUNDS", &format!("{rounds}.0"))])
}

/// Runs it on these rectangles.
fn draw(kernel: &Kernel, target: &Stream, rects: &Rects) -> Result<(), StreamError> {
    (Pass::new(kernel).set("factor", 0.999))
        .set("summand", 0.001)
        .draw(target, rects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_chain_ends_where_the_same_multiply_adds_end_on_the_cpu() {
        let machine = Machine::headless().unwrap();
        let target = Stream::zeros(&machine, "end", (5, 3), Format::Rgba32F).unwrap();
        let rects = machine.rect(target.full()).unwrap();
        let kernel = kernel(&machine, 3).unwrap();
        draw(&kernel, &target, &rects).unwrap();
        let end = |start: f64| (0..3 * MADS_PER_ROUND).fold(start, |v, _| 0.999 * v + 0.001);
        for (i, record) in target.read().unwrap().as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = ((i % 5) as f64 + 0.5, (i / 5) as f64 + 0.5);
            for (value, start) in record.iter().zip([x, y, y, x]) {
                assert_relative_eq!(f64::from(*value), end(start), max_relative = 1e-5);
            }
        }
    }

    #[test]
    fn the_program_is_as_long_as_it_says_and_fetches_nothing() {
        let machine = Machine::headless().unwrap();
        let kernel = kernel(&machine, 100).unwrap();
        let count = crate::card::count::count(&kernel.text().fragment).unwrap();
        assert_eq!(count.fetches, 0);
        let expected = 100 * MADS_PER_ROUND;
        assert!((expected..expected + 10).contains(&count.instructions));
    }
}
