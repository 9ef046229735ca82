//! Answers, hints, and what a class hands in: on the course's page in Chromium, and in Firefox.

use std::collections::{BTreeMap, BTreeSet};

use fragstream::film::{Course, Exercise, Lesson};
use serde_json::{Value, json};

use crate::common::nightly::all_pages;
use crate::film::browser::text;
use crate::film::firefox::Firefox;
use crate::film::lessons::{LESSONS, is_run};
use crate::live::devtools::{Browser, DESKTOP, SWIFTSHADER};

/// A page in figures/course, opened at this place.
fn address(page: &str) -> String {
    format!("file://{}/figures/course/{page}", env!("CARGO_MANIFEST_DIR"))
}

/// The cells of a table as RFC 4180 has them.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut cells, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut signs = csv.chars().peekable();
    let mut is_quoted = false;
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => cell.extend(signs.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            '\r' if !is_quoted && signs.next_if_eq(&'\n').is_some() => {
                cells.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut cells));
            }
            _ => cell.push(sign),
        }
    }
    assert!(cells.is_empty() && cell.is_empty() && !is_quoted, "a table that ends with a line");
    rows
}

/// Checks what a browser made of the class in class.js.
fn is_the_sheet(found: &Value) {
    let texts = |name: &str| -> Vec<String> {
        serde_json::from_value(found[name].clone()).unwrap_or_else(|_| panic!("{name}: {found}"))
    };
    assert_eq!(found["count"], "28 links");
    let said = texts("said");
    let expected = [
        "Line 5 (Student 5): this link is damaged.",
        "Line 12: there is no link in “Sorry, the page was closed.”",
        "Line 21 (Student 9): made with version 0.1.0-abc of this lesson; this page has ",
    ];
    assert_eq!(said.len(), expected.len(), "{said:?}");
    assert!(said.iter().zip(expected).all(|(said, start)| said.starts_with(start)), "{said:?}");
    // By lesson, then by name.
    let lessons = [
        "1. A stream and a kernel",
        "3. A branch and its cost",
        "8. Jacobi, and what it cannot do",
    ];
    assert_eq!(texts("lessons"), lessons);
    let missing = [
        "Missing are 2 of 11: student 8, Zoë.",
        "Missing are 1 of 11: Zoë.",
        "Missing are 2 of 11: student 5, Zoë.",
    ];
    assert_eq!(texts("missing"), missing);
    let (names, cards) = (texts("names"), texts("cards"));
    assert_eq!((names.len(), cards.len(), found["bold"].as_u64()), (28, 28, Some(0)));
    for part in names.chunk_by(|a, b| a <= b) {
        assert!(part.len() == 9 || part.len() == 10, "{names:?}");
    }
    let jacobi = &cards[19..];
    for card in jacobi {
        assert!(card.contains("−     result = old + omega"), "{card}");
        assert!(card.contains("14 instructions"), "{card}");
    }
    // The names run against the answers.
    for right in [8, 7, 3, 2] {
        assert!(jacobi[right].contains("Numbers as on the page."), "{}", jacobi[right]);
    }
    let wrong = "On the page: 0.975, 0.659, 1.4e−4, 717.";
    assert!(jacobi[6].contains("Nothing falls.") && jacobi[6].contains(wrong), "{}", jacobi[6]);
    assert!(jacobi[4].contains("No answer."), "{}", jacobi[4]);
    let csv = found["csv"].as_str().expect("a table");
    let rows = rows(csv.strip_prefix('\u{feff}').expect("a mark for spreadsheets"));
    // A head, links, students who are missing, and lines that are no links.
    assert_eq!(rows.len(), 1 + 28 + 5 + 2);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{rows:?}");
    let column = |name: &str| rows[0].iter().position(|one| one == name).expect("a column");
    let (question, link, remark) = (column("question"), column("link"), column("remark"));
    let student = |name: &str, lesson: &str| {
        let is_his = |row: &&Vec<String>| row[1] == name && row[2] == lesson;
        rows.iter().find(is_his).unwrap_or_else(|| panic!("{name}, {lesson}: {rows:?}"))
    };
    assert_eq!(student("Student 6", "8")[question], "'=1+1");
    let signs = "'+ \"quoted\", and <b>bold</b>\nin two lines; Grüße 😀 & 100 % #film=2";
    assert_eq!(student("Student 5", "3")[question], signs);
    assert_eq!(student("Zoë", "1")[remark], "missing");
    assert!(student("Student 9", "3")[remark].contains("0.1.0-abc"));
    assert!(student("Student 9", "8")[link].contains("#film=8&"));
}

#[test]
fn a_class_of_thirty_is_a_sheet() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    browser.open(&address("index.html"), DESKTOP, &[], "");
    is_the_sheet(&browser.run(&text("tests/film/class.js")));
    assert_eq!(browser.uncaught, [""; 0]);
}

/// Types an answer, as a reader does.
const TYPED: &str =
    "(() => { const field = document.querySelector('.question textarea'); field.value = '2048 B';
    field.dispatchEvent(new Event('input', { bubbles: true })); })()";

#[test]
fn answers_are_kept_hints_come_one_by_one_and_a_link_has_both_or_says_what_it_has_not() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    browser.open(&address("index.html"), DESKTOP, &[], "");
    assert_eq!(browser.run("page.lessons.every((one) => answersOf(one).length === 2)"), true);
    browser.run(TYPED);
    browser.until("answers.packed.get(0)");
    browser.run("openHandIn()");
    let link = browser.run("byId('own-link').value");
    let (_, part) = link.as_str().and_then(|link| link.split_once('#')).expect("a link");
    assert_eq!(browser.run("byId('own-answers').textContent"), "The link contains one answer.");
    assert_eq!(browser.run("byId('own-file').hidden"), false);
    browser.run("byId('hand-in').close(); rememberPlace()");
    assert_eq!(browser.run("location.hash.includes('answers=')"), false, "the browser has them");
    browser.reload();
    let shown = "document.querySelector('.question textarea').value";
    assert_eq!(browser.run(shown), "2048 B");
    // As somebody else opens the link: seen, in the address, and not kept.
    browser.run("localStorage.clear()");
    browser.open(&address(&format!("index.html#{part}&utm_source=mail")), DESKTOP, &[], "");
    assert_eq!(browser.run(shown), "2048 B");
    browser.run("rememberPlace()");
    assert_eq!(
        browser.run("[location.hash.includes('answers='), localStorage.length]"),
        json!([true, 0])
    );
    let notice = browser.run("byId('notice').textContent");
    assert_eq!(notice, "This page has no “utm_source”: that part of the link is left out. ");
    for lesson in (0..LESSONS).filter(|&lesson| is_run(lesson)) {
        browser.run(&format!("openLesson({lesson})"));
        let hints = "[document.querySelectorAll('.lesson .hint:not([hidden])').length,
            document.querySelector('.lesson .ask').hidden]";
        for seen in [json!([0, false]), json!([1, false]), json!([2, true])] {
            assert_eq!(browser.run(hints), seen, "lesson {}", lesson + 1);
            browser.run("document.querySelector('.lesson .ask').click()");
        }
    }
    for (hash, part, said) in [
        ("film=99&pass=1", "byId('notice')", "This page has no film 99"),
        ("answers=H4sI", "byId('notice')", "The answers of this link are damaged."),
        ("key", "byId('answers')", "SUM"),
    ] {
        browser.open(&address(&format!("index.html#{hash}")), DESKTOP, &[], "");
        let seen = browser.run(&format!("{part}.checkVisibility() && {part}.textContent"));
        let said = if said == "SUM" { "The maximum is 7" } else { said };
        assert!(seen.as_str().is_some_and(|seen| seen.contains(said)), "{hash}: {seen}");
    }
    assert_eq!(browser.run("document.querySelectorAll('#answers .solution').length"), 24);
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    browser.open(&address("index.html"), DESKTOP, &[], "");
    // Lesson, part, what is written, and whether it has the numbers of the page.
    for (film, part, written, is_right) in [
        (0, "question", "12 bytes, 4 instructions: 3 bytes each", true),
        (0, "question", "12 and 4, so 2.9", false),
        (1, "question", "1 pass, 256, 2560 | 5 passes, 1216, 2432", true),
        (1, "question", "1 pass, 256, 2,560 | 5 passes, 1,216, 2,432", true),
        (1, "question", "1 Durchgang, 256, 2.560 | 5, 1.216, 2.432", true),
        (1, "question", "1 Durchgang 256 2 560; 5; 1 216; 2 432", true),
        (5, "question", "14, 2; 1.4 · 10^18; 96 %", true),
        (5, "question", "14, 2; 1,4*10^18; 96 %", true),
        (5, "question", "14, 2; 1.4e17; 96 %", false),
        (7, "question", "0.98, 0.66, 0.00014, 717", true),
        (7, "question", "1, 0.7, 1.4e-4, 717", false),
        (8, "exercise", "0.645", true),
        (8, "exercise", "6.45", false),
    ] {
        let said = browser.run(&format!("saidOfNumbers({film}, '{part}', '{written}')"));
        assert_eq!(said == "Numbers as on the page.", is_right, "{written}: {said}");
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn the_german_course_has_all_words_and_the_exercises_hints_and_numbers_of_the_english_one() {
    let words = |path: &str| -> toml::Table {
        let file: toml::Table = text(path).parse().expect("TOML");
        file["words"].as_table().expect("words").clone()
    };
    let (english, german) =
        (words("figures/course/words.toml"), words("figures/course/course.de.toml"));
    assert_eq!(english.keys().collect::<Vec<_>>(), german.keys().collect::<Vec<_>>());
    for (key, own) in &german {
        let own = own.as_str().expect("words");
        let parts = |words: &str| words.matches("{}").count();
        assert!(
            !own.is_empty() && (parts(own) == parts(key) || key.ends_with("outline.{}")),
            "{key}: {own}"
        );
    }
    let english = Course::of_2003();
    let german = Course::parse(&text("figures/course/course.de.toml")).expect("a course");
    assert_eq!(english.lessons.len(), german.lessons.len());
    let numbers = |answer: &Option<String>| -> Vec<String> {
        let parts = answer.as_ref().expect("an answer").split("<strong>").skip(1);
        parts.map(|part| part.split('<').next().unwrap_or_default().to_owned()).collect()
    };
    for (ours, theirs) in english.lessons.iter().zip(&german.lessons) {
        let of = |lesson: &Lesson| {
            let Exercise { program, replace, with, hints, answer, .. } =
                lesson.exercise.clone().expect("an exercise");
            let numbers = [numbers(&lesson.answer), numbers(&answer)];
            (lesson.scene.clone(), lesson.grid, [program, replace, with], hints.len(), numbers)
        };
        assert_eq!(of(ours), of(theirs), "{}", theirs.title);
        assert_eq!(of(ours).3, 2, "{}: hints", ours.title);
        assert!(ours.title != theirs.title && ours.text != theirs.text, "{}", theirs.title);
    }
}

/// The rows and columns of a table of special values in which nothing is promised, but for subnormal numbers.
#[test]
fn a_difference_is_explained_by_the_table_of_special_values() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    let readme = text("glsl/README.md");
    let mut expected: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [operation, nan, infinite, zero, _, largest, negative, _] = cells[..] else { continue };
        let name = match operation.trim_matches('`') {
            one if one.contains('?') => "?".to_owned(),
            "a / b" => "/".to_owned(),
            one => one.split('(').next().unwrap_or_default().to_owned(),
        };
        let columns = [
            ("NaN", nan),
            ("±∞", infinite),
            ("±0", zero),
            ("largest", largest),
            ("negative", negative),
        ];
        for (column, promised) in columns {
            if promised != "yes" {
                expected.entry(column).or_default().insert(name.clone());
            }
        }
    }
    browser.open(&address("index.html"), DESKTOP, &[], "");
    let listed = browser.run("UNPROMISED");
    let listed: BTreeMap<&str, BTreeSet<String>> = listed
        .as_object()
        .expect("columns")
        .iter()
        .map(|(column, names)| {
            (column.as_str(), serde_json::from_value(names.clone()).expect("names"))
        })
        .collect();
    assert_eq!(listed, expected);
    // What is said of two values: the words that name the kind, and the reason.
    let said = "(here, recorded, body) => {
        const floats = (word) => new Float32Array(new Uint32Array([word]).buffer);
        const [a, b] = [floats(here), floats(recorded)];
        const off = { difference: Number.isNaN(a[0]) && Number.isNaN(b[0]) ? 0 : differenceBetween(a[0], b[0]), x: 3, y: 4, channel: 0, here: a, recorded: b };
        return [statusText({ same: false, share: off.difference, off }, false)[0], ...reasonsOf(off, body)].join(' | '); }";
    for (here, recorded, body, parts) in [
        (
            "0x7fc00000",
            "0xffc00000",
            "",
            ["same except for the bits of NaN", "A driver chooses the bits of a NaN."],
        ),
        (
            "0x7fc00000",
            "0x3fc00000",
            "sqrt(x)",
            ["off: NaN here, not in the recording", "sqrt (negative)"],
        ),
        (
            "0x3fc00000",
            "0x7f800000",
            "1.0 / x",
            ["off: infinite in the recording, not here", "/ (largest)"],
        ),
        (
            "0x00000000",
            "0x000116c2",
            "",
            ["1e−40 (0x000116c2) in the recording", "subnormal number for zero"],
        ),
        ("0x80000000", "0x00000000", "", ["same except for the sign of zero", "never promised"]),
    ] {
        let found = browser.run(&format!("({said})({here}, {recorded}, '{body}')"));
        let found = found.as_str().expect("a text");
        assert!(found.contains("Column 3, row 4, channel x: "), "{found}");
        assert!(parts.iter().all(|part| found.contains(part)), "{found}");
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn the_class_and_the_pages_are_the_same_in_firefox() {
    let Some(mut firefox) = Firefox::start() else { return };
    firefox.open(&address("index.html"));
    for lesson in (0..LESSONS).filter(|&lesson| is_run(lesson)) {
        firefox.run(&format!("openLesson({lesson})"));
        let off = "page.views[0].film.passes.filter((index) => {
            const { replay, film } = page.views[0];
            replay.goTo(index + 1);
            return !statusText(replay.distance(film.events[index]), false)[1];
        }).length";
        assert_eq!(firefox.run(off), 0, "lesson {}", lesson + 1);
        firefox.run("document.querySelector('.try').click()");
        firefox.until("document.querySelector('.verdict').textContent");
        assert_eq!(firefox.run("document.querySelector('.verdict').className"), "verdict");
    }
    is_the_sheet(&firefox.run(&text("tests/film/class.js")));
    firefox.open(&address("live.html#scene=water&grid=64&utm_source=x"));
    // The first one, and at night all.
    let scenes = ["water", "dye", "jet", "wing", "liquid", "cycle"];
    for scene in &scenes[..if all_pages() { scenes.len() } else { 1 }] {
        firefox.run(&format!("choose('side', '64'), enter('{scene}'), play(true)"));
        firefox.until("page.steps > 3");
        assert_eq!(firefox.run("byId('notice').hidden"), true, "{scene}");
    }
    firefox.open(&address("pressure.html"));
}
