//! The rectangle to pack rows into on the present GPU, found by experiment as the paper found
//! 26 x 18 for the GeForce FX (Bolz et al. 2003, section 3.2.2).

use crate::stream::{Format, Machine, Rect, Stream};
use crate::timing::cost::all;
use crate::timing::rig::{range, work};
use crate::timing::{Effort, TimingError, medians};

use super::long_program::{draw, kernel};

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
const ROUNDS: u32 = 8;

/// The rectangle to pack rows into. Every candidate is timed: a texture is covered with rectangles of
/// its size, drawn by a long program without fetches, so that only rasterisation and quantisation make
/// a difference. The smallest is taken in which a fragment takes at most a tenth longer than in the
/// best one: small ones pad less.
pub fn measured_rectangle(machine: &Machine) -> Result<[u32; 2], TimingError> {
    let target = || Stream::zeros(machine, "target", (SIDE, SIDE), Format::R32F);
    let targets = [target()?, target()?];
    let kernel = kernel(machine, ROUNDS)?;
    let coverings = CANDIDATES.map(|[width, height]| machine.rects(&cover(width, height)));
    let coverings = all(coverings)?;
    // One draw covers the whole target, and the next goes into the other one: none is dropped.
    let works = coverings.each_ref().map(|rects| {
        let (kernel, targets) = (&kernel, &targets);
        work(move |run| draw(kernel, &targets[run % 2], rects))
    });
    let seconds = medians(machine, Effort::QUICK, works)?;
    let a_fragment = |n: usize| seconds[n] / coverings[n].area() as f64;
    let (best, _) = range((0..CANDIDATES.len()).map(a_fragment));
    let chosen = (0..CANDIDATES.len()).find(|&n| a_fragment(n) <= TOLERATED * best);
    Ok(CANDIDATES[chosen.unwrap_or(0)])
}

/// All rectangles of a size that lie side by side in the texture.
fn cover(width: u32, height: u32) -> Vec<Rect> {
    let corner = |x, y| Rect::at([x, y], (width, height));
    let rows = (0..SIDE / height).map(|row| row * height);
    rows.flat_map(|y| (0..SIDE / width).map(move |column| corner(column * width, y)))
        .collect()
}
