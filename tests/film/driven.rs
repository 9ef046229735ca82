//! The page: opened from a file and driven by keys, with a hostile label, and without what it needs.

use fragstream::film::{Event, Film, Limits, page, scenes};
use fragstream::stream::Machine;
use serde_json::Value;

use crate::browser::{answer, text};

/// What a label must not do.
const HOSTILE: &str = "</script><img src=x onerror=document.title='taken'>";

/// A film, one of whose streams and scenes is called by that.
fn hostile_film() -> Film {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let scene = scenes::find("reduction").expect("a scene");
    let mut film = scene.film(&machine, None).expect("a film");
    film.trace.title = HOSTILE.into();
    for stream in &mut film.trace.streams {
        stream.label = HOSTILE.into();
    }
    film
}

/// The page with a driver behind it, and something in front of all else.
fn driven(film: &Film, before: &str) -> String {
    let films = [film.clone()];
    let page = page("A film", &films, "", &Limits::default()).expect("a page");
    let driver = text("tests/film/drive.js");
    page.replace("<body>", &format!("<body><script>{before}</script>"))
        .replace("</body>", &format!("<script>{driver}</script></body>"))
}

#[test]
fn keys_alone_step_through_a_film_and_a_hostile_label_stays_text() {
    let film = hostile_film();
    let Some(found) = answer(&driven(&film, ""), Some(20_000)) else {
        return;
    };
    let passes = film.trace.events.iter();
    let passes = passes
        .filter(|event| matches!(event, Event::Pass(_)))
        .count();
    assert_eq!(found["end"], format!("{passes} / {passes}"));
    assert_eq!(found["statuses"], serde_json::json!(["as recorded"]));
    assert!(found["fetches"].as_u64() > Some(0), "{found}");
    assert!(found["history"].as_u64() > Some(0), "{found}");
    assert!(
        found["text"]
            .as_str()
            .is_some_and(|text| text.contains(HOSTILE))
    );
    assert_eq!(found["images"], 0);
    assert!(
        found["title"]
            .as_str()
            .is_some_and(|title| title != "taken")
    );
}

#[test]
fn without_float_targets_the_page_is_still_a_document() {
    let before =
        "HTMLCanvasElement.prototype.getContext = ((original) => function (kind, options) {
        return kind === 'webgl2' ? null : original.call(this, kind, options);
    })(HTMLCanvasElement.prototype.getContext);";
    let Some(found) = answer(&driven(&hostile_film(), before), Some(20_000)) else {
        return;
    };
    let text = found["text"].as_str().expect("a text");
    for part in ["no WebGL 2", "the last target", "void main()", "fragments"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert_ne!(found["painted"], Value::from(0));
}
