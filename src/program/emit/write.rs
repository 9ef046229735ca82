//! Writes the instructions: registers for slots, moves, and the condition code.
//!
//! The condition code has four channels. A test sets one of them just before it is needed, unless a channel
//! still holds the value, or the instruction that computed the number can also set the code.

use rustc_hash::FxHashMap;

use super::allocate::allocate;
use super::classes::{Assembly, literal};
use super::lower::{Code, Node};
use super::{Slot, operand};
use crate::program::execute::Executed;
use crate::program::graph::{Channel, Source, Value};
use crate::program::listing::{Base, Input, Instruction, Listing, Opcode, Operand, Target, Test};

/// Content of a condition code channel.
#[derive(Clone, Debug, Default)]
struct CodeChannel {
    holds: Option<Code>,
    /// Number of instructions at its last write or read.
    written: usize,
    read: usize,
}

struct Writer<'a> {
    assembly: &'a Assembly<'a>,
    executed: &'a Executed,
    places: Vec<(usize, [usize; 4])>,
    listing: Listing,
    inputs: FxHashMap<usize, Base>,
    code: [CodeChannel; 4],
    /// The instruction that computes each node's result, from 1.
    made: Vec<usize>,
}

pub(super) fn write(assembly: &Assembly<'_>, executed: &Executed, units: &[usize]) -> Listing {
    let mut writer = Writer {
        places: allocate(assembly),
        made: vec![0; assembly.nodes.len()],
        assembly,
        executed,
        inputs: FxHashMap::default(),
        code: Default::default(),
        listing: Listing {
            streams: (units.iter()).map(|&stream| executed.streams[stream - 1].clone()).collect(),
            outputs: executed.outputs.iter().map(|(name, _)| name.clone()).collect(),
            ..Listing::default()
        },
    };
    for number in assembly.order() {
        writer.node(number);
    }
    let mut listing = writer.listing;
    drop_unread(&mut listing);
    listing
}

impl Writer<'_> {
    /// Register and channel of a result's channel.
    fn place(&self, number: usize, channel: usize) -> (usize, usize) {
        let (register, frame) = self.places[self.assembly.class[number]];
        (register, frame[self.assembly.places[number][channel]])
    }

    fn node(&mut self, number: usize) {
        let node = &self.assembly.nodes[number];
        if let Some((output, channels)) = &node.fills {
            let value = &node.operands[0];
            return self.moves(Target::Output(*output), channels, value, None, node.line);
        }
        let test = node.guard.as_ref().map(|guard| {
            let key = match self.assembly.program.nodes.get(number) {
                Some(Node { guard: Some(guard), .. }) => &guard.code,
                _ => &guard.code,
            };
            let channel = self.test(key, &guard.code, node.line);
            self.code[channel].read = self.listing.instructions.len() + 1;
            Test { relation: guard.relation, swizzle: [channel; 4] }
        });
        if node.opcode == Opcode::Kil {
            return self.push(Instruction {
                test,
                target: Target::Code,
                mask: [false; 4],
                ..instruction(node)
            });
        }
        let (target, lanes) = self.target(number);
        if let Some(guard) = &node.guard {
            let kept: Value = lanes.iter().map(|&(_, lane)| guard.kept[lane]).collect();
            let is_there = |(&(to, _), channel): (&(usize, usize), &Channel)| match channel.source {
                Source::Result(maker, at) if *channel == Channel::plain(channel.source) => {
                    let (register, channel) = self.place(maker, at);
                    target == Target::Temporary(register) && channel == to
                }
                _ => false,
            };
            if !lanes.iter().zip(&kept).all(is_there) {
                let channels: Vec<usize> = lanes.iter().map(|&(to, _)| to).collect();
                self.moves(target, &channels, &kept, None, node.line);
            }
        }
        if let Some(test) = test {
            self.code[test.swizzle[0]].read = self.listing.instructions.len() + 1;
        }
        let operands = (0..node.operands.len()).map(|at| {
            let value = operand(node, Slot::Operand(at));
            let channels: Vec<(usize, Channel)> = if node.opcode.is_channelwise() {
                lanes.iter().map(|&(to, lane)| (to, value[lane])).collect()
            } else {
                value.iter().copied().enumerate().collect()
            };
            self.operand(&channels)
        });
        let operands = operands.collect();
        let mut mask = [false; 4];
        lanes.iter().for_each(|&(to, _)| mask[to] = true);
        let acts = target == Target::Code;
        if acts {
            mask[0] = true;
        }
        self.push(Instruction {
            test,
            target,
            mask,
            operands,
            sets_code: acts,
            ..instruction(node)
        });
        if acts {
            self.set(0, None);
        }
        self.made[number] = self.listing.instructions.len();
    }

    /// Target of a node: pairs of a channel of the target and a channel of the result.
    fn target(&self, number: usize) -> (Target, Vec<(usize, usize)>) {
        if let Some(Some((output, lanes))) = self.assembly.program.direct.get(number) {
            return (Target::Output(*output), lanes.clone());
        }
        let held = (0..4).filter(|&channel| self.assembly.held[number][channel]);
        let lanes: Vec<(usize, usize)> =
            held.map(|lane| (self.place(number, lane).1, lane)).collect();
        match lanes.first() {
            Some(&(_, lane)) => (Target::Temporary(self.place(number, lane).0), lanes),
            None => (Target::Code, vec![(0, 0)]),
        }
    }

    fn push(&mut self, instruction: Instruction) {
        self.listing.instructions.push(instruction);
    }

    fn set(&mut self, channel: usize, holds: Option<Code>) {
        self.code[channel].holds = holds;
        self.code[channel].written = self.listing.instructions.len();
    }

    /// The channel of the condition code with this value; it is set now if there is none.
    fn test(&mut self, key: &Code, code: &Code, line: u32) -> usize {
        let holds = |one: &CodeChannel| one.holds.as_ref() == Some(key);
        if let Some(channel) = self.code.iter().position(holds) {
            return channel;
        }
        if let Some(channel) = self.set_by_maker(code) {
            return channel;
        }
        let channel =
            (0..4).min_by_key(|&channel| self.code[channel].written.max(self.code[channel].read));
        let channel = channel.unwrap_or(0);
        let operands = code.operands.iter().map(|value| self.operand(&[(0, value[0])]));
        let instruction = Instruction {
            operands: operands.collect(),
            target: Target::Code,
            mask: std::array::from_fn(|at| at == channel),
            sets_code: true,
            line,
            ..instruction(&Node::new(code.opcode, Vec::new(), 1))
        };
        self.push(instruction);
        self.set(channel, Some(key.clone()));
        channel
    }

    /// Lets the instruction that computes a number set the code, if the code has not been used since.
    fn set_by_maker(&mut self, code: &Code) -> Option<usize> {
        let channel = code.operands[0][0];
        let Source::Result(maker, at) = channel.source else {
            return None;
        };
        let is_plain = channel == Channel::plain(channel.source);
        let guarded = self.assembly.nodes[maker].guard.is_some();
        if code.opcode != Opcode::Mov || !is_plain || guarded || self.made[maker] == 0 {
            return None;
        }
        let (made, to) = (self.made[maker], self.place(maker, at).1);
        let mask = self.listing.instructions[made - 1].mask;
        let is_unread = (0..4).all(|channel| !mask[channel] || self.code[channel].read <= made);
        if !is_unread || self.code[to].written > made {
            return None;
        }
        self.listing.instructions[made - 1].sets_code = true;
        for lane in (0..4).filter(|&lane| self.assembly.held[maker][lane]) {
            let to = self.place(maker, lane).1;
            if self.code[to].written <= made {
                let of = vec![Channel::plain(Source::Result(maker, lane))];
                let holds = Code { opcode: Opcode::Mov, operands: vec![of] };
                self.code[to].holds = Some(holds);
                self.code[to].written = made;
            }
        }
        Some(to)
    }

    /// Moves to channels of a target, one per source register.
    fn moves(
        &mut self,
        target: Target,
        channels: &[usize],
        value: &[Channel],
        test: Option<Test>,
        line: u32,
    ) {
        let kind = |channel: &Channel| match channel.source {
            Source::Result(maker, at) => {
                (0, self.place(maker, at).0, channel.negated, channel.absolute)
            }
            Source::Input(register, _) => (1, register, channel.negated, channel.absolute),
            Source::Constant(_) | Source::Unwritten => (2, 0, false, false),
        };
        let mut kinds = Vec::new();
        for channel in value {
            if !kinds.contains(&kind(channel)) {
                kinds.push(kind(channel));
            }
        }
        let groups = kinds.iter().map(|one| {
            let pairs = channels.iter().copied().zip(value.iter().copied());
            pairs.filter(|(_, channel)| kind(channel) == *one).collect()
        });
        let groups: Vec<Vec<(usize, Channel)>> = groups.collect();
        for group in groups {
            let mut mask = [false; 4];
            group.iter().for_each(|&(to, _)| mask[to] = true);
            let operands = vec![self.operand(&group)];
            self.push(Instruction {
                operands,
                target,
                mask,
                test,
                line,
                ..instruction(&Node::new(Opcode::Mov, Vec::new(), 4))
            });
        }
    }

    /// An operand, for pairs of a channel of the instruction and its source.
    fn operand(&mut self, channels: &[(usize, Channel)]) -> Operand {
        let (_, first) = channels[0];
        let value: Value = channels.iter().map(|&(_, channel)| channel).collect();
        let (numbers, is_negative) = literal(&value);
        let mut read: [Option<usize>; 4] = [None; 4];
        let mut base = Base::Position;
        for &(to, channel) in channels {
            read[to] = Some(match channel.source {
                Source::Result(maker, at) => {
                    let (register, channel) = self.place(maker, at);
                    base = Base::Temporary(register);
                    channel
                }
                Source::Input(register, at) => {
                    base = self.input(register);
                    at
                }
                Source::Constant(_) | Source::Unwritten => {
                    base =
                        Base::Literal(numbers.iter().map(|&bits| f32::from_bits(bits)).collect());
                    let one = literal(&[channel]).0[0];
                    let number = if is_negative { one } else { bits(channel) };
                    numbers.iter().position(|&bits| bits == number).unwrap_or(0)
                }
            });
        }
        let some = read.iter().flatten().next().copied().unwrap_or(0);
        let is_literal = matches!(base, Base::Literal(_));
        Operand {
            base,
            swizzle: read.map(|channel| channel.unwrap_or(some)),
            absolute: first.absolute && !is_literal,
            negated: if is_literal { is_negative } else { first.negated },
        }
    }

    /// The register of an input.
    fn input(&mut self, register: usize) -> Base {
        if let Some(base) = self.inputs.get(&register) {
            return base.clone();
        }
        let (name, value) = &self.executed.inputs[register - 1];
        let number = |inputs: &mut Vec<Input>| {
            inputs.push(Input { name: name.clone(), channels: value.len() });
            inputs.len() - 1
        };
        let base = match (name.as_str(), self.assembly.program.is_varying[register - 1]) {
            ("gl_FragCoord", _) => Base::Position,
            (_, true) => Base::Coordinate(number(&mut self.listing.coordinates)),
            (_, false) => Base::Parameter(number(&mut self.listing.parameters)),
        };
        self.inputs.insert(register, base.clone());
        base
    }
}

/// The bits of a number with its modifiers.
fn bits(channel: Channel) -> u32 {
    let number = channel.as_constant().unwrap_or(0.0);
    let number = if channel.absolute { number.abs() } else { number };
    if channel.negated { -number } else { number }.to_bits()
}

/// The instruction of a node, without its operands and target.
fn instruction(node: &Node) -> Instruction {
    Instruction {
        opcode: node.opcode,
        saturates: node.saturates,
        sets_code: false,
        target: Target::Code,
        mask: [true; 4],
        test: None,
        operands: Vec::new(),
        unit: node.unit,
        line: node.line,
    }
}

/// Removes instructions without readers: superfluous moves, and registers of numbers that only set the
/// condition code.
fn drop_unread(listing: &mut Listing) {
    let mut is_read: Vec<[bool; 4]> = vec![[false; 4]; listing.registers()];
    let mut kept = Vec::new();
    for mut instruction in std::mem::take(&mut listing.instructions).into_iter().rev() {
        if let Target::Temporary(register) = instruction.target {
            let reads = &mut is_read[register];
            let is_needed: [bool; 4] = std::array::from_fn(|at| instruction.mask[at] && reads[at]);
            match (is_needed.contains(&true), instruction.sets_code) {
                (false, false) => continue,
                (false, true) => instruction.target = Target::Code,
                (true, false) => instruction.mask = is_needed,
                (true, true) => {}
            }
            if instruction.test.is_none() {
                for channel in (0..4).filter(|&channel| instruction.mask[channel]) {
                    reads[channel] = false;
                }
            }
        }
        for operand in &instruction.operands {
            if let Base::Temporary(register) = operand.base {
                for channel in instruction.channels_of(operand) {
                    is_read[register][channel] = true;
                }
            }
        }
        kept.push(instruction);
    }
    kept.reverse();
    listing.instructions = kept;
}
