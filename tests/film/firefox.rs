//! Firefox on a display in main memory, by WebDriver BiDi: JSON in the frames of a WebSocket. Without a display it draws no
//! WebGL 2.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::live::devtools::PATIENCE;

/// Settings of its profile: WebGL in software, and no questions.
const SETTINGS: &str = "user_pref(\"webgl.force-enabled\", true);
user_pref(\"browser.shell.checkDefaultBrowser\", false);
user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);
user_pref(\"app.update.enabled\", false);
";

/// A browser with one page, and its display.
pub struct Firefox {
    children: [Child; 2],
    socket: BufReader<TcpStream>,
    calls: u64,
    context: Value,
    _profile: TempDir,
}

impl Firefox {
    /// Starts a Firefox, if there is one.
    pub fn start() -> Option<Self> {
        let Some((display, number)) = display() else {
            eprintln!("no Xvfb: the pages are checked in Chromium only (install `xvfb`)");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        std::fs::write(profile.path().join("user.js"), SETTINGS).expect("a profile");
        let start = |name: &&str| {
            let mut command = Command::new(name);
            command.args(["--no-remote", "--remote-debugging-port", "0", "--profile"]);
            command.arg(profile.path()).env("HOME", profile.path());
            command.env("DISPLAY", format!(":{number}")).env_remove("WAYLAND_DISPLAY");
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()
        };
        let mut children = vec![display];
        children.extend(["firefox-esr", "firefox"].iter().find_map(start));
        let Ok(mut children) = <[Child; 2]>::try_from(children).map_err(|mut display| {
            let _ = display[0].kill();
            display[0].wait()
        }) else {
            eprintln!("no Firefox: the pages are checked in Chromium only (install `firefox-esr`)");
            return None;
        };
        let child = &mut children[1];
        let said = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut lines = said.lines().map_while(Result::ok);
        let listening = lines.find_map(|line| Some(line.split_once("ws://")?.1.trim().to_owned()));
        let address = listening.expect("a Firefox that listens");
        std::thread::spawn(move || lines.for_each(drop));
        let mut socket = TcpStream::connect(&address).expect("a port");
        let hello = format!(
            "GET /session HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        socket.write_all(hello.as_bytes()).expect("a port that reads");
        socket.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let mut socket = BufReader::new(socket);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            socket.read_line(&mut line).expect("an answer");
        }
        let mut firefox =
            Self { children, socket, calls: 0, context: Value::Null, _profile: profile };
        firefox.call("session.new", &json!({ "capabilities": {} }));
        let tree = firefox.call("browsingContext.getTree", &json!({}));
        firefox.context = tree["contexts"][0]["context"].clone();
        Some(firefox)
    }

    /// Calls a method of the protocol.
    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.calls += 1;
        let message = json!({ "id": self.calls, "method": method, "params": params }).to_string();
        // One frame of text; a client's is masked, and not by zeros.
        let mut frame = vec![0x81];
        match (u8::try_from(message.len()), u16::try_from(message.len())) {
            (Ok(length @ 0..126), _) => frame.push(0x80 | length),
            (_, Ok(length)) => frame.extend([0x80 | 126].into_iter().chain(length.to_be_bytes())),
            _ => frame.extend([0x80 | 127].into_iter().chain((message.len() as u64).to_be_bytes())),
        }
        frame.extend([1; 4]);
        frame.extend(message.bytes().map(|byte| byte ^ 1));
        self.socket.get_mut().write_all(&frame).expect("a browser that listens");
        loop {
            let answer = self.message();
            if answer["id"] == self.calls {
                assert_eq!(answer["type"], "success", "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The next message, of one frame or several.
    fn message(&mut self) -> Value {
        let mut text = Vec::new();
        loop {
            let mut bytes = |count: usize| {
                let mut read = vec![0; count];
                self.socket.read_exact(&mut read).expect("a frame");
                read
            };
            let head = bytes(2);
            let length = match head[1] & 127 {
                126 => bytes(2).iter().fold(0, |all, &byte| all << 8 | usize::from(byte)),
                127 => bytes(8).iter().fold(0, |all, &byte| all << 8 | usize::from(byte)),
                short => usize::from(short),
            };
            text.extend(bytes(length));
            if head[0] & 0x80 != 0 {
                return serde_json::from_slice(&text).expect("JSON");
            }
        }
    }

    /// Opens an address, and waits until the page says that it is ready.
    pub fn open(&mut self, address: &str) {
        // Only the part after `#` may differ from the last one.
        for url in ["about:blank", address] {
            let params = json!({ "context": self.context, "url": url, "wait": "complete" });
            self.call("browsingContext.navigate", &params);
        }
        self.until("document.body.dataset.ready !== undefined");
    }

    /// The value of a script, which may be a promise.
    pub fn run(&mut self, script: &str) -> Value {
        let script = script.trim().trim_end_matches(';');
        let params = json!({
            "expression": format!("Promise.resolve({script}\n).then((value) => JSON.stringify(value ?? null))"),
            "target": { "context": self.context }, "awaitPromise": true,
        });
        let answer = self.call("script.evaluate", &params);
        let text =
            answer["result"]["value"].as_str().unwrap_or_else(|| panic!("{script}: {answer}"));
        serde_json::from_str(text).expect("JSON")
    }

    /// Waits until a script has a true value.
    pub fn until(&mut self, script: &str) {
        let start = Instant::now();
        while self.run(&format!("Boolean({script})")) != true {
            assert!(start.elapsed() < PATIENCE, "not in {PATIENCE:?}: {script}");
            sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        for child in self.children.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// An X server without a screen, and its number, if there is one.
fn display() -> Option<(Child, String)> {
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]);
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut number = String::new();
    let mut said = BufReader::new(server.stdout.take().expect("a pipe"));
    said.read_line(&mut number).expect("a number");
    Some((server, number.trim().to_owned()))
}
