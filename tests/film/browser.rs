//! Chromium without a window, its WebGL computed by SwiftShader.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// What it is called by those who package it.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

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

static CHROMIUM: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        eprintln!("no Chromium: what a browser makes of films is not checked (install `chromium`)");
    }
    found
});

/// Opens a page from a file and waits for what it leaves as `ANSWER:base64 of JSON:`; nothing where there is
/// no browser. `patience` is the time in milliseconds that the page may believe to pass, for one that waits.
pub fn answer(page: &str, patience: Option<u32>) -> Option<Value> {
    let chromium = CHROMIUM.as_ref()?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    fs::write(&file, page).expect("a file");
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
