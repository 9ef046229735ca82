//! A scene of your own, in a registry of your own: Jacobi's method on a plate with cold sides, which you heat with the
//! mouse.
//!
//! `cargo run --example plate` heats it once and draws plate.png; with `window` after it, a window opens.

use std::error::Error;
use std::rc::Rc;

use fragstream::base::error::BoxedError;
use fragstream::card::dialect::user_source;
use fragstream::picture::Canvas;
use fragstream::scene::{
    self, Done, Drawn, Entry, Filmed, Interactive, Preset, Push, Scene, Setting, Tool, Typed,
};
use fragstream::stream::{Format, Kernel, Limits, Machine, Pair, Rect, Size, Stream};
use fragstream::view::{self, Options};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The registry: one line per scene.
static SCENES: &[&Entry] = &[&PLATE];

static PLATE: Entry = Entry {
    name: "plate",
    alias: None,
    paper: "",
    section: "",
    about: "Heat a plate with cold sides",
    details: "A step is a sweep of Jacobi's method.",
    views: &["temperature"],
    every: 4,
    outputs: &[],
    interactive: Interactive {
        preset: "",
        motion: "",
        second: "cool",
        unit: "time step",
        counted: "sweeps",
        detail: 1.0,
        coarser: 1,
        exercise: None,
    },
    film: Filmed { preset: "", title: "A plate", start: "", step: "", reads: true, side: None },
    settings: Typed::of::<Settings>(),
};

const SWEEP: &str = "
    uniform stream u;
    void main() {
        float across = fetch(u, here - vec2(1.0, 0.0)).x + fetch(u, here + vec2(1.0, 0.0)).x;
        float along = fetch(u, here - vec2(0.0, 1.0)).x + fetch(u, here + vec2(0.0, 1.0)).x;
        result = vec4(0.25 * (across + along));
    }";

const HEAT: &str = "
    uniform stream u;
    uniform vec2 place;
    uniform float radius;
    uniform float amount;
    void main() {
        vec2 off = (here - place) / radius;
        result = fetch(u, here) + vec4(amount * exp(-dot(off, off)));
    }";

const PICTURE: &str = "
    uniform stream u;
    uniform float spacing;
    void main() {
        float heat = fetch(u, floor(spacing * here) + vec2(0.5)).x;
        result = vec4(heat, 0.3 * heat * heat, max(0.0 - heat, 0.02), 1.0);
    }";

/// Settings of a plate.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Settings {
    /// Number of nodes per side
    #[schemars(range(min = 3))]
    size: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { size: 128 }
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        Ok(Setting::side((self.size, self.size), 3)?)
    }

    fn texels(&self) -> usize {
        self.size as usize * self.size as usize / 2
    }

    fn resize(&mut self, side: u32) {
        self.size = side;
    }

    fn start(&self, machine: &Machine, _: Drawn) -> Result<Box<dyn Scene>, BoxedError> {
        let size = (self.size, self.size);
        let kernel = |name, text| machine.kernel(&user_source(name, text, Limits::NV30)?, &[]);
        Ok(Box::new(Plate {
            u: Pair::zeros(machine, "temperature", size, Format::R32F)?,
            inside: Rect::at([1, 1], (self.size - 2, self.size - 2)),
            sweep: kernel("sweep", SWEEP)?,
            heat: kernel("heat", HEAT)?,
            picture: kernel("picture", PICTURE)?,
        }))
    }

    fn presets() -> Vec<Preset<Self>> {
        vec![Preset::new("usual", "128x128 nodes", 200, Self::default())]
    }
}

struct Plate {
    u: Pair,
    /// All nodes except for those of the sides.
    inside: Rect,
    sweep: Rc<Kernel>,
    heat: Rc<Kernel>,
    picture: Rc<Kernel>,
}

impl Scene for Plate {
    fn step(&mut self, _measured: bool) -> Done {
        self.sweep.pass().read("u", self.u.front()).draw(self.u.back(), self.inside)?;
        self.u.swap();
        Ok(())
    }

    fn draw(&mut self, _view: usize, canvas: &Canvas) -> Done {
        let pass = self.picture.pass().read("u", self.u.front());
        Ok(canvas.draw(pass.set("spacing", canvas.spacing(self.size().0)))?)
    }

    fn size(&self) -> Size {
        self.u.front().size()
    }

    fn push(&mut self, push: &Push) -> Done {
        let amount: f32 = if push.tool == Tool::First { 1.0 } else { -1.0 };
        let pass = self.heat.pass().read("u", self.u.front()).set("place", push.to);
        pass.set("radius", push.radius.max(1.0))
            .set("amount", amount)
            .draw(self.u.back(), self.inside)?;
        self.u.swap();
        Ok(())
    }

    fn reset(&mut self) -> Done {
        self.u.front().fill([0.0; 4]);
        Ok(())
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        vec![("temperature".to_owned(), self.u.front())]
    }
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let entry = SCENES[0];
    let ready = entry.ready("")?;
    #[allow(clippy::disallowed_methods)]
    let mut words = std::env::args_os();
    if words.nth(1).is_some_and(|word| word == "window") {
        let options = Options {
            window: (600, 600),
            detail: None,
            rate: 60.0,
            steps: None,
            view: 0,
            screenshot: false,
            instead: "cargo run --example plate".to_owned(),
        };
        let start = |machine: &Machine| ready.settings.start(machine, Drawn::Any);
        return view::run(entry, options, start, |text| eprintln!("{text}"))
            .map(drop)
            .map_err(|error| error.to_string().into());
    }
    let machine = Machine::headless()?;
    let text = |error: BoxedError| error.to_string();
    let mut scene = ready.settings.start(&machine, Drawn::View(0)).map_err(text)?;
    let tool = Tool::First;
    let at = [40.0, 80.0];
    let push = Push { from: at, to: at, way: 0.0, radius: 12.0, tool, begins: true, stroke: 0 };
    scene.push(&push).map_err(text)?;
    for _ in 0..ready.steps {
        scene.step(false).map_err(text)?;
    }
    let canvas = Canvas::new(&machine, 256, 256)?;
    scene.draw(0, &canvas).map_err(text)?;
    canvas.image()?.save("plate.png")?;
    println!("wrote plate.png");
    Ok(())
}
