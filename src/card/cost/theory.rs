//! Theoretical rates (Bolz et al. 2003, sections 3.3 and 4.3).

use crate::stream::Size;

use super::Nv30;

/// How a reduction halves an odd size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// 25 to 13: the last record is kept (with zero padding or bounds tests). What this project
    /// does.
    Up,
    /// 25 to 12: the last record is left out. Not a correct sum; what "a factor of 4/3" amounts to.
    Down,
}

impl Nv30 {
    /// How often a second a program of `instructions` runs over `fragments`, if no pipeline ever
    /// idles: the paper's "theoretical" rates.
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

    /// The same, if each pipeline works on scalars only and the program has to be run once for
    /// each of `components` (section 3.3: "over 500" products a second for three of them).
    pub fn peak_rate_by_component(
        &self,
        fragments: u64,
        instructions: u32,
        components: u32,
    ) -> f64 {
        self.peak_rate(fragments, instructions) / f64::from(components)
    }

    /// Seconds of a pass over `tuples` with a program of `instructions`, which reads and writes
    /// `bytes`: of the fragment stage, whose last batch is flushed behind the pass, or of the memory,
    /// whichever is longer.
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
