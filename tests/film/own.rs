//! A course of one's own: made by the commands of its guide alone, and in another language.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use fragstream::film::{Course, scenes};
use serde_json::{Value, json};

use crate::common::machine;
use crate::film::browser::text;
use crate::live::devtools::{Browser, DESKTOP, SWIFTSHADER};

/// The section of the guide, as text and blocks alternately.
fn guide() -> Vec<String> {
    let page = text("figures/course/README.md");
    let (_, rest) = page.split_once("\n## A course of your own\n").expect("the section");
    let (section, _) = rest.split_once("\n## ").expect("another section");
    section.split("```").map(str::to_owned).collect()
}

#[test]
fn the_guide_s_files_and_commands_make_a_course_whose_exercises_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut commands = 0;
    for pair in guide().chunks_exact(2) {
        let (language, body) = pair[1].split_once('\n').expect("a block");
        if language != "bash" {
            // The file is named before its block.
            let name = pair[0].rsplit('`').nth(1).expect("a name");
            fs::write(folder.path().join(name), body).expect("a file");
            continue;
        }
        for line in body.lines() {
            let mut command = Command::new(env!("CARGO_BIN_EXE_fragstream"));
            command.args(line.split_whitespace().skip(1)).current_dir(folder.path());
            let output = command.output().expect("a command");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.starts_with("wrote "), "{line}: {said}");
            commands += 1;
        }
        break;
    }
    assert_eq!(commands, 3);
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    let page = format!("file://{}", folder.path().join("course.html").display());
    browser.open(&page, DESKTOP, &[], "");
    assert_eq!(browser.run("page.lessons.length"), 3);
    for (lesson, said) in
        ["stays as recorded", "this is its run to the end", ""].into_iter().enumerate()
    {
        browser.run(&format!("openLesson({lesson})"));
        browser.run("document.querySelector('.try').click()");
        browser.until("library.isReady && document.querySelector('.verdict').textContent");
        let seen = browser.run(
            "['verdict', 'message'].map((name) => document.querySelector(`.${name}`))
                .map((one) => `${one.className}: ${one.textContent}`)
                .concat(String(page.views[0].program.runOnButton.hidden))",
        );
        let [verdict, message, hidden]: [String; 3] = serde_json::from_value(seen).expect("texts");
        assert!(verdict.starts_with("verdict: "), "{verdict}");
        assert!(message.contains("runs from pass") && message.contains(said), "{message}");
        assert_eq!(hidden, (lesson < 2).to_string());
        let off = browser.run(
            "page.views[0].film.passes.filter((index) => {
                const { replay, film } = page.views[0];
                replay.goTo(index + 1);
                return !replay.isAsRecorded(film.events[index]);
            }).length",
        );
        assert!(off.as_u64() > Some(0), "lesson {}: the exercise changes nothing", lesson + 1);
    }
    browser.run("runOn()");
    let message = browser.run("document.querySelector('.message').textContent");
    assert!(message.as_str().is_some_and(|said| said.starts_with("Your run, in which")));
    assert_eq!(browser.uncaught, [""; 0]);
}

/// The player's words, and these in their place.
fn words(own: impl Fn(&str) -> String) -> BTreeMap<String, String> {
    let file: toml::Table = text("figures/course/words.toml").parse().expect("TOML");
    let words = file["words"].as_table().expect("a table");
    words.keys().map(|english| (english.clone(), own(english))).collect()
}

#[test]
fn the_table_of_words_has_all_that_the_player_says() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let marked = |english: &str| format!("¤{}", english.replace("{}", "{}¤"));
    let words = json!(words(marked)).to_string().replace('<', "\\u003c");
    let element = format!(
        "<script type=\"application/json\" id=\"words\">{words}</script><div id=\"articles\""
    );
    let page = text("figures/course/index.html").replacen("<div id=\"articles\"", &element, 1);
    let path = folder.path().join("course.html");
    fs::write(&path, page).expect("a file");
    browser.open(&format!("file://{}", path.display()), DESKTOP, &[], "");
    let english = browser.run(&text("tests/film/words.js"));
    assert_eq!(english, Value::Array(vec![]), "not in figures/course/words.toml");
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn each_word_of_the_table_is_said_somewhere() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src/film");
    let scripts = fs::read_dir(format!("{root}/player")).expect("a folder");
    let scripts = scripts.map(|entry| entry.expect("a file").path());
    let files = scripts.chain([format!("{root}/course.rs").into()]);
    let said: Vec<String> = files.map(|file| fs::read_to_string(file).expect("a text")).collect();
    let said = said.join("\n").split_whitespace().collect::<Vec<_>>().join(" ");
    // A sentence that goes on in another line.
    let said =
        ["' + '", "` + '", "' + `", "` + `"].iter().fold(said, |all, at| all.replace(at, ""));
    for english in words(str::to_owned).keys() {
        for part in english.split("{}").flat_map(|part| part.split(&['.', ':', ',', '(', ')'])) {
            assert!(said.contains(part.trim()), "{english}: no '{part}'");
        }
    }
}

#[test]
fn a_lesson_s_own_words_are_in_the_language_of_its_course() {
    let film = scenes::find("kernel").expect("a scene").film(&machine()).expect("a film").trace;
    let translated = "'Exercise.' = 'Übung.'\n'In the program {}, replace {} with {}.' = 'Ersetze {2} <'\n\
                      '{} and {} run it.' = 'Ihn führen {} und {} aus.'\n'Passes {}' = 'die Durchgänge {}'\n'Question.' = ''\n";
    let lesson = "[[lessons]]\nscene = 'kernel'\ntitle = 'Kern'\ntext = '<p>Play</p>'\nquestion = 'Was?'\n[lessons.exercise]\n\
                  program = 'stream/vector_op COMBINE(a, b)=((a) + (b))'\nreplace = 'alpha * fetch(x, here)'\nwith = 'alpha'\ntext = ''\n";
    let file = format!("title = 'Eigenes'\n[words]\n{translated}{lesson}");
    let html = Course::parse(&file).expect("a course").html([&film]).expect("lessons");
    for part in [
        "<strong>Übung.</strong> Ersetze {2} &lt; <button",
        "Ihn führen <a href=\"#film=1&amp;pass=2\">die Durchgänge 2</a> und <a href=\"#film=1&amp;pass=4\">4</a> aus.",
        "<strong>Question.</strong> Was?",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}
