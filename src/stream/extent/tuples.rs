//! The tuples that a rectangle sends to the fragment stage (Bolz et al. 2003, section 3.2.1).

/// The tuples of one rectangle that is drawn as two triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tuples {
    /// Tuples with at least one pixel of the rectangle.
    pub covered: u64,
    /// Tuples with pixel centres in both triangles, which are rasterised twice.
    pub twice: u64,
}

impl Tuples {
    /// All tuples that the fragment stage processes.
    pub fn total(&self) -> u64 {
        self.covered + self.twice
    }
}

/// Rasterises the rectangle with corners (0, 0) and (`width`, `height`) as the two right triangles
/// below and above the diagonal through these corners, in tuples of `tuple_side`².
///
/// A pixel centre on the diagonal belongs to the triangle whose left edge is the diagonal (the top-left fill
/// rule): the one below it.
pub fn rasterise(width: u32, height: u32, tuple_side: u32) -> Tuples {
    let (width, height, side) = (u64::from(width), u64::from(height), u64::from(tuple_side));
    // In each pixel row, the columns before this one are above the diagonal. A centre
    // (x + 1/2, y + 1/2) is above it if (2x + 1) height < (2y + 1) width.
    let boundary = |row: u64| ((2 * row + 1) * width + height - 1) / (2 * height);
    let twice = (0..height)
        .step_by(tuple_side as usize)
        .map(|bottom| {
            // The boundary moves right with the rows, so the lower triangle reaches furthest left in the first
            // row, and the upper one furthest right in the last.
            let lower_from = boundary(bottom);
            let upper_to = boundary((bottom + side).min(height) - 1);
            if lower_from < width { upper_to.div_ceil(side) - lower_from / side } else { 0 }
        })
        .sum();
    Tuples { covered: width.div_ceil(side) * height.div_ceil(side), twice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, pixel by pixel.
    fn pixel_by_pixel(width: u32, height: u32, side: u32) -> Tuples {
        let mut tuples = Tuples::default();
        for top in (0..height).step_by(side as usize) {
            for left in (0..width).step_by(side as usize) {
                let (mut below, mut above) = (false, false);
                for y in top..(top + side).min(height) {
                    for x in left..(left + side).min(width) {
                        let is_above = (2 * x + 1) * height < (2 * y + 1) * width;
                        above |= is_above;
                        below |= !is_above;
                    }
                }
                tuples.covered += 1;
                tuples.twice += u64::from(above && below);
            }
        }
        tuples
    }

    proptest! {
        #[test]
        fn row_by_row_agrees_with_pixel_by_pixel(w in 1u32..70, h in 1u32..70, side in 1u32..5) {
            prop_assert_eq!(rasterise(w, h, side), pixel_by_pixel(w, h, side));
        }

        #[test]
        fn the_paper_s_bound_on_wasted_tuples_holds(w in 1u32..100, h in 1u32..100) {
            prop_assert!(rasterise(2 * w, 2 * h, 2).twice <= u64::from(w.max(h)));
        }
    }

    #[test]
    fn an_empty_rectangle_has_no_tuples() {
        assert_eq!(rasterise(0, 5, 2), Tuples::default());
        assert_eq!(rasterise(5, 0, 2), Tuples::default());
    }

    #[test]
    fn single_pixels_are_never_in_both_triangles() {
        assert_eq!(rasterise(9, 7, 1).twice, 0);
    }
}
