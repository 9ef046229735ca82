//! The emitter: from a graph to its listing.
//!
//! 1. `lower` translates operations into instructions. Products become part of sums (MAD), comparisons
//!    set the condition code where it is tested, and operations used only by a selection are executed
//!    under its condition.
//! 2. `widen` combines additions of numbers to positions: one addition serves two positions.
//! 3. `order` tries the order of the text and three that keep few values alive.
//! 4. `classes` places channels that one operand reads together in one register; values whose
//!    lifetimes do not overlap may share a channel.
//! 5. `allocate` finds a register for each class, and `write` sets the condition code and prints.
//!
//! Operands spread over several registers are gathered by moves. Of all variants, the listing that NV30 runs
//! fastest is kept.

mod allocate;
mod classes;
mod lower;
mod needs;
mod order;
mod widen;
mod write;

use super::execute::Executed;
use super::graph::{Channel, Source, Value};
use super::listing::{Listing, Opcode};

use classes::Assembly;
use lower::{Lowered, Node, lower};
use order::Values;
use widen::{Combinations, widen};
use write::write;

/// Longer programs are emitted only in the order of their text.
const LONG: usize = 4000;

/// Returns the listing of an executed program.
pub(super) fn listing(executed: &Executed) -> Listing {
    let Lowered { mut nodes, outputs, units } = lower(executed);
    steal(&mut nodes, &outputs);
    let is_varying =
        |(name, _): &(String, Value)| name == "gl_FragCoord" || executed.varying.contains(name);
    let is_varying: Vec<bool> = executed.inputs.iter().map(is_varying).collect();
    let mut best: Option<Listing> = None;
    for ways in Combinations::ALL {
        let mut nodes = nodes.clone();
        if !widen(&mut nodes, ways) {
            continue;
        }
        prune(&mut nodes, &outputs);
        let direct = direct(&nodes, &outputs);
        fill(&mut nodes, &outputs, &direct);
        let program = Program::new(nodes, direct, is_varying.clone());
        let mut orders = vec![program.values.program.clone()];
        if orders[0].len() < LONG {
            orders.push(order::depth_first(&program.values, false));
            orders.push(order::depth_first(&program.values, true));
            orders.push(order::greedy(&program.values));
        }
        for order in orders {
            let listing = write(&Assembly::new(&program, &order), executed, &units);
            if best.as_ref().is_none_or(|best| cost(&listing) < cost(best)) {
                best = Some(listing);
            }
        }
        if program.values.program.len() >= LONG {
            break;
        }
    }
    best.unwrap_or_default()
}

/// Cost of a listing on NV30: instructions take longer the more pairs of registers are in use. The weight fits
/// the papers' timings (the calibrated cost model).
fn cost(listing: &Listing) -> [usize; 3] {
    let (instructions, registers) = (listing.instructions.len(), listing.registers());
    let pairs = registers.div_ceil(2).max(1);
    [instructions * (100 + 78 * (pairs - 1)), instructions, registers]
}

/// Appends moves to the outputs that no instruction writes directly.
fn fill(nodes: &mut Vec<Node>, outputs: &[(usize, Value)], direct: &[Direct]) {
    for (number, value) in outputs {
        let left = |at: &usize| match value[*at].source {
            Source::Result(maker, _) => direct[maker].is_none(),
            source => source != Source::Unwritten,
        };
        let channels: Vec<usize> = (0..value.len()).filter(left).collect();
        if !channels.is_empty() {
            let left: Value = channels.iter().map(|&at| value[at]).collect();
            let width = left.len();
            nodes.push(Node {
                fills: Some((*number, channels)),
                ..Node::new(Opcode::Mov, vec![left], width)
            });
        }
    }
}

/// Direct output of a node: number of the output, and pairs of its channel and the channel of the result.
type Direct = Option<(usize, Vec<(usize, usize)>)>;

/// Nodes, with the data that do not depend on their order.
struct Program {
    nodes: Vec<Node>,
    direct: Vec<Direct>,
    values: Values,
    /// For each input, whether it is an attribute or coordinate.
    is_varying: Vec<bool>,
}

impl Program {
    fn new(nodes: Vec<Node>, mut direct: Vec<Direct>, is_varying: Vec<bool>) -> Program {
        direct.resize(nodes.len(), None);
        let length = nodes.len();
        let mut program = Program {
            nodes,
            direct,
            values: Values {
                program: Vec::new(),
                reads: vec![Vec::new(); length],
                held: vec![[false; 4]; length],
            },
            is_varying,
        };
        // Nodes are sorted by their operands, except for those inserted later.
        let order = program.sorted();
        for &number in order.iter().rev() {
            if !program.is_live(number) {
                continue;
            }
            let mut reads = Vec::new();
            for slot in program.slots(number) {
                for channel in program.read(number, slot) {
                    if let Source::Result(maker, at) = channel.source {
                        reads.push((maker, at));
                    }
                }
            }
            reads.sort_unstable();
            reads.dedup();
            for &(maker, at) in &reads {
                program.values.held[maker][at] = true;
            }
            program.values.reads[number] = reads;
        }
        let live = order.into_iter().filter(|&number| program.is_live(number));
        program.values.program = live.collect();
        program
    }

    fn is_live(&self, number: usize) -> bool {
        let node = &self.nodes[number];
        self.values.held[number].contains(&true)
            || self.direct[number].is_some()
            || node.fills.is_some()
            || node.acts
            || node.opcode == Opcode::Kil
    }

    /// All nodes, each after the nodes that it reads.
    fn sorted(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut is_done = vec![false; self.nodes.len()];
        for number in 0..self.nodes.len() {
            let mut path = vec![(number, self.makers(number))];
            while let Some((top, makers)) = path.last_mut() {
                match makers.pop() {
                    Some(maker) if !is_done[maker] => {
                        let makers = self.makers(maker);
                        path.push((maker, makers));
                    }
                    Some(_) => {}
                    None => {
                        if !is_done[*top] {
                            is_done[*top] = true;
                            order.push(*top);
                        }
                        path.pop();
                    }
                }
            }
        }
        order
    }

    fn makers(&self, number: usize) -> Vec<usize> {
        let values = slots(&self.nodes[number]).map(|slot| operand(&self.nodes[number], slot));
        let channels = values.flatten();
        channels.filter_map(|c| c.source.instruction()).collect()
    }

    fn slots(&self, number: usize) -> impl Iterator<Item = Slot> + use<> {
        slots(&self.nodes[number])
    }

    /// Channels of an operand needed for the needed channels of the result.
    fn lanes(&self, number: usize, slot: Slot) -> Vec<usize> {
        let node = &self.nodes[number];
        match slot {
            Slot::Code(_) => vec![0],
            Slot::Operand(at) if !node.opcode.is_channelwise() || node.fills.is_some() => {
                (0..node.operands[at].len()).collect()
            }
            _ => self.written(number),
        }
    }

    /// Channels of the result that are needed.
    fn written(&self, number: usize) -> Vec<usize> {
        match &self.direct[number] {
            Some((_, places)) => {
                let mut lanes: Vec<usize> = places.iter().map(|&(_, at)| at).collect();
                lanes.sort_unstable();
                lanes.dedup();
                lanes
            }
            None => {
                let held = self.values.held[number];
                let lanes = (0..4).filter(|&at| held[at]);
                let lanes: Vec<usize> = lanes.collect();
                if lanes.is_empty() && self.nodes[number].acts { vec![0] } else { lanes }
            }
        }
    }

    /// The value that an operand reads.
    fn read(&self, number: usize, slot: Slot) -> Value {
        let value = operand(&self.nodes[number], slot);
        let lanes = self.lanes(number, slot).into_iter();
        lanes.map(|lane| value[lane]).collect()
    }
}

/// One of the values that a node reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// An operand of the node itself.
    Operand(usize),
    /// Old value that is kept where the condition fails.
    Kept,
    /// Operand of the instruction that sets the condition code.
    Code(usize),
}

fn slots(node: &Node) -> impl Iterator<Item = Slot> + use<> {
    let code = node.guard.as_ref().map_or(0, |guard| guard.code.operands.len());
    let kept = node.guard.as_ref().is_some_and(|guard| !guard.kept.is_empty());
    let operands = (0..node.operands.len()).map(Slot::Operand);
    let kept = kept.then_some(Slot::Kept);
    operands.chain(kept).chain((0..code).map(Slot::Code))
}

fn operand(node: &Node, slot: Slot) -> &[Channel] {
    match (slot, &node.guard) {
        (Slot::Operand(at), _) => &node.operands[at],
        (Slot::Kept, Some(guard)) => &guard.kept,
        (Slot::Code(at), Some(guard)) => &guard.code.operands[at],
        (_, None) => &[],
    }
}

fn operand_mut(node: &mut Node, slot: Slot) -> Option<&mut Value> {
    match (slot, &mut node.guard) {
        (Slot::Operand(at), _) => node.operands.get_mut(at),
        (Slot::Kept, Some(guard)) => Some(&mut guard.kept),
        (Slot::Code(at), Some(guard)) => guard.code.operands.get_mut(at),
        (_, None) => None,
    }
}

/// Number of operands that read each node, plus one if its result is an output.
fn uses(nodes: &[Node], outputs: &[(usize, Value)]) -> Vec<usize> {
    let mut uses = vec![0; nodes.len()];
    let mut note = |value: &[Channel]| {
        let mut makers: Vec<usize> = value.iter().filter_map(|c| c.source.instruction()).collect();
        makers.sort_unstable();
        makers.dedup();
        makers.into_iter().for_each(|maker| uses[maker] += 1);
    };
    for node in nodes {
        slots(node).for_each(|slot| note(operand(node, slot)));
    }
    outputs.iter().for_each(|(_, value)| note(value));
    uses
}

/// Executes operations used by only one side of a selection in its place, under its condition.
fn steal(nodes: &mut [Node], outputs: &[(usize, Value)]) {
    let uses = uses(nodes, outputs);
    for number in 0..nodes.len() {
        let node = &nodes[number];
        let Some(guard) = &node.guard else { continue };
        if node.opcode != Opcode::Mov || node.saturates {
            continue;
        }
        let maker_of = |value: &[Channel]| {
            let first = value.first()?.source.instruction()?;
            let maker = &nodes[first];
            let is_whole = value.len() == maker.width
                && value
                    .iter()
                    .enumerate()
                    .all(|(at, channel)| *channel == Channel::plain(Source::Result(first, at)));
            let can = maker.opcode.is_channelwise() && maker.guard.is_none() && !maker.acts;
            (uses[first] == 1 && is_whole && can).then_some(first)
        };
        let (maker, swaps) = match (maker_of(&node.operands[0]), maker_of(&guard.kept)) {
            (Some(maker), _) => (maker, false),
            (None, Some(maker)) => (maker, true),
            (None, None) => continue,
        };
        let made = nodes[maker].clone();
        let node = &mut nodes[number];
        if swaps {
            swap(node);
        }
        node.opcode = made.opcode;
        node.operands = made.operands;
        node.saturates = made.saturates;
        nodes[maker].operands.clear();
    }
}

/// Clears the operands of unused nodes.
fn prune(nodes: &mut [Node], outputs: &[(usize, Value)]) {
    let mut is_needed: Vec<bool> =
        nodes.iter().map(|n| n.acts || n.opcode == Opcode::Kil).collect();
    let makers = |value: &[Channel]| -> Vec<usize> {
        value.iter().filter_map(|c| c.source.instruction()).collect()
    };
    let mut path: Vec<usize> = outputs.iter().flat_map(|(_, value)| makers(value)).collect();
    path.extend((0..nodes.len()).filter(|&number| is_needed[number]));
    path.iter().for_each(|&number| is_needed[number] = true);
    while let Some(number) = path.pop() {
        for maker in slots(&nodes[number]).flat_map(|slot| makers(operand(&nodes[number], slot))) {
            if !std::mem::replace(&mut is_needed[maker], true) {
                path.push(maker);
            }
        }
    }
    for (node, is_needed) in nodes.iter_mut().zip(is_needed) {
        if !is_needed {
            node.operands.clear();
            node.guard = None;
        }
    }
}

/// Exchanges the sides of a selection.
fn swap(node: &mut Node) {
    if let (Some(guard), Some(side)) = (&mut node.guard, node.operands.first_mut()) {
        std::mem::swap(side, &mut guard.kept);
        guard.relation = guard.relation.inverse();
    }
}

/// The nodes that write an output directly, because nothing else reads their results.
fn direct(nodes: &[Node], outputs: &[(usize, Value)]) -> Vec<Direct> {
    let mut is_read = vec![false; nodes.len()];
    for node in nodes {
        for channel in slots(node).flat_map(|slot| operand(node, slot)) {
            if let Source::Result(maker, _) = channel.source {
                is_read[maker] = true;
            }
        }
    }
    let mut direct: Vec<Direct> = vec![None; nodes.len()];
    for (number, value) in outputs {
        for (at, channel) in value.iter().enumerate() {
            let Source::Result(maker, from) = channel.source else {
                continue;
            };
            let is_moved = nodes[maker].opcode == Opcode::Tex && at != from;
            let is_elsewhere = matches!(&direct[maker], Some((other, _)) if other != number);
            if is_moved || is_elsewhere || channel.negated || channel.absolute {
                is_read[maker] = true;
            }
            let places = &mut direct[maker].get_or_insert((*number, Vec::new())).1;
            places.push((at, from));
        }
    }
    for (direct, is_read) in direct.iter_mut().zip(is_read) {
        if is_read {
            *direct = None;
        }
    }
    direct
}
