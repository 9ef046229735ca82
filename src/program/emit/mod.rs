//! The emitter: from a graph to its listing.
//!
//! 1. `lower` translates operations into instructions. Products become part of sums (MAD), comparisons
//!    set the condition code where it is tested, and operations used only by a selection are executed
//!    under its condition.
//! 2. `widen` combines additions of numbers to positions: one addition serves two positions.
//! 3. `order` tries the order of the text and three that keep few values alive.
//! 4. `classes` places channels that one operand reads together in one register; values whose
//!    lifetimes do not overlap may share a channel. It finds a register for each class.
//! 5. `write` sets the condition code and prints.
//!
//! Operands spread over several registers are gathered by moves. Of all variants, the listing that NV30 runs
//! fastest is kept.

mod classes;
mod lower;
mod order;
mod widen;
mod write;

use std::collections::BTreeSet;

use super::execute::Executed;
use super::graph::{Cell, Channel, Origin, Value};
use super::listing::{Listing, Opcode};

use classes::Assembly;
use lower::{Node, Role, lower};
use widen::widen;
use write::write;

/// Longer programs are emitted only in the order of their text.
const LONG: usize = 4000;

/// Returns the listing of an executed program.
pub(super) fn listing(executed: &Executed) -> Listing {
    let (mut nodes, outputs, units) = lower(executed);
    steal(&mut nodes, &outputs);
    let is_varying: Vec<bool> =
        executed.inputs.iter().map(|(.., is_varying)| *is_varying).collect();
    let mut listings = Vec::new();
    for (of_any, in_pairs) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut widened = nodes.clone();
        if !widen(&mut widened, of_any, in_pairs) {
            continue;
        }
        let program = Unordered::new(widened, nodes.len(), &outputs, is_varying.clone());
        let mut orders = vec![program.order.clone()];
        let is_long = program.order.len() >= LONG;
        if !is_long {
            orders.push(order::depth_first(&program, false));
            orders.push(order::depth_first(&program, true));
            orders.push(order::greedy(&program));
        }
        let assemblies = orders.iter().map(|order| Assembly::new(&program, order));
        listings.extend(assemblies.map(|assembly| write(&assembly, executed, &units)));
        if is_long {
            break;
        }
    }
    listings.into_iter().min_by_key(cost).unwrap_or_default()
}

/// Cost of a listing on NV30: instructions take longer the more pairs of registers are in use. The weight fits
/// the papers' timings (the calibrated cost model).
fn cost(listing: &Listing) -> [usize; 3] {
    let (instructions, registers) = (listing.instructions.len(), listing.registers());
    let pairs = registers.div_ceil(2).max(1);
    [instructions * (100 + 78 * (pairs - 1)), instructions, registers]
}

/// Number of a written output, and its channels.
type Output = (usize, Value);

/// Direct output of a node: number of the output, and pairs of its channel and the channel of the result.
type Direct = Option<(usize, Vec<(usize, usize)>)>;

/// Nodes, with the data that do not depend on their order.
#[derive(Clone)]
struct Unordered {
    nodes: Vec<Node>,
    /// The needed nodes, each after those that it reads.
    order: Vec<usize>,
    /// The results that each node reads, in order.
    reads: Vec<Vec<Cell>>,
    /// The channels of each result that occupy a temporary register.
    held: Vec<[bool; 4]>,
    direct: Vec<Direct>,
    /// For each input, whether it is an attribute or coordinate.
    is_varying: Vec<bool>,
}

impl Unordered {
    /// The nodes from `length` on belong in front of the first one that reads them.
    fn new(
        nodes: Vec<Node>,
        length: usize,
        outputs: &[Output],
        is_varying: Vec<bool>,
    ) -> Unordered {
        let mut is_new = vec![true; nodes.len()];
        let late = |number: usize| makers(&nodes[number]).filter(move |&maker| maker >= length);
        let order = (0..length).flat_map(|number| late(number).chain([number]));
        let order: Vec<usize> = order.filter(|&one| std::mem::take(&mut is_new[one])).collect();
        let mut targets: Vec<Vec<(usize, usize, Channel)>> = vec![Vec::new(); nodes.len()];
        for (output, value) in outputs {
            for (at, &channel) in value.iter().enumerate() {
                let maker = channel.maker().into_iter();
                maker.for_each(|maker| targets[maker].push((*output, at, channel)));
            }
        }
        let mut program = Unordered {
            reads: vec![Vec::new(); nodes.len()],
            held: vec![[false; 4]; nodes.len()],
            direct: vec![None; nodes.len()],
            nodes,
            order: Vec::new(),
            is_varying,
        };
        // Backwards, all readers of a result are known.
        for number in order.into_iter().rev() {
            let is_read = program.held[number].contains(&true);
            let direct = direct(&program.nodes[number], &targets[number]);
            program.direct[number] = direct.filter(|_| !is_read);
            if program.direct[number].is_none() {
                for (_, at) in targets[number].iter().filter_map(|(.., channel)| channel.cell()) {
                    program.held[number][at] = true;
                }
            }
            let node = &program.nodes[number];
            let is_held = program.held[number].contains(&true);
            if !is_held && program.direct[number].is_none() && !node.acts {
                continue;
            }
            let reads = (0..node.reads.len()).flat_map(|at| program.read(number, at));
            let reads = distinct(reads.filter_map(Channel::cell));
            reads.iter().for_each(|&(maker, at)| program.held[maker][at] = true);
            program.reads[number] = reads;
            program.order.push(number);
        }
        program.order.reverse();
        outputs.iter().for_each(|(output, value)| program.fill(*output, value));
        program
    }

    /// Appends a node that moves to an output what no instruction writes directly.
    fn fill(&mut self, output: usize, value: &Value) {
        let is_left = |channel: &Channel| match channel.maker() {
            Some(maker) => self.direct[maker].is_none(),
            None => channel.source != Origin::Unwritten,
        };
        let channels: Vec<usize> = (0..value.len()).filter(|&at| is_left(&value[at])).collect();
        if channels.is_empty() {
            return;
        }
        let left: Value = channels.iter().map(|&at| value[at]).collect();
        self.reads.push(distinct(left.iter().filter_map(|channel| channel.cell())));
        let node = Node::new(Opcode::Mov, vec![left], channels.len(), 0);
        self.push(Node { fills: Some((output, channels)), ..node }, [false; 4]);
        self.order.push(self.nodes.len() - 1);
    }

    fn push(&mut self, node: Node, held: [bool; 4]) {
        self.nodes.push(node);
        self.held.push(held);
        self.direct.push(None);
    }

    /// Channels of a value needed for the needed channels of the result.
    fn lanes(&self, number: usize, at: usize) -> Vec<usize> {
        let node = &self.nodes[number];
        match node.role(at) {
            Role::Code => vec![0],
            Role::Operand if node.opcode.row().read > 0 || node.fills.is_some() => {
                (0..node.reads[at].len()).collect()
            }
            _ => self.written(number),
        }
    }

    /// Channels of the result that are needed.
    fn written(&self, number: usize) -> Vec<usize> {
        let lanes: Vec<usize> = match &self.direct[number] {
            Some((_, places)) => distinct(places.iter().map(|&(_, at)| at)),
            None => (0..4).filter(|&at| self.held[number][at]).collect(),
        };
        if lanes.is_empty() && self.nodes[number].acts { vec![0] } else { lanes }
    }

    /// Number of channels that a result occupies in a temporary register.
    fn width(&self, number: usize) -> usize {
        self.held[number].iter().filter(|&&is_held| is_held).count()
    }

    /// The needed channels of a value that a node reads.
    fn read(&self, number: usize, at: usize) -> Value {
        let value = &self.nodes[number].reads[at];
        self.lanes(number, at).into_iter().map(|lane| value[lane]).collect()
    }
}

/// Returns the output that a node writes directly, if it can and nothing else reads its result.
fn direct(node: &Node, targets: &[(usize, usize, Channel)]) -> Direct {
    let (output, ..) = targets.first()?;
    let places = targets.iter().map(|(other, at, channel)| {
        let (_, from) = channel.cell()?;
        let is_moved = node.opcode == Opcode::Tex && *at != from;
        (other == output && !is_moved && channel.is_plain()).then_some((*at, from))
    });
    Some((*output, places.collect::<Option<_>>()?))
}

/// The different ones among some things, in order.
fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.collect::<BTreeSet<T>>().into_iter().collect()
}

/// The nodes whose results a node reads.
fn makers(node: &Node) -> impl Iterator<Item = usize> {
    node.reads.iter().flatten().filter_map(|channel| channel.maker())
}

/// Executes operations used by only one side of a selection in its place, under its condition.
fn steal(nodes: &mut [Node], outputs: &[Output]) {
    // Number of values that read each node, or are outputs.
    let mut uses = vec![0; nodes.len()];
    let values = nodes.iter().flat_map(|node| &node.reads);
    for value in values.chain(outputs.iter().map(|(_, value)| value)) {
        let makers = distinct(value.iter().filter_map(|channel| channel.maker()));
        makers.into_iter().for_each(|maker| uses[maker] += 1);
    }
    for number in 0..nodes.len() {
        let node = &nodes[number];
        if node.guard.is_none() || node.opcode != Opcode::Mov || node.saturates {
            continue;
        }
        let side = [0, 1].into_iter().find_map(|side| {
            let value = &node.reads[side];
            let first = value.first()?.maker()?;
            let maker = &nodes[first];
            let can = maker.opcode.row().read == 0 && maker.guard.is_none() && !maker.acts;
            let is_whole = *value == Channel::results(first, maker.width);
            (uses[first] == 1 && is_whole && can).then_some((side, first))
        });
        let Some((side, maker)) = side else { continue };
        let Node { opcode, saturates, reads, .. } = nodes[maker].clone();
        nodes[maker].reads.clear();
        let node = &mut nodes[number];
        if side == 1 {
            node.swap();
        }
        (node.opcode, node.saturates) = (opcode, saturates);
        node.reads.splice(..1, reads);
    }
}
