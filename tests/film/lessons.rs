//! The course as it lies in figures/: done on a phone by fingers alone, checked and run to the end by the library below the
//! player, kept, handed in; and its answers have its numbers.

use std::collections::BTreeMap;

use fragstream::film::scenes::find;
use fragstream::film::{Course, PAGE_BYTES, page};
use serde_json::{Value, json};

use crate::common::machine;
use crate::common::nightly::all_pages;
use crate::film::browser::{found, text};
use crate::live::devtools::{Browser, DESKTOP, SIDEWAYS, SWIFTSHADER, UPRIGHT};

/// The course, opened at this place.
fn course(place: &str) -> String {
    format!("file://{}/figures/course/index.html{place}", env!("CARGO_MANIFEST_DIR"))
}

/// The number of lessons.
pub const LESSONS: usize = 12;

/// Tests whether a lesson, from 0, is tried in a browser: three of them, and all at night.
pub fn is_run(lesson: usize) -> bool {
    lesson % 4 == 1 || all_pages()
}

/// Touches the middle of an element.
fn tap(browser: &mut Browser, element: &str) {
    let at = format!(
        "(() => {{ const one = {element}; one.scrollIntoView({{ block: 'center' }});
            const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    );
    let [x, y] = serde_json::from_value(browser.run(&at)).expect("a place");
    browser.touch("touchStart", &[[x, y]]);
    browser.touch("touchEnd", &[]);
}

/// A button by its words.
fn button(words: &str) -> String {
    format!(
        "[...document.querySelectorAll('button')].find((one) => one.textContent === '{words}' && one.checkVisibility())"
    )
}

#[test]
fn a_lesson_is_done_by_fingers_alone_and_found_again() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    browser.open(&course("#film=6"), SIDEWAYS, &[], "");
    for screen in [SIDEWAYS, UPRIGHT] {
        // A phone is turned.
        browser.resize(screen);
        let wide = browser.run("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(wide, 0, "nothing scrolls sideways on {screen:?}");
        let small = browser.run(
            "[...document.querySelectorAll('button:not(.link), select, input')]
                .filter((one) => one.checkVisibility()).filter((one) => {
                    const { width, height } = one.getBoundingClientRect();
                    return width < 40 || height < 40;
                }).map((one) => one.id || one.textContent)",
        );
        assert_eq!(small, Value::Array(vec![]), "targets on {screen:?}");
    }
    let script = "(() => { const one = document.querySelector('.picture'); one.scrollIntoView({ block: 'center' });
        const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()";
    let [x, y]: [f64; 2] = serde_json::from_value(browser.run(script)).expect("a place");
    browser.touch("touchStart", &[[x - 20.0, y]]);
    for apart in [20.0, 40.0, 60.0] {
        let kind = if apart == 20.0 { "touchStart" } else { "touchMove" };
        browser.touch(kind, &[[x - apart, y], [x + apart, y]]);
    }
    browser.touch("touchEnd", &[]);
    browser.until("page.views[0].zoom > 2");
    tap(&mut browser, "document.querySelector('.try')");
    browser.until("document.querySelector('.verdict').textContent.includes('as recorded')");
    browser.until("document.querySelector('.badge').textContent.startsWith('yours')");
    // What was typed over the selected part is found again before it has run, and after it.
    for key in "vec4 none = vec4(0.5)".chars() {
        browser.key(&key.to_string());
    }
    browser.until("document.querySelector('textarea.text').value.includes('vec4(0.5)')");
    browser.reload();
    tap(&mut browser, &button("Program"));
    tap(&mut browser, &button("Edit"));
    browser.until("library.isReady && document.querySelector('.verdict').textContent");
    tap(&mut browser, &button("Run"));
    browser.until("work.packed.get(5) && page.views[0].replay.textOf(page.views[0].nearPass.kernel).includes('vec4(0.5)')");
    let pass = browser.run("page.views[0].at.passes").as_u64().expect("a pass");
    tap(&mut browser, "byId('forward')");
    assert_eq!(browser.run("page.views[0].at.passes"), pass + 1);
    tap(&mut browser, "byId('back')");
    tap(&mut browser, &button("Run to the end"));
    browser.until("page.again.size === 1 && document.querySelector('.message').textContent.startsWith('Your run')");
    browser.until("location.hash.includes('programs=') && location.hash.includes('again=1')");
    browser.reload();
    browser.until("page.again.size === 1 && page.views[0].film !== page.views[0].recorded");
    browser.open(&course("#film=6"), UPRIGHT, &[], "");
    browser.until("page.views[0].replay.edits.size === 1");
    tap(&mut browser, "document.querySelector('.try')");
    browser.until("document.querySelector('.verdict').textContent.includes('as recorded')");
    tap(&mut browser, &button("Reset"));
    browser.until("page.views[0].replay.edits.size === 0 && localStorage.length === 0");
    browser.open(&course("#film=6"), UPRIGHT, &[], "");
    assert_eq!(browser.run("page.views[0].replay.edits.size"), 0);
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn the_library_checks_what_is_typed_and_runs_exercises_to_the_end() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    browser.open(&course(""), DESKTOP, &[], "");
    assert_eq!(browser.run("page.lessons.length"), LESSONS);
    for lesson in (0..LESSONS).filter(|&lesson| is_run(lesson)) {
        browser.run(&format!("openLesson({lesson})"));
        browser.run("document.querySelector('.try').click()");
        browser.until("library.isReady && document.querySelector('.verdict').textContent");
        let verdict = browser.run("document.querySelector('.verdict').className");
        assert_eq!(verdict, "verdict", "lesson {}: the exercise keeps the rules", lesson + 1);
        browser.run("runOn()");
        let said = browser.run("document.querySelector('.message').textContent");
        let said = said.as_str().expect("a text");
        assert!(said.starts_with("Your run, in which"), "lesson {}: {said}", lesson + 1);
        // Recorded and run again here, it is the same arithmetic.
        let off = browser.run(
            "page.views[0].film.passes.filter((index) => {
                const { replay, film } = page.views[0];
                replay.goTo(index + 1);
                return !statusText(replay.distance(film.events[index]), false)[1];
            }).length",
        );
        assert_eq!(off, 0, "lesson {}", lesson + 1);
    }
    browser.run("openLesson(5)");
    browser.run("page.views[0].program.edit(true)");
    let typed = "(text) => { const box = document.querySelector('textarea.text'); box.value = text;
        box.dispatchEvent(new Event('input')); }";
    for (program, said) in [
        ("void main() { int i = 0; result = vec4(0.0); }", "line 1, column 15: type int"),
        (
            "void main() {\\n  for (float i = 0.0; i < 1e9; i += 1.0) {}\\n  result = vec4(0.0);\\n}",
            "line 2",
        ),
        ("void main() { float a; result = vec4(a); }", "line 1"),
        ("", "line"),
    ] {
        browser.run(&format!("({typed})('{program}')"));
        browser.until("document.querySelector('.verdict').classList.contains('bad')");
        browser
            .until(&format!("document.querySelector('.verdict').textContent.includes('{said}')"));
        let before = browser.run("work.packed.get(5)");
        browser.run("page.views[0].program.run(document.querySelector('textarea.text').value)");
        assert_eq!(browser.run("work.packed.get(5)"), before, "{program} does not run");
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn what_was_handed_in_is_seen_side_by_side_and_a_lost_context_comes_back() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    browser.open(&course("#film=8"), DESKTOP, &[], "");
    browser.run("document.querySelector('.try').click()");
    browser.until("work.packed.get(7)");
    browser.run("byId('open-hand-in').click()");
    browser.run("byId('own-name').value = 'Ada <b>'; byId('own-name').oninput()");
    let link = browser.run("byId('own-link').value");
    let link = link.as_str().expect("a link").to_owned();
    let bomb = browser.run("pack('a'.repeat(5e6))");
    let bomb = bomb.as_str().expect("letters");
    let place = link.split_once("programs=").expect("programs").0;
    let links = [
        &*link,
        &format!("{place}programs={bomb}"),
        &format!("{place}programs=H4"),
        "x#film=99&by=Bob",
    ];
    browser.open(&course("#class"), DESKTOP, &[], "");
    browser.run(&format!("byId('class-links').value = {}", Value::from(links.join("\n"))));
    browser.run("showClass()");
    let texts = |part: &str| {
        format!("[...document.querySelectorAll('{part}')].map((one) => one.textContent)")
    };
    let [cards, said] = [".handed-in", "#class-said li"].map(|part| browser.run(&texts(part)));
    let cards: Vec<String> = serde_json::from_value(cards).expect("cards");
    let said: Vec<String> = serde_json::from_value(said).expect("lines");
    assert_eq!(cards.len(), 1, "{cards:?}");
    for part in [
        "Ada <b>Question",
        "−     result = old + omega",
        "+     result = old + 1.0",
        "14 instructions",
    ] {
        assert!(cards[0].contains(part), "{part}: {cards:?}");
    }
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].contains("Line 2") && said[0].contains("damaged"), "{said:?}");
    assert!(said[1].contains("Line 3") && said[1].contains("damaged"), "{said:?}");
    assert!(said[2].starts_with("Line 4 (Bob): this link is not one of a lesson"), "{said:?}");
    browser.open(&course("#film=1&pass=2"), DESKTOP, &[], "");
    browser.run("globalThis.lose = page.views[0].replay.gl.getExtension('WEBGL_lose_context'); lose.loseContext()");
    browser.run("new Promise((done) => { setTimeout(done, 100); })");
    browser.run("goTo(page.step)");
    browser.run("lose.restoreContext()");
    browser.until(
        "page.views[0].replay && document.querySelector('.badge').textContent === 'as recorded'",
    );
    assert_eq!(browser.run("document.querySelectorAll('.lost').length"), 0);
    assert_eq!(browser.uncaught, [""; 0]);
}

/// A lesson's answers, without their markup: of the question, and of the exercise.
fn answer(course: &Course, lesson: usize) -> [String; 2] {
    let lesson = &course.lessons[lesson - 1];
    let exercise = lesson.exercise.as_ref().and_then(|one| one.answer.as_ref());
    [lesson.answer.as_ref(), exercise].map(|answer| {
        let parts = answer.expect("an answer").split('<');
        let words = parts.map(|part| part.rsplit_once('>').map_or(part, |(_, words)| words));
        words.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

/// Checks that a text has a number, and not as a part of another one.
fn has(text: &str, number: &str) -> bool {
    let goes_on = |next: Option<char>| next.is_some_and(|one| one.is_alphanumeric() || one == '−');
    text.match_indices(number).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + number.len()..]);
        !goes_on(before.chars().next_back()) && !goes_on(after.chars().next())
    })
}

#[test]
fn each_lesson_s_answer_has_the_numbers_that_its_page_prints() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    let (table, answers) = (text("tests/film/answers.tsv"), Course::of_2003());
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    browser.open(&course(""), DESKTOP, &[], "");
    for lesson in 1..=LESSONS {
        let number = lesson.to_string();
        if is_run(lesson - 1) {
            browser.run(&format!("openLesson({})", lesson - 1));
        }
        let mut state = "question";
        let rows: Vec<_> = rows.iter().filter(|row| row[0] == number).collect();
        let is_said = |parts: &[&str]| rows.iter().any(|row| parts.contains(&row[1]));
        assert!(is_said(&["question"]) && is_said(&["exercise", "end"]), "lesson {lesson}");
        for row in rows {
            let [_, part, place, element, number] = row[..] else { panic!("{row:?}") };
            let [question, exercise] = answer(&answers, lesson);
            let said = if part == "question" { question } else { exercise };
            assert!(has(&said, number), "{row:?}: not in this answer");
            if !is_run(lesson - 1) {
                continue;
            }
            if part != state && part != "recorded" {
                browser.run("document.querySelector('.try').click()");
                browser.until("document.querySelector('.verdict').textContent");
            }
            if part != state && part == "end" {
                browser.run("runOn()");
            }
            state = part;
            let places: BTreeMap<_, _> =
                place.split('&').filter_map(|one| one.split_once('=')).collect();
            match places.get("pass") {
                Some(pass) => browser.run(&format!("goTo(stepOf([{pass}]))")),
                None => browser.run("goTo(page.steps.length - 1)"),
            };
            if let Some(at) = places.get("at") {
                browser.run(&format!("page.views[0].select({at}), page.views[0].open('Texel')"));
                browser.until("page.views[0].cached");
            }
            let shown = match element.split_once(", ") {
                Some((name, column)) => format!(
                    "[...document.querySelectorAll('.ledger tr')].find((row) => row.children[0].textContent.startsWith('{name}')).children[{column}].textContent"
                ),
                None if element == "texel" => "page.views[0].panels.get('Texel').innerText".into(),
                None => format!("document.querySelector('.{element}').textContent"),
            };
            let shown = browser.run(&shown);
            let shown = shown.as_str().expect("a text").replace(['\u{2009}', '\t'], " ");
            assert!(has(&shown, number), "{row:?}: the page shows {shown}");
        }
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn the_player_speaks_the_language_of_its_course() {
    let file = "title = 'Eigenes'\n[words]\n'Play' = 'Abspielen'\n'Program' = 'Programm'\n\
                'pass {} of {}' = 'Durchgang {} von {}'\n'instructions' = '</script>'\n\
                [[lessons]]\nscene = 'kernel'\ntitle = 'Kern'\ntext = '<p>Play</p>'\n";
    let film = find("kernel").expect("a scene").film(&machine()).expect("a film");
    let lessons = Course::parse(file).expect("a course").html([&film.trace]).expect("lessons");
    let page = page("Eigenes", &[film], &lessons, PAGE_BYTES).expect("a page");
    let seen = "goTo(2);
        await until('words', () => byId('position').getAttribute('aria-valuetext').startsWith('pass'));
        return [byId('play').textContent, document.querySelector('[data-name=Program]').textContent,
            document.querySelector('.lesson p').textContent, document.querySelectorAll('#words').length];";
    let Some(found) = found(&page, seen) else { return };
    assert_eq!(found, json!(["Abspielen", "Programm", "Play", 1]));
}
