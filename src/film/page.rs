//! The page: films and the player in one file, which needs no network.

use std::borrow::Cow;

use super::container::Film;
use super::error::FilmError;
use super::scripts::{hash, player};

/// The live page, which contains the library as WebAssembly and the script that starts it.
#[cfg(not(target_family = "wasm"))]
const LIVE: &str = include_str!("../../figures/course/live.html");
#[cfg(target_family = "wasm")]
const LIVE: &str = "";
/// Beginning of the element of the library.
const WASM: &str = "<script type=\"application/octet-stream\" id=\"wasm\">";

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
    let library = library().filter(|_| !lessons.is_empty());
    let (policy, elements) = library.map_or_else(Default::default, |(wasm, glue)| {
        (
            format!(" {} 'wasm-unsafe-eval'", hash(glue)),
            format!("{WASM}{wasm}</script>\n<script>\n{glue}\n</script>"),
        )
    });
    let parts = [
        ("title", &*escape(title)),
        ("style", STYLE),
        ("lessons", lessons),
        ("policy", &policy),
        ("library", &elements),
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

/// The library of the live page: packed, and the script that starts it.
fn library() -> Option<(&'static str, &'static str)> {
    let (wasm, rest) = LIVE.split_once(WASM)?.1.split_once("</script>")?;
    let glue = rest.split_once("<script>\n")?.1.split_once("\n</script>")?.0;
    Some((wasm, glue))
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
