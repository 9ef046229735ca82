//! Executes a program symbolically: each statement adds its instructions to the graph.

use super::dialect::Rule;
use super::error::CountError;
use super::front::{
    self, Expr, Fault, Function, Kind, Loop, Node, Program, Statement, Storage, Type,
};
use super::graph::{Channel, Graph, Source, Value, scalar};

mod expressions;

type Outcome<T> = Result<T, Fault>;

/// Maximum number of instructions. The longest programs of the papers' experiments have 20 000.
const MOST_INSTRUCTIONS: usize = 50_000;

/// Meaning of a variable: a value, numbered registers, or the number of a stream.
#[derive(Clone, Debug)]
enum Content {
    Value(Value),
    Array(Vec<Value>),
    Stream(usize),
}

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
    program: &'a Program,
    data_loops: DataLoops,
    /// Maximum number of iterations of loops whose trip count is data.
    data_iterations: usize,
    graph: Graph,
    /// The variables, by their numbers. Functions do not call themselves, so that one place for each is enough.
    variables: Vec<Option<Content>>,
}

/// Result of an execution.
pub(crate) struct Executed {
    /// Its instructions.
    pub graph: Graph,
    /// Names of the streams, which `Operation::Fetch` numbers from 1.
    pub streams: Vec<String>,
    /// The registers of its uniforms, attributes and interpolated coordinates, and of
    /// `gl_FragCoord`; elements of an array as `name[0]`.
    pub inputs: Vec<(String, Value)>,
    /// Names of the attributes and interpolated coordinates among them.
    pub varying: Vec<String>,
    /// Outputs, whether they have been written completely or not.
    pub outputs: Vec<(String, Value)>,
    /// Maximum number of iterations of loops whose trip count is data.
    pub data_iterations: usize,
}

/// Executes `source`. The graph may fold constants in single precision, or leave that to the arithmetic of the
/// run.
pub(crate) fn execute(
    source: &str,
    folds_constants: bool,
    data_loops: DataLoops,
) -> Result<Executed, CountError> {
    let program = front::assembled(source);
    let refused = program.faults.iter().filter(|fault| !fault.has_listing);
    let refused: Vec<Fault> = refused.cloned().collect();
    match program.main() {
        Some(main) if refused.is_empty() => {
            let executed = executed(&program, main, folds_constants, data_loops);
            executed.map_err(|fault| CountError::refused(source, vec![fault]))
        }
        _ => Err(CountError::refused(source, refused)),
    }
}

fn executed(
    program: &Program,
    main: &Function,
    folds_constants: bool,
    data_loops: DataLoops,
) -> Outcome<Executed> {
    let mut machine = Execution {
        program,
        data_loops,
        data_iterations: 0,
        graph: Graph::new(folds_constants),
        variables: vec![None; program.variables.len()],
    };
    let (mut streams, mut inputs) = (Vec::new(), Vec::new());
    let (mut varying, mut outputs) = (Vec::new(), Vec::new());
    for number in program.outside() {
        let variable = &program.variables[number];
        let (name, width) = (variable.name.to_string(), variable.ty.width());
        let mut register = |name: String| {
            let register = machine.graph.input(width);
            inputs.push((name, register.clone()));
            register
        };
        let content = match (variable.storage, variable.size) {
            _ if variable.ty == Type::Stream => {
                streams.push(name);
                Content::Stream(streams.len())
            }
            (Storage::Out, _) => {
                outputs.push((name, number));
                Content::Value(unwritten(width))
            }
            (Storage::Uniform, Some(size)) => {
                Content::Array((0..size).map(|at| register(format!("{name}[{at}]"))).collect())
            }
            (Storage::Uniform, None) => Content::Value(register(name)),
            (Storage::In, _) => {
                if &*name != "gl_FragCoord" {
                    varying.push(name.clone());
                }
                Content::Value(register(name))
            }
            (Storage::Variable | Storage::Constant, _) => continue,
        };
        machine.variables[number] = Some(content);
    }
    machine.run(&program.first)?;
    machine.run(&main.body)?;
    let value = |number: usize| match &machine.variables[number] {
        Some(Content::Value(value)) => value.clone(),
        _ => Value::new(),
    };
    let outputs = outputs.into_iter().map(|(name, number)| (name, value(number))).collect();
    let data_iterations = machine.data_iterations;
    Ok(Executed { outputs, graph: machine.graph, streams, inputs, varying, data_iterations })
}

impl Execution<'_> {
    /// Executes statements. Returns the function's value if the last one is a return.
    fn run(&mut self, statements: &[Statement]) -> Outcome<Value> {
        let mut value = Value::new();
        for Statement { line, kind } in statements {
            self.graph.line = *line;
            if self.graph.instructions.len() > MOST_INSTRUCTIONS {
                let found = format!("more than {MOST_INSTRUCTIONS} instructions");
                return Err(Fault::new((*line, 1), Rule::Limits, found).with("shorten its loops"));
            }
            match kind {
                Kind::Block(block) => {
                    self.run(block)?;
                }
                Kind::Declare(number, first) => {
                    let variable = &self.program.variables[*number];
                    let blank = unwritten(variable.ty.width());
                    let content = match (variable.size, first) {
                        (Some(size), _) => Content::Array(vec![blank; size]),
                        (None, Some(first)) => Content::Value(self.evaluate(first)?),
                        (None, None) => Content::Value(blank),
                    };
                    self.variables[*number] = Some(content);
                }
                Kind::Evaluate(expression) => {
                    self.evaluate(expression)?;
                }
                Kind::Discard(condition) => {
                    let condition = match condition {
                        Some(condition) => self.evaluate(condition)?,
                        None => scalar(1.0),
                    };
                    self.graph.kill(condition);
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
            self.count(one, value);
            self.run(&one.body)?;
        }
        Ok(())
    }

    fn count(&mut self, one: &Loop, value: f32) {
        self.variables[one.counter] = Some(Content::Value(scalar(value)));
    }

    /// Executes a loop whose trip count is data.
    fn repeat_while(&mut self, one: &Loop, condition: &Expr) -> Outcome<()> {
        self.data_iterations += one.values.len();
        if self.data_loops == DataLoops::Guarded {
            return self.repeat_guarded(one, condition);
        }
        // The bound is computed in any case.
        self.count(one, one.values.first().copied().unwrap_or_default());
        let condition = self.evaluate(condition)?;
        self.graph.need(&condition);
        match self.data_loops {
            DataLoops::Skipped => Ok(()),
            _ => self.repeat(one),
        }
    }

    /// Executes the body of a loop for each value of its counter; where the condition fails, variables keep
    /// their values.
    fn repeat_guarded(&mut self, one: &Loop, condition: &Expr) -> Outcome<()> {
        for &value in &one.values {
            let before = self.variables.clone();
            self.count(one, value);
            let condition = self.evaluate(condition)?;
            let effects = self.graph.effects.len();
            let guard = self.graph.guard.replace(condition[0]);
            self.run(&one.body)?;
            self.graph.guard = guard;
            if self.graph.effects.len() > effects {
                let found = "discard inside a loop whose trip count is data";
                return Err(Fault::new(one.place, Rule::Branches, found));
            }
            // Variables of the body and of functions that it calls have no value outside.
            for number in (one.first..one.counter).chain(self.program.outside()) {
                match (&mut self.variables[number], &before[number]) {
                    (Some(Content::Value(new)), Some(Content::Value(old))) => {
                        *new = self.graph.select(&condition, new, old);
                    }
                    (Some(Content::Array(new)), Some(Content::Array(old))) => {
                        for (new, old) in new.iter_mut().zip(old) {
                            *new = self.graph.select(&condition, new, old);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Executes a function in place of its call.
    fn call(&mut self, function: &Function, arguments: &[Expr]) -> Outcome<Value> {
        let mut passed = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            passed.push(match parameter.ty {
                Type::Stream => match argument.node {
                    Node::Variable(number) => self.stream(number).map(Content::Stream),
                    _ => None,
                },
                _ if !parameter.is_in => Some(Content::Value(unwritten(parameter.ty.width()))),
                _ => Some(Content::Value(self.evaluate(argument)?)),
            });
        }
        for (parameter, content) in function.parameters.iter().zip(passed) {
            self.variables[parameter.variable] = content;
        }
        let line = self.graph.line;
        let value = self.run(&function.body)?;
        self.graph.line = line;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if parameter.is_out
                && let Some(Content::Value(last)) = self.variables[parameter.variable].clone()
            {
                self.assign(argument, last);
            }
        }
        Ok(value)
    }
}

/// A register without a value yet.
fn unwritten(width: usize) -> Value {
    vec![Channel::plain(Source::Unwritten); width]
}
