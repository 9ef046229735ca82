//! A page holds films, and what they say stays text.

use fragstream::film::{Film, FilmError, PAGE_BYTES, page};

use crate::common::machine;
use crate::film::support::{ADD_ONE, count_up, recorded};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";

fn film(label: &str) -> Film {
    let text = format!("// {HOSTILE}\n{ADD_ONE}");
    let run = |machine: &_| drop(count_up(machine, label, &text, 2));
    recorded(&machine(), PAGE_BYTES, run).expect("a film")
}

#[test]
fn a_film_is_the_same_when_it_was_packed_and_unpacked() {
    let film = film(HOSTILE);
    let unpacked = Film::of_text(&film.text().expect("a text")).expect("a film");
    assert_eq!(unpacked.trace, film.trace);
    let bits = |film: &Film| -> Vec<u32> {
        let floats = film.floats().expect("floats");
        floats.into_iter().map(f32::to_bits).collect()
    };
    assert_eq!(bits(&unpacked), bits(&film));
    assert!(film.trace.texts.iter().any(|text| text.contains(HOSTILE)));
    let mut streams = film.trace.streams.iter();
    assert!(streams.any(|stream| stream.label == HOSTILE));
}

#[test]
fn texts_that_are_no_film_are_an_error() {
    let text = film("x").text().expect("a text");
    let (trace, floats) = text.split_once('.').expect("two parts");
    let cut = |part: &str| part[..part.len() / 8 * 4].to_owned();
    for broken in [
        cut(trace) + "." + floats,
        format!("{trace}.{}", cut(floats)),
        format!("{floats}.{floats}"),
        trace.to_owned(),
        String::new(),
        "no film.at all".to_owned(),
    ] {
        assert!(matches!(Film::of_text(&broken), Err(FilmError::Malformed(_))));
    }
}

#[test]
fn hostile_labels_programs_and_titles_stay_text() {
    let films = [film(HOSTILE), film("x")];
    let page = |title, films: &[Film]| page(title, films, "", PAGE_BYTES).expect("a page");
    let (made, plain) = (page(HOSTILE, &films[..]), page("plain", &films[1..]));
    let scripts = |page: &str| page.matches("<script").count();
    assert_eq!(scripts(&made), scripts(&plain) + 1);
    assert_eq!(made.matches("</script").count(), scripts(&made));
    assert!(!made.contains("<img src=x"));
    assert!(!made.contains("{{"));
    for element in ["id=\"film-1\"", "id=\"film-2\""] {
        assert!(made.contains(element));
    }
}

#[test]
fn a_page_asks_nobody_for_anything() {
    let films = [film("x")];
    let page = page("plain", &films, "", PAGE_BYTES).expect("a page");
    for way in ["http:", "https:", "//cdn", "src=\"", "href=\"", "@import", "url(", "fetch(\""] {
        assert!(!page.contains(way), "{way}");
    }
}

#[test]
fn a_page_that_is_too_large_is_refused() {
    let films = [film("x")];
    let refused = page("plain", &films, "", 1000).err();
    assert!(matches!(refused, Some(FilmError::Page(_))));
}
