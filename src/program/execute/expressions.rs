//! Expressions, as instructions.

use glsl_lang::ast::{
    AssignmentOpData, BinaryOpData, Expr, ExprData, FunIdentifierData, TypeSpecifier, UnaryOpData,
};

use super::variables::swizzle;
use super::{Execution, Outcome};
use crate::program::arithmetic::Operation;
use crate::program::dialect::Rule;
use crate::program::graph::{Value, negate, scalar, widen};

impl Execution<'_> {
    pub(super) fn evaluate(&mut self, expression: &Expr) -> Outcome<Value> {
        match &expression.content {
            ExprData::FloatConst(value) => Ok(scalar(*value)),
            ExprData::BoolConst(value) => Ok(scalar(f32::from(u8::from(*value)))),
            ExprData::Variable(_) | ExprData::Bracket(..) => self.read(expression),
            ExprData::Dot(base, channels) => {
                let value = self.evaluate(base)?;
                match swizzle(channels.as_str()) {
                    Some(channels) => self.pick(expression, &value, &channels),
                    None => {
                        self.unsupported(expression, "this field", "name channels, such as .xy")
                    }
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
                    _ => self.unsupported(expression, "this call", Rule::Functions.remedy()),
                },
            },
            _ => self.unsupported(expression, "an integer", Rule::Types.remedy()),
        }
    }

    pub(super) fn unary(
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
            UnaryOpData::Complement => {
                self.unsupported(expression, "operator ~", Rule::Operators.remedy())
            }
        }
    }

    /// Executes `x++` or a similar expression; returns the value before or after.
    pub(super) fn step(&mut self, target: &Expr, by: f32, gives_old: bool) -> Outcome<Value> {
        let old = self.evaluate(target)?;
        let new = self.graph.add(&old, &scalar(by));
        self.assign(target, new.clone())?;
        Ok(if gives_old { old } else { new })
    }

    /// The value stored by an assignment with `operator`.
    pub(super) fn modified(
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
            _ => return self.unsupported(expression, "this assignment", Rule::Operators.remedy()),
        };
        let old = self.evaluate(target)?;
        self.binary(expression, &operator, old, value)
    }

    pub(super) fn binary(
        &mut self,
        expression: &Expr,
        operator: &BinaryOpData,
        a: Value,
        b: Value,
    ) -> Outcome<Value> {
        if a.len() != b.len() && a.len() != 1 && b.len() != 1 {
            return self.unsupported(
                expression,
                "operands of different sizes",
                "use vectors of one size, or a float",
            );
        }
        use Operation::{And, Equal, GreaterEqual, Less, NotEqual, Or};
        let graph = &mut self.graph;
        Ok(match operator {
            BinaryOpData::Add => graph.add(&a, &b),
            BinaryOpData::Sub => graph.subtract(&a, &b),
            BinaryOpData::Mult => graph.multiply(&a, &b),
            BinaryOpData::Div => graph.divide(&a, &b),
            BinaryOpData::Lt => graph.channelwise(Less, &[&a, &b]),
            BinaryOpData::Gt => graph.channelwise(Less, &[&b, &a]),
            BinaryOpData::Gte => graph.channelwise(GreaterEqual, &[&a, &b]),
            BinaryOpData::Lte => graph.channelwise(GreaterEqual, &[&b, &a]),
            BinaryOpData::Equal if a.len() == 1 => graph.channelwise(Equal, &[&a, &b]),
            BinaryOpData::NonEqual | BinaryOpData::Xor if a.len() == 1 => {
                graph.channelwise(NotEqual, &[&a, &b])
            }
            BinaryOpData::And => graph.channelwise(And, &[&a, &b]),
            BinaryOpData::Or => graph.channelwise(Or, &[&a, &b]),
            _ => return self.unsupported(expression, "this operator", Rule::Operators.remedy()),
        })
    }

    /// `vec3(...)` and the like only rename channels; nothing is moved.
    pub(super) fn construct(&mut self, ty: &TypeSpecifier, arguments: &[Expr]) -> Outcome<Value> {
        let width = self.width(ty)?;
        let mut channels = Value::new();
        for argument in arguments {
            channels.extend(self.evaluate(argument)?);
        }
        let mut value = widen(&channels, width);
        value.truncate(width);
        if value.len() < width {
            return self.unsupported(
                ty,
                "a constructor with too few channels",
                "give all channels, or one float",
            );
        }
        Ok(value)
    }
}
