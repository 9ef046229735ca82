//! The page: films and the player in one file, which needs no network.

use std::borrow::Cow;

use super::container::Film;
use super::error::FilmError;
use super::scripts::{hash, player};

/// The library of the live page and the script that starts it, as elements. Empty in the library itself.
const LIBRARY: &str = include_str!(concat!(env!("OUT_DIR"), "/library.html"));

const TEMPLATE: &str = include_str!("player/page.html");
pub(super) const STYLE: &str = include_str!("player/film.css");

/// Beginning of the element of a film.
const FILM: &str = "<script type=\"application/octet-stream\" class=\"film\" id=\"film-";

/// Returns the page that shows these films. `lessons` is the text of a course, as HTML; a course's page also contains
/// the library, which checks and films again what readers edit. The page has at most `page_bytes` bytes.
///
/// Labels and titles in films cannot become markup, because they are in the page as base64. A browser runs no other
/// script than the player, whose hash is in the page's policy.
///
/// # Errors
/// [`FilmError::Page`] if the page becomes too large.
pub fn page(
    title: &str,
    films: &[Film],
    lessons: &str,
    page_bytes: usize,
) -> Result<String, FilmError> {
    let library = if lessons.is_empty() { "" } else { LIBRARY };
    let glue =
        library.split_once("<script>\n").and_then(|(_, rest)| rest.split_once("\n</script>"));
    let policy = glue.map(|(glue, _)| format!(" {} 'wasm-unsafe-eval'", hash(glue)));
    let parts = [
        ("title", &*escape(title)),
        ("style", STYLE),
        ("lessons", lessons),
        ("policy", &policy.unwrap_or_default()),
        ("library", library),
    ];
    made(TEMPLATE, &player(), &parts, films, page_bytes)
}

/// Makes a page of its template, script, other parts and films.
pub(super) fn made(
    template: &str,
    script: &str,
    parts: &[(&str, &str)],
    films: &[Film],
    page_bytes: usize,
) -> Result<String, FilmError> {
    let mut elements = String::new();
    for (number, film) in (1..).zip(films) {
        elements += &format!("{FILM}{number}\">{}</script>\n", film.text()?);
    }
    let own = [("hash", &*hash(script)), ("player", script), ("films", &elements)];
    let page = filled(template, &[parts, &own].concat());
    if page.len() <= page_bytes { Ok(page) } else { Err(FilmError::Page(page_bytes)) }
}

/// Reads the films of a page.
///
/// # Errors
/// [`FilmError::Malformed`] if the page contains none.
pub fn films(page: &str) -> Result<Vec<Film>, FilmError> {
    let elements = page.split(FILM).skip(1).filter_map(|part| {
        let (_, text) = part.split_once('>')?;
        Some(text.split_once("</script>")?.0)
    });
    let films: Vec<Film> = elements.map(Film::of_text).collect::<Result<_, _>>()?;
    if films.is_empty() {
        return Err(FilmError::Malformed("the page contains no film".into()));
    }
    Ok(films)
}

/// Returns the title of a page with these films.
pub fn titles(films: &[Film]) -> String {
    let titles = films.iter().map(|film| film.trace.title.as_str());
    titles.collect::<Vec<_>>().join("; ")
}

/// Fills the template: replaces each `{{name}}`. The values are not searched for names.
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

/// Escapes a text for an HTML element or a quoted attribute.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
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
