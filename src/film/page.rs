//! The page: films, and the player, in one file that needs no network.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::claim::report::html::escape;

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

/// The page that shows these films. `lessons` is HTML, what a course says beside them.
///
/// Whatever a film says stays text: it stands in the page as base64 of its bytes, packed as the limits say.
///
/// # Errors
/// [`FilmError::Page`] when it becomes too large.
pub fn page(
    title: &str,
    films: &[Film],
    lessons: &str,
    limits: &Limits,
) -> Result<String, FilmError> {
    let films = films.iter().map(|film| film.packed(limits.effort));
    let films: Vec<Vec<u8>> = films.collect::<Result<_, _>>()?;
    let (title, player) = (escape(title), PLAYER.join("\n"));
    let values = [
        ("title", &*title),
        ("style", STYLE),
        ("player", &player),
        ("lessons", lessons),
    ];
    let (before, after) = TEMPLATE.split_once("{{films}}").unwrap_or((TEMPLATE, ""));
    let mut page = filled(before, &values);
    let bytes: usize = films.iter().map(Vec::len).sum();
    page.reserve(bytes * 4 / 3 + TEMPLATE.len() + lessons.len() + player.len());
    for (film, number) in films.iter().zip(1..) {
        page += &format!(
            "<script type=\"application/octet-stream\" class=\"film\" id=\"film-{number}\">"
        );
        STANDARD.encode_string(film, &mut page);
        page += "</script>\n";
    }
    page += &filled(after, &values);
    match page.len() <= limits.page_bytes {
        true => Ok(page),
        false => Err(FilmError::Page(limits.clone())),
    }
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
