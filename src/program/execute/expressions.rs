//! Expressions, as instructions.

use super::{Content, Execution, Outcome, unwritten};
use crate::program::arithmetic::Operation;
use crate::program::front::{BUILT_INS, Expr, Node, Operator};
use crate::program::graph::{Value, negate, scalar, widen};

impl Execution<'_> {
    pub(super) fn evaluate(&mut self, expression: &Expr) -> Outcome<Value> {
        Ok(match &expression.node {
            Node::Unknown => unwritten(expression.ty.width()),
            Node::Number(value) => scalar(*value),
            Node::Variable(_) | Node::Element(..) => {
                self.register(expression).cloned().unwrap_or_default()
            }
            Node::Swizzle(base, channels) => {
                let value = self.evaluate(base)?;
                channels.iter().map(|&channel| value[channel]).collect()
            }
            Node::Negate(operand) => negate(&self.evaluate(operand)?),
            Node::Not(operand) => {
                let condition = self.evaluate(operand)?;
                self.graph.not(&condition)
            }
            Node::Step(target, by, gives_old) => {
                let old = self.evaluate(target)?;
                let new = self.graph.add(&old, &scalar(*by));
                self.assign(target, new.clone());
                if *gives_old { old } else { new }
            }
            Node::Binary(operator, a, b) => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                self.binary(*operator, &a, &b)
            }
            Node::Select(parts) => {
                let [condition, a, b] = &**parts;
                let condition = self.evaluate(condition)?;
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                self.graph.select(&condition, &a, &b)
            }
            Node::Assign(target, operator, value) => {
                let mut value = self.evaluate(value)?;
                if let Some(operator) = operator {
                    let old = self.evaluate(target)?;
                    value = self.binary(*operator, &old, &value);
                }
                self.assign(target, value.clone());
                value
            }
            Node::Comma(first, second) => {
                self.evaluate(first)?;
                self.evaluate(second)?
            }
            // Constructors only rename channels; nothing is moved.
            Node::Construct(arguments) => {
                let mut channels = Value::new();
                for argument in arguments {
                    channels.extend(self.evaluate(argument)?);
                }
                let width = expression.ty.width();
                let mut value = widen(&channels, width);
                value.truncate(width);
                value
            }
            Node::Call(number, arguments) => {
                let program = self.program;
                self.call(&program.functions[*number], arguments)?
            }
            Node::BuiltIn(number, arguments) => {
                let values = arguments.iter().map(|argument| self.evaluate(argument));
                let values: Vec<Value> = values.collect::<Outcome<_>>()?;
                (BUILT_INS[*number].operation)(&mut self.graph, &values)
            }
            Node::Fetch(stream, position) => {
                let stream = match self.variables[*stream] {
                    Some(Content::Stream(stream)) => stream,
                    _ => 0,
                };
                let position = self.evaluate(position)?;
                self.graph.whole(Operation::Fetch(stream), vec![position], 4)
            }
        })
    }

    fn binary(&mut self, operator: Operator, a: &Value, b: &Value) -> Value {
        use Operation as O;
        let graph = &mut self.graph;
        match operator {
            Operator::Add => graph.add(a, b),
            Operator::Subtract => graph.subtract(a, b),
            Operator::Multiply => graph.multiply(a, b),
            Operator::Divide => graph.divide(a, b),
            Operator::Less => graph.channelwise(O::Less, &[a, b]),
            Operator::Greater => graph.channelwise(O::Less, &[b, a]),
            Operator::GreaterEqual => graph.channelwise(O::GreaterEqual, &[a, b]),
            Operator::LessEqual => graph.channelwise(O::GreaterEqual, &[b, a]),
            Operator::Equal => graph.channelwise(O::Equal, &[a, b]),
            Operator::NotEqual => graph.channelwise(O::NotEqual, &[a, b]),
            Operator::And => graph.channelwise(O::And, &[a, b]),
            Operator::Or => graph.channelwise(O::Or, &[a, b]),
        }
    }

    /// The number of a stream.
    pub(super) fn stream(&self, argument: &Expr) -> Option<usize> {
        match (&argument.node, self.variables.get(variable(argument)?)?) {
            (Node::Variable(_), Some(Content::Stream(number))) => Some(*number),
            _ => None,
        }
    }

    /// The whole value of a variable or of an element.
    fn register(&mut self, place: &Expr) -> Option<&mut Value> {
        let content = self.variables[variable(place)?].as_mut()?;
        match (content, &place.node) {
            (Content::Value(value), _) => Some(value),
            (Content::Array(values), Node::Element(_, at)) => values.get_mut(*at),
            _ => None,
        }
    }

    /// Stores a value in a variable, an element, or some channels of one.
    pub(super) fn assign(&mut self, target: &Expr, value: Value) {
        let (mut root, mut channels) = (target, (0..value.len()).collect::<Vec<usize>>());
        while let Node::Swizzle(base, chosen) = &root.node {
            channels = channels.into_iter().map(|at| chosen[at]).collect();
            root = base;
        }
        if let Some(register) = self.register(root) {
            for (channel, new) in channels.into_iter().zip(value) {
                register[channel] = new;
            }
        }
    }
}

/// The number of a variable.
fn variable(place: &Expr) -> Option<usize> {
    match place.node {
        Node::Variable(number) | Node::Element(number, _) => Some(number),
        _ => None,
    }
}
