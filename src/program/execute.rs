//! Executes a program symbolically: each statement adds its instructions to the graph.

use super::CountError;
use super::dialect::Rule;
use super::front::{
    BUILT_INS, Expr, Fault, Function, Kind, Loop, Node, Register, Stage, Statement, Storage, Tree,
    Type, Variable, assembled_as, behind, constructed, register,
};
use super::graph::{Channel, Graph, Origin, Value, scalar};
use crate::base::order::ShortSort;

type Outcome<T> = Result<T, Fault>;

/// Maximum number of instructions. The longest programs of the papers' experiments have 20 000.
const MOST_INSTRUCTIONS: usize = 50_000;

/// Treatment of a loop whose trip count is data. Its bound must have a constant: `for (float k = 0.0; k <
/// min(data, CONSTANT); k += 1.0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataLoops {
    /// It runs to the constant.
    Longest,
    /// It does not run.
    Skipped,
    /// It runs to the constant, but changes nothing after its condition fails: the exact semantics.
    Guarded,
}

/// An execution in progress.
struct Execution<'a> {
    program: &'a Tree,
    data_loops: DataLoops,
    /// Maximum number of iterations of loops whose trip count is data.
    data_iterations: usize,
    graph: Graph,
    /// The registers of each variable, of which an array has several. Functions do not call themselves, so that one
    /// place for each is enough.
    registers: Vec<Vec<Value>>,
    /// The number of each variable's stream, from 1.
    streams: Vec<usize>,
    /// The loops around this statement whose trip count is data: their counters and conditions.
    loops: Vec<(usize, Channel)>,
    /// Registers that these loops have assigned, in order, with their values before.
    assigned: Vec<(Register, Value)>,
}

/// Result of an execution.
pub(crate) struct Executed {
    /// Its instructions.
    pub graph: Graph,
    /// Names of the streams, which `Operation::Fetch` numbers from 1.
    pub streams: Vec<String>,
    /// The registers of its uniforms, attributes and interpolated coordinates, and of `gl_FragCoord`; elements of an
    /// array as `name[0]`. True for those that are not uniforms.
    pub inputs: Vec<(String, Value, bool)>,
    /// Outputs, whether they have been written completely or not.
    pub outputs: Vec<(String, Value)>,
    /// Maximum number of iterations of loops whose trip count is data.
    pub data_iterations: usize,
    /// True if an extension adds double precision.
    pub has_double: bool,
}

/// Executes a fragment or vertex program, into the instructions of a card or into the operations of the text
/// ([`Graph::new`]).
pub(crate) fn execute(
    source: &str,
    stage: Stage,
    for_cards: bool,
    loops: DataLoops,
) -> Result<Executed, CountError> {
    let program = assembled_as(source, stage);
    let refused = program.faults.iter().filter(|fault| !fault.has_listing);
    let refused: Vec<Fault> = refused.cloned().collect();
    match program.main() {
        Some(main) if refused.is_empty() => {
            let machine = Execution {
                program: &program,
                data_loops: loops,
                data_iterations: 0,
                graph: Graph::new(for_cards),
                registers: vec![Vec::new(); program.variables.len()],
                streams: vec![0; program.variables.len()],
                loops: Vec::new(),
                assigned: Vec::new(),
            };
            machine.whole(main).map_err(|fault| CountError::refused(source, vec![fault]))
        }
        _ => Err(CountError::refused(source, refused)),
    }
}

impl Execution<'_> {
    fn whole(mut self, main: &Function) -> Outcome<Executed> {
        let (mut streams, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for number in self.program.outside() {
            let Variable { name, ty, size, storage, .. } = &self.program.variables[number];
            let (name, width) = (name.to_string(), ty.width());
            let mut register = |name: String| {
                let register = self.graph.input(width);
                inputs.push((name, register.clone(), *storage == Storage::In));
                register
            };
            self.registers[number] = match (storage, size) {
                _ if *ty == Type::Stream => {
                    streams.push(name);
                    self.streams[number] = streams.len();
                    continue;
                }
                (Storage::Out, _) => {
                    outputs.push((name, number));
                    vec![unwritten(width)]
                }
                (Storage::Uniform, &Some(size)) => {
                    (0..size).map(|at| register(format!("{name}[{at}]"))).collect()
                }
                (Storage::Uniform | Storage::In, _) => vec![register(name)],
                (Storage::Variable | Storage::Constant, _) => continue,
            };
        }
        self.run(&self.program.first)?;
        self.run(&main.body)?;
        let Self { program, graph, data_iterations, mut registers, .. } = self;
        let outputs = outputs.into_iter().map(|(name, number)| (name, registers[number].remove(0)));
        let (outputs, has_double) = (outputs.collect(), program.has_double);
        Ok(Executed { outputs, graph, streams, inputs, data_iterations, has_double })
    }

    /// Executes statements. Returns the function's value if the last one is a return.
    fn run(&mut self, statements: &[Statement]) -> Outcome<Value> {
        let mut value = Value::new();
        for Statement { line, kind } in statements {
            self.graph.line = *line;
            if self.graph.instructions.len() > MOST_INSTRUCTIONS {
                let found = format!("more than {MOST_INSTRUCTIONS} instructions");
                return Err(Fault::new((*line, 1), Rule::Limits, &found).with("shorten its loops"));
            }
            match kind {
                Kind::Block(block) => drop(self.run(block)?),
                Kind::Declare(number, first) => {
                    let variable = &self.program.variables[*number];
                    let blank = unwritten(variable.ty.width());
                    self.registers[*number] = match (variable.size, first) {
                        (None, Some(first)) => vec![self.evaluate(first)?],
                        (size, _) => vec![blank; size.unwrap_or(1)],
                    };
                }
                Kind::Evaluate(expression) => drop(self.evaluate(expression)?),
                Kind::Discard(condition) => {
                    let condition = condition.as_ref().map(|one| self.evaluate(one)).transpose()?;
                    self.graph.kill(condition.unwrap_or_else(|| scalar(1.0)));
                }
                Kind::For(one) => match &one.condition {
                    Some(condition) => self.repeat_while(one, condition)?,
                    None => self.repeat(one)?,
                },
                Kind::Return(Some(returned)) => value = self.evaluate(returned)?,
                Kind::Return(None) => {}
            }
        }
        Ok(value)
    }

    /// Executes the body of a loop once for each value of its counter, which is then a constant.
    fn repeat(&mut self, one: &Loop) -> Outcome<()> {
        for &value in &one.values {
            self.registers[one.counter] = vec![scalar(value)];
            self.run(&one.body)?;
        }
        Ok(())
    }

    /// Executes a loop whose trip count is data.
    fn repeat_while(&mut self, one: &Loop, condition: &Expr) -> Outcome<()> {
        self.data_iterations += one.values.len();
        if self.data_loops == DataLoops::Guarded {
            return self.repeat_guarded(one, condition);
        }
        // The bound is computed in any case.
        let first = one.values.first().copied().unwrap_or_default();
        self.registers[one.counter] = vec![scalar(first)];
        let condition = self.evaluate(condition)?;
        self.graph.need(&condition);
        if self.data_loops == DataLoops::Skipped { Ok(()) } else { self.repeat(one) }
    }

    /// Executes the body of a loop for each value of its counter; where the condition fails, variables keep
    /// their values.
    fn repeat_guarded(&mut self, one: &Loop, condition: &Expr) -> Outcome<()> {
        for &value in &one.values {
            let first = self.assigned.len();
            self.registers[one.counter] = vec![scalar(value)];
            let condition = self.evaluate(condition)?;
            let effects = self.graph.effects.len();
            self.loops.push((one.counter, condition[0]));
            self.run(&one.body)?;
            self.loops.pop();
            if self.graph.effects.len() > effects {
                let found = "discard inside a loop whose trip count is data";
                return Err(Fault::new(one.place, Rule::Branches, found));
            }
            let mut assigned = self.assigned[first..].to_vec();
            // Variables of the body and of functions that it calls have no value outside.
            let is_global = |number: usize| self.program.variables[number].is_global;
            let is_seen = |number| is_global(number) || (one.first..one.counter).contains(&number);
            assigned.retain(|&((number, _), _)| is_seen(number));
            // The first value of each is the one before this iteration.
            assigned.order_by_key(|&(register, _)| (is_global(register.0), register));
            assigned.dedup_by_key(|(register, _)| *register);
            for ((number, element), old) in assigned {
                let new = &mut self.registers[number][element];
                *new = self.graph.select(&condition, new, &old);
            }
            if self.loops.is_empty() {
                self.assigned.clear();
            }
        }
        Ok(())
    }

    /// Executes a function in place of its call.
    fn call(&mut self, function: &Function, arguments: &[Expr]) -> Outcome<Value> {
        let mut passed = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let stream = match argument.node {
                Node::Variable(number) => self.streams[number],
                _ => 0,
            };
            passed.push((
                stream,
                match parameter.ty {
                    Type::Stream => Value::new(),
                    ty if !parameter.is_in => unwritten(ty.width()),
                    _ => self.evaluate(argument)?,
                },
            ));
        }
        for (parameter, (stream, value)) in function.parameters.iter().zip(passed) {
            self.streams[parameter.variable] = stream;
            self.registers[parameter.variable] = vec![value];
        }
        let line = self.graph.line;
        let value = self.run(&function.body)?;
        self.graph.line = line;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if parameter.is_out {
                self.assign(argument, self.registers[parameter.variable][0].clone());
            }
        }
        Ok(value)
    }

    fn evaluate(&mut self, of: &Expr) -> Outcome<Value> {
        let program = self.program;
        Ok(match &of.node {
            Node::Number(value) => scalar(*value),
            Node::Variable(_) | Node::Element(..) => {
                let known = register(of).and_then(|(at, element)| self.registers[at].get(element));
                known.cloned().unwrap_or_default()
            }
            Node::Swizzle(base, channels) => {
                let value = self.evaluate(base)?;
                channels.iter().map(|&channel| value[channel]).collect()
            }
            Node::Apply(row, operands) => {
                let operands = self.all(operands)?;
                (BUILT_INS[*row].operation)(&mut self.graph, &operands)
            }
            Node::Assign(target, row, value) => {
                let mut value = self.evaluate(value)?;
                if let Some(row) = row {
                    let old = self.evaluate(target)?;
                    value = (BUILT_INS[*row].operation)(&mut self.graph, &[old, value]);
                }
                self.assign(target, value.clone());
                value
            }
            Node::Before(target, assigned) => {
                let old = self.evaluate(target)?;
                self.evaluate(assigned)?;
                old
            }
            Node::Construct(operands) => constructed(self.all(operands)?, of.ty),
            Node::Call(number, arguments) => self.call(&program.functions[*number], arguments)?,
            Node::Fetch(stream, position) => {
                let position = self.evaluate(position)?;
                self.graph.fetch(self.streams[*stream], position, &self.loops)
            }
        })
    }

    fn all(&mut self, operands: &[Expr]) -> Outcome<Vec<Value>> {
        operands.iter().map(|operand| self.evaluate(operand)).collect()
    }

    /// Stores a value in a variable, an element, or some channels of one.
    fn assign(&mut self, target: &Expr, value: Value) {
        let (root, channels) = behind(target);
        let Some(place @ (number, element)) = register(root) else { return };
        let Some(register) = self.registers[number].get_mut(element) else { return };
        if !self.loops.is_empty() {
            self.assigned.push((place, register.clone()));
        }
        for (channel, new) in channels.into_iter().zip(value) {
            register[channel] = new;
        }
    }
}

/// A register without a value yet.
fn unwritten(width: usize) -> Value {
    vec![Channel::plain(Origin::Unwritten); width]
}
