//! Writes the instructions: registers for slots, moves, and the condition code.
//!
//! The condition code has four channels. A test sets one of them just before it is needed, unless a channel
//! still holds the value, or the instruction that computed the number can also set the code.

use super::classes::{Assembly, grouped, literal};
use super::lower::{Guard, Node, Role};
use crate::program::execute::Executed;
use crate::program::graph::{Cell, Channel, Origin, Value};
use crate::program::listing::{Base, Input, Instruction, Listing, Opcode, Operand, Target, Test};

/// Content of a channel of the condition code: the result of an instruction.
type Code = (Opcode, Vec<Value>);

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
    /// Register and channel of each result's channels.
    places: Vec<[(usize, usize); 4]>,
    listing: Listing,
    code: [CodeChannel; 4],
    /// The instruction that computes each node's result, from 1.
    made: Vec<usize>,
}

pub(super) fn write(assembly: &Assembly<'_>, executed: &Executed, units: &[usize]) -> Listing {
    let mut writer = Writer {
        places: assembly.registers(),
        made: vec![0; assembly.program.nodes.len()],
        assembly,
        executed,
        code: Default::default(),
        listing: Listing {
            streams: (units.iter()).map(|&stream| executed.streams[stream - 1].clone()).collect(),
            outputs: executed.outputs.iter().map(|(name, _)| name.clone()).collect(),
            ..Listing::default()
        },
    };
    assembly.order().into_iter().for_each(|number| writer.node(number));
    without_unread(writer.listing)
}

impl Writer<'_> {
    fn place(&self, (number, channel): Cell) -> (usize, usize) {
        self.places[number][channel]
    }

    /// Number of the next instruction, from 1.
    fn next(&self) -> usize {
        self.listing.instructions.len() + 1
    }

    fn node(&mut self, number: usize) {
        let assembly = self.assembly;
        let node = &assembly.program.nodes[number];
        if let Some((output, channels)) = &node.fills {
            return self.moves(Target::Output(*output), channels, &node.reads[0], node.line);
        }
        let test = node.guard.map(|Guard { relation, code }| {
            let channel = self.test(number, code);
            self.code[channel].read = self.next();
            Test { relation, swizzle: [channel; 4] }
        });
        if node.opcode == Opcode::Kil {
            let kill = Instruction { test, mask: [false; 4], ..instruction(node) };
            return self.listing.instructions.push(kill);
        }
        let (target, lanes) = self.target(number);
        if node.is_selection() {
            let kept = &node.reads[node.first(Role::Kept)];
            let kept: Value = lanes.iter().map(|&(_, lane)| kept[lane]).collect();
            let is_there = |(&(to, _), channel): (&(usize, usize), &Channel)| {
                let place = channel.cell().map(|cell| self.place(cell));
                let place = place.filter(|_| channel.is_plain());
                place.is_some_and(|(of, at)| target == Target::Temporary(of) && at == to)
            };
            if !lanes.iter().zip(&kept).all(is_there) {
                let channels: Vec<usize> = lanes.iter().map(|&(to, _)| to).collect();
                self.moves(target, &channels, &kept, node.line);
            }
        }
        if let Some(test) = test {
            self.code[test.swizzle[0]].read = self.next();
        }
        let row = node.opcode.row();
        let operands = node.reads[..row.operands].iter().map(|value| {
            let channels: Vec<(usize, Channel)> = match row.read {
                0 => lanes.iter().map(|&(to, lane)| (to, value[lane])).collect(),
                _ => value.iter().copied().enumerate().collect(),
            };
            self.operand(&channels)
        });
        let operands = operands.collect();
        let mask = std::array::from_fn(|at| lanes.iter().any(|&(to, _)| to == at));
        let sets_code = target == Target::Code;
        let one = Instruction { test, target, mask, operands, sets_code, ..instruction(node) };
        self.listing.instructions.push(one);
        if sets_code {
            self.set(0, None);
        }
        self.made[number] = self.listing.instructions.len();
    }

    /// Target of a node: pairs of a channel of the target and a channel of the result.
    fn target(&self, number: usize) -> (Target, Vec<(usize, usize)>) {
        let program = &self.assembly.program;
        if let Some((output, lanes)) = &program.direct[number] {
            return (Target::Output(*output), lanes.clone());
        }
        let held = self.assembly.held(number);
        let lanes: Vec<(usize, usize)> =
            held.map(|lane| (self.place((number, lane)).1, lane)).collect();
        match lanes.first() {
            Some(&(_, lane)) => (Target::Temporary(self.place((number, lane)).0), lanes),
            None => (Target::Code, vec![(0, 0)]),
        }
    }

    fn set(&mut self, channel: usize, holds: Option<Code>) {
        self.code[channel].holds = holds;
        self.code[channel].written = self.listing.instructions.len();
    }

    /// The channel of the condition code with what a node tests; if no channel has it, one is set now.
    fn test(&mut self, number: usize, opcode: Opcode) -> usize {
        let assembly = self.assembly;
        let [original, node] = [assembly.original, &assembly.program].map(|of| &of.nodes[number]);
        let first = node.first(Role::Code);
        let key = (opcode, original.reads[first..].to_vec());
        let is_held = |one: &CodeChannel| one.holds.as_ref() == Some(&key);
        let known = self.code.iter().position(is_held);
        if let Some(channel) = known.or_else(|| self.set_by_maker(opcode, node.reads[first][0])) {
            return channel;
        }
        let used = |channel: &usize| self.code[*channel].written.max(self.code[*channel].read);
        let channel = (0..4).min_by_key(used).unwrap_or(0);
        let values = node.reads[first..].iter();
        let operands = values.map(|value| self.operand(&[(0, value[0])])).collect();
        let mask = std::array::from_fn(|at| at == channel);
        let code = Instruction::new(opcode, node.line);
        self.listing.instructions.push(Instruction { operands, mask, sets_code: true, ..code });
        self.set(channel, Some(key));
        channel
    }

    /// Lets the instruction that computes a number set the code, if the code has not been used since.
    fn set_by_maker(&mut self, opcode: Opcode, channel: Channel) -> Option<usize> {
        let cell @ (maker, _) = channel.cell()?;
        let guarded = self.assembly.program.nodes[maker].guard.is_some();
        let made = self.made[maker];
        if opcode != Opcode::Mov || !channel.is_plain() || guarded || made == 0 {
            return None;
        }
        let to = self.place(cell).1;
        let mask = self.listing.instructions[made - 1].mask;
        let is_unread = (0..4).all(|channel| !mask[channel] || self.code[channel].read <= made);
        if !is_unread || self.code[to].written > made {
            return None;
        }
        self.listing.instructions[made - 1].sets_code = true;
        for lane in self.assembly.held(maker) {
            let to = self.place((maker, lane)).1;
            if self.code[to].written <= made {
                let of = vec![Channel::plain(Origin::Result(maker, lane))];
                self.code[to].holds = Some((Opcode::Mov, vec![of]));
                self.code[to].written = made;
            }
        }
        Some(to)
    }

    /// Moves to channels of a target, one per source register.
    fn moves(&mut self, target: Target, channels: &[usize], value: &[Channel], line: u32) {
        let kind = |one: Channel| match one.source {
            Origin::Result(maker, at) => (0, self.places[maker][at].0, one.negated, one.absolute),
            Origin::Input(register, _) => (1, register, one.negated, one.absolute),
            Origin::Constant(_) | Origin::Unwritten => (2, 0, false, false),
        };
        let pairs = channels.iter().zip(value);
        let groups = grouped(pairs.map(|(&to, &channel)| (kind(channel), (to, channel))));
        for (_, group) in groups {
            let mask = std::array::from_fn(|at| group.iter().any(|&(to, _)| to == at));
            let operands = vec![self.operand(&group)];
            let one = Instruction::new(Opcode::Mov, line);
            self.listing.instructions.push(Instruction { operands, target, mask, ..one });
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
                Origin::Result(maker, at) => {
                    let (register, channel) = self.place((maker, at));
                    base = Base::Temporary(register);
                    channel
                }
                Origin::Input(register, at) => {
                    base = self.input(register);
                    at
                }
                Origin::Constant(_) | Origin::Unwritten => {
                    let all = numbers.iter().map(|&bits| f32::from_bits(bits));
                    base = Base::Literal(all.collect());
                    let number = channel.as_constant().unwrap_or(0.0);
                    let number = if is_negative { -number } else { number }.to_bits();
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

    fn input(&mut self, register: usize) -> Base {
        let (name, value, is_varying) = &self.executed.inputs[register - 1];
        let Listing { coordinates, parameters, .. } = &mut self.listing;
        let number = |inputs: &mut Vec<Input>| {
            let known = inputs.iter().position(|input| input.name == *name);
            known.unwrap_or_else(|| {
                inputs.push(Input { name: name.clone(), channels: value.len() });
                inputs.len() - 1
            })
        };
        match (name.as_str(), *is_varying) {
            ("gl_FragCoord", _) => Base::Position,
            (_, true) => Base::Coordinate(number(coordinates)),
            (_, false) => Base::Parameter(number(parameters)),
        }
    }
}

/// The instruction of a node, without its operands and target.
fn instruction(node: &Node) -> Instruction {
    let Node { opcode, line, saturates, unit, .. } = *node;
    Instruction { saturates, unit, ..Instruction::new(opcode, line) }
}

/// A listing without the instructions that have no readers: superfluous moves, and registers of numbers that only set the
/// condition code.
fn without_unread(listing: Listing) -> Listing {
    let mut is_read: Vec<[bool; 4]> = vec![[false; 4]; listing.registers()];
    let mut kept = Vec::new();
    for mut instruction in listing.instructions.into_iter().rev() {
        if let Some(register) = instruction.target.register() {
            let reads = &mut is_read[register];
            let is_needed: [bool; 4] = std::array::from_fn(|at| instruction.mask[at] && reads[at]);
            match (is_needed.contains(&true), instruction.sets_code) {
                (false, false) => continue,
                (false, true) => instruction.target = Target::Code,
                (true, false) => instruction.mask = is_needed,
                (true, true) => {}
            }
            if instruction.test.is_none() {
                instruction.written().for_each(|channel| reads[channel] = false);
            }
        }
        for operand in &instruction.operands {
            if let Some(register) = operand.base.register() {
                let channels = instruction.channels_of(operand);
                channels.for_each(|channel| is_read[register][channel] = true);
            }
        }
        kept.push(instruction);
    }
    kept.reverse();
    Listing { instructions: kept, ..listing }
}
