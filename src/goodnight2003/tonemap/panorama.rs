//! Panoramas: pictures whose left side continues at the right one. Not in the paper, whose pictures have four sides.
//!
//! The equation is solved on a grid that is periodic from west to east. The terms of its right-hand side are
//! computed on two turns of the picture, starting half a turn before its left side, and the middle turn is used:
//! no side is near it. The pyramid's samples need not fall on the same pixels in each turn, so the
//! attenuation is taken from one turn, which makes it exactly periodic.

use crate::stream::{Format, Machine, Size, Stream, StreamError};

use super::luminance::Scene;
use super::source::draw_divergence;

/// Two turns of the scene, starting half a turn before its left side.
pub fn twice(scene: &Scene) -> Scene {
    let (columns, rows) = scene.size;
    let half = columns / 2;
    let place = |row: u32, column: u32| {
        let column = (column + columns - half) % columns;
        scene.colours[(row * columns + column) as usize]
    };
    let all = (0..rows).flat_map(|row| (0..2 * columns).map(move |column| (row, column)));
    Scene {
        size: (2 * columns, rows),
        colours: all.map(|(row, column)| place(row, column)).collect(),
    }
}

/// The middle turn of a field with two turns, with the neighbour at each end.
pub(super) fn wrapped<V: Copy>(wide: &[V], (columns, rows): Size) -> Vec<V> {
    let at = |row: u32, column: u32| wide[(row * 2 * columns + columns / 2 + column) as usize];
    let row = |row| (0..columns + 2).map(move |column| at(row, (column + columns - 1) % columns));
    (0..rows).flat_map(row).collect()
}

/// A field with neighbours at its ends, without these but with a replica of its first column.
pub(super) fn closed<V: Copy>(wide: &[V], (columns, rows): Size) -> Vec<V> {
    let at = |row: u32, column: u32| wide[(row * (columns + 2) + 1 + column % columns) as usize];
    let row = |row| (0..=columns).map(move |column| at(row, column));
    (0..rows).flat_map(row).collect()
}

/// A field on the periodic grid without the replicas.
pub(super) fn opened<V: Copy>(values: &[V], columns: u32) -> Vec<V> {
    let rows = values.chunks_exact(columns as usize + 1);
    rows.flat_map(|row| &row[..columns as usize])
        .copied()
        .collect()
}

/// F at each node of the periodic grid, from two turns of H and Φ.
pub fn divergence(
    machine: &Machine,
    [logarithm, attenuation]: [&Stream; 2],
    size: Size,
) -> Result<Vec<f32>, StreamError> {
    let wide = (size.0 + 2, size.1);
    let once = |label, stream: &Stream| {
        let values = wrapped(&stream.read()?, size);
        Stream::from_data(machine, label, wide, Format::R32F, &values)
    };
    let logarithm = once("log luminance", logarithm)?;
    let attenuation = once("attenuation", attenuation)?;
    let state = Stream::zeros(machine, "divergence", wide, Format::Rgba32F)?;
    let place = machine.rect(state.full())?;
    draw_divergence(&logarithm, &attenuation, &state, &place)?;
    let f: Vec<f32> = state.read()?.into_iter().skip(2).step_by(4).collect();
    Ok(closed(&f, size))
}
