//! Invariants of every packing (Bolz et al. 2003, section 3.2).

use std::collections::HashSet;

use fragstream::bolz2003::sparse::packing::{Group, Packing};
use fragstream::stream::rows::centre;

/// Use of a texel of the vector texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    Unused,
    Drawn,
    Taken,
}

/// Checks that
/// - every degree of freedom has a texel of its own inside the texture (in a drawn rectangle if it has a
///   row, outside all of them if it is prescribed), and so has the zero;
/// - drawn rectangles do not overlap, and their texels without a degree of freedom are the dummies;
/// - the program of a rectangle is as long as its longest row and its passes cover that row;
/// - segments have the padded length of their program, are inside their texture, and share no
///   texel. (A part of a segment is checked as consecutive columns of one line, so that none
///   crosses a line.)
pub fn check_packing(packing: &Packing) {
    let values = packing.row_lengths.len();
    assert_eq!([packing.texel.len(), packing.segment.len()], [values; 2]);
    check_rectangles(packing);
    check_texels(packing);
    check_segments(packing);
}

/// The image of the drawn texels, after checking that rectangles are inside and do not overlap.
fn drawn(packing: &Packing) -> Vec<Use> {
    let mut image = vec![Use::Unused; packing.area()];
    for rect in packing.groups.iter().flat_map(|group| &group.rects) {
        let [right, top] = [rect.x + rect.width, rect.y + rect.height];
        let inside = right <= packing.size.0 && top <= packing.size.1;
        assert!(inside, "{rect:?} leaves the texture");
        for row in rect.y..top {
            let start = packing.index([rect.x, row]);
            for texel in &mut image[start..start + rect.width as usize] {
                assert_eq!(*texel, Use::Unused, "{rect:?} overlaps another");
                *texel = Use::Drawn;
            }
        }
    }
    image
}

fn check_texels(packing: &Packing) {
    let mut image = drawn(packing);
    let mut take = |texel: [u32; 2], from: Use| {
        let inside = texel[0] < packing.size.0 && texel[1] < packing.size.1;
        assert!(inside, "{texel:?} is outside the texture");
        let place = &mut image[packing.index(texel)];
        assert_eq!(*place, from, "at {texel:?}");
        *place = Use::Taken;
    };
    for (&texel, length) in packing.texel.iter().zip(&packing.row_lengths) {
        take(texel, length.map_or(Use::Unused, |_| Use::Drawn));
    }
    for &dummy in &packing.dummies {
        take(dummy, Use::Drawn);
    }
    take(packing.zero, Use::Unused);
    assert!(!image.contains(&Use::Drawn), "a drawn texel is neither a row nor a dummy");
}

/// Checks that every rectangle has the least expensive program.
fn check_rectangles(packing: &Packing) {
    let mut lengths = vec![0; packing.area()];
    for (&texel, length) in packing.texel.iter().zip(&packing.row_lengths) {
        lengths[packing.index(texel)] = length.unwrap_or(0);
    }
    for group in &packing.groups {
        assert!(group.padded_length() >= u64::from(group.row_length));
        for rect in &group.rects {
            let lines = (rect.y..rect.y + rect.height).map(|y| packing.index([rect.x, y]));
            let texels = lines.flat_map(|start| start..start + rect.width as usize);
            let longest = texels.map(|texel| lengths[texel]).max();
            assert_eq!(longest, Some(group.row_length), "{rect:?}");
        }
    }
    let groups = &packing.groups;
    assert!(groups.is_sorted_by(|a, b| a.row_length > b.row_length));
    let rows = packing.row_lengths.iter().flatten().count();
    assert_eq!(packing.rows().count(), rows);
}

fn check_segments(packing: &Packing) {
    let mut taken = vec![false; packing.segment_area()];
    let mut take = |start: [u32; 2], group: &Group| {
        let inside = start[0] + group.pass_length <= packing.segment_size.0
            && start[1] + group.passes <= packing.segment_size.1;
        assert!(inside, "the segment at {start:?} crosses the end of a line or of the texture");
        for part in 0..group.passes {
            let first = packing.segment_index([start[0], start[1] + part]);
            for texel in &mut taken[first..first + group.pass_length as usize] {
                assert!(!*texel, "the segment at {start:?} overlaps another");
                *texel = true;
            }
        }
    };
    for (dof, group) in packing.rows().filter(|(_, group)| group.row_length > 0) {
        take(packing.segment[dof], group);
    }
    if let Some(group) = packing.dummy_group() {
        take(packing.dummy_segment, group);
    }
}

/// Checks a stream of pointers into x that is laid out like the off-diagonal entries (𝒞, ℐ, 𝒩 or
/// 𝒫): in its rows it points to degrees of freedom, elsewhere to the zero.
pub fn check_pointers(packing: &Packing, pointers: &[[f32; 2]]) {
    assert_eq!(pointers.len(), packing.segment_area());
    let bits = |pointer: [f32; 2]| pointer.map(f32::to_bits);
    let centres = packing.texel.iter().map(|&texel| bits(centre(texel)));
    let values: HashSet<_> = centres.collect();
    let mut is_entry = vec![false; pointers.len()];
    for (dof, group) in packing.rows() {
        for c in 0..packing.row_lengths[dof].unwrap_or(0) {
            let place = packing.entry_index(dof, group, c);
            is_entry[place] = true;
            let points_to_a_value = values.contains(&bits(pointers[place]));
            assert!(points_to_a_value, "entry {c} of row {dof}");
        }
    }
    let zero = centre(packing.zero);
    for (pointer, _) in pointers.iter().zip(&is_entry).filter(|&(_, entry)| !entry) {
        assert_eq!(*pointer, zero, "padding");
    }
}
