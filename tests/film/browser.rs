//! Chromium without a window, its WebGL computed by SwiftShader.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// What it is called by those who package it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const OPTIONS: [&str; 14] = [
    "--headless",
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
    "--dump-dom",
];

/// A script that runs before everything else, as if there were no WebGL 2.
pub const WITHOUT_WEBGL: &str =
    "HTMLCanvasElement.prototype.getContext = ((original) => function (kind, options) {
        return kind === 'webgl2' ? null : original.call(this, kind, options);
    })(HTMLCanvasElement.prototype.getContext);";

static CHROMIUM: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
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

/// Opens a page from a file and waits for what it leaves as `ANSWER:base64 of JSON:`; nothing where there is
/// no browser.
pub fn answer(page: &str) -> Option<Value> {
    opened(&[("page.html", page)], None)
}

/// Opens pages, all of them in one browser, and waits for what each posts to the page around it.
/// `patience` is the time in milliseconds that they may believe to pass.
pub fn answers(pages: &[&str], patience: u32) -> Option<Vec<Value>> {
    let names: Vec<String> = (0..pages.len()).map(|page| format!("{page}.html")).collect();
    let frames = names
        .iter()
        .map(|name| format!("<iframe src=\"{name}\" width=\"1280\" height=\"800\" style=\"position: fixed; top: 0; left: 0\"></iframe>"));
    let frames: String = frames.collect();
    let around = format!("<body>{frames}<script>{COLLECT}</script>");
    let names = names.iter().map(String::as_str);
    let mut files: Vec<(&str, &str)> = vec![("page.html", &around)];
    files.extend(names.zip(pages.iter().copied()));
    let found = opened(&files, Some(patience))?;
    let all = found["all"].as_array().expect("answers");
    for answer in all {
        assert_eq!(answer["error"], Value::Null, "{answer}");
    }
    Some(all.clone())
}

/// Leaves the answers of all frames once they are there.
const COLLECT: &str = "const all = [...document.querySelectorAll('iframe')].map(() => null);
    addEventListener('message', ({ data, source }) => {
      all[[...document.querySelectorAll('iframe')].findIndex((one) => one.contentWindow === source)] = data;
      if (all.includes(null)) return;
      const bytes = new TextEncoder().encode(JSON.stringify({ all }));
      const letters = [...bytes].map((byte) => String.fromCharCode(byte)).join('');
      document.documentElement.textContent = `ANSWER:${btoa(letters)}:`;
    });";

/// Opens the first of these files, which has the others beside it.
fn opened(files: &[(&str, &str)], patience: Option<u32>) -> Option<Value> {
    let chromium = CHROMIUM.as_ref()?;
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let file = folder.path().join(files[0].0);
    let profile = folder.path().join("profile");
    let output = Command::new(chromium)
        .args(OPTIONS)
        .args(patience.map(|time| format!("--virtual-time-budget={time}")))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("a browser that starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let mut parts = said.split("ANSWER:").skip(1);
    let letters = parts.next().and_then(|rest| rest.split(':').next());
    let letters = letters.unwrap_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        panic!("the page gave no answer: {complaint}")
    });
    let json = STANDARD.decode(letters).expect("base64");
    let answer: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(answer["error"], Value::Null, "{answer}");
    Some(answer)
}

/// A text of the player or of its tests.
pub fn text(path: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    fs::read_to_string(format!("{root}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// An element that holds these bytes.
pub fn element(id: &str, class: &str, bytes: &[u8]) -> String {
    let letters = STANDARD.encode(bytes);
    format!("<script type=\"text/plain\" id=\"{id}\" class=\"{class}\">{letters}</script>\n")
}
