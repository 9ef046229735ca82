//! Limits of a machine's fragment path: what passes are bound by, and what they cost besides.

use std::rc::Rc;

use super::rig::{Effort, Work, samples, work};
use super::{Interval, switch};
use crate::base::error::BoxedError;
use crate::stream::{Format, Kernel, Limits, Machine, Pass, Rect, Source, Stream, StreamError};

/// Side of the square that passes draw.
const SIDE: u32 = 1024;
/// Fetches per fragment of a pass that is bound by them.
const FETCHES: u32 = 9;
/// Draws of a chain of one texel each.
const DRAWS: usize = 200;

/// A limit with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Name with its unit, as in `seconds per draw`.
    pub name: String,
    /// Value.
    pub value: Interval,
}

/// A program that sums this number of fetches, or writes a constant.
fn fetching(machine: &Machine, fetches: u32) -> Result<Rc<Kernel>, StreamError> {
    let mut text = String::from("uniform stream x;\n\nvoid main() {\n    vec4 sum = vec4(0.5);\n");
    for at in 0..fetches {
        text += &format!("    sum += fetch(x, here + vec2({}.0, {}.0));\n", at % 3, at / 3);
    }
    text += "    result = sum;\n}\n";
    if fetches == 0 {
        text = text.replace("uniform stream x;\n\n", "");
    }
    let limits = Limits::none("it finds the limits of this machine");
    machine.kernel(&Source::checked(format!("{fetches} fetches"), text, limits), &[])
}

/// Passes over a square of this format, each with this number of fetches per fragment.
fn passes(machine: &Machine, format: Format, fetches: u32) -> Result<Work<'static>, StreamError> {
    let kernel = fetching(machine, fetches)?;
    let square = |label| Stream::zeros(machine, label, (SIDE, SIDE), format);
    let (x, targets) = (square("x")?, [square("first")?, square("second")?]);
    let rect = machine.rect(Rect::of_size(SIDE, SIDE))?;
    Ok(work(move |run| {
        let pass = Pass::new(&kernel);
        let pass = if fetches == 0 { pass } else { pass.read("x", &x) };
        pass.draw(&targets[run % 2], &rect)
    }))
}

/// Draws of a texel, and what follows each.
fn draws(
    machine: &Machine,
    mut follow: impl FnMut(&Stream) -> Result<(), StreamError> + 'static,
) -> Result<Work<'static>, StreamError> {
    let kernel = fetching(machine, 0)?;
    let target = Stream::zeros(machine, "line", (DRAWS as u32, 1), Format::R32F)?;
    let texels = (0..DRAWS as u32).map(|x| machine.rect(Rect::at([x, 0], (1, 1))));
    let texels = texels.collect::<Result<Vec<_>, StreamError>>()?;
    Ok(work(move |run| {
        Pass::new(&kernel).draw(&target, &texels[run % DRAWS])?;
        follow(&target)
    }))
}

/// Measures all limits, which takes some seconds.
pub fn limits(machine: &Machine, effort: Effort) -> Result<Vec<Limit>, BoxedError> {
    let (texels, formats) =
        (f64::from(SIDE * SIDE), [Format::R32F, Format::Rgba32F, Format::R16F, Format::Rgba16F]);
    let mut found = Vec::new();
    let mut add = |name: String, values: Vec<f64>| {
        found.push(Limit { name, value: Interval::of(values) });
    };
    let mut written = [passes(machine, Format::R32F, 0)?, passes(machine, Format::Rgba32F, 0)?];
    let mut times = samples(machine, effort, &mut written)?.into_iter();
    let rates = |times: Option<Vec<f64>>, amount: f64| -> Vec<f64> {
        times.unwrap_or_default().into_iter().map(|seconds| amount / seconds).collect()
    };
    let fragments = rates(times.next(), texels);
    add("bytes written per second".into(), rates(times.next(), 16.0 * texels));
    add("fragments per second".into(), fragments);
    for format in formats {
        let mut fetched = [passes(machine, format, FETCHES)?];
        let times = samples(machine, effort, &mut fetched)?.pop();
        let name = format.to_string().to_uppercase();
        add(format!("fetches of {name} per second"), rates(times, f64::from(FETCHES) * texels));
    }
    let whole = Stream::zeros(machine, "whole", (SIDE, SIDE), Format::R32F)?;
    let other = machine.clone();
    let mut works = [
        draws(machine, |_| Ok(()))?,
        draws(machine, move |_| {
            other.finish();
            Ok(())
        })?,
        draws(machine, |target| target.read_record(0, 0).map(drop))?,
        work(move |_| whole.read().map(drop)),
    ];
    let (short, long) = works.split_at_mut(3);
    let chain = Effort { chain: DRAWS, ..effort };
    let times = samples(machine, chain, short)?;
    // Each round has its own draw to subtract.
    let beyond = |at: usize| {
        let rounds = times[at].iter().zip(&times[0]);
        rounds.map(|(with, draw)| (with - draw).max(0.0)).collect::<Vec<f64>>()
    };
    add("seconds per draw".into(), times[0].clone());
    add("seconds per wait".into(), beyond(1));
    add("seconds per read-back of a texel".into(), beyond(2));
    let read = samples(machine, effort, long)?.pop();
    add("bytes read back per second".into(), rates(read, 4.0 * texels));
    let switches = (0..effort.rounds)
        .map(|_| switch::seconds_a_switch(machine, Effort { rounds: 1, ..effort }));
    add("seconds per switch".into(), switches.collect::<Result<_, _>>()?);
    Ok(found)
}
