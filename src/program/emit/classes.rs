//! Classes: values that one operand reads together are placed in one register.
//!
//! A class is a set of channels held by one register. Two channels of a class may share a channel of the
//! register if their lifetimes do not overlap. The result of a fetch remains in the channels in which it was
//! stored.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::lower::{Node, Role, distinct};
use super::unordered::Unordered;
use crate::base::order::ShortSort;
use crate::program::graph::{Cell, Channel, Origin, Value, negate};
use crate::program::listing::Opcode;

/// Time from one node to the next; moves that gather an operand come in between.
const STEP: usize = 64;
/// Time between a node and its first move.
const MOVES: usize = 40;

/// Times at which a register channel is occupied: start and end (exclusive).
type Taken = BTreeMap<usize, usize>;

fn is_free(taken: &Taken, from: usize, to: usize) -> bool {
    taken.range(..to).next_back().is_none_or(|(_, &end)| end <= from)
}

/// Channels that share a register.
#[derive(Clone, Debug, Default)]
struct Class {
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

/// Kind of a channel: its register, and whether it is negated and absolute. Channels of one kind can form one operand.
type Of = (Register, bool, bool);

/// Nodes in a given order, with the moves that gather operands, and the classes of their results.
pub(super) struct Assembly<'a> {
    /// The program before its operands are gathered.
    pub original: &'a Unordered,
    /// The program with the moves.
    pub program: Unordered,
    /// Execution time of each node.
    time: Vec<usize>,
    spans: Vec<[(usize, usize); 4]>,
    /// True for selections that write over their old value in place.
    is_tied: Vec<bool>,
    class: Vec<usize>,
    /// Slot in its class of each channel of a result.
    places: Vec<[usize; 4]>,
    classes: Vec<Class>,
    /// Operands gathered by moves.
    gathered: FxHashMap<Value, Value>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(original: &'a Unordered, order: &[usize]) -> Self {
        let length = original.nodes.len();
        let mut this = Self {
            original,
            program: original.clone(),
            time: vec![0; length],
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
            for &(maker, channel) in &original.reads[number] {
                this.spans[maker][channel].1 = time;
            }
        }
        order.iter().for_each(|&number| this.found(number));
        order.iter().for_each(|&number| this.tie_selection(number));
        order.iter().for_each(|&number| this.settle(number));
        this
    }

    /// All nodes in order.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.time.len()).filter(|&n| self.time[n] > 0).collect();
        order.order_by_key(|&number| self.time[number]);
        order
    }

    fn node(&self, number: usize) -> &Node {
        &self.program.nodes[number]
    }

    /// The channels of a result in a register.
    pub(super) fn held(&self, number: usize) -> impl Iterator<Item = usize> + use<> {
        let held = self.program.held[number];
        (0..4).filter(move |&channel| held[channel])
    }

    /// Creates a class with a single node.
    fn found(&mut self, number: usize) {
        if self.held(number).next().is_none() {
            return;
        }
        let is_fixed = self.node(number).opcode == Opcode::Tex;
        let mut class =
            Class { nodes: vec![number], is_fixed, frame: [0, 1, 2, 3], ..Class::default() };
        for (next, channel) in self.held(number).enumerate() {
            let place = if is_fixed { channel } else { next };
            self.places[number][channel] = place;
            let (from, to) = self.spans[number][channel];
            class.taken[place].insert(from, to);
        }
        self.class[number] = self.classes.len();
        self.classes.push(class);
    }

    /// Extends the lifetime of a channel, if nothing follows in its slot until then.
    fn prolong(&mut self, (number, channel): Cell, to: usize) -> bool {
        let (from, old) = self.spans[number][channel];
        if to <= old {
            return true;
        }
        let taken = &mut self.classes[self.class[number]].taken[self.places[number][channel]];
        if !is_free(taken, old, to) {
            return false;
        }
        taken.insert(from, to);
        self.spans[number][channel].1 = to;
        true
    }

    /// The slot of a channel in its class.
    fn channel(&self, (number, channel): Cell) -> usize {
        self.classes[self.class[number]].frame[self.places[number][channel]]
    }

    /// Lets a selection keep its old value in place where the condition fails. Otherwise the old value is moved
    /// first, and the selected value must live until then.
    fn tie_selection(&mut self, number: usize) {
        let node = self.node(number);
        if !node.is_selection() || self.program.direct[number].is_some() {
            return;
        }
        let can_swap = node.opcode == Opcode::Mov && !node.saturates;
        self.is_tied[number] = self.tie(number);
        if !self.is_tied[number] && can_swap {
            self.program.nodes[number].swap();
            self.is_tied[number] = self.tie(number);
            if !self.is_tied[number] {
                self.program.nodes[number].swap();
            }
        }
        if !self.is_tied[number] {
            let end = self.time[number] + 1;
            let reads = (0..self.node(number).first(Role::Code))
                .flat_map(|at| self.program.read(number, at));
            let cells: Vec<Cell> = reads.filter_map(Channel::cell).collect();
            cells.into_iter().for_each(|cell| _ = self.prolong(cell, end));
        }
    }

    fn tie(&mut self, number: usize) -> bool {
        let at = self.node(number).first(Role::Kept);
        let kept = self.program.read(number, at);
        let cells = kept.iter().map(|channel| channel.cell().filter(|_| channel.is_plain()));
        let Some(cells) = cells.collect::<Option<Vec<Cell>>>() else { return false };
        let ends = |&(maker, at): &Cell| self.spans[maker][at].1 <= self.time[number];
        let is_twice = (1..cells.len()).any(|at| cells[..at].contains(&cells[at]));
        if is_twice || !cells.iter().all(ends) || !self.unite(&kept) {
            return false;
        }
        let lanes = self.program.lanes(number, at).into_iter();
        let pair = |(lane, &cell)| (self.places[number][lane], self.channel(cell));
        let pairs: Vec<(usize, usize)> = lanes.zip(&cells).map(pair).collect();
        let (into, from) = (self.class[cells[0].0], self.class[number]);
        let fits = |frame: &[usize; 4]| pairs.iter().all(|&(place, at)| frame[place] == at);
        into != from && self.merge(into, from, fits)
    }

    /// Places all channels of a value into one class, if they fit.
    fn unite(&mut self, value: &[Channel]) -> bool {
        let makers = value.iter().filter_map(|channel| channel.maker());
        let mut classes = distinct(makers.map(|maker| self.class[maker]));
        // Channels that cannot be moved come first: if they do not fit, nothing does.
        classes.order_by_key(|&class| !self.classes[class].is_fixed);
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
        let are_disjoint = disjoint(&a.taken, &b.taken);
        let is_shared = |p: usize, q: usize| !a.taken[p].is_empty() && !b.taken[q].is_empty();
        let shared = |[of_a, of_b]: [[usize; 4]; 2]| {
            let pairs =
                (0..16).map(|pair| (pair / 4, pair % 4)).filter(|&(p, q)| of_a[p] == of_b[q]);
            let fits = allows(&of_b) && pairs.clone().all(|(p, q)| are_disjoint[p][q]);
            fits.then(|| (pairs.filter(|&(p, q)| is_shared(p, q)).count(), of_a, of_b))
        };
        // Of the best ones the first.
        let best = choices.into_iter().rev().filter_map(shared).max_by_key(|(shared, ..)| *shared);
        let Some((_, of_a, of_b)) = best else { return false };
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
            Origin::Result(number, _) => Register::Class(self.class[number]),
            Origin::Input(register, _) => Register::Input(register),
            Origin::Constant(_) | Origin::Unwritten => Register::Literal,
        }
    }

    fn kind(&self, channel: &Channel) -> Of {
        match self.register(channel) {
            Register::Literal => (Register::Literal, false, false),
            register => (register, channel.negated, channel.absolute),
        }
    }

    /// Reduces every operand of a node to one register, and its inputs and constants to one each.
    fn settle(&mut self, number: usize) {
        let mut groups = [Vec::new(), Vec::new()];
        for at in 0..self.node(number).reads.len() {
            let value = self.program.read(number, at);
            let group = match self.node(number).role(at) {
                Role::Operand if self.node(number).fills.is_none() => Some(0),
                Role::Operand | Role::Kept => None,
                Role::Code => Some(1),
            };
            group.into_iter().for_each(|group| groups[group].push(at));
            if value.iter().all(|channel| self.kind(channel) == self.kind(&value[0])) {
                continue;
            }
            let modifiers = |one: &Channel| (one.negated, one.absolute);
            let first = modifiers(&value[0]);
            let is_alike = |one: &Channel| one.cell().is_some() && modifiers(one) == first;
            let fits = value.iter().all(is_alike) && self.unite(&value);
            if !fits && group.is_some() {
                self.gather(number, at, true);
            }
        }
        for group in groups {
            self.limit(number, &group, true);
            self.limit(number, &group, false);
        }
    }

    /// Moves all but one of the attributes, or of the constants, that some operands read.
    fn limit(&mut self, number: usize, operands: &[usize], varying: bool) {
        let mut numbers: Vec<u32> = Vec::new();
        let mut known = Vec::new();
        for &at in operands {
            let value = self.program.read(number, at);
            let register = self.register(&value[0]);
            match register {
                Register::Input(input) if self.program.is_varying[input - 1] == varying => {}
                Register::Literal if !varying => numbers.extend(literal(&value).0),
                _ => continue,
            }
            known.push((register, at));
        }
        let mut readers = grouped(known);
        // Literals remain, or else the most frequent source.
        readers.order_by_key(|(of, all)| (usize::MAX - all.len(), *of != Register::Literal));
        let others = readers.iter().skip(1).flat_map(|(_, operands)| operands);
        others.for_each(|&at| self.gather(number, at, false));
        if let Some((Register::Literal, operands)) = readers.first()
            && distinct(numbers.into_iter()).len() > 4
        {
            operands[1..].iter().for_each(|&at| self.gather(number, at, false));
        }
    }

    /// Gathers an operand by moves. The most frequent kind of channel may remain.
    fn gather(&mut self, number: usize, at: usize, may_stay: bool) {
        let value = self.program.read(number, at);
        let node = self.node(number);
        let is_multiple =
            node.is_selection() && !self.is_tied[number] && node.role(at) == Role::Operand;
        let end = self.time[number] + usize::from(is_multiple);
        let known = self.gathered.get(&value).cloned().filter(|known| {
            let mut cells = known.iter().filter_map(|channel| channel.cell());
            cells.all(|cell| self.prolong(cell, end))
        });
        let gathered = known.unwrap_or_else(|| {
            let stays = may_stay.then(|| self.most(&value)).flatten();
            let first = self.program.nodes.len();
            let mut gathered = self.moved(number, &value, stays, end);
            if !self.unite(&gathered) {
                (first..self.program.nodes.len()).for_each(|copy| self.discard(copy));
                gathered = self.moved(number, &value, None, end);
                self.unite(&gathered);
            }
            self.gathered.insert(value, gathered.clone());
            gathered
        });
        for (lane, channel) in self.program.lanes(number, at).into_iter().zip(gathered) {
            self.program.nodes[number].reads[at][lane] = channel;
        }
    }

    /// The kind of most channels of a value that are results.
    fn most(&self, value: &[Channel]) -> Option<Of> {
        let kinds: Vec<Of> = value.iter().map(|channel| self.kind(channel)).collect();
        let results = kinds.iter().filter(|of| matches!(of, (Register::Class(_), _, false)));
        results.max_by_key(|kind| kinds.iter().filter(|one| one == kind).count()).copied()
    }

    /// The value after moves of all channels except those that remain.
    fn moved(&mut self, number: usize, value: &[Channel], stays: Option<Of>, end: usize) -> Value {
        let kinds = (0..value.len()).map(|at| (self.kind(&value[at]), at));
        let moves = grouped(kinds.filter(|(kind, _)| Some(*kind) != stays));
        let is_negated = stays.is_some_and(|(_, is_negated, _)| is_negated);
        let mut gathered = value.to_vec();
        for (_, lanes) in moves {
            let mut source: Value = lanes.iter().map(|&at| value[at]).collect();
            if is_negated {
                source = negate(&source);
            }
            // Each channel once.
            let distinct = grouped(source.into_iter().zip(lanes));
            let copy =
                self.copy(number, distinct.iter().map(|(channel, _)| *channel).collect(), end);
            for (place, (_, lanes)) in distinct.iter().enumerate() {
                let source = Origin::Result(copy, place);
                let channel = Channel { negated: is_negated, ..Channel::plain(source) };
                lanes.iter().for_each(|&at| gathered[at] = channel);
            }
        }
        gathered
    }

    /// A move before a node.
    fn copy(&mut self, number: usize, source: Value, end: usize) -> usize {
        let width = source.len();
        let copy = self.program.nodes.len();
        let before = self.time[number] - MOVES;
        let others = (self.time.iter().skip(self.original.nodes.len()).rev())
            .take_while(|&&time| time >= before && time < self.time[number]);
        let time = before + others.count();
        let node = Node::new(Opcode::Mov, vec![source], width, self.node(number).line);
        self.program.push(node, std::array::from_fn(|at| at < width));
        self.time.push(time);
        self.spans.push([(time, end); 4]);
        self.is_tied.push(false);
        self.class.push(usize::MAX);
        self.places.push([0; 4]);
        self.found(copy);
        copy
    }

    /// Removes a move.
    fn discard(&mut self, copy: usize) {
        for channel in self.held(copy) {
            let place = self.places[copy][channel];
            self.classes[self.class[copy]].taken[place].remove(&self.time[copy]);
        }
        self.time[copy] = 0;
    }

    /// A place for each channel of each result: a register, and its channel. A class gets the first register that is
    /// free for its lifetime.
    pub(super) fn registers(&self) -> Vec<[(usize, usize); 4]> {
        let first = |class: &Class| class.taken.iter().flat_map(Taken::keys).min().copied();
        let order = self.classes.iter().enumerate();
        let order = distinct(order.filter_map(|(class, of)| Some((first(of)?, class))));
        let mut registers: Vec<[Taken; 4]> = Vec::new();
        let mut found = vec![(0, [0, 1, 2, 3]); self.classes.len()];
        for (_, class) in order {
            let of = &self.classes[class];
            let frames = if of.is_fixed { std::slice::from_ref(&of.frame) } else { permutations() };
            let free = registers.iter().enumerate().find_map(|(register, taken)| {
                let is_free = disjoint(&of.taken, taken);
                let fits = |frame: &&[usize; 4]| (0..4).all(|place| is_free[place][frame[place]]);
                frames.iter().find(fits).map(|frame| (register, *frame))
            });
            let (register, frame) = free.unwrap_or((registers.len(), frames[0]));
            registers.resize_with(registers.len().max(register + 1), Default::default);
            for place in 0..4 {
                registers[register][frame[place]].extend(of.taken[place].clone());
            }
            found[class] = (register, frame);
        }
        let places = self.class.iter().zip(&self.places).map(|(&class, places)| {
            let (register, frame) = found.get(class).copied().unwrap_or_default();
            places.map(|place| (register, frame[place]))
        });
        places.collect()
    }
}

/// Tests for each two channels whether their lifetimes do not overlap.
fn disjoint(a: &[Taken; 4], b: &[Taken; 4]) -> [[bool; 4]; 4] {
    let is_disjoint = |a: &Taken, b: &Taken| {
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        few.iter().all(|(&from, &to)| is_free(many, from, to))
    };
    std::array::from_fn(|p| std::array::from_fn(|q| is_disjoint(&a[p], &b[q])))
}

/// Things with equal keys together, in the order of their first ones.
pub(super) fn grouped<K: PartialEq, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for (key, one) in all {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(one),
            None => groups.push((key, vec![one])),
        }
    }
    groups
}

/// The different numbers of a literal as bits, and whether all of them are negated.
pub(super) fn literal(value: &[Channel]) -> (Vec<u32>, bool) {
    let numbers = || value.iter().map(|channel| channel.as_constant().unwrap_or(0.0));
    let is_negative = numbers().all(|number| number < 0.0);
    let mut bits: Vec<u32> = Vec::new();
    for number in numbers() {
        let one = if is_negative { -number } else { number }.to_bits();
        if !bits.contains(&one) {
            bits.push(one);
        }
    }
    (bits, is_negative)
}

/// All orders of four channels, the identity first.
fn permutations() -> &'static [[usize; 4]] {
    static ALL: std::sync::LazyLock<Vec<[usize; 4]>> = std::sync::LazyLock::new(|| {
        let all = (0..256usize).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
        let is_permutation = |order: &[usize; 4]| (0..4).all(|channel| order.contains(&channel));
        all.filter(is_permutation).collect()
    });
    &ALL
}
