//! Chromium without a window, its WebGL computed by SwiftShader.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fragstream::film::Film;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::live::devtools::{Browser, DESKTOP, PATIENCE, SWIFTSHADER};

/// What it is called by those who package it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Without a window at the start and with pages composed by the processor, a browser takes half of the work until its first
/// page is ready.
pub const OPTIONS: [&str; 16] = [
    "--headless",
    "--no-startup-window",
    "--disable-gpu-compositing",
    "--no-sandbox",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--window-size=1280,800",
    "--enable-logging=stderr",
];

/// A script that runs before everything else, as if there were no WebGL 2.
pub const WITHOUT_WEBGL: &str =
    "HTMLCanvasElement.prototype.getContext = ((original) => function (kind, options) {
        return kind === 'webgl2' ? null : original.call(this, kind, options);
    })(HTMLCanvasElement.prototype.getContext);";

pub static CHROMIUM: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        eprintln!("no Chromium: what a browser makes of films is not checked (install `chromium`)");
        assert!(std::env::var_os("FRAGSTREAM_NO_SKIPS").is_none());
    }
    found
});

/// Functions for the scripts of tests: they press keys, and wait for a condition, not for a time, which they name when
/// they fail.
const WAITING: &str = "const tap = (key, more = {}, target = document.body) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
    const pauseFor = (time) => new Promise((done) => { setTimeout(done, time); });
    const until = async (what, holds) => {
      for (let tries = 0; !holds(); tries += 1) {
        const text = document.body.innerText.replaceAll(/\\s+/g, ' ').slice(0, 500);
        if (tries % 100 === 0) window.parent.postMessage({ waits: what, says: text }, '*');
        await pauseFor(20);
      }
      return true;
    };";

/// The page with a policy that allows these scripts too. Its own scripts still need their hashes.
pub fn allowing(page: &str, scripts: &[&str]) -> String {
    let hash = |script: &&str| STANDARD.encode(Sha256::digest(script));
    let hashes: String =
        scripts.iter().map(|script| format!("'sha256-{}' ", hash(script))).collect();
    let allowed = page.replacen("script-src ", &format!("script-src {hashes}"), 1);
    assert_ne!(allowed, page);
    allowed
}

/// A page with a script before everything else, and a driver at its end.
pub fn driven(page: &str, before: &str, driver: &str) -> String {
    allowing(page, &[before, &format!("{WAITING}{driver}")])
        .replace("<body>", &format!("<body><script>{before}</script>"))
        .replace("</body>", &format!("<script>{WAITING}{driver}</script></body>"))
}

/// Runs a script once the page is ready. Returns its value, or `None` without a browser.
pub fn found(page: &str, script: &str) -> Option<Value> {
    let ready = "await until('the page', () => document.body.dataset.ready === 'yes');";
    let post = "then((found) => window.parent.postMessage(found, '*'))";
    let page = driven(page, "", &format!("(async () => {{ {ready}{script} }})().{post};"));
    answers(&[&page]).map(|mut found| found.remove(0))
}

/// Opens pages, one after the other in one browser, and waits for what each posts to the page around it, which here is
/// itself; nothing where there is no browser.
pub fn answers(pages: &[&str]) -> Option<Vec<Value>> {
    let mut browser = Browser::start(SWIFTSHADER)?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    let mut answer = |page: &&str| {
        fs::write(&file, page).expect("a file");
        browser.navigate(&format!("file://{}", file.display()), DESKTOP, &[], POSTED);
        let start = Instant::now();
        loop {
            let said = browser.run("globalThis.posted ?? null");
            if !said.is_null() && said.get("waits").is_none() {
                assert_eq!(said["error"], Value::Null, "{said}");
                return said;
            }
            let uncaught = &browser.uncaught;
            assert!(
                start.elapsed() < PATIENCE,
                "no answer in {PATIENCE:?}: {said:#?}, {uncaught:#?}"
            );
            sleep(Duration::from_millis(20));
        }
    };
    Some(pages.iter().map(&mut answer).collect())
}

/// Keeps what a page posts.
const POSTED: &str = "addEventListener('message', ({ data }) => { globalThis.posted = data; });";

/// A text of the player or of its tests.
pub fn text(path: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    fs::read_to_string(format!("{root}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The player's page with these elements, and a script instead of its start.
pub fn instead_of_start(elements: &str, script: &str) -> String {
    let player = fragstream::film::page("Films", &[], "", fragstream::film::PAGE_BYTES);
    let page = player
        .expect("a page")
        .replace("<div id=\"articles\" hidden></div>", elements)
        .replace("\nstart();\n", &format!("\n{script}\n"));
    let (_, script) = page.rsplit_once("<script>").expect("the player");
    let (script, _) = script.split_once("</script>").expect("its end");
    allowing(&page, &[script])
}

/// A film with these floats.
pub fn film_elements(name: &str, film: &Film) -> String {
    let trace = serde_json::to_vec(&film.trace).expect("JSON");
    let floats = film.floats().expect("floats");
    element(&format!("film-{name}"), "film", &trace)
        + &element(&format!("floats-{name}"), "", &bytes(&floats))
}

pub fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|float| float.to_le_bytes()).collect()
}

/// An element that holds these bytes.
pub fn element(id: &str, class: &str, bytes: &[u8]) -> String {
    let letters = STANDARD.encode(bytes);
    format!("<script type=\"text/plain\" id=\"{id}\" class=\"{class}\">{letters}</script>\n")
}
