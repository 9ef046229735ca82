//! The solvers in a page that anyone can open (`figures/course/live.html`): the same Rust and the same programs,
//! compiled to WebAssembly, on WebGL 2.
//!
//! [`Live`] is a stage of [`crate::view`] whose programs can be edited while it runs. An edited program
//! replaces the original without a restart, so that a changed coefficient shows at once. The cost of a step on
//! the cards of 2003 is computed from the edited texts.
//!
//! | contents | file |
//! |---|---|
//! | a running scene, its ledger, programs and textures | here |
//! | checks of programs, and films of scenes with edited programs, for the player of films | `lesson.rs` |
//! | functions that only the page calls | `page.rs`, in a browser only |
//! | the page | `page/live.html`, `live.css`, `live.js` |
//! | ends of its sliders, and the formulas that their values enter, by scene and setting | `page/sliders.json` |
//! | its build: `cargo run --release --manifest-path src/live/pack/Cargo.toml --target-dir target` | `pack/` |

mod lesson;
#[cfg(target_family = "wasm")]
mod page;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use serde_json::{Value, json};
#[cfg(target_family = "wasm")]
use wasm_bindgen::prelude::wasm_bindgen;

use crate::card::cost::{Bill, bill};
use crate::experiment::{Experiment, parts_of_link};
use crate::film::{self, About, FilmError, Recorder};
use crate::scene::{BoxedError, Drawn, Effort, Entry, Ready, Tool};
use crate::scenes::{SCENES, linked};
use crate::settings::Flat;
use crate::stream::{Kernel, Ledger, Machine, ProgramText, Size, StandIn, Stream, StreamError};
use crate::view::keys::Action;
use crate::view::mouse::Mouse;
use crate::view::shelf::{Shelf, Tile};
use crate::view::stage::Stage;

pub use lesson::{check_program, film_edited};

/// Maximum size of the page of a film, in bytes: a step on the largest grid fits.
const FILM_BYTES: usize = 64_000_000;

/// Ends of the sliders, beyond which a number is typed (without them, a slider has the range of the setting), and the
/// formula that the number enters, with its symbol and value in the paper.
const SLIDERS: &str = include_str!("page/sliders.json");

/// Descriptions of the scenes, with the ends of their sliders (`slides`) and their formulas (`enters`).
pub fn described() -> serde_json::Result<Vec<Value>> {
    let sliders: Value = serde_json::from_str(SLIDERS)?;
    let scenes = SCENES.iter().map(|entry| {
        let mut scene = entry.described();
        for field in scene["fields"].as_array_mut().into_iter().flatten() {
            let slider = &sliders[entry.name][field["name"].as_str().unwrap_or_default()];
            for (name, part) in [("slides", "ends"), ("enters", "enters")] {
                if !slider[part].is_null() {
                    field["schema"][name] = slider[part].clone();
                }
            }
        }
        scene
    });
    Ok(scenes.collect())
}

/// Replacements of programs.
type Edits = Rc<RefCell<BTreeMap<Rc<ProgramText>, Rc<Kernel>>>>;

/// A running scene.
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub struct Live {
    machine: Machine,
    entry: &'static Entry,
    experiment: Experiment,
    /// The values of open settings as they are used.
    resolved: Flat,
    stage: Stage,
    edits: Edits,
    stand_in: StandIn,
    /// The original programs that have run, by name.
    programs: BTreeMap<String, Rc<ProgramText>>,
    /// Ledger of the last complete unit of work.
    unit: Ledger,
    /// Pictures of its textures, once they have been shown.
    shelf: Option<Shelf>,
}

/// A program of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its name: the file below `glsl/`, the parts in front of it and its defines.
    pub name: String,
    /// True if a user's text replaces it.
    pub edited: bool,
}

/// Violations of the era's rules, and the length of a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checked {
    /// Line, and the fault with its line and a mark below it.
    pub violations: Vec<(u32, String)>,
    /// Instructions, if the text can be counted.
    pub count: Option<Counted>,
    /// The text as the assembly of a GeForce FX, if the text can be counted.
    pub listing: Option<String>,
}

/// The length of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// All instructions.
    pub instructions: u32,
    /// Texture fetches among them.
    pub fetches: u32,
    /// Registers of four channels.
    pub registers: u32,
    /// Chained dependent fetches.
    pub dependent_levels: u32,
    /// Number of each mnemonic.
    pub by_kind: BTreeMap<&'static str, u32>,
    /// The cards that can run it, as text.
    pub fits: String,
}

/// A texture of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Texture {
    /// Name of its content.
    pub label: String,
    /// Columns and rows.
    pub size: Size,
    /// Format of a record.
    pub format: String,
}

impl Live {
    /// Starts a scene on a grid with about this many cells per side, in a window of this size in pixels.
    ///
    /// # Errors
    /// An unknown name; a grid that the scene refuses; a window over the driver's limit.
    pub fn new(machine: &Machine, name: &str, side: u32, window: Size) -> Result<Self, BoxedError> {
        Self::linked(machine, &format!("scene={name}"), side, window)
    }

    /// Starts the experiment of a link, with a grid resized to this number of cells per side unless it is 0. Without a
    /// preset the link means the scene's for a page.
    ///
    /// # Errors
    /// Those of [`Live::new`]; an unknown preset or setting, or a value out of its range.
    pub fn linked(
        machine: &Machine,
        link: &str,
        side: u32,
        window: Size,
    ) -> Result<Self, BoxedError> {
        let (entry, experiment, ready) = checked(link, side)?;
        let edits = Edits::default();
        let standing = Rc::clone(&edits);
        let stand_in: StandIn =
            Rc::new(move |kernel: &Kernel| Ok(standing.borrow().get(kernel.text()).cloned()));
        let scene = ready.settings.start(machine, Drawn::Any)?;
        let mut stage = Stage::new(machine, entry, scene, window, None)?;
        stage.act(Action::View(ready.view))?;
        machine.take_ledger();
        Ok(Self {
            machine: machine.clone(),
            entry,
            experiment,
            resolved: ready.settings.resolved()?,
            stage,
            edits,
            stand_in,
            programs: BTreeMap::new(),
            unit: Ledger::default(),
            shelf: None,
        })
    }

    /// Its experiment, without the edits of programs.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// The words of its settings, and the values of those that are left open.
    pub fn settings(&self) -> Value {
        json!({ "words": self.experiment.dictionary(), "open": self.resolved })
    }

    /// Checks whether the last step ended a unit of work: a time step, a cycle.
    pub fn is_between_units(&self) -> bool {
        self.stage.scene().is_between_units()
    }

    /// Name of the next step, if it is only a part of a unit.
    pub fn next_in_words(&self) -> String {
        self.stage.scene().next_in_words()
    }

    /// The mouse, in pixels of the window.
    pub fn mouse(&mut self) -> &mut Mouse {
        &mut self.stage.mouse
    }

    /// Acts on a key. The view is a part of the experiment.
    pub fn act(&mut self, action: Action) -> Result<(), BoxedError> {
        self.stage.act(action)?;
        if let Some(view) = self.entry.views.get(self.stage.view()) {
            self.experiment.set("show", view)?;
        }
        Ok(())
    }

    /// Bill of the last step or the last cycle: its cost on the cards of 2003.
    pub fn bill(&self) -> Bill {
        let mut ledger = self.unit.clone();
        let edits = self.edits.borrow();
        let kernels = std::mem::take(&mut ledger.kernels).into_iter();
        let edited = |text| edits.get(&text).map_or(text, |edited| Rc::clone(edited.text()));
        ledger.kernels = kernels.map(|(text, account)| (edited(text), account)).collect();
        bill(&ledger)
    }

    /// Iterations of the last step, and the norm of the residual that they left.
    pub fn effort(&self) -> (usize, f64) {
        let Effort { iterations, residual } = self.stage.scene().effort();
        (iterations, residual)
    }

    /// The programs that have run.
    pub fn programs(&self) -> Vec<Program> {
        let edits = self.edits.borrow();
        let program = |text: &Rc<ProgramText>| Program {
            name: text.name.clone(),
            edited: edits.contains_key(text),
        };
        self.programs.values().map(program).collect()
    }

    /// Checks a text that is to replace a program.
    pub fn check(&self, name: &str, text: &str) -> Checked {
        let whole = self.programs.get(name).map(|program| program.with_own(text));
        check_program(whole.as_deref().unwrap_or(text))
    }

    /// The textures of the solver.
    pub fn textures(&self) -> Vec<Texture> {
        let streams = self.stage.scene().streams().into_iter();
        let texture = |(label, stream): (String, &Stream)| Texture {
            label,
            size: stream.size(),
            format: stream.format().to_string(),
        };
        streams.map(texture).collect()
    }
}

/// Functions that the page calls directly.
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
impl Live {
    /// Draws the strokes of the mouse, then takes one step.
    ///
    /// # Errors
    /// A state that is no longer finite, possibly because of an edited program.
    pub fn step(&mut self) -> Result<(), BoxedError> {
        let machine = self.machine.clone();
        let stepped = machine.standing_in(&self.stand_in, || {
            self.stage.stroke()?;
            self.stage.step()
        });
        for text in machine.ledger().kernels.into_keys() {
            self.programs.entry(text.name.clone()).or_insert(text);
        }
        if self.is_between_units() || stepped.is_err() {
            let unit = machine.take_ledger();
            if unit.total().passes > 0 {
                self.unit = unit;
            }
        }
        stepped
    }

    /// Takes over the experiment of a link, as [`Live::linked`] reads it, without a new start. Returns false, and changes
    /// nothing, if its scene cannot, or is another one.
    ///
    /// # Errors
    /// Those of [`Live::linked`].
    pub fn steer(&mut self, link: &str, side: u32) -> Result<bool, BoxedError> {
        let (entry, mut experiment, ready) = checked(link, side)?;
        let steered = entry.name == self.entry.name && self.stage.steer(experiment.settings())?;
        if steered {
            if let Some(show) = self.experiment.settings().get("show").and_then(Value::as_str) {
                experiment.set("show", show)?;
            }
            (self.experiment, self.resolved) = (experiment, ready.settings.resolved()?);
        }
        Ok(steered)
    }

    /// Takes the steps up to the end of a time step or cycle, and records them as the page of a film: there each
    /// fetch of a texel is a hit or a miss of a texture cache of 2003.
    pub fn film(&mut self) -> Result<String, BoxedError> {
        let Entry { name, about: title, paper, section, .. } = *self.entry;
        let [name, title, paper, section] = [name, title, paper, section].map(str::to_owned);
        let command = format!("the live page, {name}");
        let about = About { name, title, paper, section, command, opens: 0 };
        let end = Rc::new(RefCell::new(None));
        let ended = Rc::clone(&end);
        let on_end = move |error: &FilmError| drop(ended.replace(Some(error.clone())));
        let recorder = Recorder::join(&self.machine, about, FILM_BYTES, on_end)?;
        self.step()?;
        while !self.is_between_units() {
            self.step()?;
        }
        if let Some(error) = end.take() {
            return Err(error.into());
        }
        Ok(film::page(self.entry.about, &[recorder.finish()?], "", FILM_BYTES)?)
    }

    /// Draws the strokes of the mouse, without a step.
    pub fn stroke(&mut self) -> Result<(), BoxedError> {
        let machine = self.machine.clone();
        machine.standing_in(&self.stand_in, || self.stage.stroke())
    }

    /// Draws a picture and shows it. The ledger does not count its passes.
    pub fn show(&mut self) -> Result<(), BoxedError> {
        let before = self.machine.take_ledger();
        let shown = self.stage.draw().and_then(|()| Ok(self.stage.presenter().show()?));
        self.machine.put_ledger(before);
        shown
    }

    /// Presses or releases the first button, or the second.
    pub fn button(&mut self, pressed: bool, second: bool) {
        let tool = if second { Tool::Second } else { Tool::First };
        if pressed { self.mouse().pressed(tool) } else { self.mouse().released(tool) }
    }

    /// Moves one of several fingers, in pixels of the window. It draws as long as it is down.
    pub fn finger(&mut self, number: i32, x: f32, y: f32, down: bool, second: bool) {
        let tool = if second { Tool::Second } else { Tool::First };
        self.mouse().finger(number, [x, y], down.then_some(tool));
    }

    /// Adapts to another size of the window, in pixels.
    ///
    /// # Errors
    /// A window over the driver's limit.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), BoxedError> {
        self.stage.resize((width, height))
    }

    /// The text of a program as it runs now, or its original text.
    pub fn text(&self, name: &str, original: bool) -> Option<String> {
        let edits = self.edits.borrow();
        let program = self.programs.get(name)?;
        let edited = edits.get(program).filter(|_| !original);
        Some(edited.map_or(program, |kernel| kernel.text()).own().to_owned())
    }

    /// Replaces a program by a text.
    ///
    /// # Errors
    /// A text that breaks the era's rules, or that the driver rejects. Then nothing changes.
    pub fn edit(&mut self, name: &str, text: &str) -> Result<(), BoxedError> {
        let program = self.machine.program(name);
        let program = program.ok_or_else(|| StreamError::NoKernel(name.to_owned()))?;
        let edited = self.machine.edited(&program, text)?;
        self.edits.borrow_mut().insert(program, edited);
        Ok(())
    }

    /// Runs the original program again.
    pub fn restore(&mut self, name: &str) {
        if let Some(program) = self.machine.program(name) {
            self.edits.borrow_mut().remove(&program);
        }
    }

    /// Number of the view that is shown.
    pub fn shown(&self) -> usize {
        self.stage.view()
    }

    /// Width over height of the picture.
    pub fn aspect(&self) -> f32 {
        self.stage.aspect()
    }

    /// All records of a texture, by its number. The ledger does not count this.
    pub fn texels(&self, number: usize) -> Result<Vec<f32>, BoxedError> {
        let streams = self.stage.scene().streams();
        let stream = streams.get(number).map(|(_, stream)| *stream);
        let texels = stream.map_or(Ok(Vec::new()), Stream::read_back);
        Ok(texels.map_err(StreamError::from)?)
    }

    /// Shows all textures on the canvas, each at most `side` pixels high and wide: for each its picture's left and upper
    /// side on the canvas, its width and height, and the absolute value of the brightest colours. The ledger does not
    /// count this. [`show`](Self::show) brings the scene's picture back.
    pub fn shelf(&mut self, side: u32) -> Result<Vec<f32>, BoxedError> {
        let before = self.machine.take_ledger();
        let shown = self.on_shelf(side);
        self.machine.put_ledger(before);
        shown
    }
}

impl Live {
    fn on_shelf(&mut self, side: u32) -> Result<Vec<f32>, BoxedError> {
        let size = self.stage.presenter().size();
        let kept = self.shelf.take().filter(|shelf| shelf.sheet().size() == size);
        let mut shelf = match kept {
            Some(shelf) => shelf,
            None => Shelf::new(&self.machine, size)?,
        };
        let streams = self.stage.scene().streams();
        let textures: Vec<&Stream> = streams.iter().map(|(_, stream)| *stream).collect();
        let tiles = shelf.draw(&textures, side)?;
        shelf.sheet().show()?;
        self.shelf = Some(shelf);
        let numbers = tiles.iter().flat_map(|Tile { place, most }| {
            let top = size.1 - place.y - place.height;
            let place = [place.x, top, place.width, place.height].map(|pixels| pixels as f32);
            place.into_iter().chain([*most])
        });
        Ok(numbers.collect())
    }
}

/// The experiment of a link with a grid resized to this number of cells per side unless it is 0, ready for a page.
fn checked(link: &str, side: u32) -> Result<(&'static Entry, Experiment, Ready), BoxedError> {
    let (entry, mut experiment) = linked(link)?;
    if side > 0 {
        entry.resized(&mut experiment, side / entry.interactive.coarser)?;
        // Another grid has other usual settings, but those of the link are as it gives them.
        let mut names = vec!["size".to_owned()];
        for [name, word] in parts_of_link(link) {
            if ["scene", "preset"].contains(&&*name) && !names.contains(&name) {
                names.push(name);
            } else if name != "size" {
                experiment.set(&name, &word)?;
            }
        }
    }
    experiment.check_on(None)?;
    let ready = entry.of_experiment(&experiment)?;
    ready.settings.check()?;
    Ok((entry, experiment, ready))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that enter no formula: those that are only typed, and the size of a picture.
    const TYPED: [&str; 8] =
        ["atol", "levels", "maxiter", "seed", "size", "stop_at", "surface_limit", "zoom"];

    #[test]
    fn every_slider_is_of_a_number_within_its_range_with_a_formula_and_other_numbers_are_typed() {
        let number = |value: &Value| value.as_f64();
        let mut sliders: BTreeMap<String, BTreeMap<String, Value>> =
            serde_json::from_str(SLIDERS).unwrap();
        for entry in SCENES.iter().copied() {
            let (scene, name) = (entry.described(), entry.name);
            let paper = entry.experiment("paper").ok().map(|one| one.dictionary());
            let mut of_scene = sliders.remove(name).unwrap_or_default();
            for field in scene["fields"].as_array().unwrap() {
                let (setting, schema) = (field["name"].as_str().unwrap(), &field["schema"]);
                let kinds = schema["type"].to_string();
                let is_number = kinds.contains("number") || kinds.contains("integer");
                let [least, most] = ["minimum", "maximum"].map(|end| number(&schema[end]));
                let Some(slider) = of_scene.remove(setting) else {
                    let typed = TYPED.contains(&setting) || schema["of_command"] == true;
                    assert!(!is_number || typed, "{name} {setting}");
                    continue;
                };
                let low = number(&slider["ends"][0]).or(least).unwrap();
                let high = number(&slider["ends"][1]).or(most).unwrap();
                let is_within =
                    least.is_none_or(|least| low >= least) && most.is_none_or(|most| high <= most);
                assert!(is_number && low < high && is_within, "{name} {setting}");
                let enters = slider["enters"].as_str().unwrap();
                let printed =
                    enters.strip_suffix(" in the paper").and_then(|said| said.rsplit_once(": "));
                match printed {
                    // The preset of the paper has the paper's value.
                    Some((_, value)) => {
                        assert_eq!(paper.as_ref().unwrap()[setting], value, "{name} {setting}")
                    }
                    None => assert!(
                        enters.contains("paper") || enters.contains("Fig. "),
                        "{name} {setting}: {enters}"
                    ),
                }
            }
            assert!(of_scene.is_empty(), "{name} has no {of_scene:?}");
        }
        assert!(sliders.is_empty(), "{sliders:?}");
    }
}
