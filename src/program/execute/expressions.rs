//! Expressions, as instructions.

use super::{Content, Execution, Outcome};
use crate::program::arithmetic::Operation;
use crate::program::front::{BUILT_INS, Expr, Node, constructed};
use crate::program::graph::{Value, scalar};

impl Execution<'_> {
    pub(super) fn evaluate(&mut self, expression: &Expr) -> Outcome<Value> {
        let program = self.program;
        Ok(match &expression.node {
            Node::Number(value) => scalar(*value),
            Node::Variable(_) | Node::Element(..) => {
                self.register(expression).cloned().unwrap_or_default()
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
            Node::Construct(operands) => constructed(self.all(operands)?, expression.ty),
            Node::Call(number, arguments) => self.call(&program.functions[*number], arguments)?,
            Node::Fetch(stream, position) => {
                let stream = self.stream(*stream).unwrap_or_default();
                let position = self.evaluate(position)?;
                self.graph.whole(Operation::Fetch(stream), vec![position], 4)
            }
        })
    }

    fn all(&mut self, operands: &[Expr]) -> Outcome<Vec<Value>> {
        operands.iter().map(|operand| self.evaluate(operand)).collect()
    }

    /// The number of a stream, by that of its variable.
    pub(super) fn stream(&self, variable: usize) -> Option<usize> {
        match self.variables[variable] {
            Some(Content::Stream(number)) => Some(number),
            _ => None,
        }
    }

    /// The whole value of a variable or of an element.
    fn register(&mut self, place: &Expr) -> Option<&mut Value> {
        let (Node::Variable(number) | Node::Element(number, _)) = place.node else { return None };
        match (self.variables[number].as_mut()?, &place.node) {
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
