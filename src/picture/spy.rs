//! The pattern of a sparse matrix.

use image::{Rgb, RgbImage};

use crate::solver::Csr;

/// Maximum number of pixels per side, without the frame.
const SIDE: usize = 800;

const PAPER: [f64; 3] = [255.0; 3];
const POSITIVE: [f64; 3] = [31.0, 84.0, 158.0];
const NEGATIVE: [f64; 3] = [192.0, 57.0, 43.0];
const FRAME: Rgb<u8> = Rgb([0xa0, 0xa0, 0xa0]);

/// The entries of a matrix, the first row at the top: positive ones blue, negative ones red. An entry of a
/// small matrix is a square of pixels. A pixel of a large matrix represents several entries, and is darker the
/// more of them are nonzero.
pub fn spy(a: &Csr<f64>) -> RgbImage {
    let n = a.rows().max(a.columns()).max(1);
    // Entries per pixel, pixels per entry: one of them is 1.
    let (bin, zoom) = (n.div_ceil(SIDE), (SIDE / n).max(1));
    let cells = |entries: usize| entries.div_ceil(bin);
    let (rows, columns) = (cells(a.rows()), cells(a.columns()));
    let mut counts = vec![[0u32; 2]; rows * columns];
    for (i, j, value) in a.triplets().filter(|&(.., value)| value != 0.0) {
        counts[i / bin * columns + j / bin][usize::from(value < 0.0)] += 1;
    }
    let colour = |[positive, negative]: [u32; 2]| {
        let all = f64::from(positive + negative);
        // A single entry among thousands must be visible.
        let share = (all / (bin * bin) as f64).powf(0.25);
        let blue = f64::from(positive) / all.max(1.0);
        Rgb([0, 1, 2].map(|c| {
            let ink = blue * POSITIVE[c] + (1.0 - blue) * NEGATIVE[c];
            (PAPER[c] + share * (ink - PAPER[c])) as u8
        }))
    };
    let [width, height] = [columns, rows].map(|cells| (cells * zoom + 2) as u32);
    let mut picture = RgbImage::from_pixel(width, height, FRAME);
    for (y, x) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (y, x))) {
        let [column, row] = [x, y].map(|pixel| (pixel - 1) as usize / zoom);
        picture.put_pixel(x, y, colour(counts[row * columns + column]));
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_seen_where_it_stands_by_its_sign() {
        let a = Csr::from_triplets(2, 2, [(0, 0, 2.0), (1, 0, -1.0)]).unwrap();
        let picture = spy(&a);
        assert_eq!(picture.dimensions(), (802, 802));
        let at = |x, y| picture.get_pixel(x, y).0;
        let [first, second] = [at(10, 10), at(10, 790)];
        assert!(first[2] > first[0] && second[0] > second[2]);
        assert_eq!(at(790, 790), [255; 3]);
    }

    #[test]
    fn one_entry_among_a_million_is_not_lost() {
        let a = Csr::from_triplets(4000, 4000, [(3999, 0, 1.0)]).unwrap();
        let picture = spy(&a);
        assert_eq!(picture.dimensions(), (802, 802));
        assert!(picture.get_pixel(1, 800).0[0] < 200);
    }
}
