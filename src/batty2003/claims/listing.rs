//! The two printed listings, run as they are printed.

use crate::batty2003::printed;
use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::gl::Backend;
use crate::program::interpret::{Program, Run as Interpreted, Texture};
use crate::random::SplitMix64;
use crate::stream::{Constant, Format, Kernel, Machine, Pass, Rect, Size, Stream};

/// Columns and rows of all streams.
const SIZE: Size = (23, 13);

/// Constants of the product on a grid of 23 columns, and the first texel of the sum.
const CONSTANTS: [(&str, &[f32]); 6] = [
    ("width", &[23.0]),
    ("inv_width", &[1.0 / 23.0]),
    ("x_offset", &[1.0, 1.0 / 23.0]),
    ("y_offset", &[5.0, 5.0 / 23.0]),
    ("z_offset", &[30.0, 30.0 / 23.0]),
    ("first", &[-0.5, -0.5]),
];

/// `listing`
pub fn printed_listings(_: &mut Run<'_>, _: &Claim) -> Checked {
    let mut found = Found::new();
    let machine = Machine::headless_in(Backend::Arb)?;
    let glsl = Machine::headless_in(Backend::Glsl)?;
    for printed in printed::all() {
        let listing = printed.listing()?;
        let length = if printed.name == "septdiagmul" { 56.0 } else { 12.0 };
        let mut random = SplitMix64::new(7);
        let streams: Vec<(String, Vec<f32>)> = (listing.streams.iter())
            .map(|name| (name.clone(), random.vector(4 * (SIZE.0 * SIZE.1) as usize)))
            .collect();
        let expected = interpreted(&Program::new(&printed.own())?, &streams)?;
        let paper = interpreted(&Program::of_listing(&listing), &streams)?;
        let kernel = machine.listing_kernel(printed.name, &listing)?;
        let on_driver = drawn(&machine, &kernel, &streams)?;
        let (source, defines) = printed.source();
        let own = glsl.kernel(&source, defines)?;
        let by_glsl = drawn(&glsl, &own, &streams)?;
        let differing = |a: &[f32], b: &[f32]| {
            let pairs = a.iter().zip(b);
            pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count() as f64
        };
        let name = printed.name;
        found = found
            .equal(format!("instructions of {name}"), listing.instructions.len() as f64, length)
            .equal(
                format!("{name}: numbers that differ in the interpreter"),
                differing(&paper, &expected),
                0.0,
            )
            .headline("numbers differ")
            .equal(
                format!("{name}: numbers that differ on the driver"),
                differing(&on_driver, &by_glsl),
                0.0,
            );
    }
    let numbers = f64::from(4 * SIZE.0 * SIZE.1);
    Ok(found.shows("numbers compared each time", numbers).because(
        "The listings are run as printed, except for two constants whose brackets the transcription has wrong. On \
         the driver they are translated instruction by instruction into ARB_fragment_program.",
    ))
}

/// Results of a program in single precision.
fn interpreted(program: &Program, streams: &[(String, Vec<f32>)]) -> Result<Vec<f32>, BoxedError> {
    let textures = streams.iter().map(|(name, data)| {
        let texture: Texture<f32> = Texture::of_singles(SIZE, 4, data);
        (name.as_str(), texture)
    });
    let textures: Vec<(&str, Texture<f32>)> = textures.collect();
    let mut run = Interpreted::<f32>::new(program);
    for (name, texture) in &textures {
        run = run.read(name, texture);
    }
    for (name, value) in CONSTANTS.iter().filter(|(name, _)| program.declares(name)) {
        run = run.set(name, value.iter().map(|&value| f64::from(value)));
    }
    let mut target = Texture::zeros((SIZE.0 as usize, SIZE.1 as usize), 4);
    run.draw(&mut target, &[Rect::of_size(SIZE.0, SIZE.1)])?;
    Ok(target.data().to_vec())
}

/// Results of a kernel.
fn drawn(
    machine: &Machine,
    kernel: &Kernel,
    streams: &[(String, Vec<f32>)],
) -> Result<Vec<f32>, BoxedError> {
    let made = streams.iter().map(|(name, data)| {
        let stream = Stream::from_data(machine, name, SIZE, Format::Rgba32F, data)?;
        Ok((name.as_str(), stream))
    });
    let made = made.collect::<Result<Vec<(&str, Stream)>, BoxedError>>()?;
    let target = Stream::zeros(machine, "target", SIZE, Format::Rgba32F)?;
    let mut pass = Pass::new(kernel);
    for (name, stream) in &made {
        pass = pass.read(name, stream);
    }
    for (name, value) in CONSTANTS.iter().filter(|(name, _)| kernel.declares(name)) {
        let constant: Constant = match **value {
            [x] => x.into(),
            [x, y] => [x, y].into(),
            _ => continue,
        };
        pass = pass.set(name, constant);
    }
    pass.draw(&target, target.full())?;
    Ok(target.read()?)
}
