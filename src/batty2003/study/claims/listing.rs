//! The two printed listings, run as they are printed.

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::batty2003::study::printed;
use crate::experiment::{Record, Study, Takes};
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

/// The two listings.
pub static LISTINGS: Study = Study::measuring(
    "batty2003/listings",
    "The two printed listings next to fragstream's programs, on the driver and in the interpreter",
    Takes::nothing(),
    &[
        ("{septdiagmul|sumreduce}.instructions", "", "instructions of the listing"),
        (
            "{septdiagmul|sumreduce}.{interpreted|driven}",
            "",
            "numbers that differ, in the interpreter and on the driver",
        ),
        ("numbers", "", "numbers compared each time"),
    ],
    |_, _| {
        let driver = Machine::headless_in(Backend::Arb)?;
        let glsl = Machine::headless_in(Backend::Glsl)?;
        let interpreter = Machine::interpreted(Registers::Single)?;
        let mut record = Record::new();
        for printed in printed::all() {
            let (name, listing) = (printed.name, printed.listing()?);
            let mut random = SplitMix64::new(7);
            let streams: Vec<(String, Vec<f32>)> = (listing.streams.iter())
                .map(|name| (name.clone(), random.vector(4 * (SIZE.0 * SIZE.1) as usize)))
                .collect();
            let (source, defines) = printed.source();
            let differing = |listed: &Machine, own: &Machine| -> Result<f64, BoxedError> {
                let listed = drawn(listed, &listed.listing_kernel(name, &listing)?, &streams)?;
                let own = drawn(own, &*own.kernel(&source, defines)?, &streams)?;
                let pairs = listed.iter().zip(&own);
                Ok(pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count() as f64)
            };
            let length = listing.instructions.len() as f64;
            record.one(format!("{name}.instructions"), length);
            record.one(format!("{name}.interpreted"), differing(&interpreter, &interpreter)?);
            record.one(format!("{name}.driven"), differing(&driver, &glsl)?);
        }
        record.one("numbers", f64::from(4 * SIZE.0 * SIZE.1));
        Ok(record)
    },
);

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
