//! The page: films, and the player, in one file that needs no network.

use std::borrow::Cow;
use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use super::container::Film;
use super::error::{FilmError, Limits};
use super::packing::Packed;

const TEMPLATE: &str = include_str!("player/page.html");
const STYLE: &str = include_str!("player/film.css");
/// The player's scripts, each of which may use those before it.
const PLAYER: [&str; 6] = [
    include_str!("player/decode.js"),
    include_str!("player/program.js"),
    include_str!("player/replay.js"),
    include_str!("player/picture.js"),
    include_str!("player/view.js"),
    include_str!("player/player.js"),
];

/// Around the bytes of a film in base64.
fn before_film(number: usize) -> String {
    format!("<script type=\"application/octet-stream\" class=\"film\" id=\"film-{number}\">")
}
const BEHIND_FILM: &str = "</script>\n";

/// A page, not written yet.
pub struct Page<'a> {
    before: String,
    /// The films, and what stands before each.
    films: Vec<(String, Packed<'a>)>,
    behind: String,
}

/// The page that shows these films. `lessons` is HTML, what a course says beside them.
///
/// Whatever a film says stays text: it stands in the page as base64 of its bytes, packed as the limits say.
///
/// # Errors
/// [`FilmError::Page`] when it becomes too large.
pub fn page<'a>(
    title: &str,
    films: &'a [Film],
    lessons: &str,
    limits: &Limits,
) -> Result<Page<'a>, FilmError> {
    let (title, player) = (escape(title), PLAYER.join("\n"));
    let values = [
        ("title", &*title),
        ("style", STYLE),
        ("player", &player),
        ("lessons", lessons),
    ];
    let (before, behind) = TEMPLATE.split_once("{{films}}").unwrap_or((TEMPLATE, ""));
    let mut page = Page {
        before: filled(before, &values),
        films: Vec::new(),
        behind: filled(behind, &values),
    };
    let most = limits.page_bytes;
    for (number, film) in (1..).zip(films) {
        let before = before_film(number);
        let others = page.bytes() + before.len() + BEHIND_FILM.len();
        // What base64 makes four bytes of are three.
        let room = most.saturating_sub(others) / 4 * 3;
        let packed = film.packed(limits.packing, room)?;
        page.films.push((before, packed));
    }
    match page.bytes() <= most {
        true => Ok(page),
        false => Err(FilmError::Page(limits.clone())),
    }
}

impl Page<'_> {
    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let film = |(before, film): &(String, Packed<'_>)| {
            before.len() + film.bytes().div_ceil(3) * 4 + BEHIND_FILM.len()
        };
        let films = self.films.iter().map(film);
        self.before.len() + films.sum::<usize>() + self.behind.len()
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.before.as_bytes())?;
        for (before, film) in &self.films {
            out.write_all(before.as_bytes())?;
            in_base64(film, out)?;
            out.write_all(BEHIND_FILM.as_bytes())?;
        }
        out.write_all(self.behind.as_bytes())
    }
}

fn in_base64(film: &Packed<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut encoder = EncoderWriter::new(out, &STANDARD);
    film.write(&mut encoder)?;
    encoder.finish().map(drop)
}

/// The title of a page with these films.
pub fn titles(films: &[Film]) -> String {
    let titles = films.iter().map(|film| film.trace.title.as_str());
    titles.collect::<Vec<_>>().join("; ")
}

/// A template with each `{{name}}` replaced. What is put in is not looked at again.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let found = part.split_once("}}").and_then(|(name, rest)| {
            let value = values.iter().find(|(known, _)| *known == name)?;
            Some((value.1, rest))
        });
        match found {
            Some((value, rest)) => filled.extend([value, rest]),
            None => filled.extend(["{{", part]),
        }
    }
    filled
}

/// A text as HTML, in an element or in a quoted attribute.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}
