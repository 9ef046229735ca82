//! The course that lies in figures/ is the one that this program would make.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fragstream::film::{Film, Limits, Packing, course, page, scenes};

use crate::common::machine;
use crate::film::browser::text;
use crate::film::support::{packed, written};

#[test]
fn the_landed_course_has_this_player_these_lessons_and_these_programs() {
    let again = "fragstream film --course --out figures/course/index.html makes it anew";
    let landed = text("figures/course/index.html");
    let mut films = Vec::new();
    let mut without = String::new();
    for (place, part) in landed
        .split("<script type=\"application/octet-stream\"")
        .enumerate()
    {
        let rest = match part.split_once("</script>\n").filter(|_| place > 0) {
            None => part,
            Some((element, rest)) => {
                let (_, packed) = element.split_once('>').expect("a film's element");
                let packed = STANDARD.decode(packed).expect("base64");
                films.push(Film::unpack(&packed).expect("a film").trace);
                rest
            }
        };
        without += rest;
    }
    let expected = page(course::TITLE, &[], course::LESSONS, &Limits::default());
    assert!(without == written(&expected.expect("a page")), "{again}");
    assert_eq!(films.len(), course::SCENES.len());
    let machine = machine();
    for (landed, name) in films.iter().zip(course::SCENES) {
        let scene = scenes::find(name).expect("a scene");
        let anew = scene.film(&machine, None).expect("a film");
        let anew = Film::unpack(&packed(&anew, Packing::Quick, usize::MAX))
            .expect("a film")
            .trace;
        assert!(landed.texts == anew.texts, "{name}: {again}");
        assert_eq!(landed.kernels, anew.kernels, "{name}: {again}");
        assert_eq!(landed.calls, anew.calls, "{name}: {again}");
        assert_eq!(landed.costs, anew.costs, "{name}: {again}");
    }
}
