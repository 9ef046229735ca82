//! The header of a Radiance picture, as far as the decoder does not know it: line ends, orientation, exposure, colour
//! correction, colour space. Lines have the meaning that Radiance's own reader gives them: factors of repeated lines
//! multiply, and an indented line describes another picture, from which this one was made.

use image::DynamicImage;

use super::error::{Fault, quote};
use super::hdr::squared;
use super::reading::remark;
use super::text::number;
use crate::mesh::vector::{Vector, cross, dot, scale, widen};

/// Remedy for a header that is not one.
const SAVE: &str = "save it again as Radiance HDR";

/// A Radiance picture in the orientation and the colour space of the decoder, with its own ones.
pub(super) struct Radiance {
    /// The file with another header.
    pub plain: Vec<u8>,
    /// Axes of the slow and the fast index: `+Y` or the like.
    axes: [[u8; 2]; 2],
    /// Factors by which the pixels' channels were multiplied.
    factors: [f32; 3],
    is_xyz: bool,
    /// Width of a pixel by its height.
    ratio: f32,
    /// Conversion of the colours, if the primaries are other ones.
    matrix: Option<Matrix>,
}

impl Radiance {
    /// Reads the header; `None` for another format.
    pub fn of(bytes: &[u8]) -> Result<Option<Self>, Fault> {
        if !bytes.starts_with(b"#?") {
            return Ok(None);
        }
        let refuse = |line: usize, what: String| Err(Fault::in_line(line, what, SAVE));
        let mut picture = Self {
            plain: b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n".to_vec(),
            axes: [*b"-Y", *b"+X"],
            factors: [1.0; 3],
            is_xyz: false,
            ratio: 1.0,
            matrix: None,
        };
        // Pixels follow, and may begin with any byte: all lines end as the first.
        let first = bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let is_end = first.map_or(b'\n', |at| match bytes[at..] {
            [b'\r', b'\n', ..] => b'\n',
            _ => bytes[at],
        });
        let (mut rest, mut number) = (bytes, 0);
        let mut next = || {
            let length = rest.iter().position(|&byte| byte == is_end)?;
            let line = rest[..length].trim_ascii_end();
            (rest, number) = (&rest[length + 1..], number + 1);
            Some((line, number, rest))
        };
        loop {
            match next() {
                None => return refuse(1, "the header does not end with an empty line".to_owned()),
                Some(([], ..)) => break,
                Some((line, number, _)) => {
                    if !picture.understands(line) {
                        let what = format!("{}, which is not read", quote(line));
                        return refuse(number, what);
                    }
                }
            }
        }
        let Some((size, number, pixels)) = next() else {
            return refuse(1, "the size is missing below the header".to_owned());
        };
        let text = String::from_utf8_lossy(size);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let axis = |word: &str| match word.as_bytes() {
            &[sign @ (b'+' | b'-'), axis @ (b'X' | b'Y')] => Some([sign, axis]),
            _ => None,
        };
        let axes = match words[..] {
            [slow, rows, fast, columns] => {
                axis(slow).zip(axis(fast)).map(|axes| (axes, rows, columns))
            }
            _ => None,
        };
        let Some(((slow, fast), rows, columns)) = axes.filter(|((a, b), ..)| a[1] != b[1]) else {
            let what = format!("the size is {}, and not as in `-Y 480 +X 640`", quote(size));
            return refuse(number, what);
        };
        picture.axes = [slow, fast];
        picture.plain.extend(format!("-Y {rows} +X {columns}\n").into_bytes());
        picture.plain.extend(pixels);
        Ok(Some(picture))
    }

    /// Takes the meaning of a header's line; false for a format that is not known.
    fn understands(&mut self, line: &[u8]) -> bool {
        let values = |name: &str| {
            let text = std::str::from_utf8(line.strip_prefix(name.as_bytes())?).ok()?;
            let numbers = text.split_ascii_whitespace().map(str::parse::<f32>);
            let numbers = numbers.map_while(Result::ok).filter(|&x| x > 0.0 && x.is_finite());
            Some(numbers.collect::<Vec<f32>>())
        };
        if let Some(format) = line.strip_prefix(b"FORMAT=") {
            self.is_xyz = format.trim_ascii() == b"32-bit_rle_xyze";
            return self.is_xyz || format.trim_ascii() == b"32-bit_rle_rgbe";
        }
        if let Some([height]) = values("PIXASPECT=").as_deref() {
            self.ratio /= height;
        }
        if let Some([gamma]) = values("GAMMA=").as_deref()
            && *gamma != 1.0
        {
            remark(format!("not used: gamma {gamma}"));
        }
        if let Some(all) = line.strip_prefix(b"PRIMARIES=") {
            let numbers = all.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            self.matrix = to_rec_709(&numbers.map_while(number).collect::<Vec<f32>>());
        }
        let factors = match (values("EXPOSURE=").as_deref(), values("COLORCORR=").as_deref()) {
            (Some(&[all, ..]), _) => [all; 3],
            (_, Some(&[red, green, blue, ..])) => [red, green, blue],
            _ => [1.0; 3],
        };
        (0..3).for_each(|k| self.factors[k] *= factors[k]);
        true
    }

    /// The decoded picture, row by row from the top, in red, green and blue before exposure and correction.
    pub fn restored(&self, picture: DynamicImage) -> DynamicImage {
        let [slow, fast] = self.axes;
        let is_transposed = slow[1] == b'X';
        let picture = if is_transposed { picture.rotate90().fliph() } else { picture };
        let [x, y] = if is_transposed { [slow, fast] } else { [fast, slow] };
        let picture = if x[0] == b'-' { picture.fliph() } else { picture };
        let picture = if y[0] == b'+' { picture.flipv() } else { picture };
        let picture = squared(picture, self.ratio);
        let matrix = if self.is_xyz { Some(RGB) } else { self.matrix };
        if self.factors == [1.0; 3] && matrix.is_none() {
            return picture;
        }
        let mut colours = picture.into_rgb32f();
        for pixel in colours.pixels_mut() {
            let before = [0, 1, 2].map(|k| pixel.0[k] / self.factors[k]);
            pixel.0 = matrix.map_or(before, |matrix| applied(&matrix, before));
        }
        colours.into()
    }
}

/// Rows of a matrix of colours.
pub(super) type Matrix = [Vector; 3];

/// The product of a matrix with a colour.
pub(super) fn applied(matrix: &Matrix, colour: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| dot(row, widen(colour)) as f32)
}

/// Conversion of colours with these primaries (x and y of red, green, blue and white) to those of Rec. 709; none if they are
/// these, or Radiance's own, which differ little.
pub(super) fn to_rec_709(primaries: &[f32]) -> Option<Matrix> {
    const REC_709: [f32; 8] = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329];
    let is_near = |(own, usual): (&f32, &f32)| (own - usual).abs() < 0.03;
    let [red, green, blue, white] = match primaries {
        // Some programs write zeros for want of them.
        all if all.iter().all(|&place| place == 0.0) => return None,
        all if all.len() != REC_709.len() => return refused(all),
        all if all.iter().zip(&REC_709).all(is_near) => return None,
        all => [0, 2, 4, 6].map(|at| [all[at], all[at + 1], 1.0 - all[at] - all[at + 1]]),
    };
    let [red, green, blue, white] = [red, green, blue, white].map(widen);
    // White has the luminance 1, and is the sum of the primaries: by Cramer's rule.
    let white = scale(1.0 / white[1], white);
    let volume = dot(red, cross(green, blue));
    let shares = [cross(green, blue), cross(blue, red), cross(red, green)];
    let [r, g, b] = shares.map(|share| dot(white, share) / volume);
    let xyz = [0, 1, 2].map(|k| [r * red[k], g * green[k], b * blue[k]]);
    let column = |row: Vector, k: usize| (0..3).map(|i| row[i] * xyz[i][k]).sum();
    let matrix = RGB.map(|row| [0, 1, 2].map(|k| column(row, k)));
    if matrix.as_flattened().iter().all(|entry: &f64| entry.is_finite()) {
        remark(
            "its colours are converted from its primaries (chromaticities) to those of Rec. 709",
        );
        return Some(matrix);
    }
    refused(primaries)
}

/// Remarks that these are not primaries.
fn refused(all: &[f32]) -> Option<Matrix> {
    remark(format!("not used: the primaries {all:?}. Luminance is that of Rec. 709"));
    None
}

/// Red, green and blue of X, Y and Z, for the primaries of Rec. 709 and its white, as the luminance here.
const RGB: Matrix = [
    [3.240_454, -1.537_138, -0.498_531],
    [-0.969_266, 1.876_011, 0.041_556],
    [0.055_643, -0.204_026, 1.057_225],
];

#[cfg(test)]
mod tests {
    use crate::io::hdr::{luminance, parse_hdr};

    /// A picture of three columns and two rows with the luminance 10 + column + 3 row, stored along these axes.
    fn stored(head: &str, slow: &str, fast: &str) -> Vec<u8> {
        let count = |axis: &str| if axis.ends_with('X') { 3 } else { 2 };
        let mut file =
            format!("#?RADIANCE\n{head}\n{slow} {} {fast} {}\n", count(slow), count(fast))
                .into_bytes();
        for i in 0..count(slow) {
            for j in 0..count(fast) {
                let mut at = [0, 0];
                for (axis, k) in [(slow, i), (fast, j)] {
                    let place = usize::from(axis.ends_with('Y'));
                    // Columns count from the left, rows from the top.
                    let forward = axis.starts_with('+') == axis.ends_with('X');
                    at[place] = if forward { k } else { count(axis) - 1 - k };
                }
                file.extend([(10 + at[0] + 3 * at[1]) as u8; 3]);
                file.push(128 + 8);
            }
        }
        file
    }

    #[test]
    fn all_eight_orientations_and_exposures_give_the_same_picture() {
        let expected: Vec<f64> = (10..16).map(f64::from).collect();
        let axes = [("-Y", "+X"), ("-Y", "-X"), ("+Y", "+X"), ("+Y", "-X")];
        for (slow, fast) in axes.into_iter().chain(axes.map(|(y, x)| (x, y))) {
            for (head, factor) in
                [("FORMAT=32-bit_rle_rgbe\n", 1.0), ("EXPOSURE=0.5\nEXPOSURE= 4\n", 0.5), ("", 1.0)]
            {
                let picture = parse_hdr(&stored(head, slow, fast)).unwrap();
                let found: Vec<f64> =
                    picture.pixels().iter().map(|&c| luminance(c) / factor).collect();
                assert_eq!((picture.width(), picture.height()), (3, 2));
                for (found, expected) in found.iter().zip(&expected) {
                    // Mantissas are rounded to the middle of their interval by some decoders.
                    assert!(
                        (found - expected).abs() < 0.51,
                        "{slow} {fast}: {found} for {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_luminance_of_x_y_z_is_y() {
        for format in ["32-bit_rle_xyze", " 32-bit_rle_xyze "] {
            let mut file = format!("#?RADIANCE\nFORMAT={format}\n\n-Y 1 +X 1\n").into_bytes();
            file.extend([100, 128, 90, 128]);
            let picture = parse_hdr(&file).unwrap();
            assert!((luminance(picture.pixels()[0]) - 0.5).abs() < 2e-3, "{:?}", picture.pixels());
        }
    }

    #[test]
    fn lines_end_in_three_ways_and_pixels_may_begin_like_an_end() {
        for pixel in [b'\n', b'\r', 200] {
            let pictures = ["\n", "\r\n", "\r"].map(|end| {
                let lines = ["#?RADIANCE", "# made by hand", "EXPOSURE=2", "", "-Y 1 +X 2", ""];
                let mut file = lines.join(end).into_bytes();
                file.extend([pixel, b'\n', 9, 130, 13, 14, 15, 129]);
                parse_hdr(&file).unwrap()
            });
            assert!(pictures.iter().all(|other| *other == pictures[0]));
            assert_eq!(pictures[0].width(), 2);
        }
    }

    #[test]
    fn corrections_multiply_per_channel_and_those_of_other_pictures_do_not_count() {
        let red = |head: &str| {
            let mut file = format!("#?RADIANCE\n{head}\n\n-Y 1 +X 1\n").into_bytes();
            file.extend([100, 100, 100, 136]);
            parse_hdr(&file).unwrap().pixels()[0]
        };
        let [r, g, b] = red("FORMAT=32-bit_rle_rgbe");
        let corrected = red("COLORCORR= 2 1 0.5\nEXPOSURE=4\nCOLORCORR=2 2 2\n\tCOLORCORR=9 9 9");
        assert_eq!(corrected, [r / 16.0, g / 8.0, b / 4.0]);
    }

    #[test]
    fn a_header_that_is_not_one_is_refused_with_its_line() {
        for (file, says) in [
            (
                "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n",
                "line 1: the header does not end with an empty",
            ),
            (
                "#?RADIANCE\nFORMAT=32-bit_rle_luv\n\n",
                "line 2: `FORMAT=32-bit_rle_luv`, which is not",
            ),
            ("#?RADIANCE\n\n", "line 1: the size is missing"),
            ("#?RADIANCE\n\n-Y 1 +Y 1\nabcd", "line 3: the size is `-Y 1 +Y 1`"),
            ("#?RADIANCE\n\n480 640\nabcd", "line 3: the size is `480 640`"),
        ] {
            let fault = parse_hdr(file.as_bytes()).unwrap_err().to_string();
            assert!(
                fault.starts_with(says) && fault.ends_with("Save it again as Radiance HDR."),
                "{fault}"
            );
        }
    }
}
