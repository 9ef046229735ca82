//! The typed tree of a program. Names are resolved, and loops have their trip counts.

use std::rc::Rc;

use super::builtin::BUILT_INS;
use super::fault::{Fault, Place};
use super::types::Type;
use crate::program::graph::{Graph, Value, scalar, widen};

/// A program.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub variables: Vec<Variable>,
    /// First values of the variables outside of functions.
    pub first: Vec<Statement>,
    pub functions: Vec<Function>,
    /// Names tested by conditions.
    pub tested: Vec<String>,
    /// True if an extension adds double precision.
    pub has_double: bool,
    /// In the order of the text.
    pub faults: Vec<Fault>,
}

impl Tree {
    pub(crate) fn main(&self) -> Option<&Function> {
        self.functions.iter().find(|function| &*function.name == "main")
    }

    /// Numbers of the variables outside of functions: those of the language, and those of the text.
    pub(crate) fn outside(&self) -> impl Iterator<Item = usize> {
        (0..self.variables.len()).filter(|&number| self.variables[number].is_global)
    }

    /// The variables outside of functions that the text declares, in order.
    pub(crate) fn globals(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|one| one.is_global && one.place != (0, 0))
    }

    /// Tests whether both declare the same variables outside of functions.
    pub(crate) fn declares_as(&self, other: &Self) -> bool {
        let names = |one: &Variable| (one.name.clone(), one.ty, one.storage, one.size);
        self.has_double == other.has_double
            && self.globals().map(names).eq(other.globals().map(names))
    }

    /// The value of a constant expression, in single precision; `None` for everything else.
    pub(super) fn constant(&self, expression: &Expr) -> Option<Value> {
        let all = |operands: &[Expr]| -> Option<Vec<Value>> {
            operands.iter().map(|operand| self.constant(operand)).collect()
        };
        let value = match &expression.node {
            Node::Number(value) => scalar(*value),
            Node::Variable(number) => self.variables[*number].value.clone()?,
            Node::Swizzle(base, channels) => {
                let base = self.constant(base)?;
                channels.iter().map(|&at| base.get(at).copied()).collect::<Option<_>>()?
            }
            Node::Apply(row, operands) => {
                let values = all(operands)?;
                let mut widths = operands.iter().zip(&values);
                let is_known = widths.all(|(one, value)| value.len() == one.ty.width());
                // What another text defines counts as a single number.
                let is_single =
                    values.iter().all(|value| value.len() == 1) && expression.ty.width() < 2;
                if !is_known && !is_single {
                    return None;
                }
                (BUILT_INS[*row].operation)(&mut Graph::new(true), &values)
            }
            Node::Construct(operands) => constructed(all(operands)?, expression.ty),
            _ => return None,
        };
        value.iter().all(|channel| channel.as_constant().is_some()).then_some(value)
    }

    /// The value of a constant number.
    pub(super) fn number(&self, expression: &Expr) -> Option<f32> {
        self.constant(expression)?.first()?.as_constant()
    }
}

/// The value of `vec3(...)` and the like: constructors only rename channels.
pub(crate) fn constructed(operands: Vec<Value>, ty: Type) -> Value {
    let mut value = widen(&operands.concat(), ty.width());
    value.truncate(ty.width());
    value
}

/// Storage class of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Variable of a function or of the program; it may be assigned.
    Variable,
    Constant,
    Uniform,
    In,
    Out,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: Rc<str>,
    pub ty: Type,
    /// Number of elements of an array.
    pub size: Option<usize>,
    pub storage: Storage,
    pub is_global: bool,
    /// Value of a constant.
    pub value: Option<Value>,
    /// True while a loop depends on it.
    pub is_locked: bool,
    pub place: Place,
}

impl Variable {
    pub(super) fn new(name: Rc<str>, ty: Type, storage: Storage, place: Place) -> Variable {
        let (size, is_global, value, is_locked) = (None, false, None, false);
        Variable { name, ty, size, storage, is_global, value, is_locked, place }
    }
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Number of its variable.
    pub variable: usize,
    pub ty: Type,
    pub is_in: bool,
    pub is_out: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub name: Rc<str>,
    pub place: Place,
    pub parameters: Vec<Parameter>,
    pub result: Type,
    pub body: Vec<Statement>,
    pub is_defined: bool,
    /// True if a call changes a variable of the program, or may discard the fragment.
    pub acts: bool,
    /// Number of its tokens with loops unrolled and calls inlined.
    pub tokens: usize,
    /// Levels of calls in it.
    pub depth: usize,
}

impl Function {
    /// Types of its parameters.
    pub(super) fn types(&self) -> Vec<Type> {
        self.parameters.iter().map(|one| one.ty).collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub line: u32,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Block(Vec<Statement>),
    /// A variable, by its number, with its first value.
    Declare(usize, Option<Expr>),
    Evaluate(Expr),
    /// With a condition.
    Discard(Option<Expr>),
    For(Loop),
    Return(Option<Expr>),
}

/// A loop with known values of its counter, to be unrolled.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Number of its variable.
    pub counter: usize,
    /// Value of the counter in each iteration.
    pub values: Vec<f32>,
    /// The condition, if data may end the loop earlier: its bound is `min(data, CONSTANT)`.
    pub condition: Option<Expr>,
    pub body: Vec<Statement>,
    /// Number of the first variable of its function.
    pub first: usize,
    pub place: Place,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub node: Node,
    pub ty: Type,
    /// Place of its operator or name.
    pub place: Place,
    /// True if it changes a variable, or may discard the fragment.
    pub acts: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A number; 1 or 0 for a bool; 2 for what another text defines.
    Number(f32),
    /// A variable, by its number.
    Variable(usize),
    /// Element of an array.
    Element(usize, usize),
    /// Channels of a vector.
    Swizzle(Box<Expr>, Vec<usize>),
    /// An operator or built-in function, by its number.
    Apply(usize, Vec<Expr>),
    /// `target = value`, possibly with an operator, by its number.
    Assign(Box<Expr>, Option<usize>, Box<Expr>),
    /// The value of a variable before `x++` or the like.
    Before(Box<Expr>, Box<Expr>),
    Construct(Vec<Expr>),
    /// A call of a function, by its number.
    Call(usize, Vec<Expr>),
    /// The record of a stream, by the number of its variable, at a position.
    Fetch(usize, Box<Expr>),
}

impl Expr {
    pub(super) fn new(node: Node, ty: Type, place: Place) -> Expr {
        Expr { node, ty, place, acts: false }
    }

    /// Tests whether it is the variable with this number.
    pub(super) fn is_variable(&self, number: usize) -> bool {
        matches!(self.node, Node::Variable(own) if own == number)
    }

    /// Something that is already reported, or that another text defines.
    pub(super) fn unknown(place: Place) -> Expr {
        Expr::new(Node::Number(2.0), Type::Unknown, place)
    }
}

/// A variable or an element of an array: number, element.
pub(crate) type Register = (usize, usize);

/// The register that an expression names.
pub(crate) fn register(root: &Expr) -> Option<Register> {
    match root.node {
        Node::Variable(number) => Some((number, 0)),
        Node::Element(number, element) => Some((number, element)),
        _ => None,
    }
}

/// The expression below all swizzles, and its chosen channels in order.
pub(crate) fn behind(of: &Expr) -> (&Expr, Vec<usize>) {
    let (mut root, mut channels) = (of, (0..of.ty.width()).collect::<Vec<usize>>());
    while let Node::Swizzle(base, chosen) = &root.node {
        channels = channels.into_iter().map(|at| chosen[at]).collect();
        root = base;
    }
    (root, channels)
}
