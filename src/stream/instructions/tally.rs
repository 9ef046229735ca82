//! Counts the instructions of a graph that a result needs.

use std::collections::BTreeMap;

use super::Count;
use super::graph::{Channel, Graph, Instruction, Operation, Source, Value, is_constant};

/// Counts what `outputs` and the effects of `graph` need.
pub(super) fn tally(graph: &Graph, outputs: &[Value]) -> Count {
    let mut needs = Needs::of(graph, outputs);
    needs.fuse();
    let mut count = Count::default();
    let mut chain = vec![0u32; graph.instructions.len()];
    for (number, instruction) in graph.instructions.iter().enumerate() {
        let before = operand_instructions(instruction).map(|operand| chain[operand]);
        chain[number] = before.max().unwrap_or(0);
        if !needs.is_live(number) {
            continue;
        }
        if let Operation::Fetch(stream) = instruction.operation {
            let streams = count.fetches_by_stream.len().max(stream);
            count.fetches_by_stream.resize(streams, 0);
            count.fetches_by_stream[stream - 1] += 1;
            chain[number] += 1;
            count.dependent_levels = count.dependent_levels.max(chain[number] - 1);
        }
        if !needs.is_free(number) {
            *count.by_kind.entry(needs.mnemonic(number)).or_default() += 1;
        }
    }
    let each_output = (0..).zip(outputs);
    let moves: u32 = each_output
        .map(|(number, output)| needs.moves(number, output))
        .sum();
    if moves > 0 {
        *count.by_kind.entry("MOV").or_default() += moves;
    }
    count.instructions = count.by_kind.values().sum();
    count.fetches = count.by_kind.get("TEX").copied().unwrap_or(0);
    count.arithmetic = count.instructions - count.fetches;
    count
}

/// One use of an instruction's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// As an operand: number of the instruction, position of the operand.
    Operand(usize, usize),
    /// As a part of the output of this number.
    Output(usize),
}

/// Who needs what, and what another instruction does along with its own work.
struct Needs<'a> {
    graph: &'a Graph,
    /// Uses of each instruction; none if it is not needed at all.
    uses: Vec<Vec<Use>>,
    /// Instructions that cost nothing, since another one does their work.
    absorbed: Vec<bool>,
    /// Additions that have become multiply-adds.
    fused: Vec<bool>,
}

fn operand_instructions(instruction: &Instruction) -> impl Iterator<Item = usize> {
    let channels = instruction.operands.iter().flatten();
    channels.filter_map(|channel| channel.source.instruction())
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
    fn of(graph: &'a Graph, outputs: &[Value]) -> Needs<'a> {
        let length = graph.instructions.len();
        let mut needs = Needs {
            graph,
            uses: vec![Vec::new(); length],
            absorbed: vec![false; length],
            fused: vec![false; length],
        };
        for (output, value) in outputs.iter().enumerate() {
            let sources = value.iter().map(|channel| channel.source);
            for number in sources.filter_map(Source::instruction) {
                needs.add_use(number, Use::Output(output));
            }
        }
        // An instruction stands after its operands: backwards, all its uses are known.
        for number in (0..length).rev() {
            if !needs.is_live(number) {
                continue;
            }
            for (position, operand) in graph.instructions[number].operands.iter().enumerate() {
                for used in operand
                    .iter()
                    .filter_map(|channel| channel.source.instruction())
                {
                    needs.add_use(used, Use::Operand(number, position));
                }
            }
        }
        needs
    }

    fn add_use(&mut self, number: usize, one: Use) {
        if !self.uses[number].contains(&one) {
            self.uses[number].push(one);
        }
    }

    fn is_live(&self, number: usize) -> bool {
        !self.uses[number].is_empty() || self.graph.effects.contains(&number)
    }

    fn instruction(&self, number: usize) -> &'a Instruction {
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

    fn is_free(&self, number: usize) -> bool {
        self.absorbed[number]
    }

    fn mnemonic(&self, number: usize) -> &'static str {
        use Operation as O;
        match self.instruction(number).operation {
            O::Fetch(_) => "TEX",
            O::Add if self.fused[number] => "MAD",
            O::Add => "ADD",
            O::Multiply | O::And => "MUL",
            O::Dot if self.instruction(number).operands[0].len() == 3 => "DP3",
            O::Dot => "DP4",
            O::Minimum => "MIN",
            O::Maximum | O::Or => "MAX",
            O::Floor => "FLR",
            O::Fraction => "FRC",
            O::Saturate => "MOV",
            O::Interpolate => "LRP",
            O::Reciprocal => "RCP",
            O::InverseRoot => "RSQ",
            O::Exponential => "EX2",
            O::Logarithm => "LG2",
            O::Power => "POW",
            O::Sine => "SIN",
            O::Cosine => "COS",
            O::Less => "SLT",
            O::GreaterEqual => "SGE",
            O::Equal => "SEQ",
            O::NotEqual => "SNE",
            O::Select => "CMP",
            O::DerivativeX => "DDX",
            O::DerivativeY => "DDY",
            O::Kill => "KIL",
        }
    }

    /// Moves that bring a value into the output register of this number, beside the instructions that write
    /// there directly: one for all constants, one for each register that is copied.
    fn moves(&self, output: usize, value: &[Channel]) -> u32 {
        let mut copied: BTreeMap<(u8, usize), bool> = BTreeMap::new();
        for (position, channel) in value.iter().enumerate() {
            let (register, needs_move) = match channel.source {
                Source::Unwritten => continue,
                Source::Constant(_) => ((0, 0), true),
                Source::Input(register, _) => ((1, register), true),
                Source::Result(number, from) => {
                    let is_fetch =
                        matches!(self.instruction(number).operation, Operation::Fetch(_));
                    let is_direct = self.uses[number] == [Use::Output(output)]
                        && !(channel.negated || channel.absolute)
                        && !(is_fetch && from != position);
                    ((2, number), !is_direct)
                }
            };
            *copied.entry(register).or_default() |= needs_move;
        }
        copied.values().filter(|&&needs_move| needs_move).count() as u32
    }
}

fn is_comparison(operation: Operation) -> bool {
    use Operation as O;
    matches!(
        operation,
        O::Less | O::GreaterEqual | O::Equal | O::NotEqual
    )
}
