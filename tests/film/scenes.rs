//! The scenes that are worth showing.

use std::collections::{BTreeMap, BTreeSet};

use fragstream::film::scenes::{all, film_of_program, find};
use fragstream::film::{Course, Event, Film, PAGE_BYTES, films, page};

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
    for part in [
        "data-film=\"1\" data-scene=\"red-black\" data-grid=\"9\"",
        "a &lt; b",
        "<em>colours</em>",
        "fragstream film red-black --grid 9",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert_eq!(course.lacking(), ["lesson 1 has no exercise and no question."]);
    assert!(film.streams.iter().any(|stream| stream.size == [9, 9]));
    assert_eq!(film.made.command, "fragstream film red-black --grid 9");
    for (from, to, said) in [
        ("red-black", "red-blak", "did you mean red-black?"),
        ("<em>", "<script>", "lesson 1 contains '<script>"),
        ("<em>", "<em onclick=x>", "lesson 1 contains '<em onclick="),
        ("grid", "gird", "unknown field `gird`"),
        ("[[lessons]]", "[[lesson]]", "unknown field `lesson`"),
        ("scene = 'red-black'\n", "", "lesson 1 needs either scene = \"NAME\""),
        ("grid = 9", "film = 'a.html'", "lesson 1 needs either scene = \"NAME\""),
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
    let with = |program: &str, replace: &str, with: &str| {
        let exercise = format!(
            "[lessons.exercise]\nprogram = '{program}'\nreplace = '{replace}'\nwith = '{with}'\ntext = ''\n"
        );
        Course::parse(&format!("{OF_ITS_OWN}{exercise}")).expect("a course").html([&film])
    };
    let html = |program: &str, replace: &str| {
        with(program, replace, "? (old < value ? old : value) : old")
    };
    let smooth = "goodnight2003/multigrid/original/smooth";
    let fits = html(smooth, "?value : old").expect("an exercise that fits, whatever its blanks");
    for (text, said) in [("? valeu : old", "valeu"), ("? value : old; int i = 0", "int")] {
        let message = with(smooth, "? value : old", text).expect_err(said).to_string();
        assert!(
            message.contains("a text that does not run") && message.contains(said),
            "{message}"
        );
    }
    let passes = film.events.iter().filter_map(|event| match event {
        Event::Pass(pass) => Some(&film.kernels[film.calls[pass.call].kernel].name),
        _ => None,
    });
    let first = 1 + passes.take_while(|name| !name.starts_with(smooth)).count();
    let link = format!("data-pass=\"{first}\"");
    let link = [link, format!("<a href=\"#film=1&amp;pass={first}\">Pass {first}</a>")];
    for part in ["data-by=\"? (old &lt; value", &link[0], &link[1]] {
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

/// The floats that the CPU read, one record at a time.
fn scalars(film: &Film) -> usize {
    let events = film.trace.events.iter();
    events.filter(|event| matches!(event, Event::Read { rectangle: [_, _, 1, 1], .. })).count()
}

#[test]
fn a_film_of_an_edited_program_has_other_decisions_of_the_cpu() {
    let machine = machine();
    let scene = find("cg").expect("a scene");
    let recorded = scene.film(&machine).expect("a film");
    let kernel = |film: &Film| {
        let kernels = film.trace.kernels.iter();
        let kernel = kernels.filter(|one| one.name.starts_with("stream/bounded/reduce_product"));
        let kernel = kernel.clone().next().expect("a kernel").clone();
        let text = &film.trace.texts[kernel.fragment];
        (kernel.name, text.split_once("#line 1\n").expect("a prelude").1.to_owned())
    };
    let (name, text) = kernel(&recorded);
    let identity = text.replace("vec4 none = vec4(IDENTITY)", "vec4 none = vec4(IDENTITY + 1.0)");
    assert_ne!(identity, text);
    let edited = |text: &str| {
        let edits = BTreeMap::from([(name.clone(), text.to_owned())]);
        scene.film_edited(&machine, None, edits)
    };
    let same = edited(&text).expect("a film");
    assert_eq!(same.trace.events, recorded.trace.events);
    let other = edited(&identity).expect("a film");
    assert_eq!(kernel(&other).1, identity);
    assert_eq!(scalars(&other), scalars(&recorded));
    assert_ne!(other.floats().expect("floats"), recorded.floats().expect("floats"));
    let ended = edited("void main() { int i = 0; }").expect("the passes before it").trace;
    let last = ended.events.iter().rev().find_map(|event| match event {
        Event::Scene { title } => Some(title.clone()),
        _ => None,
    });
    assert!(
        last.is_some_and(|title| title.starts_with("The run ends here: ") && title.contains("int"))
    );
}

#[test]
fn sweeps_damp_waves_as_theory_says_and_the_coarser_grid_takes_the_smooth_one() {
    // 1 − ω (1 − cos(kπ/32)), eight times.
    let machine = machine();
    let largest = |name: &str| -> Vec<f32> {
        let film = find(name).expect("a scene").film(&machine).expect("a film");
        let (floats, mut last) = (film.floats().expect("floats"), 0.0);
        let mut read = Vec::new();
        for event in &film.trace.events {
            match event {
                Event::Pass(pass) => {
                    let constants: u32 =
                        film.trace.calls[pass.call].constants.iter().map(|one| one.1).sum();
                    let peak = pass.values.0 as usize + constants as usize + 2;
                    last = floats[peak];
                }
                Event::Read { .. } => read.push(last),
                _ => {}
            }
        }
        read
    };
    let factor =
        |k: f32| (1.0 - 2.0 / 3.0 * (1.0 - (k * std::f32::consts::PI / 32.0).cos())).abs().powi(8);
    let read = largest("jacobi");
    for (k, found) in [1.0, 4.0, 31.0].into_iter().zip(&read) {
        assert!((factor(k) - found).abs() < 1e-5, "{k}: {found}");
    }
    let [before, after, without] = largest("two-grids")[..] else { panic!("three numbers") };
    assert!(before > 1.5 && after < 0.1 * before && without > 0.5, "{before} {after} {without}");
}

#[test]
fn a_program_of_ones_own_is_filmed_and_its_page_can_be_a_lesson() {
    let machine = machine();
    let text = "// Halves.\nuniform stream u;\nuniform float time;\n\
                void main() { result = 0.5 * fetch(u, here) + vec4(0.0 * time); }";
    let film = film_of_program(&machine, "half.frag", text, 8, 3).expect("a film");
    let passes = film.trace.events.iter().filter(|event| matches!(event, Event::Pass(_)));
    assert_eq!(passes.count(), 3);
    assert_eq!(film.trace.made.command, "fragstream film half.frag --size 8 --steps 3");
    let page = page("Half", std::slice::from_ref(&film), "", PAGE_BYTES).expect("a page");
    let read = films(&page).expect("films");
    assert_eq!(read[0].trace, Film::of_text(&film.text().expect("a text")).expect("a film").trace);
    assert!(films("<p>").is_err());
    let course = OF_ITS_OWN.replace("scene = 'red-black'\ngrid = 9", "film = 'half.html'");
    let html = Course::parse(&course).expect("a course").html([&film.trace]).expect("lessons");
    assert!(html.contains("data-scene=\"\"") && html.contains("half.frag --size 8"), "{html}");
    for (text, said) in [
        (
            "uniform stream a;\nuniform stream b;\nvoid main() { result = fetch(a, here) + fetch(b, here); }",
            "not a, b",
        ),
        ("void main() { result = vec4(1.0); }", "not none"),
        ("uniform stream a;\nvoid main() { int i = 0; result = fetch(a, here); }", "int"),
        ("uniform stream a;\nuniform float c;\nvoid main() { result = c * fetch(a, here); }", "c"),
    ] {
        let message =
            film_of_program(&machine, "own.frag", text, 8, 3).expect_err(said).to_string();
        assert!(message.starts_with("own.frag: ") && message.contains(said), "{message}");
    }
}
