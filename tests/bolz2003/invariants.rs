//! Invariants of every packing (Bolz et al. 2003, section 3.2).

use thiserror::Error;

use fragstream::bolz2003::sparse::packing::{Group, Packing};
use fragstream::stream::rows::centre;

/// The first invariant that a packing or a pointer stream breaks, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the packing is inconsistent: {0}. This is a defect of fragstream; please report it.")]
pub struct BrokenInvariant(String);

/// Fails with this message unless `holds`.
fn require(holds: bool, words: impl FnOnce() -> String) -> Result<(), BrokenInvariant> {
    if holds {
        Ok(())
    } else {
        Err(BrokenInvariant(words()))
    }
}

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
pub fn check_packing(packing: &Packing) -> Result<(), BrokenInvariant> {
    let values = packing.row_lengths.len();
    require(
        packing.texel.len() == values && packing.segment.len() == values,
        || "not every degree of freedom has a texel and a segment".into(),
    )?;
    check_rectangles(packing)?;
    check_texels(packing)?;
    check_segments(packing)
}

/// The image of the drawn texels, after checking that rectangles are inside and do not overlap.
fn drawn(packing: &Packing) -> Result<Vec<Use>, BrokenInvariant> {
    let mut image = vec![Use::Unused; packing.area()];
    for rect in packing.groups.iter().flat_map(|group| &group.rects) {
        let [right, top] = [rect.x + rect.width, rect.y + rect.height];
        let inside = right <= packing.size.0 && top <= packing.size.1;
        require(inside, || format!("{rect:?} leaves the texture"))?;
        for row in rect.y..top {
            let start = packing.index([rect.x, row]);
            for texel in &mut image[start..start + rect.width as usize] {
                require(*texel == Use::Unused, || {
                    format!("{rect:?} overlaps another")
                })?;
                *texel = Use::Drawn;
            }
        }
    }
    Ok(image)
}

fn check_texels(packing: &Packing) -> Result<(), BrokenInvariant> {
    let mut image = drawn(packing)?;
    let mut take = |texel: [u32; 2], from: Use, what: String| {
        let inside = texel[0] < packing.size.0 && texel[1] < packing.size.1;
        require(inside, || {
            format!("{what} is outside the texture, at {texel:?}")
        })?;
        let place = &mut image[packing.index(texel)];
        require(*place == from, || {
            format!("{what} at {texel:?} should be on a texel {from:?}, which is {place:?}")
        })?;
        *place = Use::Taken;
        Ok(())
    };
    for (dof, (&texel, length)) in packing.texel.iter().zip(&packing.row_lengths).enumerate() {
        let from = length.map_or(Use::Unused, |_| Use::Drawn);
        take(texel, from, format!("degree of freedom {dof}"))?;
    }
    for &dummy in &packing.dummies {
        take(dummy, Use::Drawn, "a dummy row".into())?;
    }
    take(packing.zero, Use::Unused, "the zero".into())?;
    require(!image.contains(&Use::Drawn), || {
        "a drawn texel is neither a row nor a dummy".into()
    })
}

/// Checks that every rectangle has the least expensive program.
fn check_rectangles(packing: &Packing) -> Result<(), BrokenInvariant> {
    let mut lengths = vec![0; packing.area()];
    for (&texel, length) in packing.texel.iter().zip(&packing.row_lengths) {
        if let Some(place) = lengths.get_mut(packing.index(texel)) {
            *place = length.unwrap_or(0);
        }
    }
    for group in &packing.groups {
        require(group.padded_length() >= u64::from(group.row_length), || {
            format!(
                "{} passes of {} do not cover a row of {}",
                group.passes, group.pass_length, group.row_length
            )
        })?;
        for rect in &group.rects {
            let lines = (rect.y..rect.y + rect.height).map(|y| packing.index([rect.x, y]));
            let texels = lines.flat_map(|start| start..start + rect.width as usize);
            let found = texels.filter_map(|texel| lengths.get(texel)).max();
            require(found == Some(&group.row_length), || {
                format!(
                    "{rect:?} has a program for {} but needs {found:?}",
                    group.row_length
                )
            })?;
        }
    }
    let groups = &packing.groups;
    let decreasing = groups.is_sorted_by(|a, b| a.row_length > b.row_length);
    require(decreasing, || {
        "the groups are not in order of decreasing cost".into()
    })?;
    let rows = packing.row_lengths.iter().flatten().count();
    require(packing.rows().count() == rows, || {
        "the groups do not hold every row once".into()
    })
}

fn check_segments(packing: &Packing) -> Result<(), BrokenInvariant> {
    let mut taken = vec![false; packing.segment_area()];
    let mut take = |start: [u32; 2], group: &Group| {
        let inside = start[0] + group.pass_length <= packing.segment_size.0
            && start[1] + group.passes <= packing.segment_size.1;
        require(inside, || {
            format!("the segment at {start:?} crosses the end of a line or of the texture")
        })?;
        for part in 0..group.passes {
            let first = packing.segment_index([start[0], start[1] + part]);
            for texel in &mut taken[first..first + group.pass_length as usize] {
                require(!*texel, || {
                    format!("the segment at {start:?} overlaps another")
                })?;
                *texel = true;
            }
        }
        Ok(())
    };
    for (dof, group) in packing.rows().filter(|(_, group)| group.row_length > 0) {
        take(packing.segment[dof], group)?;
    }
    packing
        .dummy_group()
        .map_or(Ok(()), |group| take(packing.dummy_segment, group))
}

/// Checks a stream of pointers into x that is laid out like the off-diagonal entries (𝒞, ℐ, 𝒩 or
/// 𝒫): in its rows it points to degrees of freedom, elsewhere to the zero.
pub fn check_pointers(packing: &Packing, pointers: &[[f32; 2]]) -> Result<(), BrokenInvariant> {
    require(pointers.len() == packing.segment_area(), || {
        "the pointers do not have the size of the segment texture".into()
    })?;
    let bits = |pointer: [f32; 2]| pointer.map(f32::to_bits);
    let centres = packing.texel.iter().map(|&texel| bits(centre(texel)));
    let values: std::collections::HashSet<_> = centres.collect();
    let mut is_entry = vec![false; pointers.len()];
    for (dof, group) in packing.rows() {
        for c in 0..packing.row_lengths[dof].unwrap_or(0) {
            let place = packing.entry_index(dof, group, c);
            is_entry[place] = true;
            require(values.contains(&bits(pointers[place])), || {
                format!("entry {c} of row {dof} does not point to a degree of freedom")
            })?;
        }
    }
    let zero = centre(packing.zero);
    for (pointer, _) in pointers.iter().zip(&is_entry).filter(|&(_, entry)| !entry) {
        require(*pointer == zero, || {
            format!("padding points to {pointer:?}, not to the zero at {zero:?}")
        })?;
    }
    Ok(())
}
