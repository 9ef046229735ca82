//! How long a rectangle takes on the present GPU when nothing but arithmetic costs time: the
//! method of Fig. 3 (Bolz et al. 2003, section 3.2.1), a long program without fetches.

use std::rc::Rc;

use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Rects, Size, Source, Stream, StreamError, source,
};
use crate::timing::rig::work;
use crate::timing::{Effort, TimingError, fastest};

const LONG_PROGRAM: Source = source!("bolz2003/sparse/long_program");

/// Multiply-adds of a round of the program's loop.
const MADS_PER_ROUND: u32 = 8;

/// A rectangle drawn alone, with a program of some length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Width and height in pixels.
    pub size: Size,
    /// About so many multiply-adds.
    pub instructions: u32,
}

/// The seconds that one multiply-add takes in each of the runs: the rectangle's time over the length
/// of its program.
///
/// Every draw is followed by a wait until the machine is idle, so that no draw shares a batch with
/// another, and none is dropped because a later one covers it. From the time of the long program
/// that of a program of a single round is taken off, and with it what a draw and the wait cost. All
/// runs are done once in each of the repetitions, so that a disturbance does not fall on one of them
/// alone. Of the repetitions the fastest counts: what else runs on the machine can only add to it.
pub fn seconds_per_instruction(
    machine: &Machine,
    runs: &[Run],
    repetitions: usize,
) -> Result<Vec<f64>, TimingError> {
    let side = |of: fn(&Run) -> u32| runs.iter().map(of).max().unwrap_or(1);
    let size = (side(|run| run.size.0), side(|run| run.size.1));
    let target = Stream::zeros(machine, "end of the chain", size, Format::R32F)?;
    let rounds = |run: &Run| (run.instructions / MADS_PER_ROUND).max(2);
    let mut works = Vec::new();
    for run in runs {
        for rounds in [rounds(run), 1] {
            let rects = machine.rect(Rect::of_size(run.size.0, run.size.1))?;
            let (kernel, target) = (kernel(machine, rounds)?, &target);
            works.push(work(move |_| draw(&kernel, target, &rects)));
        }
    }
    let effort = Effort {
        rounds: repetitions,
        chain: 1,
    };
    let seconds = fastest(machine, effort, &mut works)?;
    let pairs = runs.iter().zip(seconds.as_chunks::<2>().0);
    let a_mad = |(run, [long, short]): (&Run, &[f64; 2])| {
        (long - short) / f64::from(MADS_PER_ROUND * (rounds(run) - 1))
    };
    Ok(pairs.map(a_mad).collect())
}

/// The program with a loop of so many rounds.
pub(super) fn kernel(machine: &Machine, rounds: u32) -> Result<Rc<Kernel>, StreamError> {
    machine.kernel(&LONG_PROGRAM, &[("ROUNDS", &format!("{rounds}.0"))])
}

/// Runs it on these rectangles.
pub(super) fn draw(kernel: &Kernel, target: &Stream, rects: &Rects) -> Result<(), StreamError> {
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
