//! Executes a program symbolically: each statement adds its instructions to the graph.

use std::collections::HashMap;

use glsl_lang::ast::{
    ArraySpecifier, ArraySpecifierDimensionData, AssignmentOpData, BinaryOpData, CompoundStatement,
    DeclarationData, Expr, ExprData, FunIdentifierData, FunctionDefinition,
    FunctionParameterDeclarationData, InitDeclaratorList, Initializer, InitializerData,
    IterationStatementData, JumpStatementData, Node, NodeContent, Statement, StatementData,
    StorageQualifierData, TypeQualifier, TypeQualifierSpecData, TypeSpecifier,
    TypeSpecifierNonArrayData, UnaryOpData,
};

use super::CountError;
use super::builtin;
use super::graph::{Channel, Graph, Operation, Source, Value, negate, scalar, widen};
use crate::stream::dialect::constant::{Constants, Unrolled, unroll};
use crate::stream::dialect::is_conditional_discard;
use crate::stream::dialect::syntax::Syntax;

type Outcome<T> = Result<T, CountError>;

/// Calls deeper than this are recursion.
const DEEPEST_CALL: usize = 64;

/// What a name stands for.
#[derive(Clone, Debug)]
enum Variable {
    Value(Value),
    Array(Vec<Value>),
    Stream(usize),
}

/// Something that can be assigned to: a variable, perhaps an element of it, perhaps some channels.
struct Place {
    name: String,
    element: Option<usize>,
    channels: Option<Vec<usize>>,
}

struct Machine<'a> {
    syntax: &'a Syntax,
    functions: HashMap<&'a str, &'a FunctionDefinition>,
    constants: Constants,
    graph: Graph,
    globals: HashMap<String, Variable>,
    /// Local variables: for each function being executed, its nested blocks.
    frames: Vec<Vec<HashMap<String, Variable>>>,
    streams: usize,
}

/// Executes `source`; the graph of its instructions, and the channels of its result.
pub(super) fn execute(source: &str) -> Outcome<(Graph, Value)> {
    let syntax = Syntax::parse(source, &[])?;
    let mut machine = Machine {
        syntax: &syntax,
        functions: syntax
            .functions()
            .map(|f| (f.prototype.name.as_str(), f))
            .collect(),
        constants: Constants::default(),
        graph: Graph::default(),
        globals: HashMap::new(),
        frames: Vec::new(),
        streams: 0,
    };
    machine.declare_globals()?;
    let main = *machine.functions.get("main").ok_or(CountError::NoMain)?;
    machine.enter(main, Vec::new())?;
    let result = match machine.globals.remove("result") {
        Some(Variable::Value(value)) => value,
        _ => Vec::new(),
    };
    Ok((machine.graph, result))
}

impl<'a> Machine<'a> {
    fn unsupported<U, T: NodeContent>(&self, node: &Node<T>, what: &str) -> Outcome<U> {
        Err(CountError::Unsupported {
            line: self.syntax.line(node),
            what: what.to_string(),
        })
    }

    // Declarations

    fn declare_globals(&mut self) -> Outcome<()> {
        let syntax = self.syntax;
        let position = self.graph.input(4);
        self.globals
            .insert("here".into(), Variable::Value(position[..2].to_vec()));
        self.globals
            .insert("gl_FragCoord".into(), Variable::Value(position));
        let unwritten = vec![Channel::plain(Source::Unwritten); 4];
        self.globals
            .insert("result".into(), Variable::Value(unwritten));
        for global in syntax.globals() {
            if global.is_stream() {
                self.streams += 1;
                self.globals
                    .insert(global.name.into(), Variable::Stream(self.streams));
            } else if global.has_storage(&StorageQualifierData::Uniform)
                || global.has_storage(&StorageQualifierData::In)
                || global.has_storage(&StorageQualifierData::Varying)
            {
                let input = self.input(global.declaration)?;
                self.globals.insert(global.name.into(), input);
            } else if !global.has_storage(&StorageQualifierData::Out) {
                self.declare(global.declaration)?;
            }
        }
        Ok(())
    }

    /// A register that is filled before the program starts, or an array of them.
    fn input(&mut self, list: &InitDeclaratorList) -> Outcome<Variable> {
        let width = self.width(&list.head.ty.ty)?;
        let size = list
            .head
            .array_specifier
            .as_ref()
            .or(list.head.ty.ty.array_specifier.as_ref());
        match size {
            None => Ok(Variable::Value(self.graph.input(width))),
            Some(size) => {
                let size = self.array_size(size)?;
                Ok(Variable::Array(
                    (0..size).map(|_| self.graph.input(width)).collect(),
                ))
            }
        }
    }

    fn array_size(&self, size: &ArraySpecifier) -> Outcome<usize> {
        if let [dimension] = size.dimensions.as_slice()
            && let ArraySpecifierDimensionData::ExplicitlySized(size) = &dimension.content
            && let Some(size) = self.constants.evaluate(size)
        {
            return Ok(size as usize);
        }
        self.unsupported(size, "an array of this size")
    }

    /// Channels of a type.
    fn width(&self, ty: &TypeSpecifier) -> Outcome<usize> {
        match ty.ty.content {
            TypeSpecifierNonArrayData::Float | TypeSpecifierNonArrayData::Bool => Ok(1),
            TypeSpecifierNonArrayData::Vec2 => Ok(2),
            TypeSpecifierNonArrayData::Vec3 => Ok(3),
            TypeSpecifierNonArrayData::Vec4 => Ok(4),
            _ => self.unsupported(ty, &format!("type {}", self.syntax.text_of(ty))),
        }
    }

    fn declare(&mut self, list: &InitDeclaratorList) -> Outcome<()> {
        let width = self.width(&list.head.ty.ty)?;
        self.constants.declare(list);
        let head = list.head.name.as_ref().map(|name| {
            let size = list.head.array_specifier.as_ref();
            (name, size, list.head.initializer.as_ref())
        });
        let tail = list.tail.iter().map(|one| {
            let size = one.ident.array_spec.as_ref();
            (&one.ident.ident, size, one.initializer.as_ref())
        });
        for (name, size, initializer) in head.into_iter().chain(tail) {
            let value = match (size, initializer) {
                (Some(size), None) => {
                    let unwritten = vec![Channel::plain(Source::Unwritten); width];
                    Variable::Array(vec![unwritten; self.array_size(size)?])
                }
                (Some(size), Some(_)) => return self.unsupported(size, "an initialised array"),
                (None, initializer) => Variable::Value(self.initial(initializer, width)?),
            };
            self.bind(name.as_str(), value);
        }
        Ok(())
    }

    fn initial(&mut self, initializer: Option<&Initializer>, width: usize) -> Outcome<Value> {
        match initializer {
            None => Ok(vec![Channel::plain(Source::Unwritten); width]),
            Some(initializer) => match &initializer.content {
                InitializerData::Simple(expression) => self.evaluate(expression),
                InitializerData::List(_) => self.unsupported(initializer, "a list of values"),
            },
        }
    }

    // Names

    fn bind(&mut self, name: &str, variable: Variable) {
        let block = self.frames.last_mut().and_then(|blocks| blocks.last_mut());
        block
            .unwrap_or(&mut self.globals)
            .insert(name.to_string(), variable);
    }

    fn find(&mut self, name: &str) -> Option<&mut Variable> {
        let blocks = self.frames.last_mut().into_iter().flatten().rev();
        let mut scopes = blocks.chain(std::iter::once(&mut self.globals));
        scopes.find_map(|scope| scope.get_mut(name))
    }

    fn place(&mut self, target: &Expr) -> Outcome<Place> {
        match &target.content {
            ExprData::Variable(name) => Ok(Place {
                name: name.as_str().to_string(),
                element: None,
                channels: None,
            }),
            ExprData::Dot(base, channels) => {
                let mut place = self.place(base)?;
                let Some(chosen) = swizzle(channels.as_str()) else {
                    return self.unsupported(target, "this field");
                };
                place.channels = match place.channels {
                    None => Some(chosen),
                    Some(of) => chosen
                        .iter()
                        .map(|&channel| of.get(channel).copied())
                        .collect(),
                };
                Ok(place)
            }
            ExprData::Bracket(base, index) => {
                let mut place = self.place(base)?;
                let Some(index) = self.constants.evaluate(index) else {
                    return self.unsupported(target, "an index that is not constant");
                };
                match self.find(&place.name) {
                    Some(Variable::Array(_)) if place.element.is_none() => {
                        place.element = Some(index as usize);
                    }
                    _ => place.channels = Some(vec![index as usize]),
                }
                Ok(place)
            }
            _ => self.unsupported(target, "an assignment to this"),
        }
    }

    /// The whole value of the variable or element that `place` is in.
    fn register(&mut self, place: &Place) -> Option<&mut Value> {
        match (self.find(&place.name)?, place.element) {
            (Variable::Value(value), None) => Some(value),
            (Variable::Array(values), Some(element)) => values.get_mut(element),
            _ => None,
        }
    }

    fn read(&mut self, expression: &Expr) -> Outcome<Value> {
        let place = self.place(expression)?;
        let value = self.register(&place).cloned();
        match (value, place.channels) {
            (Some(value), None) => Ok(value),
            (Some(value), Some(channels)) => self.pick(expression, &value, &channels),
            (None, _) => self.unsupported(expression, &format!("`{}` as a value", place.name)),
        }
    }

    fn pick(&self, expression: &Expr, value: &Value, channels: &[usize]) -> Outcome<Value> {
        let picked = channels.iter().map(|&channel| value.get(channel).copied());
        match picked.collect() {
            Some(value) => Ok(value),
            None => self.unsupported(expression, "a channel that is not there"),
        }
    }

    fn assign(&mut self, target: &Expr, value: Value) -> Outcome<()> {
        let place = self.place(target)?;
        let Some(register) = self.register(&place) else {
            return self.unsupported(target, &format!("an assignment to `{}`", place.name));
        };
        let Some(channels) = place.channels else {
            *register = widen(&value, register.len());
            return Ok(());
        };
        let value = widen(&value, channels.len());
        for (&channel, new) in channels.iter().zip(value) {
            match register.get_mut(channel) {
                Some(old) => *old = new,
                None => return self.unsupported(target, "a channel that is not there"),
            }
        }
        Ok(())
    }

    // Statements

    fn block(&mut self, block: &CompoundStatement) -> Outcome<Option<Value>> {
        self.open();
        let mut returned = None;
        for statement in &block.statement_list {
            if returned.is_some() {
                return self.unsupported(statement, "a statement behind return");
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

    /// Executes a statement. The value that it returns from the function, if it does.
    fn statement(&mut self, statement: &Statement) -> Outcome<Option<Value>> {
        match &statement.content {
            StatementData::Compound(block) => {
                if self.block(block)?.is_some() {
                    return self.unsupported(block, "a return inside a block");
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
                        Ok(unrolled) => self.repeat(&unrolled, body)?,
                        Err(why) => return self.unsupported(iteration, &format!("a loop: {why}")),
                    }
                }
                _ => return self.unsupported(iteration, "a loop without a trip count"),
            },
            StatementData::Selection(selection) if is_conditional_discard(selection) => {
                let condition = self.evaluate(&selection.cond)?;
                self.graph.kill(condition);
            }
            StatementData::Jump(jump) => match &jump.content {
                JumpStatementData::Return(None) => return Ok(Some(Value::new())),
                JumpStatementData::Return(Some(value)) => return self.evaluate(value).map(Some),
                JumpStatementData::Discard => self.graph.kill(scalar(1.0)),
                _ => return self.unsupported(jump, "a jump"),
            },
            _ => return self.unsupported(statement, "a branch"),
        }
        Ok(None)
    }

    /// Executes the body of a loop once for each value of its counter, which is a constant there.
    fn repeat(&mut self, unrolled: &Unrolled, body: &Statement) -> Outcome<()> {
        for &value in &unrolled.values {
            self.open();
            self.bind(&unrolled.counter, Variable::Value(scalar(value)));
            if self.statement(body)?.is_some() {
                return self.unsupported(body, "a return inside a loop");
            }
            self.close();
        }
        Ok(())
    }

    // Calls

    /// Executes a function in place of its call. What it returns, and its parameters at the end.
    fn enter(
        &mut self,
        function: &'a FunctionDefinition,
        arguments: Vec<Variable>,
    ) -> Outcome<(Value, Vec<Variable>)> {
        if self.frames.len() == DEEPEST_CALL {
            return self.unsupported(function, "recursion");
        }
        let names: Vec<&str> = function
            .prototype
            .parameters
            .iter()
            .filter_map(|parameter| match &parameter.content {
                FunctionParameterDeclarationData::Named(_, named) => {
                    Some(named.ident.ident.as_str())
                }
                FunctionParameterDeclarationData::Unnamed(..) => None,
            })
            .collect();
        if names.len() != arguments.len() {
            return self.unsupported(function, "a call with other arguments");
        }
        let parameters = names
            .iter()
            .map(|name| name.to_string())
            .zip(arguments)
            .collect();
        self.frames.push(vec![parameters]);
        let returned = self.block(&function.statement)?.unwrap_or_default();
        let mut frame = self.frames.pop().unwrap_or_default();
        let finals = names
            .iter()
            .filter_map(|name| frame.first_mut()?.remove(*name))
            .collect();
        Ok((returned, finals))
    }

    fn call(&mut self, call: &Expr, name: &str, arguments: &[Expr]) -> Outcome<Value> {
        if name == "fetch" {
            return self.fetch(call, arguments);
        }
        let Some(&function) = self.functions.get(name) else {
            let values: Vec<Value> = arguments
                .iter()
                .map(|argument| self.evaluate(argument))
                .collect::<Outcome<_>>()?;
            return match builtin::call(&mut self.graph, name, &values) {
                Some(value) => Ok(value),
                None => self.unsupported(call, &format!("function {name}")),
            };
        };
        let passed = arguments
            .iter()
            .map(|argument| self.pass(argument))
            .collect::<Outcome<_>>()?;
        let (returned, finals) = self.enter(function, passed)?;
        for ((parameter, argument), last) in function
            .prototype
            .parameters
            .iter()
            .zip(arguments)
            .zip(finals)
        {
            if let FunctionParameterDeclarationData::Named(Some(qualifier), _) = &parameter.content
                && is_written_back(qualifier)
                && let Variable::Value(last) = last
            {
                self.assign(argument, last)?;
            }
        }
        Ok(returned)
    }

    /// An argument: a stream by its name, anything else by its value.
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
            let position = self.evaluate(position)?;
            return Ok(self
                .graph
                .whole(Operation::Fetch(stream), vec![position], 4));
        }
        self.unsupported(call, "a fetch from what is no stream")
    }

    /// `vec3(...)` and the like: channels are given new names, nothing is moved.
    fn construct(&mut self, ty: &TypeSpecifier, arguments: &[Expr]) -> Outcome<Value> {
        let width = self.width(ty)?;
        let mut channels = Value::new();
        for argument in arguments {
            channels.extend(self.evaluate(argument)?);
        }
        let mut value = widen(&channels, width);
        value.truncate(width);
        if value.len() < width {
            return self.unsupported(ty, "a constructor with too few channels");
        }
        Ok(value)
    }

    // Expressions

    fn evaluate(&mut self, expression: &Expr) -> Outcome<Value> {
        match &expression.content {
            ExprData::FloatConst(value) => Ok(scalar(*value)),
            ExprData::BoolConst(value) => Ok(scalar(f32::from(u8::from(*value)))),
            ExprData::Variable(_) | ExprData::Bracket(..) => self.read(expression),
            ExprData::Dot(base, channels) => {
                let value = self.evaluate(base)?;
                match swizzle(channels.as_str()) {
                    Some(channels) => self.pick(expression, &value, &channels),
                    None => self.unsupported(expression, "this field"),
                }
            }
            ExprData::Unary(operator, operand) => {
                self.unary(expression, &operator.content, operand)
            }
            ExprData::PostInc(target) => self.step(target, 1.0, true),
            ExprData::PostDec(target) => self.step(target, -1.0, true),
            ExprData::Binary(operator, a, b) => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                self.binary(expression, &operator.content, a, b)
            }
            ExprData::Ternary(condition, a, b) => {
                let condition = self.evaluate(condition)?;
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                Ok(self.graph.select(&condition, &a, &b))
            }
            ExprData::Assignment(target, operator, value) => {
                let value = self.evaluate(value)?;
                let value = self.modified(expression, target, &operator.content, value)?;
                self.assign(target, value.clone())?;
                Ok(value)
            }
            ExprData::Comma(first, second) => {
                self.evaluate(first)?;
                self.evaluate(second)
            }
            ExprData::FunCall(function, arguments) => match &function.content {
                FunIdentifierData::TypeSpecifier(ty) => self.construct(ty, arguments),
                FunIdentifierData::Expr(name) => match &name.content {
                    ExprData::Variable(name) => self.call(expression, name.as_str(), arguments),
                    _ => self.unsupported(expression, "this call"),
                },
            },
            _ => self.unsupported(expression, "an integer"),
        }
    }

    fn unary(
        &mut self,
        expression: &Expr,
        operator: &UnaryOpData,
        operand: &Expr,
    ) -> Outcome<Value> {
        match operator {
            UnaryOpData::Add => self.evaluate(operand),
            UnaryOpData::Minus => Ok(negate(&self.evaluate(operand)?)),
            UnaryOpData::Not => {
                let condition = self.evaluate(operand)?;
                Ok(self.graph.not(&condition))
            }
            UnaryOpData::Inc => self.step(operand, 1.0, false),
            UnaryOpData::Dec => self.step(operand, -1.0, false),
            UnaryOpData::Complement => self.unsupported(expression, "operator ~"),
        }
    }

    /// `x++` and the like; gives the value before or after.
    fn step(&mut self, target: &Expr, by: f32, gives_old: bool) -> Outcome<Value> {
        let old = self.evaluate(target)?;
        let new = self.graph.add(&old, &scalar(by));
        self.assign(target, new.clone())?;
        Ok(if gives_old { old } else { new })
    }

    /// The value that an assignment with `operator` stores.
    fn modified(
        &mut self,
        expression: &Expr,
        target: &Expr,
        operator: &AssignmentOpData,
        value: Value,
    ) -> Outcome<Value> {
        let operator = match operator {
            AssignmentOpData::Equal => return Ok(value),
            AssignmentOpData::Add => BinaryOpData::Add,
            AssignmentOpData::Sub => BinaryOpData::Sub,
            AssignmentOpData::Mult => BinaryOpData::Mult,
            AssignmentOpData::Div => BinaryOpData::Div,
            _ => return self.unsupported(expression, "this assignment"),
        };
        let old = self.evaluate(target)?;
        self.binary(expression, &operator, old, value)
    }

    fn binary(
        &mut self,
        expression: &Expr,
        operator: &BinaryOpData,
        a: Value,
        b: Value,
    ) -> Outcome<Value> {
        if a.len() != b.len() && a.len() != 1 && b.len() != 1 {
            return self.unsupported(expression, "operands of different sizes");
        }
        let graph = &mut self.graph;
        let comparison = |graph: &mut Graph, operation, a: &Value, b: &Value| {
            graph.channelwise(operation, &[a, b])
        };
        Ok(match operator {
            BinaryOpData::Add => graph.add(&a, &b),
            BinaryOpData::Sub => graph.subtract(&a, &b),
            BinaryOpData::Mult => graph.multiply(&a, &b),
            BinaryOpData::Div => graph.divide(&a, &b),
            BinaryOpData::Lt => comparison(graph, Operation::Less, &a, &b),
            BinaryOpData::Gt => comparison(graph, Operation::Less, &b, &a),
            BinaryOpData::Gte => comparison(graph, Operation::GreaterEqual, &a, &b),
            BinaryOpData::Lte => comparison(graph, Operation::GreaterEqual, &b, &a),
            BinaryOpData::Equal if a.len() == 1 => comparison(graph, Operation::Equal, &a, &b),
            BinaryOpData::NonEqual | BinaryOpData::Xor if a.len() == 1 => {
                comparison(graph, Operation::NotEqual, &a, &b)
            }
            BinaryOpData::And => graph.channelwise(Operation::And, &[&a, &b]),
            BinaryOpData::Or => graph.channelwise(Operation::Or, &[&a, &b]),
            _ => return self.unsupported(expression, "this operator"),
        })
    }
}

fn is_written_back(qualifier: &TypeQualifier) -> bool {
    qualifier.qualifiers.iter().any(|one| match &one.content {
        TypeQualifierSpecData::Storage(storage) => matches!(
            storage.content,
            StorageQualifierData::Out | StorageQualifierData::InOut
        ),
        _ => false,
    })
}

/// The channels that a swizzle names.
fn swizzle(names: &str) -> Option<Vec<usize>> {
    let channel = |name| {
        ["xyzw", "rgba", "stpq"]
            .iter()
            .find_map(|channels| channels.find(name))
    };
    names.chars().map(channel).collect()
}
