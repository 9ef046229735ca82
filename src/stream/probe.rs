//! The start of a machine. Every format is written, fetched, computed with and read back before it is trusted,
//! because an extension string proves nothing.

use std::rc::Rc;
use std::time::Instant;

use crate::gl::{Context, Format, GlError, Size};
use crate::program::formats::Registers;

use super::device::{Backend, Device};
use super::error::StreamError;
use super::machine::Machine;
use super::memory::Stream;
use super::pass::Pass;
use super::program::{Source, source};

const PROBE: Source = source!(stream, "probe/opposite");
const ERRORS: Source = source!(stream, "probe/rounding", with "stream/error_free");

/// An odd size, so that padding of rows would show.
const SIZE: Size = (7, 5);

impl Machine {
    /// A machine without a display whose formats have passed the test. With small passes, Mesa's llvmpipe is
    /// faster if `LP_NUM_THREADS=0` is in the environment. A software renderer draws for one thread: while another
    /// thread has a machine on it, this waits until that one is dropped.
    pub fn headless() -> Result<Self, StreamError> {
        Self::headless_in(Backend::chosen()?.unwrap_or_default())
    }

    /// Opens a machine for a given back end.
    pub fn headless_in(backend: impl Into<Backend>) -> Result<Self, StreamError> {
        match backend.into() {
            Backend::Driver(language) => Self::on(Context::headless(language)?),
            Backend::Interpreter(registers) => Self::interpreted(registers),
        }
    }

    /// Opens a machine tuned for passes that usually write `texels` texels with four channels: a software renderer
    /// draws small ones on the calling thread. The first context of a process decides for all later ones,
    /// unless the variable `LP_NUM_THREADS` is set; this function may set it.
    #[cfg(feature = "cli")]
    pub(crate) fn headless_for(texels: usize) -> Result<Self, StreamError> {
        Context::expect_passes(texels);
        Self::headless()
    }

    /// A machine whose passes the interpreter draws, on all cores. It needs no OpenGL.
    pub fn interpreted(registers: Registers) -> Result<Self, StreamError> {
        Self::interpreted_until(registers, None)
    }

    /// Opens a machine that the interpreter draws until it gives up with [`GlError::Overdue`].
    pub(crate) fn interpreted_until(
        registers: Registers,
        until: Option<Instant>,
    ) -> Result<Self, StreamError> {
        let machine = Self::untried(Device::interpreter(registers, until));
        machine.set_keeps_errors(keeps_errors(&machine)?);
        machine.take_ledger();
        Ok(machine)
    }

    /// A machine on a context whose formats have passed the test.
    pub fn on(context: Rc<Context>) -> Result<Self, StreamError> {
        let machine = Self::untried(Device::Driver(context));
        for format in Format::ALL {
            known_answer(&machine, format)?;
        }
        machine.set_keeps_errors(keeps_errors(&machine)?);
        machine.take_ledger();
        Ok(machine)
    }
}

/// Renders a known answer in a format and reads it back.
fn known_answer(machine: &Machine, format: Format) -> Result<(), StreamError> {
    let (width, height) = SIZE;
    let x: Vec<f32> =
        (0..width * height * format.channels() as u32).map(|i| value(i, format)).collect();
    let source = Stream::from_data(machine, "probe in", SIZE, format, &x)?;
    let target = Stream::zeros(machine, "probe out", SIZE, format)?;
    let kernel = machine.kernel(&PROBE, &[])?;
    Pass::new(&kernel).read("x", &source).set("size", SIZE).draw(&target, target.full())?;
    let got = target.read()?;
    // The kernel rotates the records by half a turn and doubles them: exact in any format.
    let records: Vec<&[f32]> = x.chunks(format.channels()).collect();
    let expected: Vec<f32> = records.iter().rev().flat_map(|r| r.iter().map(|v| 2.0 * v)).collect();
    match got.iter().zip(&expected).position(|(g, e)| g != e) {
        None => Ok(()),
        Some(at) => Err(StreamError::Gl(GlError::BadFormat {
            driver: machine.description().renderer.clone(),
            format: format.to_string(),
            cause: format!("rendered {}, expected {}", got[at], expected[at]),
        })),
    }
}

/// Tests whether the rounding errors of sums and products can be computed. A driver may optimise them away;
/// most programs never notice.
fn keeps_errors(machine: &Machine) -> Result<bool, StreamError> {
    let (width, height) = SIZE;
    let numbers = |first: u32| -> Vec<f32> {
        let bits = |i: u32| (first + i).wrapping_mul(2_654_435_769);
        // All bits of the significand, from 2^-15 to 2, of both signs.
        let number = |i: u32| f32::from_bits((bits(i) & 0x87ff_ffff) | 0x3800_0000);
        (0..width * height).map(number).collect()
    };
    let (x, y) = (numbers(1), numbers(100));
    let stream = |data: &[f32]| Stream::from_data(machine, "probe in", SIZE, Format::R32F, data);
    let target = Stream::zeros(machine, "probe out", SIZE, Format::Rgba32F)?;
    let kernel = machine.kernel(&ERRORS, &[])?;
    Pass::new(&kernel)
        .read("x", &stream(&x)?)
        .read("y", &stream(&y)?)
        .set("one", 1.0)
        .draw(&target, target.full())?;
    let got = target.read()?;
    let is_exact = |(record, (&x, &y)): (&[f32], (&f32, &f32))| {
        // All of these are exact in double precision.
        let [sum, sum_error, product, product_error] = [0, 1, 2, 3].map(|c| f64::from(record[c]));
        let (x, y) = (f64::from(x), f64::from(y));
        sum + sum_error == x + y && product + product_error == x * y
    };
    Ok(got.chunks(4).zip(x.iter().zip(&y)).all(is_exact))
}

/// Values of both signs and many magnitudes with all bits of the format's significand in use, which reveal a
/// driver that clamps, normalises or uses fewer bits.
fn value(i: u32, format: Format) -> f32 {
    let (significand_bits, exponents) = match format.channel_bytes() {
        4 => (23, 60),
        _ => (10, 12),
    };
    let lowest_bit = (-f32::from(significand_bits as u8)).exp2();
    let magnitude =
        (1.0 + lowest_bit) * ((i * 7 % exponents) as f32 - exponents as f32 / 2.0).exp2();
    if i.is_multiple_of(2) { magnitude } else { -magnitude }
}
