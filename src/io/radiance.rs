//! The header of a Radiance picture, as far as the decoder does not know it: orientation, exposure, colour space.

use image::DynamicImage;

/// A Radiance picture in the orientation and the colour space of the decoder, with its own ones.
pub(super) struct Radiance {
    /// The file with another header.
    pub plain: Vec<u8>,
    /// Axes of the slow and the fast index: `+Y` or the like.
    axes: [[u8; 2]; 2],
    /// Factor by which the pixels were multiplied.
    exposure: f32,
    is_xyz: bool,
}

impl Radiance {
    /// Reads the header; `None` for another format or a header that is not one.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(b"#?") {
            return None;
        }
        let end = bytes.windows(2).position(|pair| pair == b"\n\n")?;
        let (header, rest) = (&bytes[..end], &bytes[end + 2..]);
        let length = rest.iter().position(|&byte| byte == b'\n')?;
        let (size, pixels) = rest.split_at(length);
        let words: Vec<&str> = std::str::from_utf8(size).ok()?.split_ascii_whitespace().collect();
        let [slow, rows, fast, columns] = words[..] else { return None };
        let axes = [slow, fast].map(|axis| <[u8; 2]>::try_from(axis.as_bytes()).ok());
        let [Some(slow), Some(fast)] = axes else { return None };
        let is_axis = |axis: [u8; 2]| matches!(axis, [b'+' | b'-', b'X' | b'Y']);
        if !is_axis(slow) || !is_axis(fast) || slow[1] == fast[1] {
            return None;
        }
        let mut picture = Self {
            plain: b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n".to_vec(),
            axes: [slow, fast],
            exposure: 1.0,
            is_xyz: false,
        };
        for line in header.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
            picture.is_xyz |= line == b"FORMAT=32-bit_rle_xyze";
            if let Some(value) = line.strip_prefix(b"EXPOSURE=") {
                let value = std::str::from_utf8(value)
                    .ok()
                    .and_then(|value| value.trim().parse::<f32>().ok());
                picture.exposure *= value.filter(|&value| value > 0.0).unwrap_or(1.0);
            }
        }
        picture.plain.extend(format!("-Y {rows} +X {columns}").into_bytes());
        picture.plain.extend(pixels);
        Some(picture)
    }

    /// The decoded picture, row by row from the top, in red, green and blue before the exposure.
    pub fn restored(&self, picture: DynamicImage) -> DynamicImage {
        let [slow, fast] = self.axes;
        let is_transposed = slow[1] == b'X';
        let picture = if is_transposed { picture.rotate90().fliph() } else { picture };
        let [x, y] = if is_transposed { [slow, fast] } else { [fast, slow] };
        let picture = if x[0] == b'-' { picture.fliph() } else { picture };
        let picture = if y[0] == b'+' { picture.flipv() } else { picture };
        if self.exposure == 1.0 && !self.is_xyz {
            return picture;
        }
        let mut colours = picture.into_rgb32f();
        for pixel in colours.pixels_mut() {
            let [a, b, c] = pixel.0.map(|value| value / self.exposure);
            pixel.0 =
                if self.is_xyz { RGB.map(|[x, y, z]| x * a + y * b + z * c) } else { [a, b, c] };
        }
        colours.into()
    }
}

/// Red, green and blue of X, Y and Z, for the primaries of Rec. 709 and its white, as the luminance here.
const RGB: [[f32; 3]; 3] = [
    [3.240_454, -1.537_138, -0.498_531],
    [-0.969_266, 1.876_011, 0.041_556],
    [0.055_643, -0.204_026, 1.057_225],
];

#[cfg(test)]
mod tests {
    use image::GenericImageView;

    use super::*;
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
        let mut file = b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n".to_vec();
        file.extend([100, 128, 90, 128]);
        let picture = parse_hdr(&file).unwrap();
        assert!((luminance(picture.pixels()[0]) - 0.5).abs() < 2e-3, "{:?}", picture.pixels());
        assert_eq!(DynamicImage::new_rgb8(1, 1).dimensions(), (1, 1));
    }
}
