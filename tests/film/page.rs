//! A page holds films, and what they say stays text.

use std::io::Read;

use flate2::bufread::GzDecoder;
use fragstream::film::{Film, FilmError, Limits, Packing, page};
use fragstream::random::SplitMix64;

use crate::common::machine;
use crate::film::support::{ADD_ONE, count_up, packed, recorded, written};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";

fn film(label: &str) -> Film {
    let text = format!("// {HOSTILE}\n{ADD_ONE}");
    let run = |machine: &_| drop(count_up(machine, label, &text, 2));
    recorded(&machine(), Limits::default(), run).expect("a film")
}

/// How a film's bytes may be made fewer: well, quickly, and so that they need not be many.
const WAYS: [(Packing, usize); 3] = [
    (Packing::Well, 0),
    (Packing::Quick, usize::MAX),
    (Packing::Quick, 0),
];

#[test]
fn a_film_is_the_same_when_it_was_packed_and_unpacked() {
    let film = film(HOSTILE);
    for (packing, room) in WAYS {
        let unpacked = Film::unpack(&packed(&film, packing, room)).expect("a film");
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
    // A megabyte that can hardly be packed, one of which half is left, and one that is nearly nothing.
    let mut random = SplitMix64::new(3);
    let exact = random.vector(1 << 18);
    let short = random.vector(1 << 18);
    let short: Vec<f32> = short.iter().map(|x| (x * 1e3).round()).collect();
    for floats in [exact, short, vec![1.0; 1 << 18]] {
        film.blob.put(&floats);
    }
    let unpacked = |packed: &[u8]| {
        let mut member = GzDecoder::new(packed);
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        assert!(member.into_inner().is_empty(), "nothing stands behind it");
        bytes
    };
    let well = packed(&film, Packing::Well, 0);
    let all = unpacked(&well);
    assert!(all.len() > 3 << 20 && all.starts_with(b"fragfilm"));
    // Where there is room only what is nearly nothing is packed, where there is less the rest, too.
    let [much, little] = [4 << 20, 2 << 20].map(|room| {
        let quick = packed(&film, Packing::Quick, room);
        assert!(unpacked(&quick) == all);
        assert!(quick.len() <= room, "{} of {room}", quick.len());
        quick.len()
    });
    assert!(much > 2 << 20 && well.len() < little);
}

#[test]
fn bytes_that_are_no_film_are_an_error() {
    let packed = packed(&film("x"), Packing::Well, 0);
    for broken in [&packed[..packed.len() / 2], &[], b"no film at all"] {
        assert!(matches!(Film::unpack(broken), Err(FilmError::Malformed(_))));
    }
}

#[test]
fn hostile_labels_programs_and_titles_stay_text() {
    let films = [film(HOSTILE), film("x")];
    let page = |title, films| written(&page(title, films, "", &Limits::default()).expect("a page"));
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
    let page = written(&page("plain", &films, "", &Limits::default()).expect("a page"));
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
    let films = [film("x")];
    let refused = page("plain", &films, "", &limits).err();
    assert!(matches!(refused, Some(FilmError::Page(_))));
}
