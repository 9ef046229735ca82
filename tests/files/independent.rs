//! Readers of the formats written a second time, shorter and without messages. They hold the numbers that the
//! library's readers give against the file.

/// Lines without their ends (LF, CR LF or CR).
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = rest.iter().position(|b| b"\n\r".contains(b));
        let end = end.unwrap_or(rest.len());
        lines.push(&rest[..end]);
        let terminator = 1 + usize::from(rest[end..].starts_with(b"\r\n"));
        rest = rest.get(end + terminator..).unwrap_or_default();
    }
    lines
}

/// The words of a line.
fn words(line: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(line).ok()?;
    Some(text.split_ascii_whitespace().collect())
}

/// A Matrix Market file: rows, columns and entries, counted from 0, both halves of a symmetric one. Zeros of an array
/// are not entries.
pub type Entries = (u32, u32, Vec<(u32, u32, f64)>);

pub fn matrix_market(bytes: &[u8]) -> Option<Entries> {
    let lines = lines(bytes);
    let mut lines = lines.iter().filter(|line| !line.trim_ascii().is_empty());
    let banner = lines.next()?.to_ascii_lowercase();
    let banner = words(&banner)?;
    let data = lines.map(|line| line.split(|&b| b == b'%').next().unwrap_or_default());
    let mut data = data.filter(|line| !line.trim_ascii().is_empty());
    let sizes = words(data.next()?)?;
    let size = |place: usize| sizes.get(place)?.parse::<u32>().ok();
    let (rows, columns) = (size(0)?, size(1)?);
    let mut entries = Vec::new();
    for (place, line) in (0u32..).zip(data) {
        let words = words(line)?;
        let value = |place: usize| words.get(place)?.parse::<f64>().ok();
        if banner[2] == "array" {
            let (row, column) = (place.checked_rem(rows)?, place / rows);
            let value = value(0)?;
            entries.extend((value != 0.0).then_some((row, column, value)));
            continue;
        }
        let index = |place: usize| words.get(place)?.parse::<u32>().ok()?.checked_sub(1);
        let (row, column) = (index(0)?, index(1)?);
        let value = if banner[3] == "pattern" { 1.0 } else { value(2)? };
        entries.push((row, column, value));
        if banner[4] == "symmetric" && row != column {
            entries.push((column, row, value));
        }
    }
    Some((rows, columns, entries))
}

/// The numbers of a PLY file's body, one after the other, as a type says.
struct Numbers<'a> {
    bytes: &'a [u8],
    /// Words of text, or the order of bytes.
    words: Option<Vec<&'a str>>,
    is_big: bool,
    at: usize,
}

impl Numbers<'_> {
    fn next(&mut self, kind: &str) -> Option<f64> {
        if let Some(words) = &self.words {
            self.at += 1;
            return words.get(self.at - 1)?.parse().ok();
        }
        let size = match kind {
            "char" | "uchar" | "int8" | "uint8" => 1,
            "short" | "ushort" | "int16" | "uint16" => 2,
            "double" | "float64" => 8,
            _ => 4,
        };
        let mut bytes = self.bytes.get(self.at..self.at + size)?.to_vec();
        self.at += size;
        if self.is_big {
            bytes.reverse();
        }
        bytes.resize(8, 0);
        let bits = u64::from_le_bytes(bytes.try_into().ok()?);
        let signed = |width: u32| ((bits << (64 - width)) as i64 >> (64 - width)) as f64;
        Some(match kind {
            "char" | "int8" => signed(8),
            "short" | "int16" => signed(16),
            "int" | "int32" => signed(32),
            "float" | "float32" => f32::from_bits(bits as u32).into(),
            "double" | "float64" => f64::from_bits(bits),
            _ => bits as f64,
        })
    }
}

/// A PLY file: positions, and the corners of each face.
pub type Polygons = (Vec<[f64; 3]>, Vec<Vec<u32>>);

pub fn ply(bytes: &[u8]) -> Option<Polygons> {
    let (mut elements, mut format, mut body) = (Vec::new(), String::new(), None);
    for line in lines(bytes) {
        // Only what is said in UTF-8 is understood.
        let words = words(line)?;
        match words.as_slice() {
            ["format", name, ..] => format = (*name).to_owned(),
            ["element", name, count, ..] => {
                elements.push(((*name).to_owned(), count.parse::<u64>().ok()?, Vec::new()));
            }
            ["property", kinds @ .., name] => {
                let name = (*name).to_owned();
                elements.last_mut()?.2.push((name, kinds.to_vec()));
            }
            ["end_header", ..] => {
                let end = line.as_ptr() as usize - bytes.as_ptr() as usize + line.len();
                body = bytes.get(end..);
                break;
            }
            _ => {}
        }
    }
    let body = body?;
    let first_end = bytes.get(3..)?;
    let has_cr = first_end.starts_with(b"\r") && !first_end.starts_with(b"\r\n");
    let body = match body.strip_prefix(b"\r\n") {
        Some(rest) if !has_cr => rest,
        _ => body.get(1..)?,
    };
    let words = match format.as_str() {
        "ascii" => Some(words(body)?),
        _ => None,
    };
    let is_big = format.ends_with("big_endian");
    let mut numbers = Numbers { bytes: body, words, is_big, at: 0 };
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for (element, count, properties) in &elements {
        let count = if properties.is_empty() { 0 } else { *count };
        for _ in 0..count {
            let mut position = [f64::NAN; 3];
            for (name, kinds) in properties {
                let values: Vec<f64> = match kinds.as_slice() {
                    ["list", length, kind] => {
                        let length = numbers.next(length)? as usize;
                        (0..length).map(|_| numbers.next(kind)).collect::<Option<_>>()?
                    }
                    [kind] => vec![numbers.next(kind)?],
                    _ => return None,
                };
                let axis = ["x", "y", "z"].iter().position(|axis| axis == name);
                match (element.as_str(), axis) {
                    ("vertex", Some(axis)) => position[axis] = *values.first()?,
                    ("face", _) if name.starts_with("vertex_ind") => {
                        faces.push(values.iter().map(|&v| v as u32).collect());
                    }
                    _ => {}
                }
            }
            if element == "vertex" {
                positions.push(position);
            }
        }
    }
    Some((positions, faces))
}

/// An OFF file that is a stream of numbers. Where lines can change their meaning, it is not read here: a line ends before
/// the number of edges, which may be missing, or some lines of vertices are longer and may have colours.
pub fn off(bytes: &[u8]) -> Option<Polygons> {
    let lines = lines(bytes).into_iter();
    let lines = lines.map(|line| words(line.split(|&b| b == b'#').next().unwrap_or_default()));
    let mut lines = lines.collect::<Option<Vec<_>>>()?;
    lines.retain(|line| !line.is_empty());
    let all = lines.concat();
    let (&keyword, numbers) = all.split_first()?;
    let mut numbers = numbers.iter();
    let mut size = || numbers.next()?.parse::<usize>().ok().filter(|&size| size < bytes.len());
    let (vertices, faces, _edges) = (size()?, size()?, numbers.next()?);
    let ends = lines.iter().scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    if ends.contains(&3) && !ends.contains(&4) {
        return None;
    }
    let after = lines.iter().zip(&ends).filter(|(_, end)| **end > 4);
    let own: Vec<usize> = after.take(vertices).map(|(line, _)| line.len()).collect();
    let has_own = own.len() == vertices && own.iter().all(|&length| length >= 3);
    if has_own && own.iter().any(|&length| length > 3) && lines.len() > vertices {
        return None;
    }
    let mut coordinate = || numbers.next()?.parse::<f64>().ok();
    let positions = (0..vertices).map(|_| Some([coordinate()?, coordinate()?, coordinate()?]));
    let positions = positions.collect::<Option<Vec<_>>>()?;
    let mut index = || numbers.next()?.parse::<u32>().ok();
    let face = |_| (0..index()?).map(|_| index()).collect::<Option<Vec<u32>>>();
    let read = (0..faces).map(face).collect::<Option<Vec<_>>>()?;
    (keyword == "OFF" && numbers.next().is_none()).then_some((positions, read))
}

/// A Radiance picture: width, height and linear colours from the top left.
pub type Pixels = (usize, usize, Vec<[f32; 3]>);

pub fn radiance(bytes: &[u8]) -> Option<Pixels> {
    let mut rest = bytes;
    let mut line = || -> Option<&[u8]> {
        let end = rest.iter().position(|&b| b == b'\n')?;
        let line = &rest[..end];
        rest = &rest[end + 1..];
        Some(line)
    };
    while !line()?.is_empty() {}
    let size = line()?;
    let ["-Y", height, "+X", width] = words(size)?[..] else {
        return None;
    };
    let (width, height): (usize, usize) = (width.parse().ok()?, height.parse().ok()?);
    let mut bytes = rest.iter().copied();
    let mut pixels = Vec::new();
    for _ in 0..height {
        let first = [bytes.next()?, bytes.next()?, bytes.next()?, bytes.next()?];
        let is_packed = first[..2] == [2, 2] && first[2] < 128;
        let length = usize::from(first[2]) << 8 | usize::from(first[3]);
        if is_packed && (width < 8 || length != width) {
            return None; // Decoders differ.
        }
        if !is_packed {
            // Pixel by pixel; the old way to repeat one is left out.
            let mut pixel = first;
            for column in 0..width {
                if column > 0 {
                    pixel = [bytes.next()?, bytes.next()?, bytes.next()?, bytes.next()?];
                }
                if pixel[..3] == [1, 1, 1] {
                    return None;
                }
                pixels.push(pixel);
            }
            continue;
        }
        let mut row = vec![[0; 4]; width];
        for channel in 0..4 {
            let mut column = 0;
            while column < width {
                let count = usize::from(bytes.next()?);
                let (run, repeated) = match count {
                    0 => return None,
                    129.. => (count - 128, Some(bytes.next()?)),
                    _ => (count, None),
                };
                for _ in 0..run {
                    let value = match repeated {
                        Some(value) => value,
                        None => bytes.next()?,
                    };
                    row.get_mut(column)?[channel] = value;
                    column += 1;
                }
            }
        }
        pixels.extend(row);
    }
    let colour = |[r, g, b, e]: [u8; 4]| match e {
        0 => [0.0; 3],
        _ => [r, g, b].map(|c| (f64::from(c) * 2f64.powi(i32::from(e) - 136)) as f32),
    };
    Some((width, height, pixels.into_iter().map(colour).collect()))
}
