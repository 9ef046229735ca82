//! Combined additions of numbers to positions: registers have four channels, positions two.
//!
//! `vec2(here.x + 1.0, here.y)` is one addition of (1, 0) instead of an addition and a move. One addition also
//! serves two positions: `p.xyxy + (-1, 0, 1, 0)`.

use rustc_hash::FxHashMap;

use super::lower::Node;
use crate::program::graph::{Channel, Origin};
use crate::program::listing::Opcode;

/// Numbers that are added to channels, and the bits of each number.
type Sum = Vec<(Origin, u32)>;

/// Combines positions: with `of_any` sums with any register, not only with an input; with `in_pairs` two positions by
/// one addition. No choice is best for all programs. Returns false if less gives the same.
pub(super) fn widen(nodes: &mut Vec<Node>, of_any: bool, in_pairs: bool) -> bool {
    gather(nodes, false);
    let mut length = nodes.len();
    if of_any {
        gather(nodes, true);
        if nodes.len() == length {
            return false;
        }
    }
    length = nodes.len();
    if in_pairs {
        pair(nodes);
    }
    !in_pairs || nodes.len() > length
}

/// For a node that only adds numbers to channels of one register: the channels and the numbers.
fn sum(node: &Node) -> Option<Sum> {
    let is_plain = node.opcode == Opcode::Add && node.guard.is_none() && !node.saturates;
    let [a, b] = node.reads.get(..2).filter(|_| is_plain)? else { return None };
    let terms = a.iter().zip(b).map(|(a, b)| {
        let (number, channel) = match (a.as_constant(), b.as_constant()) {
            (Some(number), None) => (number, b),
            (None, Some(number)) => (number, a),
            _ => return None,
        };
        channel.is_plain().then_some((channel.source, number.to_bits()))
    });
    terms.collect()
}

/// The register of a channel before allocation.
fn register(source: Origin) -> Option<(bool, usize)> {
    match source {
        Origin::Input(register, _) => Some((true, register)),
        Origin::Result(number, _) => Some((false, number)),
        _ => None,
    }
}

fn addition(sum: &Sum, line: u32) -> Node {
    let channels = sum.iter().map(|&(source, _)| Channel::plain(source));
    let numbers = sum.iter().map(|&(_, bits)| Channel::constant(f32::from_bits(bits)));
    Node::new(Opcode::Add, vec![channels.collect(), numbers.collect()], sum.len(), line)
}

/// Computes positions whose channels are a register's or sums with it by one addition.
fn gather(nodes: &mut Vec<Node>, of_any: bool) {
    let mut made: FxHashMap<Sum, usize> = FxHashMap::default();
    for number in 0..nodes.len() {
        if nodes[number].opcode != Opcode::Tex {
            continue;
        }
        let position = &nodes[number].reads[0];
        let terms = position.iter().map(|channel| {
            let sum = channel.cell().map(|(maker, at)| (sum(&nodes[maker]), at));
            channel.is_plain().then_some(match sum {
                Some((Some(sum), at)) => sum[at],
                Some((None, _)) if !of_any => return None,
                _ => (channel.source, 0),
            })
        });
        let Some(sum) = terms.collect::<Option<Sum>>() else { continue };
        let first = register(sum[0].0);
        let is_of_one = first.is_some_and(|(is_input, _)| is_input || of_any)
            && sum.iter().all(|&(source, _)| register(source) == first);
        let inputs = position.iter().filter(|one| matches!(one.source, Origin::Input(..)));
        let is_mixed = match of_any {
            true => register(position[0].source) != register(position[1].source),
            false => (1..position.len()).contains(&inputs.count()),
        };
        if is_of_one && is_mixed {
            let line = nodes[number].line;
            let maker = *made.entry(sum.clone()).or_insert_with(|| {
                nodes.push(addition(&sum, line));
                nodes.len() - 1
            });
            nodes[number].reads[0] = Channel::results(maker, sum.len());
        }
    }
}

/// Computes two positions by one addition, if both add numbers to the same register.
fn pair(nodes: &mut Vec<Node>) {
    // Sums that are only used as positions, in the order of their fetches.
    let mut is_position = vec![true; nodes.len()];
    let mut fetched_at = Vec::new();
    for node in nodes.iter() {
        for maker in node.makers() {
            is_position[maker] &= node.opcode == Opcode::Tex;
            fetched_at.push(maker);
        }
    }
    let mut is_new = vec![true; nodes.len()];
    fetched_at.retain(|&maker| is_position[maker] && std::mem::take(&mut is_new[maker]));
    let mut waiting: FxHashMap<(bool, usize), (usize, Sum)> = FxHashMap::default();
    let mut moved: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for number in fetched_at {
        let Some(sum) = sum(&nodes[number]).filter(|sum| sum.len() == 2) else { continue };
        let (of, other) = (register(sum[0].0), register(sum[1].0));
        let Some(of) = of.filter(|_| of == other) else { continue };
        match waiting.remove(&of) {
            None => _ = waiting.insert(of, (number, sum)),
            Some((first, mut both)) => {
                both.extend(sum);
                nodes.push(addition(&both, nodes[first].line));
                moved.insert(first, (nodes.len() - 1, 0));
                moved.insert(number, (nodes.len() - 1, 2));
            }
        }
    }
    for node in nodes.iter_mut().filter(|node| node.opcode == Opcode::Tex) {
        for channel in &mut node.reads[0] {
            if let Some((maker, at)) = channel.cell()
                && let Some(&(pair, first)) = moved.get(&maker)
            {
                channel.source = Origin::Result(pair, first + at);
            }
        }
    }
}
