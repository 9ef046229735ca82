//! Chromium by its own protocol, through two pipes: pages in windows of any size, fingers, reloads and pictures.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::film::browser::{CHROMIUM, OPTIONS};

/// The longest time that a condition may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Size of a window in CSS pixels, and whether it is a phone.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    pub phone: bool,
}

pub const DESKTOP: Screen = Screen { width: 1280, height: 800, phone: false };
pub const UPRIGHT: Screen = Screen { width: 390, height: 844, phone: true };
pub const SIDEWAYS: Screen = Screen { width: 844, height: 390, phone: true };

/// Renderers of WebGL, as options of the browser: SwiftShader, and Mesa's OpenGL.
pub const SWIFTSHADER: &[&str] = &["--disable-gpu", "--use-angle=swiftshader"];
pub const MESA: &[&str] = &["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"];

/// A browser with one page at a time.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    calls: u64,
    session: Option<String>,
    target: Option<String>,
    /// Errors that the scripts of pages did not catch.
    pub uncaught: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts Chromium with a renderer, if there is a Chromium.
    pub fn start(renderer: &[&str]) -> Option<Self> {
        let chromium = CHROMIUM.as_ref()?;
        let profile = tempfile::tempdir().expect("a folder");
        // The browser reads descriptor 3 and writes descriptor 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null"])
            .arg(chromium)
            .args(OPTIONS.iter().filter(|option| !SWIFTSHADER.contains(option)))
            .args(renderer)
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a browser that starts");
        let (to, from) =
            (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Some(Self {
            child,
            to,
            from: BufReader::new(from),
            calls: 0,
            session: None,
            target: None,
            uncaught: Vec::new(),
            _profile: profile,
        })
    }

    /// Calls a method of the protocol.
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = self.session.as_ref().filter(|_| !method.starts_with("Target.")) {
            message["sessionId"] = session.as_str().into();
        }
        let sent = self.to.write_all(format!("{message}\0").as_bytes());
        sent.and_then(|()| self.to.flush()).expect("a browser that listens");
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).expect("a browser that answers");
            answer.pop();
            let answer: Value = serde_json::from_slice(&answer).expect("JSON");
            if answer["method"] == "Runtime.exceptionThrown" {
                self.uncaught.push(answer["params"]["exceptionDetails"].to_string());
            }
            if answer["id"] == self.calls {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].clone();
            }
        }
    }

    /// Opens an address in a new page, in place of the last one. A script may run before the page's own.
    pub fn open(&mut self, address: &str, screen: Screen, features: &[[&str; 2]], before: &str) {
        if let Some(target) = self.target.take() {
            self.call("Target.closeTarget", json!({ "targetId": target }));
        }
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = target["targetId"].as_str().expect("a page").to_owned();
        let attached =
            self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        self.target = Some(target);
        let features: Vec<Value> =
            features.iter().map(|[name, value]| json!({ "name": name, "value": value })).collect();
        self.resize(screen);
        for (method, params) in [
            ("Runtime.enable", json!({})),
            ("Page.enable", json!({})),
            ("Emulation.setEmulatedMedia", json!({ "features": features })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": before })),
            ("Page.navigate", json!({ "url": address })),
        ] {
            self.call(method, params);
        }
        self.ready();
    }

    /// Gives the page another size.
    pub fn resize(&mut self, Screen { width, height, phone }: Screen) {
        let scale = if phone { 2 } else { 1 };
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone,
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let touch = json!({ "enabled": phone, "maxTouchPoints": if phone { 5 } else { 1 } });
        self.call("Emulation.setTouchEmulationEnabled", touch);
    }

    /// Loads the page again.
    pub fn reload(&mut self) {
        self.run("document.body.dataset.old = 'yes'");
        self.call("Page.reload", json!({}));
        self.until("document.body && document.body.dataset.old === undefined");
        self.ready();
    }

    /// Waits until the page says that it is ready.
    fn ready(&mut self) {
        self.until("document.body && document.body.dataset.ready !== undefined");
    }

    /// The value of a script, which may be a promise.
    pub fn run(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        assert_eq!(result["exceptionDetails"], Value::Null, "{script}");
        result["result"]["value"].clone()
    }

    /// Waits until a script has a true value.
    pub fn until(&mut self, script: &str) {
        let start = Instant::now();
        while self.run(&format!("Boolean({script})")) != true {
            assert!(start.elapsed() < PATIENCE, "not in {PATIENCE:?}: {script}");
            sleep(Duration::from_millis(30));
        }
    }

    /// Puts fingers on the page, moves them, or lifts them: their places, by their order.
    pub fn touch(&mut self, kind: &str, places: &[[f64; 2]]) {
        let points = places.iter().enumerate();
        let points: Vec<Value> =
            points.map(|(id, [x, y])| json!({ "x": x, "y": y, "id": id })).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        let text = if key.len() == 1 { key } else { "" };
        let down = json!({ "type": "keyDown", "key": key, "text": text });
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Writes what the window shows as PNG.
    pub fn picture(&mut self, file: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let letters = picture["data"].as_str().expect("a picture");
        std::fs::write(file, STANDARD.decode(letters).expect("base64")).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
