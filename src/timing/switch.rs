//! Time of a target switch.

use crate::base::error::BoxedError;
use crate::stream::{Format, Machine, Pass, Rect, Rects, Source, Stream, StreamError, source};

use super::rig::{Effort, medians, work};

const COPY: Source = source!(stream, "copy");

/// Draws of a chain.
const DRAWS: u32 = 200;

/// Seconds per target switch: the additional time of draws of one fragment when two targets alternate. Each
/// draw writes its own texel, so that a driver can drop none.
pub fn seconds_a_switch(machine: &Machine, effort: Effort) -> Result<f64, BoxedError> {
    let kernel = machine.kernel(&COPY, &[])?;
    let line = || Stream::zeros(machine, "line", (DRAWS, 1), Format::R32F);
    let (source, targets) = (line()?, [line()?, line()?]);
    let texels = (0..DRAWS).map(|x| machine.rect(Rect::at([x, 0], (1, 1))));
    let texels: Vec<Rects> = texels.collect::<Result<_, StreamError>>()?;
    let draws = |in_turns: bool| {
        let (kernel, source, targets, texels) = (&kernel, &source, &targets, &texels);
        work(move |run| {
            let target = &targets[usize::from(in_turns && run % 2 == 1)];
            let pass = Pass::new(kernel).read("x", source);
            pass.draw(target, &texels[run % texels.len()])
        })
    };
    let chain = Effort { chain: DRAWS as usize, ..effort };
    let [turns, one] = medians(machine, chain, [draws(true), draws(false)])?;
    Ok((turns - one).max(0.0))
}

/// Smallest share of the time without target switches that can be distinguished from the noise of the difference.
pub const NOISE: f64 = 1.0 / 20.0;

/// Seconds without target switches of this duration, at least the share that can be distinguished.
pub fn without_switches(seconds: f64, switches: f64, seconds_a_switch: f64) -> f64 {
    (seconds - switches * seconds_a_switch).max(NOISE * seconds)
}
