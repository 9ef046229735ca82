//! The functions called by the page. Results other than single numbers are JSON.

use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::WebGl2RenderingContext;

use crate::gl::Context;
use crate::stream::Machine;
use crate::view::keys::Action;

use super::{Live, Picture};

/// Turns an error into a text for the page.
fn in_words<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

fn text_of(value: impl Serialize) -> Result<String, String> {
    serde_json::to_string(&value).map_err(in_words)
}

/// The stream processor, on a canvas.
#[wasm_bindgen]
pub struct Card(Machine);

#[wasm_bindgen]
impl Card {
    /// Creates the machine, after every format has passed the test.
    #[wasm_bindgen(constructor)]
    pub fn new(webgl: WebGl2RenderingContext) -> Result<Card, String> {
        let context = Context::on(webgl).map_err(in_words)?;
        Ok(Card(Machine::on(context).map_err(in_words)?))
    }

    /// Name of the driver.
    pub fn renderer(&self) -> String {
        self.0.context().description().renderer.clone()
    }

    /// Tests whether the renderer runs on the CPU.
    pub fn software(&self) -> bool {
        self.0.context().description().software
    }

    /// Starts a scene in a canvas of this size.
    pub fn scene(&self, name: &str, side: u32, width: u32, height: u32) -> Result<Running, String> {
        let live = Live::new(&self.0, name, side, (width, height)).map_err(in_words)?;
        Ok(Running {
            live,
            picture: None,
        })
    }
}

/// A running scene.
#[wasm_bindgen]
pub struct Running {
    live: Live,
    /// The last requested texture.
    picture: Option<Picture>,
}

#[wasm_bindgen]
impl Running {
    /// Performs one step.
    pub fn step(&mut self) -> Result<(), String> {
        self.live.step().map_err(in_words)
    }

    /// Draws the strokes of the pointer, without a step.
    pub fn stroke(&mut self) -> Result<(), String> {
        self.live.stroke().map_err(in_words)
    }

    /// Checks whether a time step or a cycle is complete.
    pub fn between(&self) -> bool {
        self.live.is_between_units()
    }

    /// Makes pictures coarser.
    pub fn coarser(&mut self) -> Result<(), String> {
        self.live.act(Action::Coarser).map_err(in_words)
    }

    /// Waits until all commands are complete, for timing.
    pub fn finish(&self) {
        self.live.machine.finish();
    }

    /// Draws a picture on the canvas.
    pub fn show(&mut self) -> Result<(), String> {
        self.live.show().map_err(in_words)
    }

    /// Moves the pointer, in pixels of the canvas from its upper left corner.
    pub fn moved(&mut self, x: f32, y: f32) {
        self.live.mouse().moved([x, y]);
    }

    /// Presses or releases a button of the pointer.
    pub fn button(&mut self, pressed: bool, second: bool) {
        self.live.button(pressed, second);
    }

    /// Adapts to another size of the canvas.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), String> {
        self.live.resize((width, height)).map_err(in_words)
    }

    /// Selects one of its pictures.
    pub fn view(&mut self, number: usize) -> Result<(), String> {
        self.live.act(Action::View(number)).map_err(in_words)
    }

    /// Returns to the start.
    pub fn reset(&mut self) -> Result<(), String> {
        self.live.act(Action::Reset).map_err(in_words)
    }

    /// Turns rain, or the stirring pens, on or off.
    pub fn toggle(&mut self) -> Result<(), String> {
        self.live.act(Action::Scene).map_err(in_words)
    }

    /// Bill of the last step or cycle, with the effort of its solver.
    pub fn bill(&self) -> Result<String, String> {
        let (iterations, residual) = self.live.effort();
        let bill = self.live.bill();
        let total = bill.total();
        text_of(json!({
            "iterations": iterations,
            "residual": residual,
            "doing": self.live.next_in_words(),
            "passes": total.done.passes,
            "fragments": total.done.fragments,
            "fetches": total.fetches,
            "bytes": total.bytes(),
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
    pub fn programs(&self) -> Result<String, String> {
        text_of(self.live.programs())
    }

    /// The text of a program.
    pub fn text(&self, name: &str, original: bool) -> Option<String> {
        self.live.text(name, original)
    }

    /// Checks a text against the rules of the era, and counts its instructions.
    pub fn check(&self, name: &str, text: &str) -> Result<String, String> {
        text_of(self.live.check(name, text))
    }

    /// Replaces a program by a text.
    pub fn edit(&mut self, name: &str, text: &str) -> Result<(), String> {
        self.live.edit(name, text).map_err(in_words)
    }

    /// Restores the original program.
    pub fn restore(&mut self, name: &str) {
        self.live.restore(name);
    }

    /// The textures of the solver.
    pub fn textures(&self) -> Result<String, String> {
        text_of(self.live.textures())
    }

    /// All records of a texture.
    pub fn texels(&self, number: usize) -> Result<Vec<f32>, String> {
        self.live.texels(number).map_err(in_words)
    }

    /// A texture in colours: columns, rows, and the largest absolute value. [`pixels`](Self::pixels) returns
    /// its pixels.
    pub fn picture(&mut self, number: usize) -> Result<Vec<f32>, String> {
        let picture = self.live.picture(number).map_err(in_words)?;
        let (columns, rows) = picture.size;
        let head = vec![columns as f32, rows as f32, picture.most];
        self.picture = Some(picture);
        Ok(head)
    }

    /// The pixels of that texture.
    pub fn pixels(&mut self) -> Vec<u8> {
        self.picture
            .take()
            .map_or_else(Vec::new, |picture| picture.pixels)
    }
}
