//! A program as a list of steps.

use std::collections::HashMap;

use super::InterpretError;
use crate::program::arithmetic::Operation;
use crate::program::execute::{DataLoops, Executed, execute};
use crate::program::front::Stage;
use crate::program::graph::{Channel, Graph, Instruction, Origin};
use crate::program::listing::Listing;

/// Source of a number that a step reads: the register, and the modifiers of its operand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operand {
    pub register: usize,
    pub absolute: bool,
    pub negated: bool,
}

/// One step, which fills the register `target`; a fetch fills that and the three after it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub operation: Operation,
    pub operands: [Operand; 3],
    pub target: usize,
    /// True if a fetch needs the result to find its position, and for comparisons of positions.
    pub locates: bool,
    /// Conditions of a fetch inside loops whose trip counts are data: a card does not fetch where one fails.
    pub guards: Vec<Operand>,
}

impl Step {
    /// Marks a comparison of positions, or notes in `positions` that the result is one.
    fn mark_positions(&mut self, positions: &mut [bool]) {
        match self.operation {
            Operation::Less | Operation::GreaterEqual | Operation::Equal | Operation::NotEqual => {
                self.locates |= self.operands[..2].iter().any(|one| positions[one.register]);
            }
            _ => positions[self.target] |= self.locates,
        }
    }
}

/// A constant, an attribute or an interpolated coordinate, in consecutive registers.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub name: String,
    pub first: usize,
    pub channels: usize,
    /// True if any step reads it.
    pub is_needed: bool,
}

/// A runnable program: parsed once, for any arithmetic.
#[derive(Clone, Debug)]
pub struct Program {
    /// Number of registers; each holds one number.
    pub(super) registers: usize,
    pub(super) constants: Vec<(usize, f32)>,
    pub(super) inputs: Vec<Argument>,
    pub(super) steps: Vec<Step>,
    /// Names of the streams, and whether any step fetches from them.
    pub(super) streams: Vec<(String, bool)>,
    pub(super) outputs: Vec<(String, Vec<Operand>)>,
    /// Conditions that discard a fragment.
    pub(super) kills: Vec<Operand>,
    /// True if a step reads neighbouring fragments.
    pub(super) has_derivatives: bool,
}

impl Program {
    /// Parses an assembled fragment program: `#define` lines, prelude and text.
    pub fn new(assembled: &str) -> Result<Self, InterpretError> {
        Self::of_stage(assembled, Stage::Fragment, false)
    }

    /// Parses a vertex program.
    pub fn vertex(assembled: &str) -> Result<Self, InterpretError> {
        Self::of_stage(assembled, Stage::Vertex, false)
    }

    /// Parses a fragment program and folds its constants in single precision, as listings do.
    pub fn folded(assembled: &str) -> Result<Self, InterpretError> {
        Self::of_stage(assembled, Stage::Fragment, true)
    }

    /// Parses a program of a stage, and folds its constants or does not.
    pub(crate) fn of_stage(
        assembled: &str,
        stage: Stage,
        folds: bool,
    ) -> Result<Self, InterpretError> {
        Ok(Self::of(execute(assembled, stage, folds, DataLoops::Guarded)?))
    }

    /// Program of a listing.
    pub fn of_listing(listing: &Listing) -> Self {
        Self::of(listing.meaning())
    }

    /// Tests whether the program has a stream or constant of this name. A listing has only those that it reads.
    pub fn declares(&self, name: &str) -> bool {
        self.streams.iter().any(|(known, _)| known == name)
            || self.inputs.iter().any(|input| input.name == name)
    }

    /// Names of the streams, in the order in which the program declares them.
    pub(crate) fn stream_names(&self) -> impl Iterator<Item = &str> {
        self.streams.iter().map(|(name, _)| name.as_str())
    }

    fn of(executed: Executed) -> Self {
        let graph = &executed.graph;
        let mut compiler = Compiler::default();
        let mut inputs: Vec<Argument> = Vec::new();
        let mut positions: Vec<bool> = Vec::new();
        for (name, value, is_varying) in &executed.inputs {
            let first = compiler.take(value.len());
            for (channel, register) in value.iter().zip(first..) {
                compiler.places.insert(channel.source, register);
            }
            positions.resize(compiler.registers, *is_varying);
            inputs.push(Argument {
                name: name.clone(),
                first,
                channels: value.len(),
                is_needed: false,
            });
        }
        for (number, instruction) in graph.instructions.iter().enumerate() {
            compiler.instruction(graph, number, instruction);
        }
        let outputs = executed.outputs.iter();
        let outputs: Vec<(String, Vec<Operand>)> =
            outputs.map(|(name, value)| (name.clone(), compiler.operands(value))).collect();
        let results = outputs.iter().flat_map(|(_, value)| value).copied();
        let results = results.chain(compiler.kills.iter().copied());
        let (mut steps, read) = needed(compiler.registers, compiler.steps, results);
        positions.resize(compiler.registers, false);
        steps.iter_mut().for_each(|step| step.mark_positions(&mut positions));
        for input in &mut inputs {
            input.is_needed = read[input.first..input.first + input.channels].contains(&true);
        }
        let uses = |operation| steps.iter().any(|step| step.operation == operation);
        Self {
            has_derivatives: uses(Operation::DerivativeX) || uses(Operation::DerivativeY),
            streams: (1..)
                .zip(executed.streams)
                .map(|(number, name)| (name, uses(Operation::Fetch(number))))
                .collect(),
            registers: compiler.registers,
            constants: compiler.constants,
            steps,
            kills: compiler.kills,
            inputs,
            outputs,
        }
    }
}

/// Returns the steps that the results need, in order, and the registers that these steps read.
fn needed(
    registers: usize,
    steps: Vec<Step>,
    results: impl Iterator<Item = Operand>,
) -> (Vec<Step>, Vec<bool>) {
    let mut read = vec![false; registers];
    results.for_each(|result| read[result.register] = true);
    let mut positions = vec![false; registers];
    // A step comes after the steps that it reads: backwards, all readers of its result are known.
    let needed = |mut step: Step| {
        let (width, is_fetch) = match step.operation {
            Operation::Fetch(_) => (4, true),
            _ => (1, false),
        };
        if !read[step.target..step.target + width].contains(&true) {
            return None;
        }
        step.locates = !is_fetch && positions[step.target];
        for operand in step.operands.iter().chain(&step.guards) {
            read[operand.register] = true;
            positions[operand.register] |= is_fetch || step.locates;
        }
        Some(step)
    };
    let mut steps: Vec<Step> = steps.into_iter().rev().filter_map(needed).collect();
    steps.reverse();
    (steps, read)
}

#[derive(Default)]
struct Compiler {
    registers: usize,
    constants: Vec<(usize, f32)>,
    /// Register of each source.
    places: HashMap<Origin, usize>,
    steps: Vec<Step>,
    kills: Vec<Operand>,
}

impl Compiler {
    /// Returns the first of this number of new registers.
    fn take(&mut self, channels: usize) -> usize {
        let first = self.registers;
        self.registers += channels;
        first
    }

    fn operand(&mut self, channel: &Channel) -> Operand {
        let register = match self.places.get(&channel.source) {
            Some(&register) => register,
            None => {
                // Everything else comes before its readers.
                let value = channel.as_constant().unwrap_or(f32::NAN);
                let register = self.take(1);
                self.places.insert(channel.source, register);
                self.constants.push((register, value));
                register
            }
        };
        Operand { register, absolute: channel.absolute, negated: channel.negated }
    }

    fn operands(&mut self, value: &[Channel]) -> Vec<Operand> {
        value.iter().map(|channel| self.operand(channel)).collect()
    }

    fn step(&mut self, operation: Operation, operands: &[Operand], target: usize) {
        let operand = |at| operands.get(at).copied().unwrap_or_default();
        let operands = std::array::from_fn(operand);
        self.steps.push(Step { operation, operands, target, locates: false, guards: Vec::new() });
    }

    fn instruction(&mut self, graph: &Graph, number: usize, instruction: &Instruction) {
        let operands = &instruction.operands;
        if instruction.operation == Operation::Kill {
            let conditions = self.operands(&operands[0]);
            self.kills.extend(conditions);
            return;
        }
        let width = match instruction.operation {
            Operation::Fetch(_) => 4,
            Operation::Dot => 1,
            _ => operands.iter().map(Vec::len).max().unwrap_or(0),
        };
        let first = self.take(width);
        for channel in 0..width {
            let source = Origin::Result(number, channel);
            self.places.insert(source, first + channel);
        }
        match instruction.operation {
            Operation::Fetch(stream) => {
                let position = self.operands(&operands[0]);
                self.step(Operation::Fetch(stream), &position, first);
                let guards = graph.guards.get(&number).into_iter().flatten();
                let guards = guards.map(|(_, one)| self.operand(one)).collect();
                if let Some(step) = self.steps.last_mut() {
                    step.guards = guards;
                }
            }
            Operation::Dot => self.dot(&operands[0], &operands[1], first),
            operation => {
                for channel in 0..width {
                    // A scalar, such as a condition, applies to all channels.
                    let of_channel: Vec<Channel> = operands
                        .iter()
                        .filter_map(|operand| operand.get(channel).or(operand.last()).copied())
                        .collect();
                    let of_channel = self.operands(&of_channel);
                    self.step(operation, &of_channel, first + channel);
                }
            }
        }
    }

    /// Sums the products of the channels, from the first on.
    fn dot(&mut self, a: &[Channel], b: &[Channel], target: usize) {
        let plain = |register| Operand { register, ..Operand::default() };
        // Zero plus the first product is exactly that product, so the sum may start at zero.
        let mut sum = self.operand(&Channel::constant(0.0));
        for (&a, &b) in a.iter().zip(b) {
            let factors = self.operands(&[a, b]);
            let product = plain(self.take(1));
            self.step(Operation::Multiply, &factors, product.register);
            self.step(Operation::Add, &[sum, product], target);
            sum = plain(target);
        }
    }
}
