//! The graph of a listing: the inverse of emission, from registers to values.
//!
//! The interpreter runs it in any arithmetic, and it tests the emitter: the graph of a text and that of its
//! listing must compute the same.

use super::{Base, Instruction, Listing, Opcode, Operand, Target, four};
use crate::program::arithmetic::Operation;
use crate::program::execute::Executed;
use crate::program::graph::{Channel, Graph, Origin, Value, absolute, negate, scalar};

/// Registers during the execution of a listing.
struct Execution {
    graph: Graph,
    temporaries: Vec<Value>,
    outputs: Vec<Value>,
    code: Value,
    position: Value,
    coordinates: Vec<Value>,
    parameters: Vec<Value>,
}

impl Listing {
    /// The graph of this listing.
    pub(crate) fn meaning(&self) -> Executed {
        let mut graph = Graph::new(false);
        let unwritten = || vec![Channel::plain(Origin::Unwritten); 4];
        let position = graph.input(4);
        let mut inputs = vec![("gl_FragCoord".to_owned(), position.clone(), true)];
        let mut list = |named: &[super::Input], is_varying| {
            let values = named.iter().map(|input| {
                // The vertex program passes the position unchanged.
                if input.name == "gl_FragCoord" {
                    return position.clone();
                }
                let value = graph.input(input.channels);
                inputs.push((input.name.clone(), value.clone(), is_varying));
                value
            });
            values.collect::<Vec<Value>>()
        };
        let mut execution = Execution {
            temporaries: vec![unwritten(); self.registers()],
            outputs: vec![unwritten(); self.outputs.len()],
            code: unwritten(),
            coordinates: list(&self.coordinates, true),
            parameters: list(&self.parameters, false),
            graph,
            position,
        };
        for instruction in &self.instructions {
            execution.execute(instruction);
        }
        let outputs = self.outputs.iter().cloned().zip(execution.outputs);
        Executed {
            graph: execution.graph,
            streams: self.streams.clone(),
            inputs,
            outputs: outputs.collect(),
            data_iterations: 0,
            has_double: false,
        }
    }
}

impl Execution {
    fn read(&self, instruction: &Instruction, operand: &Operand) -> Value {
        let channels = instruction.channels_of(operand);
        let literal: Value;
        let base = match &operand.base {
            Base::Temporary(register) => self.temporaries.get(*register),
            Base::Position => Some(&self.position),
            Base::Coordinate(number) => self.coordinates.get(*number),
            Base::Parameter(number) => self.parameters.get(*number),
            Base::Literal(numbers) => {
                literal = four(numbers).map(Channel::constant).to_vec();
                Some(&literal)
            }
        };
        let unwritten = Channel::plain(Origin::Unwritten);
        let channel = |at: usize| base.and_then(|base| base.get(at)).copied().unwrap_or(unwritten);
        let value: Value = channels.map(channel).collect();
        let value = if operand.absolute { absolute(&value) } else { value };
        if operand.negated { negate(&value) } else { value }
    }

    fn execute(&mut self, instruction: &Instruction) {
        if instruction.opcode == Opcode::Kil {
            let condition = (0..4).map(|channel| self.holds(instruction, channel));
            let mut conditions: Vec<Channel> = condition.collect();
            conditions.dedup();
            return self.graph.kill(conditions);
        }
        let written: Vec<usize> = instruction.written().collect();
        let operands = instruction.operands.iter();
        let operands: Vec<Value> = operands.map(|one| self.read(instruction, one)).collect();
        let mut value = self.compute(instruction, &operands, &written);
        if instruction.saturates {
            value = self.graph.channelwise(Operation::Saturate, &[&value]);
        }
        for (&channel, mut new) in written.iter().zip(value) {
            if instruction.test.is_some() {
                let condition = self.holds(instruction, channel);
                let old = self.register(instruction.target)[channel];
                new = self.graph.select(&[condition], &[new], &[old])[0];
            }
            if instruction.target != Target::Code {
                self.register(instruction.target)[channel] = new;
            }
            if instruction.sets_code {
                self.code[channel] = new;
            }
        }
    }

    fn register(&mut self, target: Target) -> &mut Value {
        match target {
            Target::Temporary(register) => &mut self.temporaries[register],
            Target::Output(number) => &mut self.outputs[number],
            Target::Code => &mut self.code,
        }
    }

    /// The truth value of an instruction's test for a channel.
    fn holds(&mut self, instruction: &Instruction, channel: usize) -> Channel {
        let Some(test) = instruction.test else {
            return Channel::constant(1.0);
        };
        let (code, zero) = ([self.code[test.swizzle[channel]]], scalar(0.0));
        let mirrored = test.relation.mirrored().operation().unwrap_or(Operation::NotEqual);
        let value = match test.relation.operation() {
            Some(operation) => self.graph.channelwise(operation, &[&code, &zero]),
            None => self.graph.channelwise(mirrored, &[&zero, &code]),
        };
        value[0]
    }

    /// The channels written by an instruction.
    fn compute(&mut self, of: &Instruction, operands: &[Value], written: &[usize]) -> Value {
        use Operation as O;
        let graph = &mut self.graph;
        let repeated = |value: Value| vec![value[0]; written.len()];
        let [a, b, c] = [0, 1, 2].map(|at| operands.get(at).map_or(&[][..], |value| &value[..]));
        let operation = match of.opcode {
            Opcode::Tex => {
                let record = graph.whole(O::Fetch(of.unit + 1), vec![a.to_vec()], 4);
                return written.iter().map(|&channel| record[channel]).collect();
            }
            Opcode::Mov | Opcode::Kil => return a.to_vec(),
            Opcode::Add => return graph.add(a, b),
            Opcode::Mul => return graph.multiply(a, b),
            Opcode::Mad => {
                let product = graph.multiply(a, b);
                return graph.add(&product, c);
            }
            Opcode::Lrp => return graph.channelwise(O::Interpolate, &[c, b, a]),
            Opcode::Sgt => return graph.channelwise(O::Less, &[b, a]),
            Opcode::Sle => return graph.channelwise(O::GreaterEqual, &[b, a]),
            Opcode::Dp3 | Opcode::Dp4 => return repeated(graph.dot(a, b)),
            other => other.row().operation.unwrap_or(O::Kill),
        };
        let operands: Vec<&[Channel]> = operands.iter().map(|value| &value[..]).collect();
        let value = graph.channelwise(operation, &operands);
        if of.opcode.row().read == 1 { repeated(value) } else { value }
    }
}
