//! Probes: passes that separate what takes time on a card. No claim has them; a kit races them.

use super::{BoxedError, Race, Run};
use crate::stream::{Format, Limits, Machine, Pass, Rect, Size, Source, Stream, StreamError};
use crate::timing::Work;
use crate::timing::rig::work;

/// Instructions that are the same in all programs of registers: with the others they fit an R300.
const LENGTH: usize = 48;
/// Draws of a work whose passes are short.
const DRAWS: usize = 64;

/// A program of one length that keeps this number of registers, at most eight.
fn of_registers(count: usize) -> String {
    let values = (0..8).map(|at| format!("    r{} += {}.0 * here.x;\n", at % count, at + 1));
    let names: Vec<String> = (0..count).map(|at| format!("r{at}")).collect();
    let steps = (0..LENGTH).map(|at| {
        let [to, from] = [at, at + 1].map(|at| &names[at % count]);
        format!("    {to} = 0.5 * {to} + {from};\n")
    });
    let fetched = names.iter().map(|name| format!("    vec4 {name} = fetch(x, here);\n"));
    let body: String = fetched.chain(values).chain(steps).collect();
    format!("uniform stream x;\n\nvoid main() {{\n{body}    result = {};\n}}\n", names.join(" + "))
}

/// A program that fetches nine texels, of which each fragment's first is this number of texels from its neighbour's.
fn strided(stride: usize) -> String {
    let fetch = |at| format!("    sum += fetch(x, at + vec2({}.0, {}.0));\n", at % 3, at / 3);
    let fetches: String = (0..9).map(fetch).collect();
    format!(
        "uniform stream x;\n\nvoid main() {{\n    vec2 at = {stride}.0 * (here - 0.5) + 0.5;\n    vec4 sum = vec4(0.5);\n\
         {fetches}    result = sum;\n}}\n"
    )
}

/// Draws of a program from a texture of this side to rectangles of some targets alternately, and what follows each.
fn draws(
    machine: &Machine,
    text: String,
    (side, size, targets, times): (u32, Size, usize, usize),
    follow: impl Fn(Pass<'_>, &Stream, Rect) -> Result<(), StreamError> + 'static,
) -> Result<Work<'static>, StreamError> {
    let limits = Limits::none("it finds the limits of a card");
    let kernel = machine.kernel(&Source::checked("probe".to_owned(), text, limits), &[])?;
    let square = |side| Stream::zeros(machine, "square", (side, side), Format::Rgba32F);
    let x = square(side)?;
    x.fill([1.0; 4]);
    let targets = (0..targets).map(|_| square(512)).collect::<Result<Vec<_>, _>>()?;
    Ok(work(move |_| {
        (0..times).try_for_each(|at| {
            let rect = Rect::of_size(size.0, size.1);
            follow(Pass::new(&kernel).read("x", &x), &targets[at % targets.len()], rect)
        })
    }))
}

/// Races all probes.
///
/// # Errors
/// Those of the machine.
pub fn race(run: &Run<'_>) -> Result<(), BoxedError> {
    let machine = run.machine;
    let plain = |text, of| draws(machine, text, of, |pass, target, rect| pass.draw(target, rect));
    let counted =
        |pass: Pass<'_>, target: &Stream, rect| pass.draw_counting(target, rect).map(drop);
    let read = |pass: Pass<'_>, target: &Stream, rect| {
        pass.draw(target, rect)?;
        target.read_rect(rect).map(drop)
    };
    let (mut races, texel) = (Vec::new(), (16, (1, 1), 1, DRAWS));
    for count in [1, 2, 3, 4, 6, 8] {
        let work = plain(of_registers(count), (512, (512, 512), 1, 1))?;
        races.push(("registers", count.to_string(), work));
    }
    for stride in [1, 2, 4] {
        let work = plain(strided(stride), (1024, (250, 250), 1, 4))?;
        races.push(("strides", stride.to_string(), work));
    }
    for size in [(16, 16), (20, 20), (26, 18), (28, 20), (32, 32), (64, 64), (257, 257)] {
        let work = plain(of_registers(4), (512, size, 1, DRAWS))?;
        races.push(("rectangles", format!("{}x{}", size.0, size.1), work));
    }
    races.extend([
        ("draws", "a target".to_owned(), plain(strided(1), texel)?),
        ("draws", "two targets".to_owned(), plain(strided(1), (16, (1, 1), 2, DRAWS))?),
        ("draws", "counted".to_owned(), draws(machine, strided(1), texel, counted)?),
        ("draws", "read back".to_owned(), draws(machine, strided(1), texel, read)?),
    ]);
    while let Some((race, ..)) = races.last() {
        let race = *race;
        run.measuring(format!("card/{race}"));
        let own = races.extract_if(.., |(of, ..)| *of == race).map(|(_, name, work)| (name, work));
        Race::new(own.collect::<Vec<_>>()).laps(run)?;
    }
    Ok(())
}
