//! What the tests share: a machine, random numbers, single precision beside double, programs that are
//! interpreted.

pub mod claims;
pub mod estimate;
pub mod geometry;
pub mod nightly;
pub mod witness;

use fragstream::base::random::SplitMix64;
use fragstream::picture::Canvas;
use fragstream::program::interpret::{Program, Run, Texture};
use fragstream::solver::Csr;
use fragstream::stream::{Machine, Rect};

/// u: the largest relative error of a rounding to single precision, half of `f32::EPSILON`.
pub const UNIT: f64 = 1.0 / (1u32 << 24) as f64;

pub fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// Numbers from −1 to 1, the same on every machine.
pub fn random(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// A vector in double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// Records of some channels in double precision.
pub fn wide_records<const C: usize>(records: &[[f32; C]]) -> Vec<[f64; C]> {
    records.iter().map(|record| record.map(f64::from)).collect()
}

/// A fragment program of these texts, one behind the other.
pub fn interpreted(texts: &[&str]) -> Program {
    let prelude = include_str!("../../glsl/stream/program/prelude.glsl");
    let text = format!("#version 330 core\n{prelude}\n{}", texts.join("\n"));
    #[cfg(feature = "mutants")]
    let text = fragstream::gl::mutated(&text);
    Program::new(&text).expect("a program")
}

/// What a program draws on a target of so many columns and rows, in double precision.
pub fn drawn(run: Run<'_, f64>, (columns, rows): (u32, u32)) -> Vec<[f64; 4]> {
    let mut target = Texture::zeros((columns as usize, rows as usize), 4);
    let count = run.draw(&mut target, &[Rect::of_size(columns, rows)]);
    count.expect("all that it reads is bound");
    target.data().as_chunks().0.to_vec()
}

/// Converts a linear value from 0 to 1 to sRGB.
pub fn srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Checks that all pixels have this colour.
#[track_caller]
pub fn assert_filled(canvas: &Canvas, colour: [f32; 3], what: &str) {
    for pixel in canvas.stream().read().expect("readable").chunks(4) {
        let off = pixel.iter().zip(colour).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f32::max) < 1e-5, "{what}: {pixel:?} for {colour:?}");
    }
}

/// A matrix with a random entry of each row and column.
pub fn dense(n: usize, seed: u64) -> Csr<f64> {
    let mut random = SplitMix64::new(seed);
    let entries: Vec<_> = (0..n * n).map(|k| (k / n, k % n, random.signed())).collect();
    Csr::from_triplets(n, n, entries).expect("indices within the matrix")
}

/// `a` where `share` is 0, `b` where it is 1.
pub fn mix(a: [f64; 3], b: [f64; 3], share: f64) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + share * (b[k] - a[k]))
}
