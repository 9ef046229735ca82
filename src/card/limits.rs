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
use std::collections::{BTreeMap, BTreeSet};

use super::count::{Count, count};
use super::dialect::{Rule, declares_exception};
use crate::stream::{Drawing, Observer, STREAMS};

/// Limits of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Name of the card.
    pub card: &'static str,
    /// Number of instructions.
    pub instructions: u32,
    /// Number of instructions other than fetches; in slots for pixel shader 2.0.
    pub arithmetic: u32,
    /// Number of fetches.
    pub fetches: u32,
    /// True if both count in slots ([`Count::slots`]).
    pub in_slots: bool,
    /// Temporary registers.
    pub registers: u32,
    /// Constants.
    pub constants: u32,
    /// Interpolated coordinates, including the position on cards without a register for it.
    pub coordinates: u32,
    /// The order of dependent reads ([`Count::read_order`]).
    pub read_order: u32,
    /// Phases ([`Count::phases`]).
    pub phases: u32,
    /// Textures.
    pub streams: u32,
}

/// `NV_fragment_program`: the card of bolz2003, goodnight2003 and batty2003.
pub const NV30: Limits = Limits {
    card: "NV30",
    instructions: 1024,
    arithmetic: 1024,
    fetches: 1024,
    in_slots: false,
    registers: 32,
    constants: u32::MAX,
    coordinates: 9,
    read_order: 1024,
    phases: u32::MAX,
    streams: STREAMS as u32,
};

/// Pixel shader 2.0: the card of kruger2003.
pub const R300: Limits = Limits {
    card: "R300",
    instructions: 64 + 32,
    arithmetic: 64,
    fetches: 32,
    in_slots: true,
    registers: 12,
    constants: 32,
    coordinates: 8,
    read_order: 3,
    phases: u32::MAX,
    streams: STREAMS as u32,
};

/// The minimum of `ARB_fragment_program`: a program of this size ran on every card of 2003.
pub const ARB: Limits = Limits {
    card: "ARB",
    instructions: 72,
    arithmetic: 48,
    fetches: 24,
    in_slots: false,
    registers: 16,
    constants: 24,
    coordinates: 9,
    read_order: u32::MAX,
    phases: 4,
    streams: STREAMS as u32,
};

/// Largest side of a texture on the cards of 2003.
pub const SIDE: u32 = 2048;

impl Limits {
    /// The limits for a kernel, by its folder: those of the card of its paper. Programs shared by all papers
    /// and the project's own layouts must fit the smaller card. geveler2011 postdates these cards, and mesh
    /// rendering belongs to no paper: both are unlimited.
    pub fn of(kernel: &str) -> Option<&'static Self> {
        match kernel.split_once('/')?.0 {
            "bolz2003" | "goodnight2003" | "batty2003" => Some(&NV30),
            "kruger2003" | "stream" | "layouts" => Some(&R300),
            _ => None,
        }
    }

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
}

/// Returns the message for an assembled program that exceeds the card of its paper without declaring it.
pub fn excess(kernel: &str, text: &str) -> Option<String> {
    let limits = Limits::of(kernel)?;
    let excesses = match count(text) {
        Ok(count) => limits.excesses(&count),
        Err(error) => vec![error.to_string()],
    };
    let is_fine = excesses.is_empty() || declares_exception(text, Rule::Limits);
    (!is_fine).then(|| {
        let (card, excesses) = (limits.card, excesses.join(", "));
        format!("{kernel} does not fit {card}: {excesses}.")
    })
}

/// Observes a machine ([`crate::stream::Machine::observe`]), and checks every program against its paper's card.
#[derive(Default)]
pub struct Inspector {
    /// Texts of the drawn programs, by name.
    seen: RefCell<BTreeMap<String, String>>,
    found: RefCell<Vec<String>>,
    /// Names of programs that were held against the card without exceptions.
    measured: RefCell<BTreeSet<String>>,
    beyond: RefCell<BTreeSet<String>>,
    is_aside: Cell<bool>,
}

impl Inspector {
    /// Name and text of every drawn program.
    pub fn programs(&self) -> Vec<(String, String)> {
        self.seen.borrow().clone().into_iter().collect()
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

    /// Runs a comparison, which need not fit the card.
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
        let name = pass.kernel.name();
        let Some(limits) = Limits::of(name) else {
            return;
        };
        if self.measured.borrow().contains(name) {
            return;
        }
        self.measured.borrow_mut().insert(name.to_owned());
        let excesses = match count(&pass.kernel.text().fragment) {
            Ok(count) => limits.excesses(&count),
            Err(error) => vec![error.to_string()],
        };
        if !excesses.is_empty() {
            let found = format!("{name} takes {} on {}", excesses.join(", "), limits.card);
            self.beyond.borrow_mut().insert(found);
        }
    }
}

impl Observer for Inspector {
    fn before(&self, pass: Drawing<'_>) {
        if !self.is_aside.get() {
            self.measure(pass);
        }
        let name = pass.kernel.name();
        if self.seen.borrow().contains_key(name) {
            return;
        }
        let text = &pass.kernel.text().fragment;
        self.seen.borrow_mut().insert(name.to_owned(), text.clone());
        let excess = excess(name, text);
        self.found.borrow_mut().extend(excess);
    }
}
