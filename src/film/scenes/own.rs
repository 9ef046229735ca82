//! A film of a program of your own, which reads the result of its step before.

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::card::dialect::user_source;
use crate::film::container::Film;
use crate::film::error::{FilmError, PAGE_BYTES};
use crate::film::recorder::{About, Recorder};
use crate::stream::{Format, Limits, Machine, Pair};

/// Films `steps` passes of a program over `size` x `size` records of four channels. Its one stream starts with random
/// numbers from 0 to 1. It may declare the constants `size`, columns and rows, and `time`, which counts passes from 1.
///
/// # Errors
/// [`FilmError::Run`] for a text that breaks a rule of 2003, or with other inputs.
pub fn film_of_program(
    machine: &Machine,
    name: &str,
    text: &str,
    size: u32,
    steps: u32,
) -> Result<Film, FilmError> {
    let about = About {
        name: name.into(),
        title: name.into(),
        command: format!("fragstream film {name} --size {size} --steps {steps}"),
        ..About::default()
    };
    machine.forget();
    let recorder = Recorder::start(machine, about, PAGE_BYTES, |_| ())?;
    let run = run(machine, name, text, size, steps);
    run.map_err(|error| FilmError::Run(format!("{name}: {error}")))?;
    recorder.finish()
}

fn run(machine: &Machine, name: &str, text: &str, size: u32, steps: u32) -> Result<(), BoxedError> {
    let kernel = machine.kernel(&user_source(name, text, Limits::NV30)?, &[])?;
    let names: Vec<&str> = kernel.streams().collect();
    let [stream] = names[..] else {
        let names = if names.is_empty() { "none".into() } else { names.join(", ") };
        let wrong = "a film of a program needs one stream, the result of the step before, not";
        return Err(format!("{wrong} {names}. Declare one with 'uniform stream x;'").into());
    };
    machine.scene("Random numbers from 0 to 1");
    let mut pair = Pair::zeros(machine, stream, (size, size), Format::Rgba32F)?;
    let mut random = SplitMix64::new(1);
    let numbers = (0..4 * size * size).map(|_| 0.5 * random.signed() as f32 + 0.5);
    pair.front().write(&numbers.collect::<Vec<_>>())?;
    for step in 1..=steps {
        machine.scene(&format!("Step {step}"));
        let pass = kernel.pass().read(stream, pair.front());
        let pass = pass.set_if_declared("size", [size as f32; 2]);
        let pass = pass.set_if_declared("time", step as f32);
        pass.draw(pair.back(), pair.back().full())?;
        pair.swap();
    }
    Ok(())
}
