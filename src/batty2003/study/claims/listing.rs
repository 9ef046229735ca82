//! The two printed listings, run as they are printed.

use crate::base::random::SplitMix64;
use crate::batty2003::study::printed;
use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::gl::Backend;
use crate::program::formats::Registers;
use crate::stream::{Constant, Format, Kernel, Machine, Pass, Size, Stream};

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

pub fn printed_listings(_: &mut Run<'_>, _: &Claim) -> Checked {
    let mut found = Found::new();
    let machine = Machine::headless_in(Backend::Arb)?;
    let glsl = Machine::headless_in(Backend::Glsl)?;
    let interpreter = Machine::interpreted(Registers::Single)?;
    for printed in printed::all() {
        let listing = printed.listing()?;
        let length = if printed.name == "septdiagmul" { 56.0 } else { 12.0 };
        let mut random = SplitMix64::new(7);
        let streams: Vec<(String, Vec<f32>)> = (listing.streams.iter())
            .map(|name| (name.clone(), random.vector(4 * (SIZE.0 * SIZE.1) as usize)))
            .collect();
        let (source, defines) = printed.source();
        let listed = |machine: &Machine| -> Result<Vec<f32>, BoxedError> {
            drawn(machine, &machine.listing_kernel(printed.name, &listing)?, &streams)
        };
        let own = |machine: &Machine| -> Result<Vec<f32>, BoxedError> {
            drawn(machine, &*machine.kernel(&source, defines)?, &streams)
        };
        let (paper, expected) = (listed(&interpreter)?, own(&interpreter)?);
        let (on_driver, by_glsl) = (listed(&machine)?, own(&glsl)?);
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
