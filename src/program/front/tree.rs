//! The typed tree of a program. Names are resolved, and loops have their trip counts.

use std::rc::Rc;

use super::fault::Place;
use super::types::Type;

/// Storage class of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Of a function or of the program; it may be assigned.
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
    /// Value of a constant number.
    pub value: Option<f32>,
    /// True while a loop depends on it.
    pub is_locked: bool,
    pub place: Place,
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

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: Rc<str>,
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
    pub place: Place,
    /// True for a constant expression.
    pub is_constant: bool,
    /// True if it changes a variable, or may discard the fragment.
    pub acts: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Has no value: a fault is reported.
    Unknown,
    /// A number; 1 or 0 for a bool.
    Number(f32),
    Variable(usize),
    /// Element of an array.
    Element(usize, usize),
    /// Channels of a vector.
    Swizzle(Box<Expr>, Vec<usize>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Select(Box<[Expr; 3]>),
    /// `target = value`, or with an operator.
    Assign(Box<Expr>, Option<Operator>, Box<Expr>),
    /// `x++` and the like: the variable, the increment, and whether the old value is the result.
    Step(Box<Expr>, f32, bool),
    Comma(Box<Expr>, Box<Expr>),
    Construct(Vec<Expr>),
    /// A call of a function, by its number.
    Call(usize, Vec<Expr>),
    /// A call of a built-in function, by its number.
    BuiltIn(usize, Vec<Expr>),
    /// The record of a stream, by the number of its variable, at a position.
    Fetch(usize, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl Operator {
    /// The operator with a symbol of the dialect.
    pub(super) fn of(symbol: &str) -> Option<Operator> {
        Some(match symbol {
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "<" => Operator::Less,
            ">" => Operator::Greater,
            "<=" => Operator::LessEqual,
            ">=" => Operator::GreaterEqual,
            "==" => Operator::Equal,
            // Of two conditions one holds alone if they differ.
            "!=" | "^^" => Operator::NotEqual,
            "&&" => Operator::And,
            "||" => Operator::Or,
            _ => return None,
        })
    }

    /// Its value for two numbers; 1 for true.
    pub(super) fn value(self, a: f32, b: f32) -> f32 {
        let truth = |value: bool| f32::from(u8::from(value));
        match self {
            Operator::Add => a + b,
            Operator::Subtract => a - b,
            Operator::Multiply => a * b,
            Operator::Divide => a / b,
            Operator::Less => truth(a < b),
            Operator::Greater => truth(a > b),
            Operator::LessEqual => truth(a <= b),
            Operator::GreaterEqual => truth(a >= b),
            Operator::Equal => truth(a == b),
            Operator::NotEqual => truth(a != b),
            Operator::And => truth(a != 0.0 && b != 0.0),
            Operator::Or => truth(a != 0.0 || b != 0.0),
        }
    }
}
