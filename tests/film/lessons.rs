//! The course as it lies in figures/: done on a phone by fingers alone, checked and run to the end by the library below the
//! player, kept, handed in; and the teacher's answers are on it.

use std::fs;

use fragstream::film::scenes::find;
use fragstream::film::{Course, PAGE_BYTES, page};
use serde_json::{Value, json};

use crate::common::machine;
use crate::film::browser::{found, text};
use crate::live::devtools::{Browser, DESKTOP, SIDEWAYS, UPRIGHT};

/// The course, opened at this place.
fn course(place: &str) -> String {
    format!("file://{}/figures/course/index.html{place}", env!("CARGO_MANIFEST_DIR"))
}

/// The number of lessons.
const LESSONS: usize = 12;

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
    let Some(mut browser) = Browser::start(&[]) else { return };
    for screen in [SIDEWAYS, UPRIGHT] {
        browser.open(&course("#film=6"), screen, &[], "");
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
    tap(&mut browser, &button("Run to the end"));
    browser.until("page.again.size === 1 && document.querySelector('.message').textContent.startsWith('Your run')");
    browser.until("location.hash.includes('programs=') && location.hash.includes('again=1')");
    browser.reload();
    browser.until("page.again.size === 1 && page.views[0].film !== page.views[0].recorded");
    browser.open(&course("#film=6"), UPRIGHT, &[], "");
    browser.until("page.views[0].replay.edits.size === 1");
    tap(&mut browser, "document.querySelector('.try')");
    tap(&mut browser, &button("Reset"));
    browser.until("page.views[0].replay.edits.size === 0 && localStorage.length === 0");
    browser.open(&course("#film=6"), UPRIGHT, &[], "");
    assert_eq!(browser.run("page.views[0].replay.edits.size"), 0);
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn the_library_checks_what_is_typed_and_runs_every_exercise_to_the_end() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    browser.open(&course(""), DESKTOP, &[], "");
    assert_eq!(browser.run("page.lessons.length"), LESSONS);
    for lesson in 0..LESSONS {
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
    let Some(mut browser) = Browser::start(&[]) else { return };
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
    let cards =
        browser.run("[...document.querySelectorAll('.handed-in')].map((one) => one.textContent)");
    let cards: Vec<String> = serde_json::from_value(cards).expect("cards");
    for part in [
        "Ada <b>Jacobi",
        "−     result = old + omega",
        "+     result = old + 1.0",
        "14 instructions",
    ] {
        assert!(cards[0].contains(part), "{part}: {cards:?}");
    }
    assert!(cards[1].contains("damaged") && cards[2].contains("damaged"), "{cards:?}");
    assert!(cards[3].contains("Bob") && cards[3].contains("not one of a lesson"), "{cards:?}");
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

#[test]
fn the_teacher_s_numbers_are_on_the_page() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let table = text("tests/film/answers.tsv");
    let teacher =
        fs::read_to_string(format!("{}/figures/course/teacher.md", env!("CARGO_MANIFEST_DIR")));
    let teacher = teacher.expect("teacher.md").replace('\n', " ");
    let mut place = "";
    for row in table.lines().skip(1) {
        let [at, element, number] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        if at != place {
            browser.open(&course(at), DESKTOP, &[], "");
            place = at;
        }
        let shown = match element.split_once(", ") {
            Some((name, column)) => format!(
                "[...document.querySelectorAll('.ledger tr')].find((row) => row.children[0].textContent.startsWith('{name}')).children[{column}].textContent"
            ),
            None => format!("document.querySelector('.{element}').textContent"),
        };
        let shown = browser.run(&shown);
        let shown = shown.as_str().expect("a text").replace('\u{2009}', " ");
        assert!(shown.contains(number), "{row}: the page shows {shown}");
        assert!(teacher.contains(number), "{row}: not in teacher.md");
    }
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
