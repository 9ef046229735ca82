//! Classes: values that one operand reads together are placed in one register.
//!
//! A class is a set of channels held by one register. Two channels of a class may share a channel of the
//! register if their lifetimes do not overlap. The result of a fetch remains in the channels in which it was
//! stored.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::lower::Node;
use super::{Program, Slot, operand, operand_mut, slots, swap};
use crate::program::graph::{Channel, Source, Value, negate};
use crate::program::listing::Opcode;

/// Time from one node to the next; moves that gather an operand come in between.
const STEP: usize = 64;
/// Time between a node and its first move.
const MOVES: usize = 40;

/// Times at which a register channel is occupied: start and end (exclusive).
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(BTreeMap<usize, usize>);

impl Taken {
    fn is_free(&self, (from, to): (usize, usize)) -> bool {
        let before = self.0.range(..to).next_back();
        before.is_none_or(|(_, &end)| end <= from)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_disjoint(&self, other: &Taken) -> bool {
        let (few, many) = if self.0.len() < other.0.len() { (self, other) } else { (other, self) };
        few.0.iter().all(|(&from, &to)| many.is_free((from, to)))
    }

    pub(super) fn extend(&mut self, other: Taken) {
        if self.0.len() < other.0.len() {
            let few = std::mem::replace(&mut self.0, other.0);
            self.0.extend(few);
        } else {
            self.0.extend(other.0)
        }
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.0.first_key_value().map(|(&from, _)| from)
    }
}

/// Channels that share a register.
#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    pub nodes: Vec<usize>,
    /// True if its slots are the register channels themselves.
    pub is_fixed: bool,
    /// Register channel of each slot, if it is fixed.
    pub frame: [usize; 4],
    pub taken: [Taken; 4],
}

/// Source of an operand before register allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Register {
    Class(usize),
    Input(usize),
    Literal,
}

/// Nodes in a given order, with the moves that gather operands, and the classes of their results.
pub(super) struct Assembly<'a> {
    pub program: &'a Program,
    pub nodes: Vec<Node>,
    /// Execution time of each node.
    time: Vec<usize>,
    pub held: Vec<[bool; 4]>,
    spans: Vec<[(usize, usize); 4]>,
    /// True for selections that write over their old value in place.
    is_tied: Vec<bool>,
    pub class: Vec<usize>,
    /// Slot in its class of each channel of a result.
    pub places: Vec<[usize; 4]>,
    pub classes: Vec<Class>,
    /// Operands gathered by moves.
    gathered: FxHashMap<Value, Value>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(program: &'a Program, order: &[usize]) -> Self {
        let length = program.nodes.len();
        let mut this = Self {
            program,
            nodes: program.nodes.clone(),
            time: vec![0; length],
            held: program.values.held.clone(),
            spans: vec![[(0, 0); 4]; length],
            is_tied: vec![false; length],
            class: vec![usize::MAX; length],
            places: vec![[0; 4]; length],
            classes: Vec::new(),
            gathered: FxHashMap::default(),
        };
        for (at, &number) in order.iter().enumerate() {
            let time = STEP * (at + 1);
            this.time[number] = time;
            this.spans[number] = [(time, time + 1); 4];
            for &(maker, channel) in &program.values.reads[number] {
                this.spans[maker][channel].1 = time;
            }
        }
        order.iter().for_each(|&number| this.found(number));
        order.iter().for_each(|&number| this.tie_selection(number));
        for &number in order {
            this.settle(number);
        }
        this
    }

    /// All nodes in order.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(|&n| self.time[n] > 0).collect();
        order.sort_by_key(|&number| self.time[number]);
        order
    }

    /// The channels of an operand that a node reads.
    pub(super) fn lanes(&self, number: usize, slot: Slot) -> Vec<usize> {
        if number < self.program.nodes.len() {
            self.program.lanes(number, slot)
        } else {
            (0..self.nodes[number].width).collect()
        }
    }

    pub(super) fn read(&self, number: usize, slot: Slot) -> Value {
        let value = operand(&self.nodes[number], slot);
        let lanes = self.lanes(number, slot).into_iter();
        lanes.map(|lane| value[lane]).collect()
    }

    /// Creates a class with a single node.
    fn found(&mut self, number: usize) {
        if !self.held[number].contains(&true) {
            return;
        }
        let is_fixed = self.nodes[number].opcode == Opcode::Tex;
        let mut class =
            Class { nodes: vec![number], is_fixed, frame: [0, 1, 2, 3], ..Class::default() };
        let held = (0..4).filter(|&channel| self.held[number][channel]);
        for (next, channel) in held.enumerate() {
            let place = if is_fixed { channel } else { next };
            self.places[number][channel] = place;
            let (from, to) = self.spans[number][channel];
            class.taken[place].0.insert(from, to);
        }
        self.class[number] = self.classes.len();
        self.classes.push(class);
    }

    /// Extends the lifetime of a channel, if nothing follows in its slot until then.
    fn prolong(&mut self, (number, channel): (usize, usize), to: usize) -> bool {
        let (from, old) = self.spans[number][channel];
        if to <= old {
            return true;
        }
        let taken = &mut self.classes[self.class[number]].taken[self.places[number][channel]];
        if !taken.is_free((old, to)) {
            return false;
        }
        taken.0.insert(from, to);
        self.spans[number][channel].1 = to;
        true
    }

    /// The slot of a channel in its class.
    fn channel(&self, (number, channel): (usize, usize)) -> usize {
        self.classes[self.class[number]].frame[self.places[number][channel]]
    }

    /// Lets a selection keep its old value in place where the condition fails. Otherwise the old value is moved
    /// first, and the selected value must live until then.
    fn tie_selection(&mut self, number: usize) {
        let is_selection = |node: &Node| node.guard.as_ref().is_some_and(|g| !g.kept.is_empty());
        if !is_selection(&self.nodes[number]) || self.program.direct[number].is_some() {
            return;
        }
        let node = &self.nodes[number];
        let can_swap = node.opcode == Opcode::Mov && !node.saturates;
        self.is_tied[number] = self.tie(number);
        if !self.is_tied[number] && can_swap {
            swap(&mut self.nodes[number]);
            self.is_tied[number] = self.tie(number);
            if !self.is_tied[number] {
                swap(&mut self.nodes[number]);
            }
        }
        if !self.is_tied[number] {
            let end = self.time[number] + 1;
            for cell in self.cells(number) {
                self.prolong(cell, end);
            }
        }
    }

    /// The channels of results that a node reads.
    fn cells(&self, number: usize) -> Vec<(usize, usize)> {
        let slots = slots(&self.nodes[number]).filter(|slot| !matches!(slot, Slot::Code(_)));
        let channels = slots.flat_map(|slot| self.read(number, slot));
        let cells = channels.filter_map(|channel| match channel.source {
            Source::Result(maker, at) => Some((maker, at)),
            _ => None,
        });
        cells.collect()
    }

    fn tie(&mut self, number: usize) -> bool {
        let lanes = self.lanes(number, Slot::Kept);
        let kept = self.read(number, Slot::Kept);
        let mut cells = Vec::new();
        for channel in &kept {
            match channel.source {
                Source::Result(maker, at) if *channel == Channel::plain(channel.source) => {
                    cells.push((maker, at));
                }
                _ => return false,
            }
        }
        let ends = |&(maker, at): &(usize, usize)| self.spans[maker][at].1 <= self.time[number];
        let mut distinct = cells.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < cells.len() || !cells.iter().all(ends) || !self.unite(&kept) {
            return false;
        }
        let pairs: Vec<(usize, usize)> = lanes
            .iter()
            .zip(&cells)
            .map(|(&lane, &cell)| (self.places[number][lane], self.channel(cell)))
            .collect();
        let (into, from) = (self.class[cells[0].0], self.class[number]);
        let fits = |frame: &[usize; 4]| pairs.iter().all(|&(place, at)| frame[place] == at);
        into != from && self.merge(into, from, fits)
    }

    /// Places all channels of a value into one class, if they fit.
    fn unite(&mut self, value: &[Channel]) -> bool {
        let makers = value.iter().filter_map(|channel| channel.source.instruction());
        let mut classes: Vec<usize> = makers.map(|maker| self.class[maker]).collect();
        classes.sort_unstable();
        classes.dedup();
        // Channels that cannot be moved come first: if they do not fit, nothing does.
        classes.sort_by_key(|&class| !self.classes[class].is_fixed);
        let mut into = classes[0];
        for &class in &classes[1..] {
            let (a, b) = (&self.classes[into], &self.classes[class]);
            let (large, small) =
                if a.nodes.len() < b.nodes.len() { (class, into) } else { (into, class) };
            if !self.merge(large, small, |_| true) {
                return false;
            }
            into = large;
        }
        true
    }

    /// Merges a class into another one, in an allowed frame.
    fn merge(&mut self, into: usize, from: usize, allows: impl Fn(&[usize; 4]) -> bool) -> bool {
        let [a, b] = [into, from].map(|class| &self.classes[class]);
        let frames = || permutations().iter().copied();
        // Frames of either class: it suffices to permute one of them.
        let choices: Vec<[[usize; 4]; 2]> = match (a.is_fixed, b.is_fixed) {
            (_, false) => frames().map(|frame| [a.frame, frame]).collect(),
            (false, true) => frames().map(|frame| [frame, b.frame]).collect(),
            (true, true) => vec![[a.frame, b.frame]],
        };
        let are_disjoint: [[bool; 4]; 4] =
            std::array::from_fn(|p| std::array::from_fn(|q| a.taken[p].is_disjoint(&b.taken[q])));
        let shared = |[of_a, of_b]: &[[usize; 4]; 2]| {
            let pairs = (0..4).flat_map(|p| (0..4).map(move |q| (p, q)));
            let mut pairs = pairs.filter(|&(p, q)| of_a[p] == of_b[q]);
            let fits = pairs.clone().all(|(p, q)| are_disjoint[p][q]);
            let is_shared =
                |&(p, q): &(usize, usize)| !a.taken[p].is_empty() && !b.taken[q].is_empty();
            fits.then(|| pairs.by_ref().filter(is_shared).count())
        };
        let mut best: Option<(usize, [[usize; 4]; 2])> = None;
        for choice in choices {
            if !allows(&choice[1]) {
                continue;
            }
            if let Some(shared) = shared(&choice)
                && best.is_none_or(|(most, _)| shared > most)
            {
                best = Some((shared, choice));
            }
        }
        let Some((_, [of_a, of_b])) = best else {
            return false;
        };
        let taken = std::mem::take(&mut self.classes[from]);
        let a = &mut self.classes[into];
        a.frame = of_a;
        a.is_fixed |= taken.is_fixed;
        let place = |q: usize| of_a.iter().position(|&channel| channel == of_b[q]).unwrap_or(q);
        for (q, times) in taken.taken.into_iter().enumerate() {
            a.taken[place(q)].extend(times);
        }
        for number in taken.nodes {
            self.class[number] = into;
            self.places[number] = self.places[number].map(place);
            a.nodes.push(number);
        }
        true
    }

    fn register(&self, channel: &Channel) -> Register {
        match channel.source {
            Source::Result(number, _) => Register::Class(self.class[number]),
            Source::Input(register, _) => Register::Input(register),
            Source::Constant(_) | Source::Unwritten => Register::Literal,
        }
    }

    /// Kind of a channel. Channels with the same register and modifiers can form one operand.
    fn kind(&self, channel: &Channel) -> (Register, bool, bool) {
        match self.register(channel) {
            Register::Literal => (Register::Literal, false, false),
            register => (register, channel.negated, channel.absolute),
        }
    }

    fn is_one_operand(&self, value: &[Channel]) -> bool {
        value.iter().all(|channel| self.kind(channel) == self.kind(&value[0]))
    }

    /// Reduces every operand of a node to one register, and its inputs and constants to one each.
    fn settle(&mut self, number: usize) {
        let is_moved = |slot| matches!(slot, Slot::Kept) || self.nodes[number].fills.is_some();
        let slots: Vec<(Slot, bool)> =
            slots(&self.nodes[number]).map(|slot| (slot, is_moved(slot))).collect();
        for &(slot, is_moved) in &slots {
            let value = self.read(number, slot);
            if value.is_empty() || self.is_one_operand(&value) {
                continue;
            }
            let (_, negated, absolute) = self.kind(&value[0]);
            let is_alike = |channel: &Channel| {
                matches!(channel.source, Source::Result(..))
                    && (channel.negated, channel.absolute) == (negated, absolute)
            };
            let fits = value.iter().all(is_alike) && self.unite(&value);
            if !fits && !is_moved {
                self.gather(number, slot, true);
            }
        }
        let of = |wanted: fn(&Slot) -> bool| {
            let slots = slots.iter().filter(|(_, is_moved)| !is_moved);
            slots.map(|&(slot, _)| slot).filter(wanted).collect::<Vec<Slot>>()
        };
        for group in
            [of(|slot| matches!(slot, Slot::Operand(_))), of(|slot| matches!(slot, Slot::Code(_)))]
        {
            self.limit(number, &group, true);
            self.limit(number, &group, false);
        }
    }

    /// Moves all but one of the attributes, or of the constants, read by operands.
    fn limit(&mut self, number: usize, slots: &[Slot], varying: bool) {
        let mut readers: Vec<(Register, Vec<Slot>)> = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        for &slot in slots {
            let value = self.read(number, slot);
            let register = self.register(&value[0]);
            match register {
                Register::Input(input) if self.program.is_varying[input - 1] == varying => {}
                Register::Literal if !varying => {
                    let bits = literal(&value).0;
                    numbers.extend(bits);
                    numbers.sort_unstable();
                    numbers.dedup();
                }
                _ => continue,
            }
            match readers.iter_mut().find(|(one, _)| *one == register) {
                Some((_, slots)) => slots.push(slot),
                None => readers.push((register, vec![slot])),
            }
        }
        // Literals remain, or else the most frequent source.
        readers.sort_by_key(|(register, slots)| {
            (usize::MAX - slots.len(), *register != Register::Literal)
        });
        for (_, slots) in readers.iter().skip(1) {
            slots.iter().for_each(|&slot| self.gather(number, slot, false));
        }
        if let Some((Register::Literal, slots)) = readers.first()
            && numbers.len() > 4
        {
            slots[1..].iter().for_each(|&slot| self.gather(number, slot, false));
        }
    }

    /// Gathers an operand by moves. The most frequent kind of channel may remain.
    fn gather(&mut self, number: usize, slot: Slot, may_stay: bool) {
        let value = self.read(number, slot);
        let is_multiple = self.nodes[number].guard.as_ref().is_some_and(|g| !g.kept.is_empty())
            && !self.is_tied[number]
            && matches!(slot, Slot::Operand(_));
        let end = self.time[number] + usize::from(is_multiple);
        if let Some(known) = self.gathered.get(&value).cloned() {
            let cells = known.iter().filter_map(|channel| match channel.source {
                Source::Result(maker, at) => Some((maker, at)),
                _ => None,
            });
            let cells: Vec<(usize, usize)> = cells.collect();
            if cells.into_iter().all(|cell| self.prolong(cell, end)) {
                return self.replace(number, slot, &known);
            }
        }
        let stays = may_stay.then(|| self.most(&value)).flatten();
        let first = self.nodes.len();
        let mut gathered = self.moved(number, &value, stays, end);
        if !self.unite(&gathered) {
            (first..self.nodes.len()).for_each(|copy| self.discard(copy));
            gathered = self.moved(number, &value, None, end);
            self.unite(&gathered);
        }
        self.gathered.insert(value, gathered.clone());
        self.replace(number, slot, &gathered);
    }

    /// The class of most channels of a value.
    fn most(&self, value: &[Channel]) -> Option<(Register, bool, bool)> {
        let kinds: Vec<_> = value.iter().map(|channel| self.kind(channel)).collect();
        let of_class = kinds
            .iter()
            .filter(|(register, _, absolute)| matches!(register, Register::Class(_)) && !absolute);
        of_class.max_by_key(|kind| kinds.iter().filter(|one| one == kind).count()).copied()
    }

    /// The value after moves of all channels except those that remain.
    fn moved(
        &mut self,
        number: usize,
        value: &[Channel],
        stays: Option<(Register, bool, bool)>,
        end: usize,
    ) -> Value {
        let mut moves: Vec<((Register, bool, bool), Vec<usize>)> = Vec::new();
        for (at, channel) in value.iter().enumerate() {
            let kind = self.kind(channel);
            if Some(kind) == stays {
                continue;
            }
            match moves.iter_mut().find(|(one, _)| *one == kind) {
                Some((_, lanes)) => lanes.push(at),
                None => moves.push((kind, vec![at])),
            }
        }
        let is_negated = stays.is_some_and(|(_, negated, _)| negated);
        let mut gathered = value.to_vec();
        for (_, lanes) in moves {
            let mut source: Value = lanes.iter().map(|&at| value[at]).collect();
            if is_negated {
                source = negate(&source);
            }
            // Each channel once.
            let mut distinct: Value = Vec::new();
            for channel in &source {
                if !distinct.contains(channel) {
                    distinct.push(*channel);
                }
            }
            let copy = self.copy(number, distinct.clone(), end);
            for (&at, channel) in lanes.iter().zip(&source) {
                let place = distinct.iter().position(|one| one == channel).unwrap_or(0);
                gathered[at] =
                    Channel { negated: is_negated, ..Channel::plain(Source::Result(copy, place)) };
            }
        }
        gathered
    }

    /// A move before a node.
    fn copy(&mut self, number: usize, source: Value, end: usize) -> usize {
        let width = source.len();
        let copy = self.nodes.len();
        let before = self.time[number] - MOVES;
        let others = (self.time.iter().skip(self.program.nodes.len()).rev())
            .take_while(|&&time| time >= before && time < self.time[number]);
        let time = before + others.count();
        self.nodes.push(Node {
            line: self.nodes[number].line,
            ..Node::new(Opcode::Mov, vec![source], width)
        });
        self.time.push(time);
        self.held.push(std::array::from_fn(|at| at < width));
        self.spans.push([(time, end); 4]);
        self.is_tied.push(false);
        self.class.push(usize::MAX);
        self.places.push([0; 4]);
        self.found(copy);
        copy
    }

    /// Removes a move.
    fn discard(&mut self, copy: usize) {
        let taken = &mut self.classes[self.class[copy]].taken;
        for channel in (0..4).filter(|&channel| self.held[copy][channel]) {
            taken[self.places[copy][channel]].0.remove(&self.time[copy]);
        }
        self.time[copy] = 0;
    }

    fn replace(&mut self, number: usize, slot: Slot, gathered: &[Channel]) {
        let lanes = self.lanes(number, slot);
        if let Some(value) = operand_mut(&mut self.nodes[number], slot) {
            for (lane, channel) in lanes.into_iter().zip(gathered) {
                value[lane] = *channel;
            }
        }
    }
}

/// The different numbers of a literal as bits, and whether all of them are negated.
pub(super) fn literal(value: &[Channel]) -> (Vec<u32>, bool) {
    let number = |channel: &Channel| {
        let number = channel.as_constant().unwrap_or(0.0);
        let number = if channel.absolute { number.abs() } else { number };
        if channel.negated { -number } else { number }
    };
    let is_negative = value.iter().all(|channel| number(channel) < 0.0);
    let mut bits: Vec<u32> = Vec::new();
    for channel in value {
        let number = number(channel);
        let one = if is_negative { -number } else { number }.to_bits();
        if !bits.contains(&one) {
            bits.push(one);
        }
    }
    (bits, is_negative)
}

/// All orders of four channels, the identity first.
pub(super) fn permutations() -> &'static [[usize; 4]] {
    static ALL: std::sync::LazyLock<Vec<[usize; 4]>> = std::sync::LazyLock::new(|| {
        let all = (0..256usize).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
        let is_permutation = |order: &[usize; 4]| (0..4).all(|channel| order.contains(&channel));
        all.filter(is_permutation).collect()
    });
    &ALL
}
