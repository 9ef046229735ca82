//! The gallery of the start page, figures/index.html: a picture of each lesson and of each scene, which opens its state.

use std::fmt::Write;

use fragstream::film::Course;
use fragstream::scenes::SCENES;

use super::devtools::{Browser, DESKTOP, SWIFTSHADER};
use crate::film::browser::text;

const START: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/figures/index.html");

/// Marks around what is written here.
const MARKS: [&str; 2] = ["<!-- gallery -->\n", "<!-- end of the gallery -->"];

/// The state of each lesson: a pass, and perhaps a texel.
const STATES: [&str; 12] = [
    "pass=2",
    "pass=2&at=7,9",
    "pass=2",
    "pass=2",
    "pass=3&at=0,4",
    "pass=8",
    "pass=7",
    "pass=28",
    "pass=6",
    "pass=133&at=9,9",
    "pass=30",
    "pass=62",
];

/// A small JPEG of a canvas, as the text of an address.
const SMALL: &str = "((canvas) => {
    const small = Object.assign(document.createElement('canvas'), { width: 256, height: 160 });
    const scale = Math.max(256 / canvas.width, 160 / canvas.height) * zoom;
    const [width, height] = [canvas.width * scale, canvas.height * scale];
    const context = small.getContext('2d');
    context.fillStyle = '#fbfaf7';
    context.fillRect(0, 0, 256, 160);
    context.drawImage(canvas, (256 - width) / 2, (160 - height) / 2, width, height);
    return small.toDataURL('image/jpeg', 0.7); })";

/// Page, part of its address after `#`, and title, of lessons and of scenes.
fn states() -> [Vec<[String; 3]>; 2] {
    let lessons =
        (1..).zip(STATES).zip(Course::of_2003().lessons).map(|((number, state), lesson)| {
            let title = format!("{number}. {}", lesson.title);
            ["index.html".into(), format!("film={number}&{state}"), title]
        });
    let scenes = SCENES.iter().map(|scene| {
        let (title, _) = scene.about.split_once(" (").unwrap_or((scene.about, ""));
        let title = title.split([',', ';']).next().unwrap_or_default();
        ["live.html".into(), format!("scene={}&grid=64", scene.name), title.to_owned()]
    });
    [lessons.collect(), scenes.collect()]
}

#[test]
fn the_start_page_has_a_picture_of_each_lesson_and_each_scene() {
    let page = text("figures/index.html");
    for [file, hash, title] in states().concat() {
        let link = format!("<a href=\"course/{file}#{}\">", hash.replace('&', "&amp;"));
        let (_, rest) = page.split_once(&link).unwrap_or_else(|| panic!("no {link}"));
        let (card, _) = rest.split_once("</a>").expect("an end");
        assert!(card.starts_with("<img src=\"data:image/jpeg;base64,"), "{title}");
        assert!(card.contains(&title), "{title}");
    }
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

/// Takes the pictures again.
#[test]
#[ignore = "pictures for people"]
fn gallery() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    let mut html = String::new();
    for (head, states) in ["Lessons", "Scenes"].into_iter().zip(states()) {
        _ = writeln!(html, "<h2>{head}</h2>\n<div class=\"gallery\">");
        for [file, hash, title] in states {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/figures/course");
            browser.open(&format!("file://{folder}/{file}#{hash}"), DESKTOP, &[], "");
            let canvas = if file == "live.html" {
                browser.until("page.steps > 24");
                browser.run("play(false), page.running.show()");
                "1.0; return small(page.canvas)"
            } else {
                browser.run("new Promise((done) => { setTimeout(done, 1500); })");
                "0.62; return small(document.querySelector('.picture'))"
            };
            let picture = browser
                .run(&format!("(() => {{ const small = {SMALL}; var zoom = {canvas}; }})()"));
            let picture = picture.as_str().expect("a picture");
            let hash = hash.replace('&', "&amp;");
            _ = writeln!(
                html,
                "<a href=\"course/{file}#{hash}\"><img src=\"{picture}\" alt=\"\" width=\"256\" height=\"160\">{title}</a>"
            );
        }
        html += "</div>\n";
    }
    let page = text("figures/index.html");
    let (before, rest) = page.split_once(MARKS[0]).expect("a mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("a mark");
    let page = [before, MARKS[0], &html, MARKS[1], after].concat();
    std::fs::write(START, page).expect("a page that can be written");
}
