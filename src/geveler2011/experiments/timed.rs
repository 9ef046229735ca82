//! All that Tables 2 to 4 are made of, timed.

use std::ops::RangeInclusive;

use crate::claim::{BoxedError, Options};
use crate::parallel::parts;
use crate::stream::{Format, Machine, Pass, Source, Stream, source};
use crate::timing::cpu::TASK;
use crate::timing::rig::{program, work};
use crate::timing::{Effort, PingPong, medians};

use super::super::elements::Element;
use super::super::problems::Setup;
use super::super::products::Arithmetic;
use super::race::{Race, arithmetic};

const COPY: Source = source!("stream/copy");

/// Rounds, and runs in each, of products and of cycles. Six rounds are the fewest among whose values the
/// median lies with a confidence of 95 %; that a cycle agrees with the paper's within a factor of two, two
/// rounds show.
const EFFORTS: [(usize, usize); 2] = [(6, 2), (2, 1)];

/// The same in quick mode: a cycle is some hundred passes, and is timed once after it has warmed up.
const QUICK: [(usize, usize); 2] = [(6, 1), (1, 1)];

/// What was timed.
pub struct Timed {
    /// CIRCLE's levels of Q1 and of Q2, the largest at the end.
    pub circle: [Vec<Race>; 2],
    /// BLOOD, Q1 and Q2.
    pub blood: [Race; 2],
    /// Bytes a second that a copy moves on all cores and on the stream processor.
    bandwidths: [f64; 2],
    renderer: String,
    /// What the stream processor computed with.
    pub arithmetic: Arithmetic,
}

impl Timed {
    /// Lets all of it run: on the smallest level that the paper prints of either element in quick mode,
    /// else on three, or on that which is given.
    pub fn run(machine: &Machine, options: &Options) -> Result<Self, BoxedError> {
        let quick = options.quick;
        let efforts = if quick { QUICK } else { EFFORTS };
        let efforts = efforts.map(|(rounds, chain)| Effort { rounds, chain });
        let race = |setup, element, level| Race::run(machine, setup, (element, level), efforts);
        let circle = |element, levels: RangeInclusive<usize>| {
            let races = levels.map(|level| race(Setup::Circle, element, level));
            races.collect::<Result<Vec<_>, _>>()
        };
        let levels = match options.given.levels {
            Some(level) => level..=level,
            None if quick => 7..=7,
            None => 7..=9,
        };
        let [blood_q1, blood_q2] = if quick { [2, 2] } else { [4, 3] };
        Ok(Self {
            circle: [
                circle(Element::Q1, levels.clone())?,
                circle(Element::Q2, levels.start() - 1..=levels.end() - 1)?,
            ],
            blood: [
                race(Setup::Blood, Element::Q1, blood_q1)?,
                race(Setup::Blood, Element::Q2, blood_q2)?,
            ],
            bandwidths: bandwidths(machine, efforts[0])?,
            renderer: machine.context().description().renderer.clone(),
            arithmetic: arithmetic(machine),
        })
    }

    /// CIRCLE's largest levels.
    pub fn largest(&self) -> [&Race; 2] {
        [0, 1].map(|element: usize| &self.circle[element][self.circle[element].len() - 1])
    }

    /// What bounds the gain of a program that waits for memory.
    pub fn bandwidth(&self) -> String {
        let [cpu, device] = self.bandwidths;
        format!(
            "A copy moves {:.1} GB/s on all cores and {:.1} on the stream processor ({}), {:.2} times as \
             much; in the paper 160 GB/s are 4.8 times 33.",
            cpu / 1e9,
            device / 1e9,
            self.renderer,
            device / cpu
        )
    }
}

/// Bytes a second, read and written, of a copy of 2²² pairs of floats.
fn bandwidths(machine: &Machine, effort: Effort) -> Result<[f64; 2], BoxedError> {
    let size = (2048, 2048);
    let floats = 2 * 2048 * 2048;
    let mut arrays = PingPong::of_two(vec![0.0_f32; floats]);
    let mut streams = PingPong::new(2, || Stream::zeros(machine, "copy", size, Format::Rg32F))?;
    let kernel = machine.kernel(&COPY, &[])?;
    let all = machine.rect(streams.of(0).0.full())?;
    let works = [
        program(move |run| {
            let (x, y) = arrays.of(run);
            parts(y, TASK, &|first, y| {
                y.copy_from_slice(&x[first..first + y.len()])
            });
        }),
        work(move |run| {
            let (x, y) = streams.of(run);
            Pass::new(&kernel).read("x", x).draw(y, &all)
        }),
    ];
    let bytes = 2.0 * 4.0 * floats as f64;
    Ok(medians(machine, effort, works)?.map(|seconds| bytes / seconds))
}
