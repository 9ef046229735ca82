//! Lines and numbers of text files.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::error::{CORRECT, Fault, RESTORE, quote};

/// The non-blank lines of a file, with their numbers. Lines end with LF, CR LF or CR.
#[derive(Clone)]
pub struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
    comment: Option<u8>,
    continues: bool,
}

/// The mark with which some programs begin a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text in UTF-8 without its byte order mark. A text in UTF-16 has one.
pub(super) fn decoded(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let units = |of: fn([u8; 2]) -> u16| -> Vec<u8> {
        let units = text.as_chunks().0.iter().skip(1).map(|&unit| of(unit));
        let read = char::decode_utf16(units);
        read.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>().into()
    };
    let mark = BYTE_ORDER_MARK.to_string();
    match &*text {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes).into(),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes).into(),
        with if with.starts_with(mark.as_bytes()) => match text {
            Cow::Borrowed(text) => text[mark.len()..].into(),
            Cow::Owned(mut text) => {
                text.drain(..mark.len());
                text.into()
            }
        },
        _ => text,
    }
}

impl<'a> Lines<'a> {
    /// The lines of `text`, the first of which has the number `first`. In each line, everything from the byte
    /// `comment` on is ignored.
    pub fn new(text: &'a [u8], first: usize, comment: Option<u8>) -> Self {
        Self { rest: text, number: first - 1, comment, continues: false }
    }

    /// A line that ends with `\`, except in a comment, goes on in the next one.
    pub fn continuing(self) -> Self {
        Self { continues: true, ..self }
    }

    /// The unread rest.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next non-blank line, or a fault that names the announced item that is `missing`.
    pub fn demand(&mut self, missing: impl FnOnce() -> String) -> Result<Fields<'a>, Fault> {
        self.need(missing, RESTORE)
    }

    /// The next non-blank line, or a fault that names the `missing` item and a remedy.
    pub fn need(
        &mut self,
        missing: impl FnOnce() -> String,
        remedy: &'static str,
    ) -> Result<Fields<'a>, Fault> {
        self.next().ok_or_else(|| Fault::in_line(self.number.max(1), missing(), remedy))
    }

    /// The next line, blank or not, without its end, and the number of lines that it takes.
    fn next_line(&mut self) -> Option<(&'a [u8], usize)> {
        if self.rest.is_empty() {
            return None;
        }
        let text = self.rest;
        let mut lines = 0;
        let mut end = 0;
        loop {
            let start = end;
            let length = text[start..].iter().position(|&b| b == b'\n' || b == b'\r');
            end = length.map_or(text.len(), |length| start + length);
            lines += 1;
            let after = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
            self.rest = text.get(after..).unwrap_or_default();
            let line = &text[start..end];
            let comment = self.comment.and_then(|c| line.iter().position(|&b| b == c));
            if let Some(comment) = comment {
                return Some((&text[..start + comment], lines));
            }
            if !self.continues || !line.ends_with(b"\\") || self.rest.is_empty() {
                return Some((&text[..end], lines));
            }
            end = after;
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Fields<'a>;

    fn next(&mut self) -> Option<Fields<'a>> {
        loop {
            let (line, lines) = self.next_line()?;
            let first = self.number + 1;
            self.number += lines;
            let rest = line.trim_ascii();
            if !rest.is_empty() {
                return Some(Fields { line: first, rest });
            }
        }
    }
}

/// The fields of one line, separated by white space; `\` before the end of a line is white space, too.
#[derive(Clone)]
pub struct Fields<'a> {
    /// The line's number, from 1.
    pub line: usize,
    rest: &'a [u8],
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut rest = self.rest.trim_ascii_start();
        while let Some(after) = rest.strip_prefix(b"\\")
            && after.first().is_none_or(|next| matches!(next, b'\n' | b'\r'))
        {
            rest = after.trim_ascii_start();
        }
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        self.rest = after;
        // A mark directly after a field.
        let goes_on = field.ends_with(b"\\") && matches!(after.first(), Some(b'\n' | b'\r'));
        let field = if goes_on { &field[..end - 1] } else { field };
        (!field.is_empty()).then_some(field)
    }
}

impl<'a> Fields<'a> {
    /// A line without fields.
    pub fn none(line: usize) -> Self {
        Self { line, rest: &[] }
    }

    /// The unread rest of the line, trimmed.
    pub fn rest(&self) -> &'a [u8] {
        self.rest.trim_ascii()
    }

    /// The line without its first bytes.
    pub fn after(self, bytes: usize) -> Self {
        Self { rest: &self.rest[bytes..], ..self }
    }

    /// A fault in this line that the user must correct.
    pub fn fault(&self, what: impl Into<String>) -> Fault {
        Fault::in_line(self.line, what, CORRECT)
    }

    /// The next field as a number; `name` describes it in messages.
    pub fn number<T: FromStr>(&mut self, name: impl fmt::Display) -> Result<T, Fault> {
        let field = self.field(&name)?;
        number(field).ok_or_else(|| self.no_number::<T>(name, field))
    }

    /// The next field as a coordinate, which need not be finite, and its place in the file.
    pub fn placed(&mut self, name: impl fmt::Display) -> Result<(f64, &'a [u8]), Fault> {
        let field = self.field(&name)?;
        number(field).map(|value| (value, field)).ok_or_else(|| self.no_number::<f64>(name, field))
    }

    /// The next field as a value, which must be finite, possibly in Fortran's notation, 1.5D0.
    pub fn finite(&mut self, name: impl fmt::Display) -> Result<f64, Fault> {
        let field = self.field(&name)?;
        let fortran = || {
            let exponent = field.iter().position(|byte| matches!(byte, b'd' | b'D'))?;
            number(&[&field[..exponent], b"e", &field[exponent + 1..]].concat())
        };
        match number::<f64>(field).or_else(fortran) {
            Some(value) if value.is_finite() => Ok(value),
            Some(_) => Err(self.not_finite(name)),
            None => Err(self.no_number::<f64>(name, field)),
        }
    }

    fn field(&mut self, name: impl fmt::Display) -> Result<&'a [u8], Fault> {
        self.next().ok_or_else(|| self.fault(format!("{name} is missing")))
    }

    fn no_number<T>(&self, name: impl fmt::Display, field: &[u8]) -> Fault {
        let is_integer = field.iter().all(u8::is_ascii_digit);
        let why = if is_integer { "too large" } else { kind_of::<T>() };
        self.fault(format!("{name} is {}, which is {why}", quote(field)))
    }

    /// Checks that no field is left.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.next() {
            None => Ok(()),
            Some(field) => Err(self.fault(format!("{} is one value too many", quote(field)))),
        }
    }

    pub fn not_finite(&self, name: impl fmt::Display) -> Fault {
        self.fault(format!("{name} is NaN, infinite or too large"))
    }
}

/// The fields of a text, in which the end of a line is white space.
#[derive(Clone)]
pub struct Words<'a> {
    lines: Lines<'a>,
    /// The unread fields of the present line.
    pub fields: Fields<'a>,
}

impl<'a> Words<'a> {
    /// The fields of these lines.
    pub fn new(lines: Lines<'a>) -> Self {
        let fields = Fields::none(lines.number.max(1));
        Self { lines, fields }
    }

    /// The present line, or the next one if nothing is left of it and there is one.
    pub fn filled(&mut self) -> &mut Fields<'a> {
        if self.fields.rest().is_empty()
            && let Some(next) = self.lines.next()
        {
            self.fields = next;
        }
        &mut self.fields
    }

    /// Skips the rest of the line. Returns false if nothing was left.
    pub fn skip_line(&mut self) -> bool {
        !std::mem::take(&mut self.fields.rest).is_empty()
    }

    /// The unread rest of the text after the present line.
    pub fn rest(&self) -> &'a [u8] {
        self.lines.rest()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.filled().next()
    }
}

/// The number in a field, if it is one.
pub fn number<T: FromStr>(field: &[u8]) -> Option<T> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// Name of a type's numbers in messages.
fn kind_of<T>() -> &'static str {
    match std::any::type_name::<T>() {
        "f32" | "f64" => "not a number",
        name if name.starts_with('u') => "not an integer of at least 0",
        _ => "not an integer",
    }
}

/// A number in the shortest decimal form that reads back as the same number.
pub struct Shortest<T>(pub T);

impl<T: fmt::Display + fmt::LowerExp + Copy + Into<f64>> fmt::Display for Shortest<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude: f64 = self.0.into().abs();
        // Both forms give the shortest digits; outside of this range the plain one adds many zeros.
        if magnitude == 0.0 || (1e-4..1e16).contains(&magnitude) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_keep_their_numbers_over_blank_ones_comments_and_any_line_end() {
        let lines = Lines::new(b"a b\r\n\n# x\r  \rc # d\n\re", 1, Some(b'#'));
        let seen: Vec<_> = lines.map(|fields| (fields.line, fields.collect::<Vec<_>>())).collect();
        let expected: [(usize, Vec<&[u8]>); 3] =
            [(1, vec![b"a", b"b"]), (5, vec![b"c"]), (7, vec![b"e"])];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_text_of_any_mark_is_the_same() {
        let text = "a ü\u{1f600}\n";
        let marked = BYTE_ORDER_MARK.to_string() + text;
        let [little, big] = [u16::to_le_bytes, u16::to_be_bytes]
            .map(|to: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(to).collect::<Vec<u8>>());
        for bytes in [text.as_bytes(), marked.as_bytes(), &little, &big] {
            assert_eq!(&*decoded(bytes.into()), text.as_bytes());
            assert_eq!(&*decoded(bytes.to_vec().into()), text.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn the_shortest_form_reads_back_identical(bits in any::<u32>(), wide in any::<u64>()) {
            let (x, y) = (f32::from_bits(bits), f64::from_bits(wide));
            prop_assume!(x.is_finite() && y.is_finite());
            prop_assert_eq!(Shortest(x).to_string().parse::<f32>().unwrap().to_bits(), bits);
            prop_assert_eq!(Shortest(y).to_string().parse::<f64>().unwrap().to_bits(), wide);
            prop_assert!(Shortest(x).to_string().len() <= 20);
        }
    }
}
