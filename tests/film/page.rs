//! A page holds films, and what they say stays text.

use std::io::Read;

use flate2::bufread::GzDecoder;
use fragstream::card::dialect::user_source;
use fragstream::film::{Film, FilmError, Limits, page};
use fragstream::random::SplitMix64;
use fragstream::stream::{Buffer, Format, Machine, Pass, Stream, StreamError};

use crate::common::machine;
use crate::support::{ADD_ONE, count_up, recorded};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";

fn film(label: &str) -> Film {
    let text = format!("// {HOSTILE}\n{ADD_ONE}");
    let run = |machine: &_| drop(count_up(machine, label, &text, 2));
    recorded(&machine(), Limits::default(), run).expect("a film")
}

#[test]
fn a_film_is_the_same_when_it_was_packed_and_unpacked() {
    let film = film(HOSTILE);
    for effort in [0, 1, 6] {
        let unpacked = Film::unpack(&film.packed(effort).expect("bytes")).expect("a film");
        assert_eq!(unpacked.trace, film.trace);
        assert_eq!(unpacked.blob.words(), film.blob.words());
    }
    assert!(film.trace.texts.iter().any(|text| text.contains(HOSTILE)));
    assert!(
        film.trace
            .streams
            .iter()
            .any(|stream| stream.label == HOSTILE)
    );
}

#[test]
fn a_film_packed_in_parts_is_one_gzip_member() {
    let mut film = film("large");
    // Half a million numbers that cannot be packed, and as many that can.
    let random = SplitMix64::new(3).vector(1 << 19);
    film.blob.put(&random);
    film.blob.put(&vec![1.0; 1 << 19]);
    let bytes = |packed: &[u8]| {
        let mut member = GzDecoder::new(packed);
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        assert!(member.into_inner().is_empty(), "nothing stands behind it");
        bytes
    };
    let stored = film.packed(0).expect("bytes");
    let all = bytes(&stored);
    assert!(all.len() > 4 << 20 && all.starts_with(b"fragfilm"));
    for effort in [1, 6] {
        let packed = film.packed(effort).expect("bytes");
        assert!(packed.len() < all.len() * 3 / 4);
        assert!(bytes(&packed) == all);
    }
}

#[test]
fn what_is_packed_while_a_run_goes_on_is_what_it_is_in_the_end() {
    // As they are they would not fit into a page.
    let limits = Limits {
        effort: 1,
        page_bytes: 1 << 21,
        ..Limits::default()
    };
    let upload = SplitMix64::new(5).vector(4 * 512 * 300);
    let run = |machine: &Machine| -> Result<(), StreamError> {
        let kernel = machine.kernel(&user_source("add one", ADD_ONE.to_owned())?, &[])?;
        let stream =
            |size, format| Stream::surfaces(machine, Buffer::Framebuffer, ["x"], size, format);
        let [large] = stream((512, 300), Format::Rgba32F)?;
        let [mut from] = stream((5, 3), Format::R32F)?;
        for _ in 0..3 {
            let [to] = stream((5, 3), Format::R32F)?;
            let pass = Pass::new(&kernel).read("x", &from).set("one", 1.0);
            pass.draw(&to, &machine.rect(to.full())?)?;
            // Nobody has looked at what was drawn when a part is full.
            large.write(&upload)?;
            from = to;
        }
        Ok(())
    };
    let run = |machine: &_| run(machine).expect("this machine can add");
    let film = recorded(&machine(), limits, run).expect("a film");
    assert!(film.blob.words().len() > 2 << 18, "two parts and more");
    for effort in [0, 1, 6] {
        let unpacked = Film::unpack(&film.packed(effort).expect("bytes")).expect("a film");
        assert!(
            unpacked.blob.words() == film.blob.words(),
            "effort {effort}"
        );
    }
}

#[test]
fn bytes_that_are_no_film_are_an_error() {
    let packed = film("x").packed(1).expect("bytes");
    for broken in [&packed[..packed.len() / 2], &[], b"no film at all"] {
        assert!(matches!(Film::unpack(broken), Err(FilmError::Malformed(_))));
    }
}

#[test]
fn hostile_labels_programs_and_titles_stay_text() {
    let films = [film(HOSTILE), film("x")];
    let made = page(HOSTILE, &films, "", &Limits::default()).expect("a page");
    let plain = page("plain", &films[1..], "", &Limits::default()).expect("a page");
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
    let page = page("plain", &[film("x")], "", &Limits::default()).expect("a page");
    for way in [
        "http:", "https:", "//cdn", "src=\"", "href=\"", "@import", "url(", "fetch(\"",
    ] {
        assert!(!page.contains(way), "{way}");
    }
}

#[test]
fn a_page_that_is_too_large_is_refused() {
    let limits = Limits {
        page_bytes: 1000,
        ..Limits::default()
    };
    let refused = page("plain", &[film("x")], "", &limits).expect_err("too large");
    assert!(matches!(refused, FilmError::Page(_)));
}
