//! Executes a program symbolically: each statement adds its instructions to the graph.

use std::collections::HashMap;

use glsl_lang::ast::{
    CompoundStatement, ConditionData, DeclarationData, Expr, ExprData, ForRestStatement,
    FunctionDefinition, FunctionParameterDeclarationData, IterationStatementData,
    JumpStatementData, Node, NodeContent, Statement, StatementData, StorageQualifierData,
    TypeQualifier, TypeQualifierSpecData,
};

use super::builtin;
use super::error::CountError;
use super::graph::{Graph, Value, scalar};
use crate::program::arithmetic::Operation;
use crate::program::dialect::constant::{Constants, Unrolled, unroll};
use crate::program::dialect::syntax::Syntax;
use crate::program::dialect::{Rule, is_conditional_discard};

mod expressions;
mod variables;

type Outcome<T> = Result<T, CountError>;

/// Deeper calls are recursion.
const DEEPEST_CALL: usize = 64;

/// Meaning of a name: a value, numbered registers, or the number of a stream.
#[derive(Clone, Debug)]
enum Variable {
    Value(Value),
    Array(Vec<Value>),
    Stream(usize),
}

impl Variable {
    /// Restores the old value except where a condition holds.
    fn keep_unless(&mut self, condition: &Value, old: &Variable, graph: &mut Graph) {
        match (self, old) {
            (Self::Value(new), Self::Value(old)) => *new = graph.select(condition, new, old),
            (Self::Array(new), Self::Array(old)) => {
                for (new, old) in new.iter_mut().zip(old) {
                    *new = graph.select(condition, new, old);
                }
            }
            _ => {}
        }
    }
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
    syntax: &'a Syntax,
    data_loops: DataLoops,
    /// Maximum number of iterations of loops whose trip count is data.
    data_iterations: usize,
    functions: HashMap<&'a str, &'a FunctionDefinition>,
    constants: Constants,
    graph: Graph,
    globals: HashMap<String, Variable>,
    /// Local variables: for each function being executed, its nested blocks.
    frames: Vec<Vec<HashMap<String, Variable>>>,
    /// Registers that are filled before the program starts.
    inputs: Vec<(String, Value)>,
    /// Names of the inputs that are not uniforms.
    varying: Vec<String>,
    /// Names of the streams, which are numbered from 1.
    streams: Vec<String>,
    /// Names of the variables that the program may write.
    outputs: Vec<String>,
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
) -> Outcome<Executed> {
    let syntax = Syntax::parse(source, &[])?;
    let mut machine = Execution {
        syntax: &syntax,
        data_loops,
        data_iterations: 0,
        functions: syntax.functions().map(|f| (f.prototype.name.as_str(), f)).collect(),
        constants: Constants::default(),
        graph: Graph::new(folds_constants),
        globals: HashMap::new(),
        frames: Vec::new(),
        inputs: Vec::new(),
        varying: Vec::new(),
        streams: Vec::new(),
        outputs: Vec::new(),
    };
    machine.declare_globals()?;
    let main = *machine.functions.get("main").ok_or(CountError::NoMain)?;
    machine.enter(main, Vec::new())?;
    let mut outputs = Vec::new();
    for name in machine.outputs {
        if let Some(Variable::Value(value)) = machine.globals.remove(&name) {
            outputs.push((name, value));
        }
    }
    Ok(Executed {
        graph: machine.graph,
        streams: machine.streams,
        inputs: machine.inputs,
        varying: machine.varying,
        outputs,
        data_iterations: machine.data_iterations,
    })
}

impl<'a> Execution<'a> {
    fn unsupported<U, T: NodeContent>(
        &self,
        node: &Node<T>,
        what: &str,
        remedy: &'static str,
    ) -> Outcome<U> {
        let (line, column) = self.syntax.place(node);
        Err(CountError::Unsupported { line, column, what: what.to_string(), remedy })
    }

    fn block(&mut self, block: &CompoundStatement) -> Outcome<Option<Value>> {
        self.open();
        let mut returned = None;
        for statement in &block.statement_list {
            if returned.is_some() {
                return self.unsupported(
                    statement,
                    "a statement after return",
                    Rule::Branches.remedy(),
                );
            }
            returned = self.statement(statement)?;
        }
        self.close();
        Ok(returned)
    }

    fn open(&mut self) {
        if let Some(blocks) = self.frames.last_mut() {
            blocks.push(HashMap::new());
        }
    }

    fn close(&mut self) {
        if let Some(blocks) = self.frames.last_mut() {
            blocks.pop();
        }
    }

    /// Executes a statement. Returns the function's value if the statement is a return.
    fn statement(&mut self, statement: &Statement) -> Outcome<Option<Value>> {
        self.graph.line = self.syntax.line(statement);
        match &statement.content {
            StatementData::Compound(block) => {
                if self.block(block)?.is_some() {
                    return self.unsupported(
                        block,
                        "a return inside a block",
                        Rule::Branches.remedy(),
                    );
                }
            }
            StatementData::Declaration(declaration) => {
                if let DeclarationData::InitDeclaratorList(list) = &declaration.content {
                    self.declare(list)?;
                }
            }
            StatementData::Expression(expression) => {
                if let Some(expression) = &expression.content.0 {
                    self.evaluate(expression)?;
                }
            }
            StatementData::Iteration(iteration) => match &iteration.content {
                IterationStatementData::For(init, rest, body) => {
                    match unroll(&init.content, rest, body, &self.constants) {
                        Ok(longest) if longest.ends_with_data => {
                            self.repeat_while(&longest, rest, body)?;
                        }
                        Ok(unrolled) => self.repeat(&unrolled, body)?,
                        Err(why) => {
                            return self.unsupported(
                                iteration,
                                &format!("a loop: {why}"),
                                Rule::ConstantLoops.remedy(),
                            );
                        }
                    }
                }
                _ => {
                    return self.unsupported(
                        iteration,
                        "a loop without a trip count",
                        Rule::ConstantLoops.remedy(),
                    );
                }
            },
            StatementData::Selection(selection) if is_conditional_discard(selection) => {
                let condition = self.evaluate(&selection.cond)?;
                self.graph.kill(condition);
            }
            StatementData::Jump(jump) => match &jump.content {
                JumpStatementData::Return(None) => return Ok(Some(Value::new())),
                JumpStatementData::Return(Some(value)) => return self.evaluate(value).map(Some),
                JumpStatementData::Discard => self.graph.kill(scalar(1.0)),
                _ => return self.unsupported(jump, "a jump", Rule::Branches.remedy()),
            },
            _ => return self.unsupported(statement, "a branch", Rule::Branches.remedy()),
        }
        Ok(None)
    }

    /// Executes the body of a loop once for each value of its counter, which is then a constant.
    fn repeat(&mut self, unrolled: &Unrolled, body: &Statement) -> Outcome<()> {
        for &value in &unrolled.values {
            self.open();
            self.bind(&unrolled.counter, Variable::Value(scalar(value)));
            if self.statement(body)?.is_some() {
                return self.unsupported(body, "a return inside a loop", Rule::Branches.remedy());
            }
            self.close();
        }
        Ok(())
    }

    /// Executes a loop whose trip count is data.
    fn repeat_while(
        &mut self,
        longest: &Unrolled,
        rest: &ForRestStatement,
        body: &Statement,
    ) -> Outcome<()> {
        self.data_iterations += longest.values.len();
        let condition = match rest.condition.as_ref().map(|condition| &condition.content) {
            Some(ConditionData::Expr(condition)) => condition,
            _ => {
                return self.unsupported(
                    body,
                    "a loop without a condition",
                    Rule::ConstantLoops.remedy(),
                );
            }
        };
        if self.data_loops == DataLoops::Guarded {
            return self.repeat_guarded(longest, condition, body);
        }
        // The bound is computed in any case.
        self.open();
        let first = longest.values.first().copied().unwrap_or_default();
        self.bind(&longest.counter, Variable::Value(scalar(first)));
        let condition = self.evaluate(condition)?;
        self.graph.need(&condition);
        self.close();
        match self.data_loops {
            DataLoops::Skipped => Ok(()),
            _ => self.repeat(longest, body),
        }
    }

    /// Executes the body of a loop for each value of its counter; where the condition fails, variables keep
    /// their values.
    fn repeat_guarded(
        &mut self,
        longest: &Unrolled,
        condition: &Expr,
        body: &Statement,
    ) -> Outcome<()> {
        for &value in &longest.values {
            let before = (self.frames.last().cloned(), self.globals.clone());
            self.open();
            self.bind(&longest.counter, Variable::Value(scalar(value)));
            let condition = self.evaluate(condition)?;
            let effects = self.graph.effects.len();
            if self.statement(body)?.is_some() || self.graph.effects.len() > effects {
                return self.unsupported(
                    body,
                    "a return or discard inside a loop",
                    Rule::Branches.remedy(),
                );
            }
            self.close();
            let blocks = self.frames.last_mut().into_iter().flatten();
            let old_blocks = before.0.iter().flatten();
            let globals = std::iter::once((&mut self.globals, &before.1));
            for (scope, old) in blocks.zip(old_blocks).chain(globals) {
                for (name, variable) in scope {
                    if let Some(old) = old.get(name) {
                        variable.keep_unless(&condition, old, &mut self.graph);
                    }
                }
            }
        }
        Ok(())
    }

    /// Executes a function in place of its call. Returns its value, and its parameters at the end.
    fn enter(
        &mut self,
        function: &'a FunctionDefinition,
        arguments: Vec<Variable>,
    ) -> Outcome<(Value, Vec<Variable>)> {
        if self.frames.len() == DEEPEST_CALL {
            return self.unsupported(function, "recursion", Rule::Recursion.remedy());
        }
        let names = parameter_names(function);
        let parameters = names.iter().map(|name| name.to_string());
        self.frames.push(vec![parameters.zip(arguments).collect()]);
        let returned = self.block(&function.statement)?.unwrap_or_default();
        let mut frame = self.frames.pop().unwrap_or_default();
        let finals = names.iter().filter_map(|name| frame.first_mut()?.remove(*name));
        Ok((returned, finals.collect()))
    }

    fn call(&mut self, call: &Expr, name: &str, arguments: &[Expr]) -> Outcome<Value> {
        if name == "fetch" {
            return self.fetch(call, arguments);
        }
        let Some(&function) = self.functions.get(name) else {
            let values = arguments.iter().map(|argument| self.evaluate(argument));
            let values: Vec<Value> = values.collect::<Outcome<_>>()?;
            return match builtin::call(&mut self.graph, name, &values) {
                Some(value) => Ok(value),
                None => {
                    self.unsupported(call, &format!("function {name}"), Rule::Functions.remedy())
                }
            };
        };
        if parameter_names(function).len() != arguments.len() {
            let what = format!("a call of {name} with {} arguments", arguments.len());
            return self.unsupported(call, &what, "give one value per parameter");
        }
        let passed = arguments.iter().map(|argument| self.pass(argument));
        let passed = passed.collect::<Outcome<_>>()?;
        let line = self.graph.line;
        let (returned, finals) = self.enter(function, passed)?;
        self.graph.line = line;
        let parameters = function.prototype.parameters.iter();
        for ((parameter, argument), last) in parameters.zip(arguments).zip(finals) {
            if let FunctionParameterDeclarationData::Named(Some(qualifier), _) = &parameter.content
                && is_written_back(qualifier)
                && let Variable::Value(last) = last
            {
                self.assign(argument, last)?;
            }
        }
        Ok(returned)
    }

    /// An argument: the name of a stream, or a value.
    fn pass(&mut self, argument: &Expr) -> Outcome<Variable> {
        if let ExprData::Variable(name) = &argument.content
            && let Some(variable) = self.find(name.as_str())
        {
            return Ok(variable.clone());
        }
        self.evaluate(argument).map(Variable::Value)
    }

    fn fetch(&mut self, call: &Expr, arguments: &[Expr]) -> Outcome<Value> {
        if let [stream, position] = arguments
            && let Variable::Stream(stream) = self.pass(stream)?
        {
            let (fetch, position) = (Operation::Fetch(stream), self.evaluate(position)?);
            return Ok(self.graph.whole(fetch, vec![position], 4));
        }
        self.unsupported(
            call,
            "a fetch from something that is not a stream",
            Rule::Functions.remedy(),
        )
    }
}

fn parameter_names(function: &FunctionDefinition) -> Vec<&str> {
    let parameters = function.prototype.parameters.iter();
    let named = parameters.filter_map(|parameter| match &parameter.content {
        FunctionParameterDeclarationData::Named(_, named) => Some(named.ident.ident.as_str()),
        FunctionParameterDeclarationData::Unnamed(..) => None,
    });
    named.collect()
}

fn is_written_back(qualifier: &TypeQualifier) -> bool {
    use StorageQualifierData::{InOut, Out};
    qualifier.qualifiers.iter().any(|one| {
        matches!(&one.content, TypeQualifierSpecData::Storage(storage)
            if matches!(storage.content, Out | InOut))
    })
}
