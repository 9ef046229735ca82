//! The rig: runs works in rounds, each in random order, and takes their times.

use web_time::{Duration, Instant};

use crate::base::error::BoxedError;
use crate::base::interval::{median, range};
use crate::base::memory::system_text;
use crate::base::random::SplitMix64;
use crate::stream::Machine;

/// A work to be timed: the n-th run in a chain. It must read the output of the previous run, because a driver
/// may drop work whose result nothing reads.
pub type Work<'a> = Box<dyn FnMut(usize) -> Result<(), BoxedError> + 'a>;

/// Boxes a closure as [`Work`].
pub fn work<'a, E>(mut run: impl FnMut(usize) -> Result<(), E> + 'a) -> Work<'a>
where
    BoxedError: From<E>,
{
    Box::new(move |n| Ok(run(n)?))
}

/// A CPU program, which cannot fail.
pub fn program<'a>(mut run: impl FnMut(usize) + 'a) -> Work<'a> {
    Box::new(move |n| {
        run(n);
        Ok(())
    })
}

/// Number of repetitions.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds, after one for warming up.
    pub rounds: usize,
    /// Runs of each work per round.
    pub chain: usize,
}

impl Effort {
    /// Few rounds, for quick mode.
    pub const QUICK: Self = Self { rounds: 5, chain: 4 };
    /// Enough for a steady median.
    pub const FULL: Self = Self { rounds: 15, chain: 8 };

    /// Returns the effort for the mode.
    pub fn of(quick: bool) -> Self {
        if quick { Self::QUICK } else { Self::FULL }
    }

    /// For long runs that are chains in themselves, such as cycles: one per round, and at most `rounds` rounds.
    pub fn of_long_runs(self, rounds: usize) -> Self {
        Self { rounds: self.rounds.min(rounds), chain: 1 }
    }
}

/// Time in which a device reaches its clock.
const AWAKE: Duration = Duration::from_millis(100);

/// Time of the rounds after which fewer are enough, and their number.
const LONG: (Duration, usize) = (Duration::from_secs(5), 3);

/// Seconds per run of each work, round by round, after a round for warming up, which compiles programs and
/// fills caches.
pub fn samples(
    machine: &Machine,
    effort: Effort,
    works: &mut [Work<'_>],
) -> Result<Vec<Vec<f64>>, BoxedError> {
    for work in works.iter_mut() {
        (0..effort.chain).try_for_each(work)?;
    }
    rounds(machine, effort, &mut SplitMix64::new(0), works)
}

/// Runs works on a device for a while, so that it reaches its clock.
pub fn awaken(machine: &Machine, works: &mut [Work<'_>]) -> Result<(), BoxedError> {
    let begin = Instant::now();
    while !machine.description().software && begin.elapsed() < AWAKE {
        works.iter_mut().try_for_each(|work| work(0))?;
        machine.finish();
    }
    Ok(())
}

/// Seconds per run of each work that has run before, round by round, the works of a round in random order. Waits for the
/// machine before and after each chain.
pub fn rounds(
    machine: &Machine,
    effort: Effort,
    random: &mut SplitMix64,
    works: &mut [Work<'_>],
) -> Result<Vec<Vec<f64>>, BoxedError> {
    let begin = Instant::now();
    let mut samples = vec![Vec::with_capacity(effort.rounds); works.len()];
    for round in 0..effort.rounds {
        if round >= LONG.1 && begin.elapsed() > LONG.0 {
            break;
        }
        let mut order: Vec<usize> = (0..works.len()).collect();
        random.shuffle(&mut order);
        for at in order {
            machine.finish();
            let start = Instant::now();
            (0..effort.chain).try_for_each(&mut *works[at])?;
            machine.finish();
            samples[at].push(start.elapsed().as_secs_f64() / effort.chain as f64);
        }
    }
    Ok(samples)
}

/// Median seconds per run of each work.
pub fn medians<const N: usize>(
    machine: &Machine,
    effort: Effort,
    mut works: [Work<'_>; N],
) -> Result<[f64; N], BoxedError> {
    let mut samples = samples(machine, effort, &mut works)?.into_iter();
    Ok(std::array::from_fn(|_| median(samples.next().unwrap_or_default())))
}

/// Ratio of the largest to the smallest value.
pub fn spread(values: impl IntoIterator<Item = f64>) -> f64 {
    let [low, high] = range(values);
    high / low
}

/// Average load of the last minute; zero where the system does not report one.
pub fn load() -> f64 {
    let text = system_text("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0.0)
}

/// Number of processor cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// A warning about timings that began at this load: a run itself uses one core, and llvmpipe all of them.
pub fn busy(load: f64, cores: usize) -> Option<String> {
    (load > 0.5 * cores as f64).then(|| {
        format!(
            "The machine was busy when the run began (load {load:.1} on {cores} cores): do not compare its timings."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }

    #[test]
    fn works_take_turns_after_a_round_to_warm_up() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let seen = std::cell::RefCell::new(String::new());
        let note = |name: char| {
            let seen = &seen;
            program(move |run| *seen.borrow_mut() += &format!("{name}{run} "))
        };
        let effort = Effort { rounds: 1, chain: 2 };
        let samples = samples(&machine, effort, &mut [note('a'), note('b')]).unwrap();
        let seen = seen.borrow();
        let round = seen.strip_prefix("a0 a1 b0 b1 ").unwrap();
        assert!(["a0 a1 b0 b1 ", "b0 b1 a0 a1 "].contains(&round), "{round}");
        assert_eq!(samples.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }
}
