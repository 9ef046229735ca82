//! The graph of a program's instructions.

use rustc_hash::FxHashMap;

use crate::program::arithmetic::{Arithmetic, Operation};

/// Origin of one channel of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// A number, by its bits.
    Constant(u32),
    /// A channel of a uniform or of an interpolated input: register, channel.
    Input(usize, usize),
    /// A channel of an instruction's result: number of the instruction, channel.
    Result(usize, usize),
    /// A variable without a value.
    Unwritten,
}

/// One channel of a value, with the free operand modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Channel {
    pub source: Origin,
    pub absolute: bool,
    pub negated: bool,
}

/// One to four channels; empty for `void`.
pub(crate) type Value = Vec<Channel>;

/// A channel of an instruction's result: number of the instruction, channel.
pub(crate) type Cell = (usize, usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instruction {
    pub operation: Operation,
    pub operands: Vec<Value>,
}

/// Instructions, each after those that it uses, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub instructions: Vec<Instruction>,
    /// Instructions with an effect but no result: KIL, and the end of a loop.
    pub effects: Vec<usize>,
    /// Line of the text of each instruction.
    pub lines: Vec<u32>,
    /// The loops around each fetch whose trip counts are data: counters and conditions.
    pub guards: FxHashMap<usize, Vec<(usize, Channel)>>,
    /// Line of the present statement.
    pub line: u32,
    numbers: FxHashMap<Instruction, usize>,
    inputs: usize,
    /// True for the instructions of a card: constants are folded in single precision, and quotients and roots
    /// consist of reciprocals.
    for_cards: bool,
}

impl Channel {
    pub(crate) fn plain(source: Origin) -> Channel {
        Channel { source, absolute: false, negated: false }
    }

    /// The channels of an instruction's result.
    pub(crate) fn results(number: usize, width: usize) -> Value {
        (0..width).map(|channel| Channel::plain(Origin::Result(number, channel))).collect()
    }

    pub(crate) fn is_plain(self) -> bool {
        !self.absolute && !self.negated
    }

    pub(crate) fn cell(self) -> Option<Cell> {
        match self.source {
            Origin::Result(number, channel) => Some((number, channel)),
            _ => None,
        }
    }

    /// The instruction that computes it.
    pub(crate) fn maker(self) -> Option<usize> {
        self.cell().map(|(number, _)| number)
    }

    pub(crate) fn constant(value: f32) -> Channel {
        Channel::plain(Origin::Constant(value.to_bits()))
    }

    pub(crate) fn as_constant(self) -> Option<f32> {
        match self.source {
            Origin::Constant(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }
}

/// One channel with this number.
pub(crate) fn scalar(value: f32) -> Value {
    vec![Channel::constant(value)]
}

/// Tests whether all channels are this number.
pub(crate) fn is_constant(value: &[Channel], number: f32) -> bool {
    value.iter().all(|channel| channel.as_constant() == Some(number))
}

pub(crate) fn negate(value: &[Channel]) -> Value {
    let negated = |channel: &Channel| match channel.as_constant() {
        Some(number) => Channel::constant(-number),
        None => Channel { negated: !channel.negated, ..*channel },
    };
    value.iter().map(negated).collect()
}

pub(crate) fn absolute(value: &[Channel]) -> Value {
    let absolute = |channel: &Channel| match channel.as_constant() {
        Some(number) => Channel::constant(number.abs()),
        None => Channel { source: channel.source, absolute: true, negated: false },
    };
    value.iter().map(absolute).collect()
}

/// Repeats a scalar to `width` channels.
pub(crate) fn widen(value: &[Channel], width: usize) -> Value {
    match value {
        [only] => vec![*only; width],
        _ => value.to_vec(),
    }
}

/// The width of the widest operand, and all operands in this width.
fn widened(operands: &[&[Channel]]) -> (usize, Vec<Value>) {
    let width = operands.iter().map(|operand| operand.len()).max().unwrap_or(0);
    (width, operands.iter().map(|operand| widen(operand, width)).collect())
}

impl Graph {
    /// An empty graph: of the instructions of a card, or of the operations of the text.
    pub(crate) fn new(for_cards: bool) -> Graph {
        Graph { for_cards, ..Graph::default() }
    }

    /// A new input register with `width` channels.
    pub(crate) fn input(&mut self, width: usize) -> Value {
        self.inputs += 1;
        (0..width).map(|channel| Channel::plain(Origin::Input(self.inputs, channel))).collect()
    }

    fn number(&mut self, operation: Operation, operands: Vec<Value>) -> usize {
        let instruction = Instruction { operation, operands };
        if let Some(&number) = self.numbers.get(&instruction) {
            return number;
        }
        let number = self.instructions.len();
        self.instructions.push(instruction.clone());
        self.lines.push(self.line);
        self.numbers.insert(instruction, number);
        number
    }

    /// An instruction that computes each channel from the same channel of its operands.
    pub(crate) fn channelwise(&mut self, operation: Operation, operands: &[&[Channel]]) -> Value {
        let (width, operands) = widened(operands);
        let folded = (0..width).map(|channel| {
            let mut constants = [0.0; 3];
            for (constant, operand) in constants.iter_mut().zip(&operands) {
                *constant = operand.get(channel)?.as_constant()?;
            }
            Some(Channel::constant(f32::compute(operation, constants)))
        });
        if self.for_cards
            && let Some(constant) = folded.collect()
        {
            return constant;
        }
        self.whole(operation, operands, width)
    }

    /// An instruction whose result has `width` channels, independently of its operands.
    pub(crate) fn whole(&mut self, of: Operation, operands: Vec<Value>, width: usize) -> Value {
        Channel::results(self.number(of, operands), width)
    }

    /// Fetch from a stream, in loops whose trip counts are data: their counters and conditions.
    pub(crate) fn fetch(&mut self, stream: usize, at: Value, loops: &[(usize, Channel)]) -> Value {
        let new = self.instructions.len();
        let number = self.number(Operation::Fetch(stream), vec![at]);
        let guards = self.guards.entry(number).or_default();
        if number == new {
            *guards = loops.to_vec();
        }
        // Later iterations run only if the first one did.
        let common = guards.iter().zip(loops).take_while(|(known, own)| known.0 == own.0).count();
        guards.truncate(common);
        Channel::results(number, 4)
    }

    /// A scalar instruction, once for each different channel.
    pub(crate) fn each_channel(&mut self, operation: Operation, operands: &[&[Channel]]) -> Value {
        let (width, operands) = widened(operands);
        let mut value = Value::new();
        for channel in 0..width {
            let of_channel = operands.iter().map(|operand| &operand[channel..=channel]);
            value.extend(self.channelwise(operation, &of_channel.collect::<Vec<_>>()));
        }
        value
    }

    /// Adds a KIL where `condition` holds.
    pub(crate) fn kill(&mut self, condition: Value) {
        let number = self.number(Operation::Kill, vec![condition]);
        self.effects.push(number);
    }

    /// Marks a value as needed, though no result depends on it.
    pub(crate) fn need(&mut self, value: &[Channel]) {
        self.effects.extend(value.iter().filter_map(|channel| channel.maker()));
    }

    pub(crate) fn add(&mut self, a: &[Channel], b: &[Channel]) -> Value {
        let width = a.len().max(b.len());
        match (is_constant(a, 0.0), is_constant(b, 0.0)) {
            (true, false) => widen(b, width),
            (false, true) => widen(a, width),
            _ => self.channelwise(Operation::Add, &[a, b]),
        }
    }

    pub(crate) fn subtract(&mut self, a: &[Channel], b: &[Channel]) -> Value {
        self.add(a, &negate(b))
    }

    pub(crate) fn multiply(&mut self, a: &[Channel], b: &[Channel]) -> Value {
        let width = a.len().max(b.len());
        for (factor, other) in [(a, b), (b, a)] {
            if is_constant(factor, 1.0) {
                return widen(other, width);
            }
            if is_constant(factor, -1.0) {
                return negate(&widen(other, width));
            }
        }
        self.channelwise(Operation::Multiply, &[a, b])
    }

    pub(crate) fn divide(&mut self, a: &[Channel], b: &[Channel]) -> Value {
        if !self.for_cards {
            return self.channelwise(Operation::Divide, &[a, b]);
        }
        let reciprocal = self.each_channel(Operation::Reciprocal, &[b]);
        self.multiply(a, &reciprocal)
    }

    pub(crate) fn square_root(&mut self, x: &[Channel]) -> Value {
        if !self.for_cards {
            return self.each_channel(Operation::SquareRoot, &[x]);
        }
        let inverse = self.each_channel(Operation::InverseRoot, &[x]);
        self.each_channel(Operation::Reciprocal, &[&inverse])
    }

    /// Sum of the products of all channels, as one scalar.
    pub(crate) fn dot(&mut self, a: &[Channel], b: &[Channel]) -> Value {
        match a.len() {
            1 => self.multiply(a, b),
            2 => {
                let first = self.multiply(&a[..1], &b[..1]);
                let second = self.multiply(&a[1..], &b[1..]);
                self.add(&second, &first)
            }
            _ => self.whole(Operation::Dot, vec![a.to_vec(), b.to_vec()], 1),
        }
    }

    /// `condition ? a : b`.
    pub(crate) fn select(&mut self, condition: &[Channel], a: &[Channel], b: &[Channel]) -> Value {
        match condition.first().and_then(|channel| channel.as_constant()) {
            Some(value) if value != 0.0 => a.to_vec(),
            Some(_) => b.to_vec(),
            None if a == b => a.to_vec(),
            None => self.channelwise(Operation::Select, &[condition, a, b]),
        }
    }

    /// `!condition`. The opposite of `a < b` is not `a >= b`: both fail if one of them is not a number.
    pub(crate) fn not(&mut self, condition: &[Channel]) -> Value {
        if let [only] = condition
            && let Some(number) = only.maker()
        {
            let Instruction { operation, operands } = self.instructions[number].clone();
            let opposite = match operation {
                Operation::Equal => Some(Operation::NotEqual),
                Operation::NotEqual => Some(Operation::Equal),
                _ => None,
            };
            if let Some(opposite) = opposite {
                return self.whole(opposite, operands, 1);
            }
        }
        self.subtract(&scalar(1.0), condition)
    }
}
