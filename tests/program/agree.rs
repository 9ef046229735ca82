//! One text, three ways: the driver's GLSL, the listing on the driver, the interpreter.

use fragstream::base::random::SplitMix64;
use fragstream::card::dialect::user_source;
use fragstream::gl::Backend;
use fragstream::program::Listing;
use fragstream::program::interpret::{Arithmetic, Program, Run, Texture};
use fragstream::stream::{Constant, Format, Kernel, Limits, Machine, Pass, Rect, Stream};

use crate::common::wide;

/// Columns and rows of streams and target.
pub const SIZE: (u32, u32) = (5, 3);

/// The uniforms of tested programs, besides the streams x and y.
const CONSTANTS: [(&str, &[f32]); 3] =
    [("a", &[3.0, -7.0, 1.0, 2.0]), ("b", &[-1.0, 0.0, 4.0, -2.0]), ("s", &[6.0])];

/// Outcome of compiling and running a text.
#[derive(Debug)]
pub enum Outcome {
    /// The message of its refusal.
    Refused(String),
    /// The records of the target. If nothing was rounded, all ways gave the same.
    Drawn {
        /// By the driver's GLSL, and by its assembly.
        records: Vec<Vec<f32>>,
        /// True if nothing was rounded.
        is_exact: bool,
    },
}

/// Contents of the streams, and the machines that run the programs besides the interpreter: both back ends for small
/// integers, on which the programs compute without rounding; none for fractions, which drivers may round differently.
pub struct Ways {
    machines: Vec<(&'static str, Machine)>,
    streams: [Vec<f32>; 2],
}

impl Ways {
    pub fn new(seed: u64, is_whole: bool) -> Self {
        let backends = [("driver", Backend::Glsl), ("driver in assembly", Backend::Arb)];
        let machines = backends.into_iter().filter(|_| is_whole).map(|(name, backend)| {
            (name, Machine::headless_in(backend).expect("this machine has OpenGL"))
        });
        let mut random = SplitMix64::new(seed);
        let mut number = || match is_whole {
            true => random.below(9) as f32 - 4.0,
            false => 4.0 * random.signed() as f32,
        };
        let mut records = || (0..4 * SIZE.0 * SIZE.1).map(|_| number()).collect();
        Self { machines: machines.collect(), streams: [records(), records()] }
    }

    /// Runs a text.
    ///
    /// # Errors
    /// The front end takes it, and the driver does not; or two ways differ.
    pub fn outcome(&self, text: &str) -> Result<Outcome, String> {
        let source = match user_source("program", text, Limits::NV30) {
            Ok(source) => source,
            Err(error) => return Ok(Outcome::Refused(error.to_string())),
        };
        let assembled = source.assemble(&[]);
        let listing = match Listing::of(&assembled) {
            Ok(listing) => listing,
            Err(error) => return Ok(Outcome::Refused(error.to_string())),
        };
        let read = Listing::parse(&listing.to_string()).map_err(|error| error.to_string())?;
        assert_eq!(read.instructions.len(), listing.instructions.len());
        let program = Program::folded(&assembled).map_err(|error| error.to_string())?;
        let [double, single] =
            [self.interpreted::<f64>(&program)?, self.interpreted::<f32>(&program)?];
        let of_listing = self.interpreted::<f64>(&Program::of_listing(&listing))?;
        agree(("program", &double), ("listing", &of_listing))?;
        let is_exact = double.iter().zip(&single).all(is_same);
        let mut records = Vec::new();
        for (name, machine) in &self.machines {
            let kernel = machine.kernel(&source, &[]).map_err(|error| error.to_string())?;
            let drawn = self.drawn(machine, &kernel)?;
            if is_exact {
                agree(("interpreter", &double), (name, &wide(&drawn)))?;
            }
            records.push(drawn);
        }
        Ok(Outcome::Drawn { records, is_exact })
    }

    /// The records of x and y at each fragment.
    pub fn read(&self) -> impl Iterator<Item = [[f32; 4]; 2]> {
        let [x, y] = self.streams.each_ref().map(|data| data.as_chunks::<4>().0);
        x.iter().zip(y).map(|(x, y)| [*x, *y])
    }

    fn interpreted<T: Arithmetic>(&self, program: &Program) -> Result<Vec<f64>, String> {
        let textures =
            self.streams.each_ref().map(|data| Texture::<T::Stored>::of_singles(SIZE, 4, data));
        let mut run = Run::<T>::new(program);
        for (name, texture) in ["x", "y"].into_iter().zip(&textures) {
            if program.declares(name) {
                run = run.read(name, texture);
            }
        }
        for (name, value) in CONSTANTS {
            if program.declares(name) {
                run = run.set(name, value.iter().map(|&number| f64::from(number)));
            }
        }
        let mut target = Texture::zeros((SIZE.0 as usize, SIZE.1 as usize), 4);
        run.draw(&mut target, &[Rect::of_size(SIZE.0, SIZE.1)])
            .map_err(|error| error.to_string())?;
        Ok(target.data().iter().map(|number| number.to_f64()).collect())
    }

    fn drawn(&self, machine: &Machine, kernel: &Kernel) -> Result<Vec<f32>, String> {
        let stream = |name, data: &[f32]| {
            Stream::from_data(machine, name, SIZE, Format::Rgba32F, data).expect("memory")
        };
        let streams = ["x", "y"].into_iter().zip(&self.streams);
        let streams: Vec<_> = streams.map(|(name, data)| (name, stream(name, data))).collect();
        let mut pass = Pass::new(kernel);
        for name in kernel.streams() {
            let (_, stream) = &streams[usize::from(name == "y")];
            pass = pass.read(name, stream);
        }
        for (name, value) in CONSTANTS.into_iter().filter(|(name, _)| kernel.declares(name)) {
            let constant: Constant = match *value {
                [x] => x.into(),
                [x, y, z, w] => [x, y, z, w].into(),
                _ => unreachable!("of one or four channels"),
            };
            pass = pass.set(name, constant);
        }
        let target = Stream::zeros(machine, "target", SIZE, Format::Rgba32F).expect("memory");
        pass.draw(&target, target.full()).map_err(|error| error.to_string())?;
        target.read().map_err(|error| error.to_string())
    }
}

/// What was never written is not a number for the interpreter, and may be any for a driver.
fn is_same((a, b): (&f64, &f64)) -> bool {
    a == b || a.is_nan()
}

fn agree((one, a): (&str, &[f64]), (other, b): (&str, &[f64])) -> Result<(), String> {
    match a.iter().zip(b).position(|pair| !is_same(pair)) {
        None => Ok(()),
        Some(at) => Err(format!("number {at} is {} by the {one}, {} by the {other}", a[at], b[at])),
    }
}
