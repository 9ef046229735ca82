//! What a program may be on the card of its paper, and who exceeds that.
//!
//! A program that does not fit says so in its first lines, with the reason:
//!
//! ```glsl
//! // EXCEPTION(limits): a picture, which 2003 would have drawn in several passes
//! ```
//!
//! Moves that operands cost on R300, whose swizzles are few, are not counted: there counts are lower
//! bounds. 12 temporaries, 32 constants and 8 coordinates are not checked.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::count::{Count, count};
use super::dialect::{Rule, declares_exception};
use crate::stream::{Drawing, Observer, STREAMS};

/// The longest programs of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Its name.
    pub card: &'static str,
    /// All instructions.
    pub instructions: u32,
    /// Those that are no fetches.
    pub arithmetic: u32,
    /// Those that are.
    pub fetches: u32,
    /// The order of dependent reads ([`Count::read_order`]).
    pub read_order: u32,
    /// Textures.
    pub streams: u32,
}

/// `NV_fragment_program`: the card of bolz2003, goodnight2003 and batty2003.
pub const NV30: Limits = Limits {
    card: "NV30",
    instructions: 1024,
    arithmetic: 1024,
    fetches: 1024,
    read_order: 1024,
    streams: STREAMS as u32,
};

/// Pixel shader 2.0: the card of kruger2003.
pub const R300: Limits = Limits {
    card: "R300",
    instructions: 64 + 32,
    arithmetic: 64,
    fetches: 32,
    read_order: 3,
    streams: STREAMS as u32,
};

impl Limits {
    /// Those of the card of the paper that a kernel belongs to, by its folder. What all papers share has
    /// to fit the smaller one, and our own layouts too; geveler2011 is of another era, and pictures of meshes
    /// are nobody's.
    pub fn of(kernel: &str) -> Option<&'static Self> {
        match kernel.split_once('/')?.0 {
            "bolz2003" | "goodnight2003" | "batty2003" => Some(&NV30),
            "kruger2003" | "stream" | "layouts" => Some(&R300),
            _ => None,
        }
    }

    /// What a program has more of than the card allows.
    pub fn excesses(&self, count: &Count) -> Vec<String> {
        let streams = count.by_stream.iter().filter(|stream| stream.all > 0);
        let streams = streams.count() as u32;
        let all = [
            ("instructions", count.instructions, self.instructions),
            ("arithmetic instructions", count.arithmetic, self.arithmetic),
            ("fetches", count.fetches, self.fetches),
            (
                "orders of dependent reads",
                count.read_order,
                self.read_order,
            ),
            ("textures", streams, self.streams),
        ];
        let beyond = all.into_iter().filter(|(_, has, may)| has > may);
        beyond
            .map(|(what, has, may)| format!("{has} of {may} {what}"))
            .collect()
    }
}

/// What is wrong with an assembled program on the card of its paper; nothing where it fits, or says
/// itself that it does not.
pub fn excess(kernel: &str, text: &str) -> Option<String> {
    let limits = Limits::of(kernel)?;
    let excesses = match count(text) {
        Ok(count) => limits.excesses(&count),
        Err(error) => vec![error.to_string()],
    };
    let is_fine = excesses.is_empty() || declares_exception(text, Rule::Limits);
    (!is_fine).then(|| {
        let (card, remedy) = (limits.card, Rule::Limits.remedy());
        format!(
            "{kernel} does not fit {card}: {}; {remedy}",
            excesses.join(", ")
        )
    })
}

/// Looks on while a machine works ([`crate::stream::Machine::observe`]), and holds every program against its paper's card.
#[derive(Default)]
pub struct Inspector {
    /// The texts of what was drawn, by name.
    seen: RefCell<BTreeMap<String, String>>,
    found: RefCell<Vec<String>>,
}

impl Inspector {
    /// Name and text of every program that was drawn with.
    pub fn programs(&self) -> Vec<(String, String)> {
        self.seen.borrow().clone().into_iter().collect()
    }

    /// What was found.
    pub fn found(&self) -> Vec<String> {
        self.found.borrow().clone()
    }
}

impl Observer for Inspector {
    fn before(&self, pass: Drawing<'_>) {
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
