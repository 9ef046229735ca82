//! Names of files as texts, also those that are not UTF-8: a byte b that belongs to no character is the private character
//! U+F700 + b. Arguments enter as such texts, and files are opened by the bytes.

use std::borrow::Cow;
#[cfg(feature = "cli")]
use std::ffi::OsStr;
use std::path::Path;

/// The character of byte 0.
#[cfg(any(unix, feature = "cli"))]
const FIRST: u32 = 0xf700;

/// The byte from 128 on that a character encodes.
#[cfg(any(unix, feature = "cli"))]
fn byte(c: char) -> Option<u8> {
    u8::try_from(u32::from(c).wrapping_sub(FIRST)).ok().filter(|byte| !byte.is_ascii())
}

/// The text of a name. Private characters that the name itself has become bytes, too.
#[cfg(feature = "cli")]
pub(crate) fn text(name: &OsStr) -> String {
    let mut text = String::new();
    let letter = |byte: &u8| char::from_u32(FIRST + u32::from(*byte));
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte(c) {
                Some(_) => text.extend(c.to_string().as_bytes().iter().filter_map(letter)),
                None => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().filter_map(letter));
    }
    text
}

/// The path that a text names, as the system has it.
#[cfg(unix)]
pub(crate) fn system(path: &Path) -> Cow<'_, Path> {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let Some(text) = path.to_str().filter(|text| text.contains(|c| byte(c).is_some())) else {
        return Cow::Borrowed(path);
    };
    let mut bytes = Vec::new();
    for c in text.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(c.to_string().into_bytes()),
        }
    }
    Cow::Owned(OsString::from_vec(bytes).into())
}

/// The path that a text names: here a name is text.
#[cfg(not(unix))]
pub(crate) fn system(path: &Path) -> Cow<'_, Path> {
    Cow::Borrowed(path)
}

/// A text that may come from a file, for people: bytes of names and control characters are escaped, except for the ends of
/// lines and tabs.
#[cfg(feature = "cli")]
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !c.is_control() && byte(c).is_none();
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        match byte(c) {
            _ if is_plain(c) => shown.push(c),
            Some(byte) => shown += &format!("\\x{byte:02x}"),
            None => shown += &format!("\\x{:02x}", u32::from(c)),
        }
    }
    Cow::Owned(shown)
}

/// The same of a text with colours and weights for a terminal, which stay.
#[cfg(feature = "cli")]
pub(crate) fn shown_in_colours(text: &str) -> Cow<'_, str> {
    const CODE: &str = "\x1b[";
    if !text.contains(CODE) {
        return shown(text);
    }
    let parts = text.split_inclusive('m').flat_map(|part| {
        let (before, code) = part.split_at(part.rfind(CODE).unwrap_or(part.len()));
        let digits = code.strip_prefix(CODE).and_then(|code| code.strip_suffix('m'));
        let is_own =
            digits.is_some_and(|own| own.len() < 3 && own != "8" && own.parse::<u8>().is_ok());
        [shown(before), if is_own { code.into() } else { shown(code) }]
    });
    Cow::Owned(parts.collect())
}

/// A text in JSON with the characters escaped that [`shown`] escapes and JSON allows in a string.
#[cfg(feature = "cli")]
pub(crate) fn quoted(json: &str) -> String {
    let is_allowed = |c: char| c.is_control() && c >= '\u{7f}' || byte(c).is_some();
    let quoted = |c: char| match is_allowed(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    if json.contains(is_allowed) { json.chars().map(quoted).collect() } else { json.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(unix, feature = "cli"))]
    #[test]
    fn a_name_of_any_bytes_is_a_text_and_comes_back() {
        use std::os::unix::ffi::OsStrExt;
        let names: [&[u8]; 4] = [b"a.mtx", "ü \u{f7ff}".as_bytes(), b"n\xff.mtx", b"\x80\xc3(\xc3"];
        for name in names {
            let text = text(OsStr::from_bytes(name));
            assert_eq!(system(Path::new(&text)).as_os_str().as_bytes(), name);
        }
        assert_eq!(shown(&text(OsStr::from_bytes(b"n\xff\n\t\x1b[2J"))), "n\\xff\n\t\\x1b[2J");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn colours_stay_and_nothing_else_commands_a_terminal() {
        let own = "m\x1b[32mum\x1b[0m\n";
        assert_eq!(shown_in_colours(own), own);
        for (foreign, shown) in [
            ("\x1b]0;m\x07\x1b[2J\x1b[1m", "\\x1b]0;m\\x07\\x1b[2J\x1b[1m"),
            ("\x1b[8mm\x1b[1;8m\x1b[", "\\x1b[8mm\\x1b[1;8m\\x1b["),
            ("\u{9b}2J\x1b[\x1b[0m", "\\x9b2J\\x1b[\x1b[0m"),
        ] {
            assert_eq!(shown_in_colours(foreign), shown);
        }
        assert_eq!(quoted("{\n\"\u{9b}\": \"m\"}"), "{\n\"\\u009b\": \"m\"}");
    }
}
