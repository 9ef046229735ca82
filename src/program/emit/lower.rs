//! From the graph to instructions of `NV_fragment_program`, without registers.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::program::arithmetic::Operation;
use crate::program::execute::Executed;
use crate::program::graph::{
    Cell, Channel, Graph, Instruction, Origin, Value, absolute, is_constant, negate, scalar, widen,
};
use crate::program::listing::{Opcode, Relation};

/// Number of a written output, and its channels.
pub(super) type Output = (usize, Value);

/// An instruction whose operands are channels of results, inputs and numbers.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub opcode: Opcode,
    /// Its operands. Then, if it has a guard, the value that it keeps and the operands of the guard's code.
    pub reads: Vec<Value>,
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

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub relation: Relation,
    /// Instruction that sets the condition code: of one channel, a move for an existing number.
    pub code: Opcode,
}

/// Use of a value that a node reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Operand of the node itself.
    Operand,
    /// Old value that is kept where the condition fails.
    Kept,
    /// Operand of the instruction that sets the condition code.
    Code,
}

impl Node {
    pub(super) fn new(opcode: Opcode, reads: Vec<Value>, width: usize, line: u32) -> Node {
        let (saturates, acts, unit, guard, fills) = (false, false, 0, None, None);
        Node { opcode, reads, width, saturates, unit, guard, fills, acts, line }
    }

    pub(super) fn role(&self, at: usize) -> Role {
        match at.checked_sub(self.opcode.row().operands) {
            None => Role::Operand,
            Some(0) if self.opcode != Opcode::Kil => Role::Kept,
            Some(_) => Role::Code,
        }
    }

    /// The nodes whose results it reads.
    pub(super) fn makers(&self) -> impl Iterator<Item = usize> {
        self.reads.iter().flatten().filter_map(|channel| channel.maker())
    }

    /// The first value of a role.
    pub(super) fn first(&self, role: Role) -> usize {
        (0..self.reads.len()).find(|&at| self.role(at) == role).unwrap_or(self.reads.len())
    }

    /// Tests whether it selects between its result and an old value.
    pub(super) fn is_selection(&self) -> bool {
        self.guard.is_some() && self.opcode != Opcode::Kil
    }

    /// Exchanges the sides of a move under a condition.
    pub(super) fn swap(&mut self) {
        self.reads.swap(0, 1);
        self.guard.iter_mut().for_each(|guard| guard.relation = guard.relation.inverse());
    }
}

/// The user of what an output holds.
const OUTPUT: usize = usize::MAX;

struct Lowering<'a> {
    graph: &'a Graph,
    /// Uses of each instruction: the instruction that reads it, and the position of the operand. Without any it is not
    /// needed.
    uses: Vec<Vec<(usize, usize)>>,
    /// Instructions that have an effect without a result.
    acts: Vec<bool>,
    /// Instructions that another one absorbs.
    absorbed: Vec<bool>,
    /// Additions that have become multiply-adds.
    fused: Vec<bool>,
    nodes: Vec<Node>,
    units: Vec<usize>,
    /// Channel of a node for each channel of the graph's instructions.
    places: FxHashMap<Cell, Channel>,
}

/// A program as nodes, each after the nodes that it reads; its written outputs; and its streams, from 1, by texture
/// unit.
pub(super) fn lower(executed: &Executed) -> (Vec<Node>, Vec<Output>, Vec<usize>) {
    let graph = &executed.graph;
    let is_written = |value: &Value| value.iter().any(|c| c.source != Origin::Unwritten);
    let outputs = executed.outputs.iter().map(|(_, value)| value).enumerate();
    let outputs: Vec<(usize, &Value)> = outputs.filter(|(_, value)| is_written(value)).collect();
    let length = graph.instructions.len();
    let mut lowering = Lowering {
        graph,
        uses: vec![Vec::new(); length],
        acts: vec![false; length],
        absorbed: vec![false; length],
        fused: vec![false; length],
        nodes: Vec::new(),
        units: Vec::new(),
        places: FxHashMap::default(),
    };
    graph.effects.iter().for_each(|&effect| lowering.acts[effect] = true);
    outputs.iter().for_each(|(output, value)| lowering.note((OUTPUT, *output), value));
    // An instruction comes after its operands: backwards, all its uses are known.
    for number in (0..length).rev() {
        if lowering.is_live(number) {
            for (position, operand) in graph.instructions[number].operands.iter().enumerate() {
                lowering.note((number, position), operand);
            }
        }
    }
    let live: Vec<usize> = (0..length).filter(|&number| lowering.is_live(number)).collect();
    live.iter().for_each(|&number| lowering.absorb_selection(number));
    live.iter().for_each(|&number| lowering.absorb_term(number));
    let streams = live.iter().map(|&number| match graph.instructions[number].operation {
        Operation::Fetch(stream) => Some(stream),
        _ => None,
    });
    lowering.units = distinct(streams.flatten());
    live.iter().for_each(|&number| lowering.instruction(number));
    let outputs = outputs.into_iter().map(|(number, value)| (number, lowering.value(value)));
    let outputs = outputs.collect();
    (lowering.nodes, outputs, lowering.units)
}

impl Lowering<'_> {
    /// Notes a use once: the channels of one operand follow each other.
    fn note(&mut self, one: (usize, usize), value: &Value) {
        for maker in value.iter().filter_map(|channel| channel.maker()) {
            if self.uses[maker].last() != Some(&one) {
                self.uses[maker].push(one);
            }
        }
    }

    fn is_live(&self, number: usize) -> bool {
        !self.uses[number].is_empty() || self.acts[number]
    }

    /// The operand computed by an absorbed instruction of this kind: its position, and the instruction.
    fn absorbed_in(&self, operands: &[Value], kind: Operation) -> Option<(usize, usize)> {
        operands.iter().enumerate().find_map(|(at, operand)| {
            let maker = sole_maker(operand)?;
            let is_kind = self.graph.instructions[maker].operation == kind;
            (self.absorbed[maker] && is_kind).then_some((at, maker))
        })
    }

    fn has_selection(&self, addition: &Instruction) -> bool {
        self.absorbed_in(&addition.operands, Operation::Select).is_some()
    }

    /// `sum += c ? x : 0` is an addition under a condition, to a sum without other uses. `_SAT` modifies the
    /// instruction that computes the operand, if that has no other uses.
    fn absorb_selection(&mut self, number: usize) {
        let Instruction { operation, operands } = &self.graph.instructions[number];
        self.absorbed[number] = match operation {
            Operation::Select => {
                operands[1..].iter().any(|side| is_constant(side, 0.0)) && self.is_term(number)
            }
            Operation::Saturate => {
                let is_unmodified = operands[0].iter().all(|channel| !channel.negated);
                let maker = sole_maker(&operands[0]).filter(|&maker| self.uses[maker].len() == 1);
                is_unmodified
                    && maker.is_some_and(|maker| {
                        let maker = &self.graph.instructions[maker];
                        maker.operation != Operation::Select && !self.has_selection(maker)
                    })
            }
            _ => false,
        };
    }

    /// Tests whether the only use of a value is in an addition to a value without other uses.
    fn is_term(&self, number: usize) -> bool {
        let [(user, position)] = self.uses[number][..] else { return false };
        let sum = self.graph.instructions.get(user).filter(|sum| sum.operation == Operation::Add);
        sum.is_some_and(|sum| {
            let makers = [position, 1 - position].map(|at| sole_maker(&sum.operands[at]));
            let is_sole = |one: usize, other: usize| one != other && self.uses[other].len() == 1;
            matches!(makers, [Some(one), Some(other)] if is_sole(one, other))
                && !self.has_selection(sum)
        })
    }

    /// A product that is used only in sums becomes part of their multiply-adds. A comparison that is used only by
    /// selections and KIL is executed where they need it: it sets the condition code.
    fn absorb_term(&mut self, number: usize) {
        let uses = &self.uses[number];
        let operation = self.graph.instructions[number].operation;
        if operation == Operation::Multiply {
            let additions = uses.iter().map(|&one| self.addition_of(one));
            let Some(additions) = additions.collect::<Option<Vec<usize>>>() else { return };
            // A sum absorbs one product, but not as both of its operands.
            let is_twice = additions.windows(2).any(|pair| pair[0] == pair[1]);
            if !is_twice && !additions.iter().any(|&sum| self.fused[sum]) {
                self.absorbed[number] = true;
                additions.iter().for_each(|&sum| self.fused[sum] = true);
            }
        } else if Relation::find(|_, of| of == Some(operation)).is_some()
            || matches!(operation, Operation::And | Operation::Or)
        {
            let decides = |&(user, position): &(usize, usize)| {
                let user = self.graph.instructions.get(user).map(|user| user.operation);
                position == 0 && matches!(user, Some(Operation::Select | Operation::Kill))
            };
            self.absorbed[number] = !self.acts[number] && uses.iter().all(decides);
        }
    }

    /// The addition that uses a product, perhaps through an absorbed selection.
    fn addition_of(&self, (number, position): (usize, usize)) -> Option<usize> {
        let user = self.graph.instructions.get(number)?;
        sole_maker(&user.operands[position])?;
        match user.operation {
            // A conditional addition needs a register, not a product.
            Operation::Add => (!self.has_selection(user)).then_some(number),
            Operation::Select if self.absorbed[number] && position > 0 => {
                self.uses[number].first().map(|&(addition, _)| addition)
            }
            _ => None,
        }
    }

    /// A value of the graph in terms of nodes.
    fn value(&self, value: &[Channel]) -> Value {
        let channels = value.iter().map(|channel| match channel.cell() {
            Some(cell) => {
                let place = self.places[&cell];
                Channel {
                    source: place.source,
                    absolute: channel.absolute || place.absolute,
                    negated: channel.negated != (place.negated && !channel.absolute),
                }
            }
            None => *channel,
        });
        channels.collect()
    }

    fn values(&self, operands: &[Value], width: usize) -> Vec<Value> {
        operands.iter().map(|operand| widen(&self.value(operand), width)).collect()
    }

    fn instruction(&mut self, number: usize) {
        let Instruction { operation, operands } = &self.graph.instructions[number];
        if self.absorbed[number] {
            if *operation == Operation::Saturate {
                // A modifier of the instruction that computes it.
                for (at, place) in self.value(&operands[0]).into_iter().enumerate() {
                    place.maker().into_iter().for_each(|maker| self.nodes[maker].saturates = true);
                    self.places.insert((number, at), place);
                }
            }
            return;
        }
        let node = match operation {
            Operation::Select => {
                let [condition, a, b] = [0, 1, 2].map(|at| &operands[at]);
                let width = a.len().max(b.len()).max(condition.len());
                let a = widen(&self.value(a), width);
                let node = Node::new(Opcode::Mov, vec![a], width, 0);
                self.guarded(node, Some(b), condition, false)
            }
            Operation::Add => self.addition(operands),
            Operation::Kill => {
                let kill = Node::new(Opcode::Kil, Vec::new(), 0, 0);
                self.guarded(kill, None, &operands[0], false)
            }
            _ => self.plain(*operation, operands),
        };
        for (at, place) in Channel::results(self.nodes.len(), node.width).into_iter().enumerate() {
            self.places.insert((number, at), place);
        }
        let (line, acts) = (self.graph.lines[number], self.acts[number]);
        self.nodes.push(Node { line, acts, ..node });
    }

    /// An instruction without a condition.
    fn plain(&self, operation: Operation, operands: &[Value]) -> Node {
        let width = operands.iter().map(Vec::len).max().unwrap_or(0);
        let node = |opcode| Node::new(opcode, self.values(operands, width), width, 0);
        match operation {
            Operation::Fetch(stream) => {
                let position = self.value(&operands[0][..2]);
                let unit = self.units.iter().position(|&one| one == stream).unwrap_or(0);
                Node { unit, ..Node::new(Opcode::Tex, vec![position], 4, 0) }
            }
            Operation::Dot if width == 3 => Node { width: 1, ..node(Opcode::Dp3) },
            Operation::Dot => Node { width: 1, ..node(Opcode::Dp4) },
            Operation::Interpolate => {
                let mut node = node(Opcode::Lrp);
                node.reads.reverse();
                node
            }
            Operation::Saturate => Node { saturates: true, ..node(Opcode::Mov) },
            operation => node(opcode_of(operation)),
        }
    }

    /// A sum, perhaps under a condition: `sum += condition ? x : 0.0`.
    fn addition(&self, operands: &[Value]) -> Node {
        let Some((at, selection)) = self.absorbed_in(operands, Operation::Select) else {
            return self.sum(operands);
        };
        let sides = &self.graph.instructions[selection].operands;
        let side = if is_constant(&sides[2], 0.0) { 1 } else { 2 };
        let mut term = pick(&sides[side], &operands[at]);
        if operands[at][0].negated {
            term = negate(&term);
        }
        let sum = &operands[1 - at];
        self.guarded(self.sum(&[term, sum.clone()]), Some(sum), &sides[0], side == 2)
    }

    /// A sum, or a multiply-add if a term is a product without other uses.
    fn sum(&self, operands: &[Value]) -> Node {
        let Some((at, product)) = self.absorbed_in(operands, Operation::Multiply) else {
            return self.plain(Operation::Add, operands);
        };
        let width = operands.iter().map(Vec::len).max().unwrap_or(0);
        let factors = &self.graph.instructions[product].operands;
        let [mut a, b] = [0, 1].map(|factor| pick(&factors[factor], &operands[at]));
        if operands[at][0].negated {
            a = negate(&a);
        }
        let reads = self.values(&[a, b, operands[1 - at].clone()], width);
        Node::new(Opcode::Mad, reads, width, 0)
    }

    /// A node that is executed where a condition holds, or fails, and keeps a value elsewhere.
    fn guarded(&self, node: Node, kept: Option<&Value>, condition: &Value, fails: bool) -> Node {
        let (Guard { mut relation, code }, operands) = self.condition(condition);
        if fails {
            relation = relation.inverse();
        }
        let mut reads = node.reads;
        reads.extend(kept.map(|kept| widen(&self.value(kept), node.width)));
        reads.extend(operands);
        Node { reads, guard: Some(Guard { relation, code }), ..node }
    }

    /// The test of a condition, and the operands of the instruction that sets its code.
    fn condition(&self, condition: &Value) -> (Guard, Vec<Value>) {
        let absorbed = condition[0].cell().filter(|&(number, _)| self.absorbed[number]);
        let (operation, sides) = match absorbed {
            Some((number, at)) => {
                let Instruction { operation, operands } = &self.graph.instructions[number];
                let side = |side: &Value| vec![*side.get(at).unwrap_or(&side[side.len() - 1])];
                (*operation, operands.iter().map(side).collect())
            }
            None => (Operation::NotEqual, vec![condition[..1].to_vec(), scalar(0.0)]),
        };
        // A comparison with zero needs no instruction, because the code is tested against zero.
        let relation = Relation::find(|_, of| of == Some(operation));
        let zero = [1, 0].into_iter().find(|&at| is_constant(&sides[at], 0.0));
        let (Some(mut relation), Some(zero)) = (relation, zero) else {
            let guard = Guard { relation: Relation::Ne, code: opcode_of(operation) };
            return (guard, self.values(&sides, 1));
        };
        let mut number = self.value(&sides[1 - zero]);
        if (zero == 0) != number[0].negated {
            relation = relation.mirrored();
        }
        number[0].negated = false;
        (Guard { relation, code: Opcode::Mov }, vec![number])
    }
}

/// The opcode of an operation on channels; truth values are numbers.
fn opcode_of(operation: Operation) -> Opcode {
    let known = match operation {
        Operation::And => Some(Opcode::Mul),
        Operation::Or => Some(Opcode::Max),
        _ => Opcode::find(|row| row.operation == Some(operation)),
    };
    known.unwrap_or(Opcode::Mov)
}

/// The instruction that computes all channels of an operand, if it may replace them: no absolute values, and
/// all or none negated.
fn sole_maker(operand: &Value) -> Option<usize> {
    let first = operand.first()?;
    let same = |one: &Channel| {
        one.maker() == first.maker() && one.negated == first.negated && !one.absolute
    };
    first.maker().filter(|_| operand.iter().all(same))
}

/// The channels of an operation's operand that correspond to the used channels of its result.
fn pick(operand: &Value, used: &Value) -> Value {
    let channels = used.iter().map(|channel| match channel.cell() {
        Some((_, at)) => {
            let of = operand.get(at).unwrap_or(&operand[operand.len() - 1]);
            if channel.absolute { absolute(&[*of])[0] } else { *of }
        }
        None => *channel,
    });
    channels.collect()
}

/// The different ones among some things, in order.
pub(super) fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.collect::<BTreeSet<T>>().into_iter().collect()
}
