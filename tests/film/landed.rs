//! The course that lies in figures/ is the one that this program would make.

use fragstream::film::{Course, Film, PAGE_BYTES, diagrams, page, scenes};

use crate::common::machine;
use crate::film::browser::text;

#[test]
fn the_landed_course_has_this_player_these_lessons_and_these_programs() {
    let again = "fragstream film --course --out figures/course/index.html \
                 --diagrams figures/course/diagrams makes it again";
    let landed = text("figures/course/index.html");
    let mut films = Vec::new();
    let mut without = String::new();
    for (place, part) in
        landed.split("<script type=\"application/octet-stream\" class=\"film\"").enumerate()
    {
        let rest = match part.split_once("</script>\n").filter(|_| place > 0) {
            None => part,
            Some((element, rest)) => {
                let (_, film) = element.split_once('>').expect("a film's element");
                films.push(Film::of_text(film).expect("a film").trace);
                rest
            }
        };
        without += rest;
    }
    let course = Course::of_2003();
    let lessons = course.html(&films).expect("lessons that fit the films");
    let expected = page(&course.title, &[], &lessons, PAGE_BYTES).expect("a page");
    assert!(without_library(&without) == without_library(&expected), "{again}");
    assert!(without.contains("check_program") && without.contains("card_film"), "{again}");
    assert!(landed.len() < 1_600_000, "{} bytes", landed.len());
    assert_eq!(films.len(), course.lessons.len());
    let machine = machine();
    let mut recorded = Vec::new();
    for (landed, lesson) in films.iter().zip(&course.lessons) {
        let name = &lesson.scene;
        let scene = scenes::find(name).expect("a scene");
        let anew = scene.film(&machine).expect("a film");
        // JSON rounds the costs' seconds.
        let anew = Film::of_text(&anew.text().expect("a text"));
        recorded.push(anew.expect("a film"));
        let anew = &recorded[recorded.len() - 1].trace;
        assert!(landed.texts == anew.texts, "{name}: {again}");
        assert_eq!(landed.kernels, anew.kernels, "{name}: {again}");
        assert_eq!(landed.calls, anew.calls, "{name}: {again}");
        assert_eq!(landed.costs, anew.costs, "{name}: {again}");
    }
    let drawn = diagrams(&recorded).expect("diagrams");
    assert!(drawn.len() >= 6);
    for (name, svg) in drawn {
        let landed = text(&format!("figures/course/diagrams/{name}.svg"));
        assert!(landed == svg, "{name}: {again}");
    }
}

/// A page without the library, its script and the names of scripts. The library is that of live.html, but may be older.
fn without_library(page: &str) -> String {
    let cut = |text: &str, from: &str, to: &str| {
        let (before, rest) = text.split_once(from).expect(from);
        before.to_owned() + rest.split_once(to).expect(to).1
    };
    let page = cut(page, "id=\"wasm\">", "</script>\n<script>\n'use strict';\nconst byId");
    cut(&page, "script-src ", ";")
}
