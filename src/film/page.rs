//! The page: films, and the player, in one file that needs no network.

use std::borrow::Cow;

use super::container::Film;
use super::error::{FilmError, Limits};

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

/// The page that shows these films. `lessons` is HTML: the text of a course.
///
/// Labels and titles in films stay text: they are in the page as base64.
///
/// # Errors
/// [`FilmError::Page`] when it becomes too large.
pub fn page(
    title: &str,
    films: &[Film],
    lessons: &str,
    limits: Limits,
) -> Result<String, FilmError> {
    let mut elements = String::new();
    for (number, film) in (1..).zip(films) {
        elements += &format!(
            "<script type=\"application/octet-stream\" class=\"film\" id=\"film-{number}\">{}</script>\n",
            film.text()?
        );
    }
    let page = filled(&[
        ("title", &escape(title)),
        ("style", STYLE),
        ("player", &PLAYER.join("\n")),
        ("lessons", lessons),
        ("films", &elements),
    ]);
    match page.len() <= limits.page_bytes {
        true => Ok(page),
        false => Err(FilmError::Page(limits.page_bytes)),
    }
}

/// The title of a page with these films.
pub fn titles(films: &[Film]) -> String {
    let titles = films.iter().map(|film| film.trace.title.as_str());
    titles.collect::<Vec<_>>().join("; ")
}

/// The template with each `{{name}}` replaced. The values are not searched for names.
fn filled(values: &[(&str, &str)]) -> String {
    let mut parts = TEMPLATE.split("{{");
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
