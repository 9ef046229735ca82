//! Starting a machine. Every format is written, fetched, computed with and read back before it is
//! trusted: an extension string proves nothing.

use std::rc::Rc;

use crate::gl::{Context, Format, GlError};

use super::error::StreamError;
use super::machine::Machine;
use super::memory::Stream;
use super::pass::Pass;
use super::program::{Source, source};

const PROBE: Source = source!("stream/probe");

/// An odd size, so that rows that are padded somewhere on the way would show.
const SIZE: (u32, u32) = (7, 5);

impl Machine {
    /// A machine without a display, whose formats have been found to give right answers.
    pub fn headless() -> Result<Self, StreamError> {
        Self::on(Context::headless()?)
    }

    /// A machine on a context, whose formats have been found to give right answers.
    pub fn on(context: Rc<Context>) -> Result<Self, StreamError> {
        let machine = Self::untried(context);
        for format in Format::ALL {
            known_answer(&machine, format)?;
        }
        machine.take_ledger();
        Ok(machine)
    }
}

/// Renders a known answer in a format and reads it back.
fn known_answer(machine: &Machine, format: Format) -> Result<(), StreamError> {
    let (width, height) = SIZE;
    let x: Vec<f32> = (0..width * height * format.channels() as u32)
        .map(|i| value(i, format))
        .collect();
    let source = Stream::from_data(machine, "probe in", SIZE, format, &x)?;
    let target = Stream::zeros(machine, "probe out", SIZE, format)?;
    let kernel = machine.kernel(&PROBE, &[])?;
    let full = machine.rect(target.full())?;
    Pass::new(&kernel)
        .read("x", &source)
        .set("size", [width as f32, height as f32])
        .draw(&target, &full)?;
    let got = target.read()?;
    // The kernel turns the records round by half a turn and doubles them: exact in any format.
    let records: Vec<&[f32]> = x.chunks(format.channels()).collect();
    let expected: Vec<f32> = records
        .iter()
        .rev()
        .flat_map(|r| r.iter().map(|v| 2.0 * v))
        .collect();
    match got.iter().zip(&expected).position(|(g, e)| g != e) {
        None => Ok(()),
        Some(at) => Err(StreamError::Gl(GlError::BadFormat {
            driver: machine.context().description().renderer.clone(),
            format: format.to_string(),
            cause: format!("rendered {}, expected {}", got[at], expected[at]),
        })),
    }
}

/// Values of both signs and many sizes with all bits of the format's significand in use: a driver
/// that clamps, normalises or works in fewer bits gives itself away.
fn value(i: u32, format: Format) -> f32 {
    let (significand_bits, exponents) = match format.channel_bytes() {
        4 => (23, 60),
        _ => (10, 12),
    };
    let lowest_bit = (-f32::from(significand_bits as u8)).exp2();
    let magnitude =
        (1.0 + lowest_bit) * ((i * 7 % exponents) as f32 - exponents as f32 / 2.0).exp2();
    if i.is_multiple_of(2) {
        magnitude
    } else {
        -magnitude
    }
}
