//! Nodes before they have an order.

use super::lower::{Node, Output, Role, distinct};
use crate::program::graph::{Cell, Channel, Origin, Value};
use crate::program::listing::Opcode;

/// Direct output of a node: number of the output, and pairs of its channel and the channel of the result.
pub(super) type Direct = Option<(usize, Vec<(usize, usize)>)>;

/// Nodes, with the data that do not depend on their order.
#[derive(Clone)]
pub(super) struct Unordered {
    pub nodes: Vec<Node>,
    /// The needed nodes, each after those that it reads.
    pub order: Vec<usize>,
    /// The results that each node reads, in order.
    pub reads: Vec<Vec<Cell>>,
    /// The channels of each result that occupy a temporary register.
    pub held: Vec<[bool; 4]>,
    pub direct: Vec<Direct>,
    /// For each input, whether it is an attribute or coordinate.
    pub is_varying: Vec<bool>,
}

impl Unordered {
    /// The nodes from `length` on belong in front of the first one that reads them.
    pub fn new(
        nodes: Vec<Node>,
        length: usize,
        outputs: &[Output],
        is_varying: Vec<bool>,
    ) -> Unordered {
        let mut is_new = vec![true; nodes.len()];
        let late = |number: usize| nodes[number].makers().filter(move |&maker| maker >= length);
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

    pub fn push(&mut self, node: Node, held: [bool; 4]) {
        self.nodes.push(node);
        self.held.push(held);
        self.direct.push(None);
    }

    /// Channels of a value needed for the needed channels of the result.
    pub fn lanes(&self, number: usize, at: usize) -> Vec<usize> {
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
    pub fn written(&self, number: usize) -> Vec<usize> {
        let lanes: Vec<usize> = match &self.direct[number] {
            Some((_, places)) => distinct(places.iter().map(|&(_, at)| at)),
            None => (0..4).filter(|&at| self.held[number][at]).collect(),
        };
        if lanes.is_empty() && self.nodes[number].acts { vec![0] } else { lanes }
    }

    /// Number of channels that a result occupies in a temporary register.
    pub fn width(&self, number: usize) -> usize {
        self.held[number].iter().filter(|&&is_held| is_held).count()
    }

    /// The needed channels of a value that a node reads.
    pub fn read(&self, number: usize, at: usize) -> Value {
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
