//! The page: opened from a file and driven by keys, with a hostile label, without what it needs, and
//! readable.

use fragstream::film::{Course, Event, Film, PAGE_BYTES, page, scenes};
use serde_json::{Value, json};

use crate::common::machine;
use crate::film::browser::{WITHOUT_WEBGL, answers, driven, found, text};
use crate::film::lessons::is_run;

/// What a label must not do.
const HOSTILE: &str = "</script><img src=x onerror=document.title='taken'>";

/// A film, whose title and streams are called by that; in its first and last scene nothing is drawn.
fn hostile_film() -> Film {
    let mut film = film("kernel");
    film.trace.title = HOSTILE.into();
    for stream in &mut film.trace.streams {
        stream.label = HOSTILE.into();
    }
    film
}

fn page_of(films: &[Film]) -> String {
    page("A film", films, "", PAGE_BYTES).expect("a page")
}

/// The film of a scene.
fn film(name: &str) -> Film {
    scenes::find(name).expect("a scene").film(&machine()).expect("a film")
}

/// Hides the second of two films, and shows it again; the counter at first and after each of both.
const SIDE_BY_SIDE: &str = "
    const counters = [];
    for (const keys of [['Home', ...Array(7).fill('ArrowRight')], ['l'], ['l']]) {
      keys.forEach((key) => tap(key));
      await until('films', () => page.views.length === 2 - counters.length % 2);
      counters.push(document.getElementById('counter').textContent.replaceAll(/\\s/g, ''));
    }
    return { counters };";

/// Runs each program's own text again, then one that is changed, one with a typing error, and its own; beside the
/// recorded film; what the badge and the box say.
const EDIT: &str = "
    const { replay } = page.views[0];
    const badges = () => [...document.querySelectorAll('.badge')].map((badge) => badge.textContent);
    const kernels = [...new Set(page.views[0].film.passes.map((i) => page.views[0].film.events[i].kernel))];
    for (const kernel of kernels) replay.edit(kernel, editableText(replay.textOf(kernel)));
    page.views[0].distanceOf = null;
    tap('End');
    const own = badges();
    for (const kernel of kernels) replay.edit(kernel, null);
    tap('e');
    const text = document.querySelector('textarea').value;
    const say = (text) => {
      const box = document.querySelector('textarea');
      box.value = text;
      box.dispatchEvent(new Event('input'));
      tap('Enter', { ctrlKey: true }, box);
      const marked = box.value.slice(box.selectionStart, box.selectionEnd);
      const lines = [...document.querySelectorAll('.wrong')].map((line) => line.textContent).join();
      const { top, bottom } = document.querySelector('.message').getBoundingClientRect();
      const panel = document.querySelector('.panel.editing').getBoundingClientRect();
      return [badges()[0], document.querySelector('.message').textContent, marked, lines, top > panel.top && bottom < panel.bottom];
    };
    const changed = say(text.replace(/result = ([^;]*);(?![^]*result =)/, 'result = 1.25 * ($1);'));
    const broken = say('void main() {\\n  result = <img src=x>;\\n}');
    tap('l');
    await until('two films', () => page.views.length === 2);
    await until('a difference', () => document.querySelector('.found').textContent.includes('differ'));
    const pair = badges();
    const seen = (part) => [...document.querySelectorAll(part)].map((one) => one.textContent);
    const sizes = [...document.querySelectorAll('.picture')].map(({ width, height }) => `${width} ${height}`);
    const panes = { titles: seen('.film-title'), scales: new Set(seen('.high')).size, sizes: new Set(sizes).size,
      found: seen('.found')[0], recorded: seen('.ledger')[0].includes('in the recording') };
    tap('l');
    await until('one film', () => page.views.length === 1);
    tap('e');
    const again = say(text);
    const images = document.querySelectorAll('img').length;
    return { own, changed, broken, pair, panes, again, images };";

/// Shows the first pass's program in assembly, then as text with the instructions of all its lines, then edits it;
/// the instructions seen, and whether the edited program still offers any.
const ASSEMBLY: &str = "
    const seen = () => [...document.querySelectorAll('.program:not(.away) .instruction')]
      .filter((line) => line.checkVisibility()).map((line) => line.textContent.trim());
    tap('Home');
    tap('ArrowRight');
    const before = seen();
    tap('i');
    const assembly = seen();
    const lines = document.querySelectorAll('.program:not(.away) .comment').length;
    tap('i');
    document.querySelectorAll('.counted').forEach((line) => line.click());
    const byLine = seen();
    const { program } = page.views[0];
    program.run(document.querySelector('textarea').value.replace('result = ', 'result = 2.0 * '));
    tap('i');
    const edited = [seen(), program.assemblyButton.disabled];
    return { before, assembly, lines, byLine, edited };";

/// Goes to the next lesson and back by keys, then does each lesson's exercise: the passes whose badge is amber before
/// it, the program's passes that differ from the recording after it, and the sum of the
/// last target's first texel as recorded and as changed.
const EXERCISES: &str = "
    const lessons = [];
    for (const key of ['n', 'n', 'p', 'p', 'p']) {
      tap(key);
      await until('a lesson', () => page.views.length === 1);
      lessons.push(document.getElementById('title').textContent[0]);
    }
    const answers = [];
    for (const { number, replace, by, at } of exercises) {
      await openLesson(number);
      const [{ replay, film, program }] = page.views;
      const start = document.querySelector('.try');
      const { kernel } = film.pass(Number(start.dataset.pass));
      const passes = film.passes.filter((index) => film.events[index].kernel === kernel);
      const amber = film.passes.filter((index) => {
        replay.goTo(index + 1);
        return !statusText(replay.distance(film.events[index]), false)[1];
      });
      const sum = () => {
        const scene = film.scenes.findIndex(({ title }) => title.startsWith(at));
        const { events, pass } = film.stops[film.stopsIn(scene)[1]];
        replay.goTo(events);
        return pass && replay.read(film.events[pass].target).slice(0, 4).reduce((a, b) => a + b);
      };
      const recorded = sum();
      const own = editableText(replay.textOf(kernel));
      start.click();
      const { text, task } = program;
      const tried = [page.views[0].event.kernel === kernel, text.value === own.split(replace).join(by),
        text.value.slice(text.selectionStart, text.selectionEnd) === by, replay.isEdited, task.checkVisibility()];
      const off = passes.filter((index) => {
        replay.goTo(index + 1);
        return !replay.isAsRecorded(film.events[index]);
      });
      answers.push({ parts: own.split(replace).length - 1, amber: amber.length, off: off.length, sums: [recorded, sum()],
        tried, shown: task.textContent.includes(replace) });
    }
    return { lessons, answers };";

/// The least contrast of text (WCAG 2, AA).
const CONTRAST: f64 = 4.5;

#[test]
fn a_page_is_driven_by_keys_alone_and_is_a_document_without_float_targets() {
    let films = [hostile_film()];
    let drive = text("tests/film/drive.js");
    let page = page_of(&films);
    let [light, without] = ["", WITHOUT_WEBGL].map(|before| driven(&page, before, &drive));
    let dark = light.replace("(prefers-color-scheme: dark)", "all");
    assert_ne!(dark, light);
    let pages = [light, without, dark];
    let Some(found) = answers(&pages.each_ref().map(String::as_str)) else {
        return;
    };
    keys_alone_step_through_a_film_and_a_hostile_label_stays_text(&found[0], &films[0]);
    keys_walk_through_all_scenes_and_links_lead_where_they_say(&found[0]);
    without_float_targets_the_page_is_still_a_document(&found[1]);
    found.iter().for_each(all_text_stands_out);
    for page in &found {
        assert_eq!(page["unreadable"], json!([]), "for a projector");
    }
}

fn keys_alone_step_through_a_film_and_a_hostile_label_stays_text(found: &Value, film: &Film) {
    let passes = film.trace.events.iter();
    let passes = passes.filter(|event| matches!(event, Event::Pass(_))).count();
    assert_eq!(found["end"], format!("{passes} / {passes}"));
    assert_eq!(found["statuses"], json!(["no pass", "as recorded"]));
    assert_eq!(found["slider"], passes.to_string(), "the slider ends where the counter does");
    assert_eq!(found["help"], json!([true, false]));
    assert!(found["fetches"].as_u64() > Some(0), "{found}");
    assert!(found["history"].as_u64() > Some(0), "{found}");
    let text = found["text"].as_str().expect("a text");
    assert!(text.contains(HOSTILE));
    assert_eq!(found["images"], 0);
    assert_ne!(found["title"], "taken");
}

/// Also through those in which nothing is drawn.
fn keys_walk_through_all_scenes_and_links_lead_where_they_say(found: &Value) {
    let [scenes, walked] =
        ["scenes", "walked"].map(|name| found[name].as_array().expect("numbers of scenes"));
    assert!(scenes.len() > 3 && walked.starts_with(scenes), "{found}");
    let end = &found["end"];
    let (first, last) = (end.as_str().expect("a counter"), &found["links"][0]);
    let all = first.split(" / ").last().expect("a count");
    assert_eq!(last, &json!([end, format!("#pass={all}")]));
    assert_eq!(found["links"][1][1], "#pass=0");
    assert_eq!(found["links"][2][1], "#pass=1&at=2,1");
    assert_eq!(found["chosen"], "#pass=1&at=3,1");
}

fn without_float_targets_the_page_is_still_a_document(found: &Value) {
    let text = found["text"].as_str().expect("a text");
    for part in ["no WebGL 2", "the last target", "void main()", "fragments"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert!(found["painted"].as_u64() > Some(0), "{found}");
}

/// On its panels, in the help, and for a projector.
fn all_text_stands_out(found: &Value) {
    let pairs = found["pairs"].as_object().expect("pairs of colours");
    assert!(pairs.len() > 5, "{pairs:?}");
    for (colours, pair) in pairs {
        let contrast = pair[0].as_f64().expect("a number");
        assert!(contrast >= CONTRAST, "{colours}: {contrast}, {}", pair[1]);
    }
    let contrasts = pairs.values().filter_map(|pair| pair[0].as_f64());
    let (count, least) = (pairs.len(), contrasts.fold(f64::MAX, f64::min));
    eprintln!("{count} pairs of colours, the least contrast {least:.1}");
}

#[test]
fn a_program_is_edited_and_the_run_departs_from_the_record() {
    let page = page_of(&[film("reduction")]);
    let Some(found) = found(&page, EDIT) else { return };
    let text = |name: &str, place: usize| found[name][place].as_str().expect("a text").to_owned();
    assert_eq!(found["own"], json!(["as recorded"]), "each runs from the text that is shown");
    assert!(text("changed", 0).starts_with("yours: off by"), "{found}");
    assert!(text("changed", 1).contains("runs from pass"), "{found}");
    assert_eq!(text("broken", 0), text("changed", 0), "a typing error changes nothing");
    assert!(text("broken", 1).starts_with("line 2: "), "{found}");
    assert_eq!(text("broken", 2), "  result = <img src=x>;", "the line is selected");
    assert_eq!(text("broken", 3), "2", "and marked");
    assert_eq!(found["broken"][4], true, "the message is in sight");
    // Four passes of the pyramid run it, and the last texel is the largest: 1.25⁴ − 1.
    assert_eq!(text("changed", 0), "yours: off by 1.441 of the largest value");
    let panes = &found["panes"];
    assert_eq!(panes["titles"], json!(["yours", "recorded", "difference"]));
    assert_eq!((&panes["scales"], &panes["sizes"]), (&json!(1), &json!(1)), "{panes}");
    assert!(panes["found"].to_string().contains("texels differ"), "{panes}");
    assert_eq!(panes["recorded"], true);
    assert!(text("pair", 0).starts_with("yours: off by"), "{found}");
    assert_eq!(text("pair", 1), "as recorded");
    assert_eq!(text("again", 0), "as recorded");
    assert_eq!(found["images"], 0, "what is typed stays text");
}

#[test]
fn a_program_is_shown_with_its_instructions_until_it_is_edited() {
    let film = film("spmv");
    let page = page_of(std::slice::from_ref(&film));
    let Some(found) = found(&page, ASSEMBLY) else { return };
    let seen =
        |name: &str| -> Vec<String> { serde_json::from_value(found[name].clone()).expect("lines") };
    let first = film.trace.events.iter().find_map(|event| match event {
        Event::Pass(pass) => Some(film.trace.calls[pass.call].kernel),
        _ => None,
    });
    let kernel = &film.trace.kernels[first.expect("a pass")];
    let listing = kernel.assembly.as_ref().expect("a listing");
    let all: Vec<&str> = listing.text.lines().collect();
    assert_eq!(seen("before"), [""; 0]);
    assert_eq!(seen("assembly"), all);
    assert_eq!(listing.lines.len(), kernel.instructions.expect("a count") as usize);
    assert!(found["lines"].as_u64() > Some(1), "{found}");
    let mut by_line = seen("byLine");
    let mut own: Vec<&str> = all[all.len() - 1 - listing.lines.len()..all.len() - 1].to_vec();
    by_line.sort();
    own.sort_unstable();
    assert_eq!(by_line, own, "each instruction is that of a line");
    assert_eq!(found["edited"], json!([[], true]));
}

#[test]
fn the_exercises_of_the_course_can_be_done_and_twice_omega_diverges() {
    let mut course = Course::of_2003();
    let mut number = 0..;
    course.lessons.retain(|_| number.next().is_some_and(is_run));
    let films: Vec<Film> = course.lessons.iter().map(|lesson| film(&lesson.scene)).collect();
    let tried = course.lessons.iter().enumerate();
    let exercises = tried.clone().map(|(number, lesson)| {
        let one = lesson.exercise.as_ref().expect("an exercise");
        let at = if lesson.scene == "vcycle" { "The norm" } else { "" };
        json!({"number": number, "replace": one.replace, "by": one.with, "at": at})
    });
    let exercises = json!(exercises.collect::<Vec<_>>());
    let lessons = course.html(films.iter().map(|film| &film.trace)).expect("exercises that fit");
    let page = page("Course", &films, &lessons, PAGE_BYTES).expect("a page");
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
    let script = format!("const exercises = {exercises}; {EXERCISES}");
    let Some(found) = found(&page, &script) else { return };
    let answers = found["answers"].as_array().expect("answers");
    assert_eq!(answers.len(), tried.clone().count());
    assert!(tried.clone().any(|(_, lesson)| lesson.scene == "vcycle"));
    assert_eq!(found["lessons"], json!(["2", "3", "2", "1", "1"]));
    for (answer, (_, lesson)) in answers.iter().zip(tried) {
        assert_eq!(answer["parts"], 1, "{}: {answer}", lesson.scene);
        assert_eq!(answer["amber"], 0, "{}: {answer}", lesson.scene);
        assert!(answer["off"].as_u64() > Some(0), "{}: {answer}", lesson.scene);
        assert_eq!(answer["shown"], true, "{}: {answer}", lesson.scene);
        assert_eq!(answer["tried"], json!(vec![true; 5]), "{}: {answer}", lesson.scene);
        if lesson.scene == "vcycle" {
            // Squares, next to 2 at the start.
            let sum = |at: usize| answer["sums"][at].as_f64().expect("a number");
            assert!(sum(0) < 1e-4 && sum(1) > 100.0, "{answer}");
        }
    }
}

#[test]
fn films_side_by_side_stay_where_they_were() {
    let page = page_of(&["kernel", "reduction"].map(film));
    let Some(found) = found(&page, SIDE_BY_SIDE) else { return };
    let counters = found["counters"].as_array().expect("counters");
    let [both, one, again] = &counters[..] else { panic!("{counters:?}") };
    assert_eq!(again, both);
    let (first, second) = both.as_str().expect("a text").split_once('|').expect("two counters");
    assert_eq!(one, first);
    assert!(!first.starts_with('0') && !second.starts_with('0'), "{both}");
}
