//! The rectangle to pack rows into on the present GPU, found by experiment as the paper found
//! 26 x 18 for the GeForce FX (Bolz et al. 2003, section 3.2.2).

use crate::stream::{Format, Machine, Pass, Rect, Source, Stream, source};
use crate::timing::cost::all;
use crate::timing::rig::work;
use crate::timing::{Effort, TimingError, medians};

const LONG_PROGRAM: Source = source!("bolz2003/sparse/long_program");

/// What is tried, by increasing area. 26 x 18 is the size that suits the GeForce FX.
const CANDIDATES: [[u32; 2]; 10] = [
    [16, 16],
    [26, 18],
    [32, 32],
    [64, 32],
    [64, 64],
    [128, 64],
    [128, 128],
    [256, 128],
    [256, 256],
    [512, 256],
];

/// How much slower a fragment may be than in the best of the candidates.
const TOLERATED: f64 = 1.10;

/// Side of the texture that is covered, and rounds of the program's loop.
const SIDE: u32 = 1024;
const ROUNDS: &str = "8.0";

/// A candidate and the seconds that a fragment takes in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Width and height in texels.
    pub rectangle: [u32; 2],
    /// Seconds a fragment.
    pub seconds: f64,
}

/// Times every candidate: a texture is covered with rectangles of its size, drawn by a long program
/// without fetches, so that only rasterisation and quantisation make a difference.
pub fn candidates(machine: &Machine) -> Result<[Measured; CANDIDATES.len()], TimingError> {
    let target = || Stream::zeros(machine, "target", (SIDE, SIDE), Format::R32F);
    let targets = [target()?, target()?];
    let kernel = machine.kernel(&LONG_PROGRAM, &[("ROUNDS", ROUNDS)])?;
    let coverings = CANDIDATES.map(|[width, height]| machine.rects(&cover(width, height)));
    let coverings = all(coverings)?;
    // One draw covers the whole target, and the next goes into the other one: none is dropped.
    let works = coverings.each_ref().map(|rects| {
        let (kernel, targets) = (&kernel, &targets);
        work(move |run| {
            (Pass::new(kernel).set("factor", 0.999))
                .set("summand", 0.001)
                .draw(&targets[run % 2], rects)
        })
    });
    let seconds = medians(machine, Effort::QUICK, works)?;
    Ok(std::array::from_fn(|n| Measured {
        rectangle: CANDIDATES[n],
        seconds: seconds[n] / coverings[n].area() as f64,
    }))
}

/// The smallest rectangle in which a fragment takes at most a tenth longer than in the best one:
/// small ones pad less.
pub fn measured_rectangle(machine: &Machine) -> Result<[u32; 2], TimingError> {
    let measured = candidates(machine)?;
    let best = measured
        .iter()
        .map(|m| m.seconds)
        .fold(f64::INFINITY, f64::min);
    let chosen = measured.iter().find(|m| m.seconds <= TOLERATED * best);
    Ok(chosen.map_or(CANDIDATES[0], |m| m.rectangle))
}

/// All rectangles of a size that lie side by side in the texture.
fn cover(width: u32, height: u32) -> Vec<Rect> {
    let corner = |x, y| Rect::at([x, y], (width, height));
    let rows = (0..SIDE / height).map(|row| row * height);
    rows.flat_map(|y| (0..SIDE / width).map(move |column| corner(column * width, y)))
        .collect()
}
