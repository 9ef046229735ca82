//! How long a rectangle takes on the present GPU, when nothing but arithmetic costs time: the
//! method of Fig. 3 (Bolz et al. 2003, section 3.2.1), a long program without fetches.

use std::rc::Rc;
use std::time::Instant;

use crate::experiment::BoxedError;
use crate::stream::{Format, Kernel, Machine, Pass, Rect, Source, Stream, StreamError};

const LONG_PROGRAM: Source = Source {
    name: "bolz2003/long_program",
    text: include_str!("../../../glsl/bolz2003/long_program.frag"),
};

/// Multiply-adds of a turn of the program's loop.
const MADS_PER_TURN: u32 = 8;

/// The long program, and a short one that differs in its length alone.
pub struct LongProgram {
    machine: Machine,
    long: Rc<Kernel>,
    short: Rc<Kernel>,
    target: Stream,
    instructions: u32,
}

impl LongProgram {
    /// A program of about so many instructions, for rectangles of at most `largest` x `largest`.
    ///
    /// # Errors
    /// When the driver refuses the program.
    pub fn new(machine: &Machine, instructions: u32, largest: u32) -> Result<Self, StreamError> {
        let turns = (instructions / MADS_PER_TURN).max(1);
        let kernel = |turns: u32| machine.kernel(&LONG_PROGRAM, &[("TURNS", &format!("{turns}.0"))]);
        let size = (largest, largest);
        Ok(LongProgram {
            machine: machine.clone(),
            long: kernel(turns)?,
            short: kernel(1)?,
            target: Stream::zeros(machine, "end of the chain", size, Format::R32F)?,
            instructions: turns * MADS_PER_TURN,
        })
    }

    /// Multiply-adds of the program.
    pub fn instructions(&self) -> u32 {
        self.instructions
    }

    /// Seconds that each rectangle takes if it is drawn alone, its pixels' arithmetic only.
    ///
    /// Every draw is followed by a wait until the machine is idle, so that no draw shares a batch
    /// with another or is dropped because a later one covers it. From the long program's time that
    /// of a program of one turn is taken off, and with it what a draw and the wait cost. All sizes
    /// are drawn once in each of the repetitions, so that a disturbance does not fall on one size
    /// alone; the median of each is taken.
    ///
    /// # Errors
    /// Those of a pass.
    pub fn seconds(&self, sizes: &[(u32, u32)], repetitions: usize) -> Result<Vec<f64>, BoxedError> {
        let mut times = vec![Vec::with_capacity(repetitions); sizes.len()];
        for &(width, height) in sizes {
            self.time(&self.long, width, height)?;
            self.time(&self.short, width, height)?;
        }
        for _ in 0..repetitions {
            for (times, &(width, height)) in times.iter_mut().zip(sizes) {
                let long = self.time(&self.long, width, height)?;
                let short = self.time(&self.short, width, height)?;
                times.push(long - short);
            }
        }
        Ok(times.into_iter().map(median).collect())
    }

    fn time(&self, kernel: &Kernel, width: u32, height: u32) -> Result<f64, StreamError> {
        let rects = self.machine.rect(Rect::of_size(width, height))?;
        self.machine.finish();
        let start = Instant::now();
        Pass::new(kernel)
            .set("factor", 0.999)
            .set("summand", 0.001)
            .draw(&self.target, &rects)?;
        self.machine.finish();
        Ok(start.elapsed().as_secs_f64())
    }
}

/// The middle one of some times.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
