//! Theoretical rates (Bolz et al. 2003, sections 3.3 and 4.3).

use crate::stream::Size;

use super::Nv30;

/// Rounding of odd sizes in a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// 25 to 13: the last record is kept, by zero padding or bounds tests. This project rounds up.
    Up,
    /// 25 to 12: the last record is dropped. The sum is wrong, but the paper's "factor of 4/3" assumes this.
    Down,
}

impl Nv30 {
    /// Runs per second of a program of `instructions` over `fragments`, if no pipeline ever idles: the paper's
    /// "theoretical" rates.
    ///
    /// ```
    /// # use fragstream::card::cost::Nv30;
    /// let stencil = Nv30::default().peak_rate(129 * 129, 27);
    /// assert_eq!(stencil.round(), 4451.0); // "the theoretical peak is 4500"
    /// ```
    pub fn peak_rate(&self, fragments: u64, instructions: u32) -> f64 {
        let executions = fragments as f64 * f64::from(instructions);
        f64::from(self.pipelines()) * self.clock / executions
    }

    /// Peak rate if each pipeline works on scalars and the program runs once for each of `components` (section
    /// 3.3: more than 500 products per second with three).
    pub fn peak_rate_by_component(
        &self,
        fragments: u64,
        instructions: u32,
        components: u32,
    ) -> f64 {
        self.peak_rate(fragments, instructions) / f64::from(components)
    }

    /// Seconds of a pass over `tuples` with a program of `instructions` that reads and writes `bytes`: the time
    /// of the fragment stage, whose last batch is flushed after the pass, or of the memory, whichever is
    /// longer.
    pub fn pass_seconds(&self, tuples: u64, instructions: u32, bytes: u64) -> f64 {
        let compute = self.seconds(self.batches(tuples), instructions);
        compute.max(bytes as f64 / self.bandwidth)
    }
}

/// The sizes that a reduction of `width` x `height` records writes, pass by pass, down to 1 x 1.
pub fn reduction_levels(width: u32, height: u32, halving: Halving) -> Vec<Size> {
    let half = |n: u32| match halving {
        Halving::Up => n.div_ceil(2),
        Halving::Down => (n / 2).max(1),
    };
    let halved = |&(w, h): &Size| (w > 1 || h > 1).then(|| (half(w), half(h)));
    std::iter::successors(halved(&(width, height)), halved).collect()
}

/// The fragments of all passes of a reduction.
pub fn reduction_fragments(width: u32, height: u32, halving: Halving) -> u64 {
    let levels = reduction_levels(width, height, halving).into_iter();
    levels.map(|(w, h)| u64::from(w) * u64::from(h)).sum()
}
