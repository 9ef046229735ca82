//! Limits of programs on the cards of their papers, and the programs that exceed them.
//!
//! A program that exceeds its card declares it in its first lines, with the reason:
//!
//! ```glsl
//! // EXCEPTION(limits): a picture, which 2003 would have drawn in several passes
//! ```
//!
//! Moves due to the few operand swizzles of R300 are not counted, so counts for it are lower bounds.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::count::{Count, count};
use super::dialect::{Rule, declares_exception};
use super::mesa::on_r300;
use crate::stream::{Drawing, Limits, Observer, ProgramText};

/// Largest side of a texture on the cards of 2003.
pub const SIDE: u32 = 2048;

impl Limits {
    /// Lists the limits that a program exceeds.
    pub fn excesses(&self, count: &Count) -> Vec<String> {
        let streams = count.by_stream.iter().filter(|stream| stream.all > 0);
        let streams = streams.count() as u32;
        let slots = count.slots.filter(|_| self.in_slots);
        let [arithmetic, fetches] = match slots {
            Some(slots) => [slots.arithmetic, slots.texture].map(|slots| slots as u32),
            None => [count.arithmetic, count.fetches],
        };
        let all = [
            ("instructions", count.instructions, self.instructions),
            ("arithmetic instructions", arithmetic, self.arithmetic),
            ("fetches", fetches, self.fetches),
            ("registers", count.registers, self.registers),
            ("constants", count.constants, self.constants),
            ("coordinates", count.coordinates, self.coordinates),
            ("phases", count.phases, self.phases),
            ("orders of dependent reads", count.read_order, self.read_order),
            ("textures", streams, self.streams),
        ];
        let beyond = all.into_iter().filter(|(_, has, may)| has > may);
        beyond.map(|(what, has, may)| format!("{has} of {may} {what}")).collect()
    }

    /// Lists the limits that a program of `glsl/` exceeds. On R300 its compiler decides, if the program was compiled.
    pub fn excesses_of(&self, program: &str, count: &Count) -> Vec<String> {
        match on_r300(program).filter(|_| self.card == Self::R300.card) {
            Some(Ok(())) => Vec::new(),
            Some(Err(refusal)) => vec![format!("{refusal} (by Mesa's compiler)")],
            None => self.excesses(count),
        }
    }
}

/// The limits that a program exceeds, or the reason why it cannot be counted.
fn excesses(text: &ProgramText) -> Vec<String> {
    match count(&text.fragment) {
        Ok(count) => text.limits.excesses(&count),
        Err(_) if text.limits.are_none() => Vec::new(),
        Err(error) => vec![error.to_string()],
    }
}

/// Returns the message for a program that exceeds its card without declaring it.
pub fn excess(text: &ProgramText) -> Option<String> {
    let excesses = excesses(text);
    let is_fine = excesses.is_empty() || declares_exception(&text.fragment, Rule::Limits);
    (!is_fine).then(|| {
        let (name, card, excesses) = (&text.name, text.limits.card, excesses.join(", "));
        format!("{name} does not fit {card}: {excesses}.")
    })
}

/// Observes a machine ([`crate::stream::Machine::observe`]), and checks every program against its paper's card.
#[derive(Default)]
pub struct Inspector {
    /// The drawn programs.
    seen: RefCell<BTreeSet<Rc<ProgramText>>>,
    found: RefCell<Vec<String>>,
    /// Programs that were held against the card without exceptions.
    measured: RefCell<BTreeSet<Rc<ProgramText>>>,
    beyond: RefCell<BTreeSet<String>>,
    is_aside: Cell<bool>,
}

impl Inspector {
    /// Every drawn program.
    pub fn programs(&self) -> Vec<Rc<ProgramText>> {
        self.seen.borrow().iter().cloned().collect()
    }

    /// Messages for the programs that exceed their cards.
    pub fn found(&self) -> Vec<String> {
        self.found.borrow().clone()
    }

    /// Programs and textures that the card of a paper of 2003 could not have, declared exceptions among them; not
    /// those of works [aside](Self::aside).
    pub fn beyond(&self) -> BTreeSet<String> {
        self.beyond.borrow().clone()
    }

    /// Runs `work` without checking its programs against the card.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.is_aside.replace(true);
        let result = work();
        self.is_aside.set(before);
        result
    }

    fn measure(&self, pass: Drawing<'_>) {
        let surfaces = pass.streams.iter().map(|(_, stream)| *stream);
        for surface in surfaces.chain([pass.target]) {
            let (width, height) = surface.size();
            if width.max(height) > SIDE {
                let label = surface.label();
                let found = format!("a texture ({label}) of {width}x{height} of {SIDE}x{SIDE}");
                self.beyond.borrow_mut().insert(found);
            }
        }
        let text = pass.kernel.text();
        if !self.measured.borrow_mut().insert(Rc::clone(text)) {
            return;
        }
        let excesses = match count(&text.fragment) {
            Ok(count) => text.limits.excesses_of(&text.name, &count),
            Err(_) => excesses(text),
        };
        if !excesses.is_empty() {
            let found =
                format!("{} takes {} on {}", text.name, excesses.join(", "), text.limits.card);
            self.beyond.borrow_mut().insert(found);
        }
    }
}

impl Observer for Inspector {
    fn before(&self, pass: Drawing<'_>) {
        if !self.is_aside.get() {
            self.measure(pass);
        }
        let text = pass.kernel.text();
        if self.seen.borrow_mut().insert(Rc::clone(text)) {
            self.found.borrow_mut().extend(excess(text));
        }
    }
}
