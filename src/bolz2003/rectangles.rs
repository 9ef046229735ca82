//! Rectangles drawn alone with a long program without fetches, so that only arithmetic takes time (section 3.2.1, Fig. 3).

use std::rc::Rc;

use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Size, Source, Stream, StreamError, source,
};
use crate::timing::Work;
use crate::timing::rig::work;

const LONG_PROGRAM: Source = source!(bolz2003, "sparse/long_program");

/// The rectangle that all times are compared with.
pub const BEST: Size = (26, 18);
/// Multiply-adds per round of the program's loop.
const MADS_PER_ROUND: u32 = 8;

/// Rectangles drawn alone, with programs of different lengths.
pub struct Rectangles {
    /// Columns and rows of each.
    pub sizes: Vec<Size>,
    /// Rounds of each program's loop.
    rounds: Vec<u32>,
}

impl Rectangles {
    /// Rectangles of these sizes, with programs of approximately this number of multiply-adds.
    pub fn new(sizes: Vec<Size>, instructions: impl Fn(u32) -> u32) -> Self {
        let rounds = (sizes.iter()).map(|&(w, h)| (instructions(w * h) / MADS_PER_ROUND).max(2));
        let rounds = rounds.collect();
        Self { sizes, rounds }
    }

    /// Pixels of one.
    pub fn area(&self, one: usize) -> f64 {
        f64::from(self.sizes[one].0 * self.sizes[one].1)
    }

    /// Two works per rectangle: the long program, and one of a single round.
    pub fn works(&self, machine: &Machine) -> Result<Vec<(String, Work<'static>)>, StreamError> {
        let side = |of: fn(&Size) -> u32| self.sizes.iter().map(of).max().unwrap_or(1);
        let size = (side(|size| size.0), side(|size| size.1));
        let target = Rc::new(Stream::zeros(machine, "end of the chain", size, Format::R32F)?);
        let mut works = Vec::new();
        for (&(width, height), &rounds) in self.sizes.iter().zip(&self.rounds) {
            for (length, rounds) in [("long", rounds), ("short", 1)] {
                let rects = machine.rect(Rect::of_size(width, height))?;
                let (kernel, target) = (kernel(machine, rounds)?, Rc::clone(&target));
                let draw = work(move |_| {
                    // §3.2.1, Fig. 3: w × h pixels of a program without fetches
                    let pass = Pass::new(&kernel).set("factor", 0.999).set("summand", 0.001);
                    pass.draw(&target, &rects)
                });
                works.push((format!("{width}×{height}, {length}"), draw));
            }
        }
        Ok(works)
    }

    /// Seconds per multiply-add in each rectangle, from those of the works, one run per draw with a wait, so that no
    /// draw shares a batch with another, and none is dropped because a later one covers it. The time of a program
    /// of a single round is subtracted from that of the long program, which removes the cost of a draw and of the wait.
    pub fn seconds(&self, works: &[f64]) -> Vec<f64> {
        let pairs = works.as_chunks::<2>().0.iter().zip(&self.rounds);
        pairs
            .map(|([long, short], rounds)| {
                (long - short) / f64::from(MADS_PER_ROUND * (rounds - 1))
            })
            .collect()
    }
}

/// The program with a loop of `rounds` rounds.
fn kernel(machine: &Machine, rounds: u32) -> Result<Rc<Kernel>, StreamError> {
    machine.kernel(&LONG_PROGRAM, &[("ROUNDS", &format!("{rounds}.0"))])
}

#[cfg(test)]
mod tests {
    use super::*;

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
