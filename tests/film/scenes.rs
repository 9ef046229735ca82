//! The scenes that are worth showing.

use std::collections::BTreeSet;

use fragstream::film::scenes::{all, find};
use fragstream::film::{Course, Event};

use crate::common::machine;

#[test]
fn every_scene_is_short_and_says_what_it_shows() {
    let machine = machine();
    for scene in all() {
        let film = scene.film(&machine).expect(scene.name);
        let passes = film.trace.events.iter();
        let passes = passes.filter(|event| matches!(event, Event::Pass(_))).count();
        // The wing's sides have a program each, as in the paper.
        assert!((2..=4200).contains(&passes), "{}: {passes} passes", scene.name);
        let scenes = film.trace.events.iter();
        let scenes = scenes.filter(|event| matches!(event, Event::Scene { .. })).count();
        assert!(scenes >= 2 && scene.opens < scenes, "{}", scene.name);
        let size = film.text().expect("a text").len();
        assert!(size < 400_000, "{}: {size} bytes", scene.name);
        for kernel in &film.trace.kernels {
            let has_notes =
                ["//", ".glsl", "Cost:"].iter().any(|note| kernel.caption.contains(note));
            assert!(!kernel.caption.is_empty() && !has_notes, "{}", kernel.name);
            assert!(kernel.instructions.is_some(), "{}", kernel.name);
        }
    }
}

#[test]
fn a_film_is_the_same_behind_another_one() {
    let machine = machine();
    let film = |name| find(name).expect("a scene").film(&machine);
    let [alone, other, again] = ["red-black", "switches", "red-black"].map(film);
    let [alone, other, again] = [alone, other, again].map(|film| film.expect("a film").trace);
    assert_eq!(again.events, alone.events);
    assert_eq!(again.costs, alone.costs);
    assert_ne!(other.events, alone.events);
}

#[test]
fn names_are_known_once_and_the_nearest_is_offered() {
    let names: BTreeSet<&str> = all().map(|scene| scene.name).collect();
    assert_eq!(names.len(), all().count());
    let message = find("vcylce").err().expect("a slip").to_string();
    assert!(message.contains("did you mean vcycle?"), "{message}");
}

const OF_ITS_OWN: &str = "title = 'Ours'\n[[lessons]]\nscene = 'red-black'\ngrid = 9\ntitle = 'a < b'\n\
                          text = '<p>Two <em>colours</em></p>'\n";

#[test]
fn a_course_is_read_from_a_file_and_holds_no_other_markup() {
    let course = Course::parse(OF_ITS_OWN).expect("a course");
    let scene = find(&course.lessons[0].scene).expect("a scene");
    let film = scene.film_on(&machine(), course.lessons[0].grid);
    let film = film.expect("a film").trace;
    let html = course.html([&film]).expect("lessons");
    for part in
        ["data-film=\"1\"", "a &lt; b", "<em>colours</em>", "fragstream film red-black --grid 9"]
    {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(film.streams.iter().any(|stream| stream.size == [9, 9]));
    assert_eq!(film.made.command, "fragstream film red-black --grid 9");
    for (from, to, said) in [
        ("red-black", "red-blak", "did you mean red-black?"),
        ("<em>", "<script>", "lesson 1 contains '<script>"),
        ("<em>", "<em onclick=x>", "lesson 1 contains '<em onclick="),
        ("grid", "gird", "unknown field `gird`"),
        ("[[lessons]]", "[[lesson]]", "unknown field `lesson`"),
    ] {
        let message = Course::parse(&OF_ITS_OWN.replace(from, to));
        let message = message.expect_err(to).to_string();
        assert!(message.contains(said), "{message}");
    }
    let fixed = find("spmv").expect("a scene").film_on(&machine(), Some(9));
    let message = fixed.expect_err("a fixed size").to_string();
    assert!(message.contains("spmv: the size of this scene is fixed"), "{message}");
}

#[test]
fn an_exercise_fits_its_film_or_is_refused() {
    let film = find("red-black").expect("a scene").film_on(&machine(), Some(9));
    let film = film.expect("a film").trace;
    let html = |program: &str, replace: &str| {
        let exercise = format!(
            "[lessons.exercise]\nprogram = '{program}'\nreplace = '{replace}'\nwith = 'a < b'\ntext = ''\n"
        );
        Course::parse(&format!("{OF_ITS_OWN}{exercise}")).expect("a course").html([&film])
    };
    let smooth = "goodnight2003/multigrid/original/smooth";
    let fits = html(smooth, "?value : old").expect("an exercise that fits, whatever its blanks");
    let passes = film.events.iter().filter_map(|event| match event {
        Event::Pass(pass) => Some(&film.kernels[film.calls[pass.call].kernel].name),
        _ => None,
    });
    let first = 1 + passes.take_while(|name| !name.starts_with(smooth)).count();
    let link = format!("data-pass=\"{first}\"");
    let link = [link, format!("<a href=\"#film=1&amp;pass={first}\">Pass {first}</a>")];
    for part in ["data-by=\"a &lt; b\"", &link[0], &link[1]] {
        assert!(fits.contains(part), "{part}: {fits}");
    }
    for (program, replace, said) in [
        (
            "goodnight2003/smoth",
            "old",
            "no pass runs 'goodnight2003/smoth'. Name one of goodnight2003/",
        ),
        (smooth, "2.5 * old", "'2.5 * old' is 0 times in 'goodnight2003/multigrid/original/smooth"),
        (smooth, ";", "Copy a part that is in it once"),
        (smooth, "", "'' is 0 times"),
    ] {
        let message = html(program, replace).expect_err(said).to_string();
        assert!(message.contains("the exercise of lesson 1 does not fit its film"), "{message}");
        assert!(message.contains(said), "{message}");
    }
}
