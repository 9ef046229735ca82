//! Chromium without a window, its WebGL computed by SwiftShader.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fragstream::film::Film;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What it is called by those who package it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub const OPTIONS: [&str; 14] = [
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

/// The longest time that pages may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

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

/// Opens pages, all of them in one browser, and waits for what each posts to the page around it; nothing where
/// there is no browser.
pub fn answers(pages: &[&str]) -> Option<Vec<Value>> {
    let chromium = CHROMIUM.as_ref()?;
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a port that may have no news");
    let port = listener.local_addr().expect("an address").port();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, text: &str| fs::write(path(name), text).expect("a file");
    let mut around = "<body>".to_owned();
    for (number, page) in pages.iter().enumerate() {
        write(&format!("{number}.html"), page);
        around += &format!(
            "<iframe src=\"{number}.html\" width=\"1280\" height=\"800\" style=\"position: fixed; top: 0; left: 0\"></iframe>"
        );
    }
    write("page.html", &format!("{around}<script>const port = {port}; {PASS_ON}</script>"));
    let log = fs::File::create(path("log")).expect("a file");
    let browser = Command::new(chromium)
        .args(OPTIONS)
        .arg(format!("--user-data-dir={}", path("profile").display()))
        .arg(format!("file://{}", path("page.html").display()))
        .stdout(Stdio::null())
        .stderr(log)
        .spawn();
    let mut browser = Browser(browser.expect("a browser that starts"));
    let (start, mut said) = (Instant::now(), vec![Value::Null; pages.len()]);
    while said.iter().any(|said| said.is_null() || said.get("waits").is_some()) {
        let Ok((stream, _)) = listener.accept() else {
            let has_ended = browser.0.try_wait().expect("a child").is_some();
            if has_ended || start.elapsed() > PATIENCE {
                let log = fs::read_to_string(path("log")).unwrap_or_default();
                let log: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
                panic!("no answer in {:?}: {said:#?}, {log:#?}", start.elapsed());
            }
            sleep(Duration::from_millis(20));
            continue;
        };
        let [number, message] = posted(stream).expect("what a page posts");
        let number = number.as_u64().and_then(|number| usize::try_from(number).ok());
        said[number.expect("the number of a page")] = message;
    }
    for answer in &said {
        assert_eq!(answer["error"], Value::Null, "{answer}");
    }
    Some(said)
}

/// Passes on what frames say, with their numbers, one after the other.
const PASS_ON: &str = "let last = Promise.resolve();
    addEventListener('message', ({ data, source }) => {
      const number = [...document.querySelectorAll('iframe')].findIndex((one) => one.contentWindow === source);
      const body = JSON.stringify([number, data]);
      last = last.then(() => fetch(`http://127.0.0.1:${port}`, { method: 'POST', mode: 'no-cors', body }));
    });";

/// The number of a page and what it says, from a request.
fn posted(stream: TcpStream) -> io::Result<[Value; 2]> {
    stream.set_nonblocking(false)?;
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        match line.trim().to_ascii_lowercase().split_once(": ") {
            Some(("content-length", digits)) => length = digits.parse().expect("a length"),
            Some(_) => {}
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    stream.get_mut().write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")?;
    Ok(serde_json::from_slice(&body)?)
}

/// A browser, which is closed at the end.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

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
