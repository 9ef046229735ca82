//! Twins: a program compared with the same program, compiled and allocated apart. Their ratios show what a machine cannot
//! distinguish.

use web_time::Instant;

use crate::base::error::BoxedError;
use crate::stream::{Format, Limits, Machine, Pass, Rect, Source, Stream, StreamError};

use super::rig::{Work, work};

/// Durations in seconds, each with the side of the square that is drawn.
pub const DURATIONS: [(f64, u32); 3] = [(1e-4, 32), (1e-3, 128), (1e-2, 512)];

/// A mean of neighbours in two streams, and of the last result.
const PROGRAM: &str = "uniform stream x;\nuniform stream y;\nuniform stream last;\n\nvoid main() {\n    \
                       vec4 sum = fetch(x, here) + fetch(x, here + vec2(1.0, 0.0)) + fetch(x, here + vec2(0.0, 1.0));\n    \
                       sum += fetch(y, here) + fetch(y, here + vec2(1.0, 0.0)) + fetch(y, here + vec2(0.0, 1.0));\n    \
                       result = 0.1 * (sum + fetch(last, here));\n}\n";

/// Works with a program and textures of their own, and the number of runs that takes about this number of seconds.
pub fn twins<const N: usize>(
    machine: &Machine,
    names: [&str; N],
    seconds: f64,
) -> Result<([Work<'static>; N], usize), BoxedError> {
    let longest = DURATIONS.iter().rfind(|(duration, _)| *duration <= seconds);
    let side = longest.unwrap_or(&DURATIONS[0]).1;
    let mut works: Vec<Work<'static>> =
        names.iter().map(|name| twin(machine, name, side)).collect::<Result<_, _>>()?;
    let Some(first) = works.first_mut() else { return Err("no twins".into()) };
    first(0)?;
    machine.finish();
    let start = Instant::now();
    (0..4).try_for_each(first)?;
    machine.finish();
    let chain = (4.0 * seconds / start.elapsed().as_secs_f64()).round().clamp(1.0, 1e4) as usize;
    let works = works.try_into().unwrap_or_else(|_| unreachable!("as many works as names"));
    Ok((works, chain))
}

/// Passes of a twin with textures of its own.
fn twin(machine: &Machine, name: &str, side: u32) -> Result<Work<'static>, StreamError> {
    let limits = Limits::none("it finds what this machine cannot distinguish");
    let source = Source::checked(format!("twin {name}, {side}"), PROGRAM.to_owned(), limits);
    let kernel = machine.kernel(&source, &[])?;
    let stream = |label| Stream::zeros(machine, label, (side, side), Format::Rgba32F);
    let (x, y, targets) = (stream("x")?, stream("y")?, [stream("even")?, stream("odd")?]);
    let rect = machine.rect(Rect::of_size(side, side))?;
    Ok(work(move |run| {
        let [target, last] = [&targets[run % 2], &targets[(run + 1) % 2]];
        Pass::new(&kernel).read("x", &x).read("y", &y).read("last", last).draw(target, &rect)
    }))
}
