//! The pictures of the course's pages, and a test that they are those of today.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::devtools::{Browser, DESKTOP, SIDEWAYS, SWIFTSHADER, Screen, UPRIGHT};
use super::pages::address;
use crate::film::browser::text;

/// A picture of a page in `figures/course`: its file, the page, the part of the address after `#`, and what is done there.
const PICTURES: [[&str; 4]; 4] = [
    ["vcycle.png", "index.html", "film=10&pass=136&at=9,9", ""],
    ["one-surface.png", "index.html", "film=11&pass=30", ""],
    [
        "projector.png",
        "index.html",
        "film=5&pass=2",
        "byId('projector').click();
         [...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent === 'Program').click()",
    ],
    [
        "pressure.png",
        "pressure.html",
        "",
        "byId('run').click(); byId('chart').scrollIntoView()",
    ],
];

/// For each picture the hash of its page without scripts, and of how the picture is taken.
const SHOWN: &str = "tests/live/pictures.tsv";

const COURSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/figures/course");

/// The lines of [`SHOWN`] for the pages of today.
fn shown_today() -> String {
    let line = |[picture, page, hash, act]: [&str; 4]| {
        let page = std::fs::read_to_string(format!("{COURSE}/{page}")).expect("a page");
        let mut digest = Sha256::new();
        for (number, part) in page.split("<script").enumerate() {
            let text = part.split_once("</script>").map_or("", |(_, text)| text);
            digest.update(if number == 0 { part } else { text });
        }
        digest.update(hash);
        digest.update(act);
        format!("{picture}\t{}\n", hex(&digest.finalize()[..8]))
    };
    PICTURES.map(line).concat()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_pictures_of_pages_are_those_of_today() {
    let again =
        "LP_NUM_THREADS=0 cargo test --test it live::shots::shots -- --ignored takes them again";
    assert_eq!(text(SHOWN), shown_today(), "{again}");
}

/// Takes the pictures of the pages. With `FRAGSTREAM_SHOTS`, writes what people see of the live page into that folder, too: on
/// all screens, light and dark.
#[test]
#[ignore = "pictures for people"]
fn shots() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    for [picture, page, hash, act] in PICTURES {
        browser.open(&format!("file://{COURSE}/{page}#{hash}"), DESKTOP, &[], "");
        // Scroll bars belong to the system.
        browser.run(
            "const plain = new CSSStyleSheet(); plain.replaceSync('* { scrollbar-width: none }');
             document.adoptedStyleSheets = [plain]",
        );
        browser.run(&format!("(() => {{ {act} }})()"));
        browser.run("new Promise((done) => { setTimeout(done, 3000); })");
        browser.picture(&PathBuf::from(format!("{COURSE}/{picture}")));
    }
    std::fs::write(SHOWN, shown_today()).expect("a file");
    let Some(folder) = std::env::var_os("FRAGSTREAM_SHOTS").map(PathBuf::from) else { return };
    let screens: [(&str, Screen); 3] =
        [("desktop", DESKTOP), ("upright", UPRIGHT), ("sideways", SIDEWAYS)];
    for (name, screen) in screens {
        for scheme in ["light", "dark"] {
            for hash in ["scene=water&grid=64", "scene=liquid&grid=32", "scene=jet&grid=64&embed"] {
                browser.open(&address(hash), screen, &[["prefers-color-scheme", scheme]], "");
                browser.until("page.steps > 30");
                let scene = &hash[6..9];
                browser.picture(&folder.join(format!("{name}-{scheme}-{scene}.png")));
                browser.run("byId('settings').scrollIntoView()");
                browser.picture(&folder.join(format!("{name}-{scheme}-{scene}-settings.png")));
            }
        }
    }
}
