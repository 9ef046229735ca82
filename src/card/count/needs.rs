//! Who needs which instruction of a graph, and which ones another does along with its own work.

use std::collections::BTreeSet;

use super::graph::{Channel, Graph, Instruction, Source, Value, is_constant};
use crate::card::arithmetic::Operation;

/// One use of an instruction's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// As an operand: number of the instruction, position of the operand.
    Operand(usize, usize),
    /// As a part of the output of this number.
    Output(usize),
}

/// Where a register that is copied to an output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Copied {
    /// One register holds all constants.
    Constants,
    /// An input, by its register.
    Input(usize),
    /// An instruction's result, by its number.
    Result(usize),
}

/// Who needs what, and what another instruction does along with its own work.
pub(super) struct Needs<'a> {
    pub graph: &'a Graph,
    /// What the program is for, beside the effects of the graph.
    pub outputs: &'a [Value],
    /// Uses of each instruction; none if it is not needed at all.
    uses: Vec<Vec<Use>>,
    /// Instructions that act without a result.
    acts: Vec<bool>,
    /// Instructions that cost nothing, since another one does their work.
    absorbed: Vec<bool>,
    /// Additions that have become multiply-adds.
    fused: Vec<bool>,
}

/// The instruction behind each channel of each operand.
pub(super) fn operand_instructions(instruction: &Instruction) -> impl Iterator<Item = usize> {
    instruction.operands.iter().flat_map(instructions)
}

/// The instruction behind each channel of a value.
fn instructions(value: &Value) -> impl Iterator<Item = usize> {
    value
        .iter()
        .filter_map(|channel| channel.source.instruction())
}

/// The instruction that all channels of an operand come from, if they may be replaced by it: none
/// is made absolute, and all or none are negated.
fn sole_instruction(operand: &Value) -> Option<usize> {
    let first = operand.first()?;
    let same = |channel: &Channel| {
        channel.source.instruction() == first.source.instruction()
            && channel.negated == first.negated
            && !channel.absolute
    };
    first
        .source
        .instruction()
        .filter(|_| operand.iter().all(same))
}

impl<'a> Needs<'a> {
    /// What `outputs` and the effects of `graph` need.
    pub(super) fn of(graph: &'a Graph, outputs: &'a [Value]) -> Needs<'a> {
        let length = graph.instructions.len();
        let mut needs = Needs {
            graph,
            outputs,
            uses: vec![Vec::new(); length],
            acts: vec![false; length],
            absorbed: vec![false; length],
            fused: vec![false; length],
        };
        for &effect in &graph.effects {
            needs.acts[effect] = true;
        }
        for (output, value) in outputs.iter().enumerate() {
            for number in instructions(value) {
                needs.add_use(number, Use::Output(output));
            }
        }
        // An instruction stands after its operands: backwards, all its uses are known.
        for number in (0..length).rev() {
            if !needs.is_live(number) {
                continue;
            }
            for (position, operand) in graph.instructions[number].operands.iter().enumerate() {
                for used in instructions(operand) {
                    needs.add_use(used, Use::Operand(number, position));
                }
            }
        }
        needs.fuse();
        needs
    }

    /// Notes a use once: the channels of one operand follow each other.
    fn add_use(&mut self, number: usize, one: Use) {
        if self.uses[number].last() != Some(&one) {
            self.uses[number].push(one);
        }
    }

    fn is_live(&self, number: usize) -> bool {
        !self.uses[number].is_empty() || self.acts[number]
    }

    pub(super) fn instruction(&self, number: usize) -> &'a Instruction {
        &self.graph.instructions[number]
    }

    /// Finds everything that costs nothing: additions first take selections in, then products.
    fn fuse(&mut self) {
        for number in 0..self.graph.instructions.len() {
            if self.is_live(number) {
                match self.instruction(number).operation {
                    Operation::Select => self.absorb_selection(number),
                    Operation::Saturate => self.absorb_saturation(number),
                    _ => {}
                }
            }
        }
        for number in 0..self.graph.instructions.len() {
            if self.is_live(number) {
                match self.instruction(number).operation {
                    Operation::Multiply => self.absorb_product(number),
                    operation if is_comparison(operation) => self.absorb_comparison(number),
                    _ => {}
                }
            }
        }
    }

    /// `sum += c ? x : 0`: an addition under a condition code, to a sum that nobody else needs.
    fn absorb_selection(&mut self, number: usize) {
        let operands = &self.instruction(number).operands;
        let one_is_zero = operands[1..].iter().any(|side| is_constant(side, 0.0));
        if let [Use::Operand(addition, position)] = self.uses[number][..]
            && one_is_zero
            && let Operation::Add = self.instruction(addition).operation
            && let [a, b] = &self.instruction(addition).operands[..]
            && let (Some(a), Some(b)) = (sole_instruction(a), sole_instruction(b))
            && self.uses[if position == 0 { b } else { a }].len() == 1
            && !self.has_absorbed_selection(addition)
        {
            self.absorbed[number] = true;
        }
    }

    fn has_absorbed_selection(&self, addition: usize) -> bool {
        operand_instructions(self.instruction(addition)).any(|operand| {
            self.absorbed[operand] && self.instruction(operand).operation == Operation::Select
        })
    }

    /// `_SAT` is a modifier of the instruction that makes the operand, if nobody else uses that.
    fn absorb_saturation(&mut self, number: usize) {
        let maker = sole_instruction(&self.instruction(number).operands[0]);
        let is_unmodified = !self.instruction(number).operands[0]
            .iter()
            .any(|c| c.negated);
        self.absorbed[number] =
            is_unmodified && maker.is_some_and(|maker| self.uses[maker].len() == 1);
    }

    /// A product that is used in sums only is part of their multiply-adds.
    fn absorb_product(&mut self, number: usize) {
        let additions: Option<Vec<usize>> = self.uses[number]
            .iter()
            .map(|&one| self.addition_of(one))
            .collect();
        let Some(additions) = additions else { return };
        // A sum takes one product in, and not as both of its operands.
        let mut distinct = additions.clone();
        distinct.dedup();
        if distinct.len() == additions.len() && !additions.iter().any(|&sum| self.fused[sum]) {
            self.absorbed[number] = true;
            additions.iter().for_each(|&sum| self.fused[sum] = true);
        }
    }

    /// The addition that a product is used in, perhaps through a selection that it has taken in.
    fn addition_of(&self, one: Use) -> Option<usize> {
        let Use::Operand(user, position) = one else {
            return None;
        };
        sole_instruction(&self.instruction(user).operands[position])?;
        match self.instruction(user).operation {
            // What a condition may leave out is added to a register, not to a product.
            Operation::Add => (!self.has_absorbed_selection(user)).then_some(user),
            Operation::Select if self.absorbed[user] => match self.uses[user][..] {
                [Use::Operand(addition, _)] => Some(addition),
                _ => None,
            },
            _ => None,
        }
    }

    /// A comparison with zero that only decides about moves, sums and KIL: CMP and KIL look at the
    /// sign of an operand, and any arithmetic instruction can set a condition code by its result.
    fn absorb_comparison(&mut self, number: usize) {
        let operands = &self.instruction(number).operands;
        let with_zero = operands.iter().any(|side| is_constant(side, 0.0));
        let sets_code = operands
            .iter()
            .filter_map(sole_instruction)
            .any(|maker| !matches!(self.instruction(maker).operation, Operation::Fetch(_)));
        let decides = |&one: &Use| match one {
            Use::Operand(user, 0) => match self.instruction(user).operation {
                Operation::Select => sets_code || !self.absorbed[user],
                operation => operation == Operation::Kill,
            },
            _ => false,
        };
        self.absorbed[number] = with_zero && self.uses[number].iter().all(decides);
    }

    /// Whether this is an instruction of the program: needed, and not done along with another.
    pub(super) fn is_kept(&self, number: usize) -> bool {
        self.is_live(number) && !self.absorbed[number]
    }

    /// Whether this addition is a multiply-add.
    pub(super) fn is_fused(&self, number: usize) -> bool {
        self.fused[number]
    }

    /// Adds to `results` what an operand's channel is when the program runs: a channel of an
    /// instruction that is kept, or what an instruction that is not kept would have read.
    pub(super) fn resolve(&self, source: Source, results: &mut Vec<(usize, usize)>) {
        let Source::Result(number, channel) = source else {
            return;
        };
        if !self.absorbed[number] {
            results.push((number, channel));
            return;
        }
        // All that can be absorbed works channel by channel.
        let operands = &self.instruction(number).operands;
        for channel in operands.iter().filter_map(|operand| operand.get(channel)) {
            self.resolve(channel.source, results);
        }
    }

    /// The registers that are copied to the output of this number, since no instruction writes
    /// there what they hold: one move for each.
    pub(super) fn copies(&self, output: usize) -> BTreeSet<Copied> {
        let mut copies = BTreeSet::new();
        for (position, channel) in self.outputs[output].iter().enumerate() {
            match channel.source {
                Source::Unwritten => {}
                Source::Constant(_) => _ = copies.insert(Copied::Constants),
                Source::Input(register, _) => _ = copies.insert(Copied::Input(register)),
                Source::Result(number, from) => {
                    let is_fetch =
                        matches!(self.instruction(number).operation, Operation::Fetch(_));
                    let is_direct = self.uses[number] == [Use::Output(output)]
                        && !(channel.negated || channel.absolute)
                        && !(is_fetch && from != position);
                    if !is_direct {
                        copies.insert(Copied::Result(number));
                    }
                }
            }
        }
        copies
    }
}

fn is_comparison(operation: Operation) -> bool {
    use Operation as O;
    matches!(
        operation,
        O::Less | O::GreaterEqual | O::Equal | O::NotEqual
    )
}
