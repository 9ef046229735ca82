//! The functions of the page that only a browser has. Results other than single numbers are JSON. A function that fails
//! throws its message.

use std::cell::Cell;

use serde::Serialize;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::WebGl2RenderingContext;

use crate::gl::Context;
use crate::scene::BoxedError;
use crate::stream::Machine;
use crate::view::keys::Action;

use super::{Live, checked};

impl From<BoxedError> for JsValue {
    fn from(error: BoxedError) -> Self {
        error.to_string().into()
    }
}

fn text_of(value: impl Serialize) -> Result<String, String> {
    serde_json::to_string(&value).map_err(|error| error.to_string())
}

thread_local! {
    /// True once a pass has read a copy of its target.
    static COPIES: Cell<bool> = const { Cell::new(false) };
}

/// The stream processor, on a canvas.
#[wasm_bindgen]
pub struct Card(Machine);

#[wasm_bindgen]
impl Card {
    /// Creates the machine, after every format has passed the test.
    #[wasm_bindgen(constructor)]
    pub fn new(webgl: WebGl2RenderingContext) -> Result<Card, String> {
        let context = Context::on(webgl).map_err(|error| error.to_string())?;
        let machine = Machine::on(context).map_err(|error| error.to_string())?;
        Ok(Card(machine))
    }

    /// Name of the driver.
    pub fn renderer(&self) -> String {
        self.0.description().renderer.clone()
    }

    /// Tests whether the renderer runs on the CPU.
    pub fn software(&self) -> bool {
        self.0.description().software
    }

    /// Starts the experiment of a link in a canvas of this size, with a grid of this side unless it is 0. A browser has
    /// no texture barrier: passes that would read their target read a copy of it.
    pub fn scene(
        &self,
        link: &str,
        side: u32,
        width: u32,
        height: u32,
    ) -> Result<Live, BoxedError> {
        COPIES.set(false);
        self.0.copy_targets(|| COPIES.set(true));
        Live::linked(&self.0, link, side, (width, height))
    }

    /// Films a scene with the texts of programs in this JSON object, by their names, and returns the film's text.
    pub fn film(&self, scene: &str, grid: u32, edits: &str) -> Result<String, String> {
        COPIES.set(false);
        self.0.copy_targets(|| COPIES.set(true));
        let edits = serde_json::from_str(edits).map_err(|error| error.to_string())?;
        super::film_edited(&self.0, scene, grid, edits).map_err(|error| error.to_string())
    }
}

/// Checks an assembled program against the rules of the era, and counts its instructions.
#[wasm_bindgen(js_name = check_program)]
pub fn check_program_text(text: &str) -> Result<String, String> {
    text_of(super::check_program(text))
}

/// The registry of scenes.
#[wasm_bindgen]
pub fn scenes() -> Result<String, String> {
    text_of(super::described().map_err(|error| error.to_string())?)
}

/// Checks the experiment of a link, with a grid of this side unless it is 0.
#[wasm_bindgen]
pub fn check(link: &str, side: u32) -> Result<(), BoxedError> {
    checked(link, side).map(drop)
}

#[wasm_bindgen]
impl Live {
    /// The words of its settings, and the values of those that are left open.
    #[wasm_bindgen(js_name = settings)]
    pub fn settings_text(&self) -> Result<String, String> {
        text_of(self.settings())
    }

    /// Command line of what it runs, without the edits of programs.
    pub fn command(&self) -> String {
        self.experiment().to_string()
    }

    /// Link to what it runs, without the edits of programs.
    pub fn link(&self) -> String {
        self.experiment().link()
    }

    /// Checks whether a time step or a cycle is complete.
    pub fn between(&self) -> bool {
        self.is_between_units()
    }

    /// Makes pictures coarser.
    pub fn coarser(&mut self) -> Result<(), BoxedError> {
        self.act(Action::Coarser)
    }

    /// Selects one of its pictures.
    pub fn view(&mut self, number: usize) -> Result<(), BoxedError> {
        self.act(Action::View(number))
    }

    /// Returns to the start.
    pub fn reset(&mut self) -> Result<(), BoxedError> {
        self.act(Action::Reset)
    }

    /// Tests whether rain falls, pens stir or a tap runs.
    pub fn automatic(&mut self) -> bool {
        self.stage.is_automatic()
    }

    /// Turns rain, the stirring pens or the tap on or off.
    pub fn toggle(&mut self) -> Result<(), BoxedError> {
        self.act(Action::Scene)
    }

    /// Waits until all commands are complete, for timing.
    pub fn finish(&self) {
        self.machine.finish();
    }

    /// Moves the pointer, in pixels of the canvas from its upper left corner.
    pub fn moved(&mut self, x: f32, y: f32) {
        self.mouse().moved([x, y]);
    }

    /// Bill of the last step or cycle, with the effort of its solver.
    #[wasm_bindgen(js_name = bill)]
    pub fn bill_text(&self) -> Result<String, String> {
        let (iterations, residual) = self.effort();
        let bill = self.bill();
        let total = bill.total();
        text_of(json!({
            "copies": COPIES.get(),
            "iterations": iterations,
            "residual": residual,
            "doing": self.next_in_words(),
            "passes": total.done.passes,
            "fragments": total.done.fragments,
            "fetches": total.done.fetches,
            "bytes": total.done.bytes(),
            "switches": bill.ledger.target_switches,
            "programSwitches": bill.ledger.program_switches,
            "readBacks": bill.ledger.read_backs,
            "memory": bill.ledger.bytes_allocated,
            "uncounted": bill.uncounted,
            "excesses": bill.excesses,
            "cards": bill.cards,
            "kernels": bill.kernels,
        }))
    }

    /// The programs that have run.
    #[wasm_bindgen(js_name = programs)]
    pub fn programs_text(&self) -> Result<String, String> {
        text_of(self.programs())
    }

    /// Checks a text against the rules of the era, and counts its instructions.
    #[wasm_bindgen(js_name = check)]
    pub fn check_text(&self, name: &str, text: &str) -> Result<String, String> {
        text_of(self.check(name, text))
    }

    /// The textures of the solver.
    #[wasm_bindgen(js_name = textures)]
    pub fn textures_text(&self) -> Result<String, String> {
        text_of(self.textures())
    }
}
