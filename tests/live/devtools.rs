//! Chromium by its own protocol, through two pipes: pages in windows of any size, fingers, reloads and pictures.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{self, Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{available_parallelism, panicking, sleep, spawn};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::common::nightly::all_pages;
use crate::film::browser::{CHROMIUM, OPTIONS};

/// The longest time that an answer or a condition may take: long for a busy machine, and the end of a browser that hangs.
pub const PATIENCE: Duration = Duration::from_secs(600);

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

/// The renderer of tests of how a page is used: Mesa, which keeps the programs that it has compiled; at night SwiftShader,
/// which compiles for two thirds of such a test.
pub fn usual() -> &'static [&'static str] {
    if all_pages() { SWIFTSHADER } else { MESA }
}

/// Browsers that no test uses at the moment, with their renderers. A start costs a second.
static IDLE: Mutex<Vec<(&[&str], Chromium)>> = Mutex::new(Vec::new());

/// Number of browsers in use.
static USED: Mutex<usize> = Mutex::new(0);
static RETURNED: Condvar = Condvar::new();

/// The right to use one browser of a limited number: each computes on all cores.
struct Turn;

impl Turn {
    /// Waits while too many are used. A test may use two.
    fn wait() -> Self {
        let most = available_parallelism().map_or(2, |cores| cores.get().max(2));
        let used = USED.lock().unwrap_or_else(PoisonError::into_inner);
        let used = RETURNED.wait_while(used, |used| *used >= most);
        *used.unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *USED.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        RETURNED.notify_one();
    }
}

/// A browser with one page at a time, as new: nothing of other tests is stored in it.
pub struct Browser {
    renderer: &'static [&'static str],
    chromium: Option<Chromium>,
    _turn: Turn,
}

impl Browser {
    /// Takes or starts a Chromium with a renderer, if there is a Chromium.
    pub fn start(renderer: &'static [&'static str]) -> Option<Self> {
        CHROMIUM.as_ref()?;
        let turn = Turn::wait();
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().position(|(of, _)| *of == renderer);
        let found = place.map(|place| idle.swap_remove(place).1);
        drop(idle);
        let chromium = Some(found.or_else(|| Chromium::start(renderer))?);
        Some(Self { renderer, chromium, _turn: turn })
    }
}

impl Deref for Browser {
    type Target = Chromium;

    fn deref(&self) -> &Chromium {
        self.chromium.as_ref().expect("a browser until its end")
    }
}

impl DerefMut for Browser {
    fn deref_mut(&mut self) -> &mut Chromium {
        self.chromium.as_mut().expect("a browser until its end")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // After a failure nobody knows its state.
        let chromium = self.chromium.take().filter(|_| !panicking());
        if let Some(mut chromium) = chromium {
            chromium.close();
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((self.renderer, chromium));
        }
    }
}

/// A process of Chromium. It ends with the test program, whose end of the pipe it reads.
pub struct Chromium {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    calls: u64,
    session: Option<String>,
    target: Option<String>,
    /// Separate storage of pages for each test.
    context: Option<String>,
    /// Errors that the scripts of pages did not catch.
    pub uncaught: Vec<String>,
}

/// A folder for a browser's files below the target folder. Those of test programs that have ended are removed.
fn profile() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chromium");
    for entry in fs::read_dir(&all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.split('-').next()).unwrap_or_default();
        if !Path::new("/proc").join(process).is_dir() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    all.join(format!("{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)))
}

impl Chromium {
    fn start(renderer: &[&str]) -> Option<Self> {
        let chromium = CHROMIUM.as_ref()?;
        // The browser reads descriptor 3 and writes descriptor 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null"])
            .arg(chromium)
            .args(OPTIONS.iter().filter(|option| !SWIFTSHADER.contains(option)))
            .args(renderer)
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a browser that starts");
        let to = child.stdin.take().expect("a pipe");
        let mut pipe = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, from) = channel();
        // Another thread waits, so that a browser that is silent is noticed.
        spawn(move || {
            let mut message = Vec::new();
            while pipe.read_until(0, &mut message).is_ok_and(|bytes| bytes > 0) {
                message.pop();
                let value = serde_json::from_slice(&message).expect("JSON");
                message.clear();
                if sender.send(value).is_err() {
                    break;
                }
            }
        });
        Some(Self {
            child,
            to,
            from,
            calls: 0,
            session: None,
            target: None,
            context: None,
            uncaught: Vec::new(),
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
            let answer = self.from.recv_timeout(PATIENCE);
            let answer = answer.unwrap_or_else(|why| panic!("{method} in {PATIENCE:?}: {why}"));
            if answer["method"] == "Runtime.exceptionThrown" {
                self.uncaught.push(answer["params"]["exceptionDetails"].to_string());
            }
            if answer["id"] == self.calls {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].clone();
            }
        }
    }

    /// Closes the page, and forgets what it has stored.
    fn close(&mut self) {
        if let Some(target) = self.target.take() {
            self.call("Target.closeTarget", json!({ "targetId": target }));
        }
        if let Some(context) = self.context.take() {
            self.call("Target.disposeBrowserContext", json!({ "browserContextId": context }));
        }
        (self.session, self.uncaught) = (None, Vec::new());
    }

    /// Opens an address in a new page, in place of the last one, and waits until the page says that it is ready. A script may
    /// run before the page's own.
    pub fn open(&mut self, address: &str, screen: Screen, features: &[[&str; 2]], before: &str) {
        self.navigate(address, screen, features, before);
        self.ready();
    }

    /// Opens an address in a new page, in place of the last one.
    pub fn navigate(
        &mut self,
        address: &str,
        screen: Screen,
        features: &[[&str; 2]],
        before: &str,
    ) {
        if let Some(target) = self.target.take() {
            self.call("Target.closeTarget", json!({ "targetId": target }));
        }
        if self.context.is_none() {
            let context = self.call("Target.createBrowserContext", json!({}));
            self.context = context["browserContextId"].as_str().map(str::to_owned);
        }
        let blank = json!({ "url": "about:blank", "browserContextId": self.context });
        let target = self.call("Target.createTarget", blank);
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
        fs::write(file, STANDARD.decode(letters).expect("base64")).expect("a file");
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
