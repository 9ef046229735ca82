//! The numbers of a plot, inside its picture: a text in the PNG file, which viewers leave alone.

/// The key of the text.
const KEY: &[u8] = b"numbers";
/// What a PNG file begins with, and the length of the chunk `IHDR` behind it with length, name and check.
const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
const HEADER: usize = 25;

/// The same picture with these numbers, as CSV. What is no PNG file stays as it is.
pub fn with_numbers(mut png: Vec<u8>, csv: &str) -> Vec<u8> {
    let place = SIGNATURE.len() + HEADER;
    if !png.starts_with(SIGNATURE) || png.len() < place {
        return png;
    }
    // Key, not compressed, no language, no translated key; then UTF-8 (PNG specification, 11.3.3.4).
    let mut named = b"iTXt".to_vec();
    named.extend(KEY);
    named.extend([0, 0, 0, 0, 0]);
    named.extend(csv.as_bytes());
    let Ok(length) = u32::try_from(named.len() - 4) else {
        return png;
    };
    let check = check(&named);
    let chunk = length
        .to_be_bytes()
        .into_iter()
        .chain(named)
        .chain(check.to_be_bytes());
    png.splice(place..place, chunk);
    png
}

/// The numbers of a picture, if it has some.
pub fn numbers(png: &[u8]) -> Option<String> {
    let mut rest = png.strip_prefix(SIGNATURE)?;
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        let (name, after) = after.split_first_chunk::<4>()?;
        let data = after.get(..length)?;
        let text = data
            .strip_prefix(KEY)
            .and_then(|data| data.strip_prefix(&[0; 5]));
        if let (b"iTXt", Some(text)) = (name, text) {
            return String::from_utf8(text.to_vec()).ok();
        }
        rest = after.get(length + 4..)?;
    }
}

/// CRC-32 of a chunk's name and data (PNG specification, annex D).
fn check(bytes: &[u8]) -> u32 {
    let of_byte = |sum: u32, &byte: &u8| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| match sum & 1 {
            0 => sum >> 1,
            _ => (sum >> 1) ^ 0xedb8_8320,
        })
    };
    !bytes.iter().fold(u32::MAX, of_byte)
}

/// A field of CSV: in quotes where it needs them.
pub fn field(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_that_of_the_specification() {
        // The chunk that ends every file.
        assert_eq!(check(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn numbers_come_back_and_the_picture_stays() {
        let picture = image::RgbImage::from_fn(5, 3, |x, y| image::Rgb([x as u8, y as u8, 7]));
        let plain = crate::picture::png(&picture).unwrap();
        assert_eq!(numbers(&plain), None);
        let told = with_numbers(plain, "x,y\n1,ü\n");
        assert_eq!(numbers(&told).as_deref(), Some("x,y\n1,ü\n"));
        // The decoder checks every chunk.
        assert_eq!(image::load_from_memory(&told).unwrap().to_rgb8(), picture);
        for end in 0..told.len() {
            // Cut off anywhere, it is read or is not.
            let _ = numbers(&told[..end]);
        }
        assert_eq!(with_numbers(b"PNG".to_vec(), "x"), b"PNG");
    }
}
