//! The instructions that a result needs, and those that another one absorbs.

use crate::program::arithmetic::Operation;
use crate::program::graph::{Channel, Graph, Instruction, Value, is_constant};

/// One use of an instruction's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// As an operand: number of the instruction, position of the operand.
    Operand(usize, usize),
    /// As a part of the output of this number.
    Output(usize),
}

/// Uses of instructions, and absorbed instructions.
pub(super) struct Needs<'a> {
    graph: &'a Graph,
    /// Uses of each instruction; empty if it is not needed.
    uses: Vec<Vec<Use>>,
    /// Instructions that have an effect without a result.
    acts: Vec<bool>,
    /// Instructions that another one absorbs.
    absorbed: Vec<bool>,
    /// Additions that have become multiply-adds.
    fused: Vec<bool>,
}

/// The instruction of each channel of a value.
fn instructions(value: &Value) -> impl Iterator<Item = usize> {
    let sources = value.iter().map(|channel| channel.source);
    sources.filter_map(|source| source.instruction())
}

/// The instruction that computes all channels of an operand, if it may replace them: no absolute values, and
/// all or none negated.
pub(super) fn sole_instruction(operand: &Value) -> Option<usize> {
    let first = operand.first()?;
    let same = |channel: &Channel| {
        channel.source.instruction() == first.source.instruction()
            && channel.negated == first.negated
            && !channel.absolute
    };
    let maker = first.source.instruction();
    maker.filter(|_| operand.iter().all(same))
}

impl<'a> Needs<'a> {
    /// The needs of `outputs` and of the effects of `graph`.
    pub(super) fn of(graph: &'a Graph, outputs: &[Value]) -> Needs<'a> {
        let length = graph.instructions.len();
        let mut needs = Needs {
            graph,
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
        // An instruction comes after its operands: backwards, all its uses are known.
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
        needs.absorb();
        needs
    }

    /// Adds a use once: the channels of one operand follow each other.
    fn add_use(&mut self, number: usize, one: Use) {
        if self.uses[number].last() != Some(&one) {
            self.uses[number].push(one);
        }
    }

    pub(super) fn is_live(&self, number: usize) -> bool {
        !self.uses[number].is_empty() || self.acts[number]
    }

    /// Tests whether it is needed independently of its result.
    pub(super) fn acts(&self, number: usize) -> bool {
        self.acts[number]
    }

    pub(super) fn is_absorbed(&self, number: usize) -> bool {
        self.absorbed[number]
    }

    fn instruction(&self, number: usize) -> &'a Instruction {
        &self.graph.instructions[number]
    }

    /// Finds the instructions that others absorb: selections in sums first, then products.
    fn absorb(&mut self) {
        let live: Vec<usize> = (0..self.uses.len()).filter(|&n| self.is_live(n)).collect();
        for &number in &live {
            match self.instruction(number).operation {
                Operation::Select => self.absorb_selection(number),
                Operation::Saturate => self.absorb_saturation(number),
                _ => {}
            }
        }
        for &number in &live {
            match self.instruction(number).operation {
                Operation::Multiply => self.absorb_product(number),
                operation if is_condition(operation) => self.absorb_condition(number),
                _ => {}
            }
        }
    }

    /// `sum += c ? x : 0`: an addition under a condition code, to a sum without other uses.
    fn absorb_selection(&mut self, number: usize) {
        let operands = &self.instruction(number).operands;
        let one_is_zero = operands[1..].iter().any(|side| is_constant(side, 0.0));
        if let [Use::Operand(addition, position)] = self.uses[number][..]
            && one_is_zero
            && let Operation::Add = self.instruction(addition).operation
            && let [a, b] = &self.instruction(addition).operands[..]
            && let (Some(a), Some(b)) = (sole_instruction(a), sole_instruction(b))
            && a != b
            && self.uses[if position == 0 { b } else { a }].len() == 1
            && self.selection_in(addition).is_none()
        {
            self.absorbed[number] = true;
        }
    }

    /// The selection absorbed by an addition: position of the operand, and its number.
    pub(super) fn selection_in(&self, addition: usize) -> Option<(usize, usize)> {
        let operands = self.instruction(addition).operands.iter();
        operands.enumerate().find_map(|(at, operand)| {
            let maker = sole_instruction(operand)?;
            let is_selection = self.instruction(maker).operation == Operation::Select;
            (self.absorbed[maker] && is_selection).then_some((at, maker))
        })
    }

    /// `_SAT` modifies the instruction that computes the operand, if that has no other uses.
    fn absorb_saturation(&mut self, number: usize) {
        let operand = &self.instruction(number).operands[0];
        let is_unmodified = !operand.iter().any(|channel| channel.negated);
        let can_clamp = |maker: usize| match self.instruction(maker).operation {
            Operation::Select => false,
            Operation::Add => self.selection_in(maker).is_none(),
            _ => true,
        };
        self.absorbed[number] = is_unmodified
            && sole_instruction(operand)
                .is_some_and(|maker| self.uses[maker].len() == 1 && can_clamp(maker));
    }

    /// A product used only in sums becomes part of their multiply-adds.
    fn absorb_product(&mut self, number: usize) {
        let additions: Option<Vec<usize>> =
            self.uses[number].iter().map(|&one| self.addition_of(one)).collect();
        let Some(additions) = additions else { return };
        // A sum absorbs one product, but not as both of its operands.
        let mut distinct = additions.clone();
        distinct.dedup();
        if distinct.len() == additions.len() && !additions.iter().any(|&sum| self.fused[sum]) {
            self.absorbed[number] = true;
            additions.iter().for_each(|&sum| self.fused[sum] = true);
        }
    }

    /// The addition that uses a product, perhaps through an absorbed selection.
    fn addition_of(&self, one: Use) -> Option<usize> {
        let Use::Operand(user, position) = one else {
            return None;
        };
        sole_instruction(&self.instruction(user).operands[position])?;
        match self.instruction(user).operation {
            // A conditional addition needs a register, not a product.
            Operation::Add => self.selection_in(user).is_none().then_some(user),
            Operation::Select if self.absorbed[user] && position > 0 => match self.uses[user][..] {
                [Use::Operand(addition, _)] => Some(addition),
                _ => None,
            },
            _ => None,
        }
    }

    /// A comparison used only by moves, sums and KIL is executed where they need it: it sets the condition
    /// code. A comparison with zero needs no instruction, because the code is tested against zero.
    fn absorb_condition(&mut self, number: usize) {
        let decides = |&one: &Use| match one {
            Use::Operand(user, 0) => {
                matches!(self.instruction(user).operation, Operation::Select | Operation::Kill)
            }
            _ => false,
        };
        self.absorbed[number] = !self.acts[number] && self.uses[number].iter().all(decides);
    }

    /// The product absorbed by an addition: position of the operand, and its number.
    pub(super) fn product_in(&self, operands: &[Value]) -> Option<(usize, usize)> {
        operands.iter().enumerate().find_map(|(at, operand)| {
            let maker = sole_instruction(operand)?;
            let is_product = self.instruction(maker).operation == Operation::Multiply;
            (self.absorbed[maker] && is_product).then_some((at, maker))
        })
    }
}

/// Tests whether the result is a truth value.
fn is_condition(operation: Operation) -> bool {
    use Operation as O;
    matches!(operation, O::Less | O::GreaterEqual | O::Equal | O::NotEqual | O::And | O::Or)
}
