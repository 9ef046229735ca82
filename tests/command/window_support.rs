//! A display in main memory (Xvfb), a command with a window on it, and a hand: what is pressed and
//! moved goes through the X server (XTEST), what is seen is read from it.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeWindowAttributesAux,
    ClientMessageEvent, ConnectionExt as _, EventMask, ImageFormat, InputFocus, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Tries until there is something.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "no {what} in {PATIENCE:?}");
        sleep(Duration::from_millis(20));
    }
}

/// An X server without a screen.
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Nothing, and the reason printed, where there is no Xvfb and tests may be skipped.
    pub fn open() -> Option<Self> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1000x800x24"]);
        command.args(["-nolisten", "tcp", "-noreset"]);
        let server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut server) = server else {
            println!("skipped: there is no Xvfb (Debian: apt-get install xvfb)");
            assert!(std::env::var_os("FRAGSTREAM_NO_SKIPS").is_none());
            return None;
        };
        // The server writes its number and a line break once it is ready.
        let mut number = String::new();
        let mut byte = [0];
        let mut out = server.stdout.take().expect("a pipe");
        while out.read_exact(&mut byte).is_ok() && byte[0] != b'\n' {
            number.push(byte[0] as char);
        }
        let name = format!(":{number}");
        Some(Self { server, name })
    }

    /// The command with these arguments, when its window is there.
    pub fn run(&self, folder: &Path, arguments: &str) -> Run {
        let mut command = Command::new(cargo_bin!("fragstream"));
        let command = command
            .current_dir(folder)
            .args(arguments.split_whitespace())
            .env("DISPLAY", &self.name)
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let process = command.spawn().expect("the command");
        let (x, _) = RustConnection::connect(Some(&self.name)).expect("the display");
        let root = x.setup().roots[0].root;
        // Answers to pings go to the root window.
        let answers = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        x.change_window_attributes(root, &answers).expect("a request").check().expect("events");
        let mut run = Run { process: Some(process), x, root, window: root };
        run.window = wait_for("window", || {
            let tree = run.x.query_tree(root).ok()?.reply().ok()?;
            let mut windows = tree.children.into_iter();
            windows.find(|&window| run.title_of(window).contains("h: keys"))
        });
        // Without a window manager nobody gives it the keyboard.
        let focus = run.x.set_input_focus(InputFocus::POINTER_ROOT, run.window, 0u32);
        focus.expect("a request").check().expect("the focus");
        run
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A command with its window.
pub struct Run {
    process: Option<Child>,
    x: RustConnection,
    root: Window,
    window: Window,
}

impl Run {
    fn atom(&self, name: &str) -> u32 {
        let cookie = self.x.intern_atom(false, name.as_bytes());
        cookie.expect("a request").reply().expect("an atom").atom
    }

    fn title_of(&self, window: Window) -> String {
        let (name, any) = (self.atom("_NET_WM_NAME"), u32::from(AtomEnum::ANY));
        let cookie = self.x.get_property(false, window, name, any, 0, 1024);
        let property = cookie.expect("a request").reply();
        let bytes = property.map(|property| property.value).unwrap_or_default();
        String::from_utf8(bytes).expect("UTF-8")
    }

    /// Waits for a title that says this.
    pub fn wait_for_title(&self, part: &str) {
        wait_for(&format!("title with {part}"), || {
            self.title_of(self.window).contains(part).then_some(())
        });
    }

    /// What is seen of the window.
    pub fn picture(&self) -> Picture {
        let geometry = self.x.get_geometry(self.window).expect("a request");
        let geometry = geometry.reply().expect("the window");
        let (width, height) = (geometry.width, geometry.height);
        let cookie = self.x.get_image(ImageFormat::Z_PIXMAP, self.window, 0, 0, width, height, !0);
        let image = cookie.expect("a request").reply().expect("a picture");
        let pixels = image.data.chunks_exact(4).map(|p| [p[2], p[1], p[0]]);
        Picture { width: width.into(), height: height.into(), pixels: pixels.collect() }
    }

    /// Sends the window a message behind all that was pressed and moved.
    fn send(&self, protocol: &str) {
        let (protocols, protocol) = (self.atom("WM_PROTOCOLS"), self.atom(protocol));
        let data = [protocol, 0, self.window, 0, 0];
        let message = ClientMessageEvent::new(32, self.window, protocols, data);
        let cookie = self.x.send_event(false, self.window, EventMask::NO_EVENT, message);
        cookie.expect("a request").check().expect("a message");
    }

    /// Waits until the window has handled all that was pressed and moved, and has drawn after it.
    fn wait_until_served(&self) {
        // The answer to the first ping comes before the picture, that to the second one behind it.
        for _ in 0..2 {
            self.send("_NET_WM_PING");
            wait_for("answer to a ping", || {
                let event = self.x.poll_for_event().expect("the display");
                matches!(event?, Event::ClientMessage(_)).then_some(())
            });
        }
    }

    /// Waits until the picture stays as it is.
    pub fn settled(&self) -> Picture {
        self.wait_until_served();
        let mut last = self.picture();
        wait_for("picture at rest", || {
            sleep(Duration::from_millis(150));
            let now = self.picture();
            let same = now == last;
            last = now;
            same.then(|| self.picture())
        })
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        let cookie = self.x.xtest_fake_input(kind, detail, 0, self.root, x, y, 0);
        cookie.expect("a request").check().expect("an event");
    }

    /// Presses and releases the key that writes this.
    pub fn key(&self, symbol: u32) {
        let setup = self.x.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let cookie = self.x.get_keyboard_mapping(first, last - first + 1);
        let map = cookie.expect("a request").reply().expect("the keyboard");
        let mut keys = map.keysyms.chunks(map.keysyms_per_keycode.into());
        let number = keys.position(|symbols| symbols[0] == symbol);
        let code = first + number.expect("a key without shift") as u8;
        self.fake(KEY_PRESS_EVENT, code, 0, 0);
        self.fake(KEY_RELEASE_EVENT, code, 0, 0);
    }

    /// Moves the mouse there; the window lies in the upper left corner.
    pub fn move_to(&self, [x, y]: [f64; 2]) {
        self.fake(MOTION_NOTIFY_EVENT, 0, x.round() as i16, y.round() as i16);
    }

    /// Draws a line with a button, in small steps, as a hand does.
    pub fn drag(&self, button: u8, from: [f64; 2], to: [f64; 2]) {
        self.move_to(from);
        self.fake(BUTTON_PRESS_EVENT, button, 0, 0);
        for step in 1..=20 {
            let share = f64::from(step) / 20.0;
            self.move_to([0, 1].map(|k| from[k] + share * (to[k] - from[k])));
            sleep(Duration::from_millis(3));
        }
        self.fake(BUTTON_RELEASE_EVENT, button, 0, 0);
    }

    /// Asks the window to close, as a window manager does.
    pub fn ask_to_close(&self) {
        self.send("WM_DELETE_WINDOW");
    }

    /// Waits for the end: exit code, standard output, standard error.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        let mut process = self.process.take().expect("not ended yet");
        wait_for("end", || process.try_wait().expect("a child"));
        let Output { status, stdout, stderr } = process.wait_with_output().expect("its output");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (status.code(), text(stdout), text(stderr))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let title = self.title_of(self.window);
            let _ = process.kill();
            let said = process.wait_with_output().map(|output| output.stderr).unwrap_or_default();
            // A test has failed: this is what it was about.
            eprintln!("the window: {title}\n{}", String::from_utf8_lossy(&said));
        }
    }
}

/// Pixels, the upper row first: red, green, blue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }

    /// The largest difference of a channel, over the pixels that are chosen.
    pub fn difference(&self, other: &Self, chosen: impl Fn(usize, usize) -> bool) -> u8 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let places = (0..self.pixels.len()).filter(|k| chosen(k % self.width, k / self.width));
        let largest = places.flat_map(|k| {
            let channels = self.pixels[k].into_iter().zip(other.pixels[k]);
            channels.map(|(a, b)| a.abs_diff(b))
        });
        largest.max().expect("pixels to compare")
    }
}
