//! From the graph to instructions of `NV_fragment_program`, without registers.

use rustc_hash::FxHashMap;

use super::needs::Needs;
use crate::program::arithmetic::Operation;
use crate::program::execute::Executed;
use crate::program::graph::{Channel, Graph, Source, Value, absolute, is_constant, negate, widen};
use crate::program::listing::{Opcode, Relation};

/// An instruction whose operands are channels of results, inputs and numbers.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub opcode: Opcode,
    pub operands: Vec<Value>,
    /// Number of channels of its result.
    pub width: usize,
    pub saturates: bool,
    pub unit: usize,
    /// Condition of the write.
    pub guard: Option<Guard>,
    /// Output that it fills from its operand, by the necessary number of moves, and the channels of the output.
    pub fills: Option<(usize, Vec<usize>)>,
    /// True if it is needed even without readers.
    pub acts: bool,
    pub line: u32,
}

/// A condition, and the old value that is kept where it fails.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub relation: Relation,
    pub code: Code,
    /// Old value, as wide as the result; empty for a KIL.
    pub kept: Value,
}

/// Instruction that sets the condition code: of one channel, a move for an existing number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Code {
    pub opcode: Opcode,
    pub operands: Vec<Value>,
}

impl Node {
    pub(super) fn new(opcode: Opcode, operands: Vec<Value>, width: usize) -> Node {
        Node {
            opcode,
            operands,
            width,
            saturates: false,
            unit: 0,
            guard: None,
            fills: None,
            acts: false,
            line: 0,
        }
    }
}

/// A program as nodes, each after the nodes that it reads.
pub(super) struct Lowered {
    pub nodes: Vec<Node>,
    /// Numbers of the written outputs, and their channels.
    pub outputs: Vec<(usize, Value)>,
    /// Numbers of the streams, from 1, by texture unit.
    pub units: Vec<usize>,
}

struct Lowering<'a> {
    graph: &'a Graph,
    needs: Needs<'a>,
    nodes: Vec<Node>,
    units: Vec<usize>,
    /// Channel of a node for each channel of the graph's instructions.
    places: FxHashMap<(usize, usize), Channel>,
}

pub(super) fn lower(executed: &Executed) -> Lowered {
    let graph = &executed.graph;
    let is_written = |value: &Value| value.iter().any(|c| c.source != Source::Unwritten);
    let outputs = executed.outputs.iter().map(|(_, value)| value.clone());
    let outputs: Vec<(usize, Value)> = outputs.enumerate().filter(|(_, v)| is_written(v)).collect();
    let values: Vec<Value> = outputs.iter().map(|(_, value)| value.clone()).collect();
    let needs = Needs::of(graph, &values);
    let live = (0..graph.instructions.len()).filter(|&n| needs.is_live(n));
    let fetched = live.filter_map(|n| match graph.instructions[n].operation {
        Operation::Fetch(stream) => Some(stream),
        _ => None,
    });
    let mut units: Vec<usize> = fetched.collect();
    units.sort_unstable();
    units.dedup();
    let mut lowering =
        Lowering { graph, needs, nodes: Vec::new(), units, places: FxHashMap::default() };
    for number in 0..graph.instructions.len() {
        lowering.instruction(number);
    }
    let outputs = outputs.iter();
    let outputs = outputs.map(|(number, value)| (*number, lowering.value(value)));
    let outputs = outputs.collect();
    Lowered { outputs, nodes: lowering.nodes, units: lowering.units }
}

impl Lowering<'_> {
    /// A value of the graph in terms of nodes.
    fn value(&self, value: &[Channel]) -> Value {
        let channels = value.iter().map(|channel| match channel.source {
            Source::Result(number, at) => {
                let place = self.places[&(number, at)];
                Channel {
                    source: place.source,
                    absolute: channel.absolute || place.absolute,
                    negated: channel.negated != (place.negated && !channel.absolute),
                }
            }
            _ => *channel,
        });
        channels.collect()
    }

    fn instruction(&mut self, number: usize) {
        let instruction = &self.graph.instructions[number];
        if !self.needs.is_live(number) {
            return;
        }
        if self.needs.is_absorbed(number) {
            if instruction.operation == Operation::Saturate {
                // A modifier of the instruction that computes it.
                for (at, channel) in instruction.operands[0].iter().enumerate() {
                    let place = self.value(&[*channel])[0];
                    if let Source::Result(maker, _) = place.source {
                        self.nodes[maker].saturates = true;
                    }
                    self.places.insert((number, at), place);
                }
            }
            return;
        }
        let mut node = match instruction.operation {
            Operation::Select => self.selection(number),
            Operation::Add if self.needs.selection_in(number).is_some() => self.guarded_sum(number),
            Operation::Kill => {
                let (relation, code) = self.condition(&instruction.operands[0]);
                let kept = Value::new();
                let guard = Some(Guard { relation, code, kept });
                Node { guard, ..Node::new(Opcode::Kil, Vec::new(), 0) }
            }
            _ => self.plain(number),
        };
        node.line = self.graph.lines[number];
        node.acts = self.needs.acts(number);
        for at in 0..node.width {
            let place = Channel::plain(Source::Result(self.nodes.len(), at));
            self.places.insert((number, at), place);
        }
        self.nodes.push(node);
    }

    /// An instruction without a condition.
    fn plain(&self, number: usize) -> Node {
        use Operation as O;
        let instruction = &self.graph.instructions[number];
        let operands = &instruction.operands;
        let width = operands.iter().map(Vec::len).max().unwrap_or(0);
        let values = || operands.iter().map(|v| widen(&self.value(v), width));
        let opcode = match instruction.operation {
            O::Add => return self.sum(operands),
            O::Fetch(stream) => {
                let position = self.value(&operands[0][..2]);
                let unit = self.units.iter().position(|&one| one == stream);
                return Node {
                    unit: unit.unwrap_or(0),
                    ..Node::new(Opcode::Tex, vec![position], 4)
                };
            }
            O::Dot => {
                let opcode = if width == 3 { Opcode::Dp3 } else { Opcode::Dp4 };
                return Node::new(opcode, values().collect(), 1);
            }
            O::Interpolate => {
                let mut list: Vec<Value> = values().collect();
                list.reverse();
                return Node::new(Opcode::Lrp, list, width);
            }
            O::Saturate => {
                return Node {
                    saturates: true,
                    ..Node::new(Opcode::Mov, values().collect(), width)
                };
            }
            O::Multiply | O::And => Opcode::Mul,
            O::Minimum => Opcode::Min,
            O::Maximum | O::Or => Opcode::Max,
            O::Floor => Opcode::Flr,
            O::Fraction => Opcode::Frc,
            O::Reciprocal | O::Divide | O::SquareRoot => Opcode::Rcp,
            O::InverseRoot => Opcode::Rsq,
            O::Exponential => Opcode::Ex2,
            O::Logarithm => Opcode::Lg2,
            O::Power => Opcode::Pow,
            O::Sine => Opcode::Sin,
            O::Cosine => Opcode::Cos,
            O::Less => Opcode::Slt,
            O::GreaterEqual => Opcode::Sge,
            O::Equal => Opcode::Seq,
            O::NotEqual => Opcode::Sne,
            O::DerivativeX => Opcode::Ddx,
            O::DerivativeY => Opcode::Ddy,
            O::Select | O::Kill => Opcode::Mov,
        };
        Node::new(opcode, values().collect(), width)
    }

    /// A sum, or a multiply-add if a term is a product without other uses.
    fn sum(&self, operands: &[Value]) -> Node {
        let width = operands.iter().map(Vec::len).max().unwrap_or(0);
        let Some((at, product)) = self.needs.product_in(operands) else {
            let list = operands.iter().map(|v| widen(&self.value(v), width));
            return Node::new(Opcode::Add, list.collect(), width);
        };
        let mut list: Vec<Value> = self.factors(product, &operands[at]).into();
        list.push(self.value(&operands[1 - at]));
        let list = list.iter().map(|value| widen(value, width)).collect();
        Node::new(Opcode::Mad, list, width)
    }

    /// The factors of a product, for the channels that an operand uses.
    fn factors(&self, product: usize, operand: &Value) -> [Value; 2] {
        let factors = &self.graph.instructions[product].operands;
        let [mut a, b] = [0, 1].map(|at| pick(&factors[at], operand));
        if operand[0].negated {
            a = negate(&a);
        }
        [self.value(&a), self.value(&b)]
    }

    /// `condition ? a : b`.
    fn selection(&self, number: usize) -> Node {
        let [condition, a, b] = &self.graph.instructions[number].operands[..] else {
            return Node::new(Opcode::Mov, Vec::new(), 0);
        };
        let width = a.len().max(b.len()).max(condition.len());
        let (relation, code) = self.condition(condition);
        let kept = widen(&self.value(b), width);
        let node = Node::new(Opcode::Mov, vec![widen(&self.value(a), width)], width);
        Node { guard: Some(Guard { relation, code, kept }), ..node }
    }

    /// `sum += condition ? x : 0.0`.
    fn guarded_sum(&self, number: usize) -> Node {
        let operands = &self.graph.instructions[number].operands;
        let Some((at, selection)) = self.needs.selection_in(number) else {
            return self.plain(number);
        };
        let sides = &self.graph.instructions[selection].operands;
        let (mut relation, code) = self.condition(&sides[0]);
        let side = if is_constant(&sides[2], 0.0) { 1 } else { 2 };
        if side == 2 {
            relation = relation.inverse();
        }
        let mut term = pick(&sides[side], &operands[at]);
        if operands[at][0].negated {
            term = negate(&term);
        }
        let sum = &operands[1 - at];
        let node = self.sum(&[term, sum.clone()]);
        let kept = widen(&self.value(sum), node.width);
        Node { guard: Some(Guard { relation, code, kept }), ..node }
    }

    /// The test of a condition.
    fn condition(&self, condition: &Value) -> (Relation, Code) {
        let channel = condition[0];
        let moved = |of: &[Channel], relation: Relation| {
            let mut of = self.value(&of[..1]);
            let relation = if of[0].negated { relation.mirrored() } else { relation };
            of[0].negated = false;
            let code = Code { opcode: Opcode::Mov, operands: vec![of] };
            (relation, code)
        };
        let behind = channel.source.instruction();
        let Some(number) = behind.filter(|&number| self.needs.is_absorbed(number)) else {
            return moved(condition, Relation::Ne);
        };
        let instruction = &self.graph.instructions[number];
        let at = match channel.source {
            Source::Result(_, at) => at,
            _ => 0,
        };
        let sides = instruction.operands.iter();
        let sides: Vec<Value> =
            sides.map(|side| vec![*side.get(at).unwrap_or(&side[side.len() - 1])]).collect();
        let relation = match instruction.operation {
            Operation::Less => Relation::Lt,
            Operation::GreaterEqual => Relation::Ge,
            Operation::Equal => Relation::Eq,
            Operation::NotEqual => Relation::Ne,
            _ => {
                let operands = sides.iter().map(|side| self.value(side)).collect();
                let opcode = self.plain(number).opcode;
                return (Relation::Ne, Code { opcode, operands });
            }
        };
        if is_constant(&sides[1], 0.0) {
            return moved(&sides[0], relation);
        }
        if is_constant(&sides[0], 0.0) {
            return moved(&sides[1], relation.mirrored());
        }
        let operands = sides.iter().map(|side| self.value(side)).collect();
        let opcode = self.plain(number).opcode;
        (Relation::Ne, Code { opcode, operands })
    }
}

/// The channels of an operation's operand that correspond to the used channels of its result.
fn pick(operand: &Value, used: &Value) -> Value {
    let channels = used.iter().map(|channel| match channel.source {
        Source::Result(_, at) => {
            let of = operand.get(at).unwrap_or(&operand[operand.len() - 1]);
            if channel.absolute { absolute(&[*of])[0] } else { *of }
        }
        _ => *channel,
    });
    channels.collect()
}
