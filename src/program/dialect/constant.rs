//! Constant expressions, and loops with constant trip counts.

use std::collections::HashMap;

use glsl_lang::ast::{
    AssignmentOpData, BinaryOpData, ConditionData, DeclarationData, Expr, ExprData,
    ForInitStatementData, ForRestStatement, FunIdentifierData, InitDeclaratorList, InitializerData,
    Statement, StorageQualifierData, UnaryOpData,
};
use glsl_lang::parse::Parsable;
use glsl_lang::visitor::{Host, Visit, Visitor};

use super::declaration::{declared, has_storage};

/// Maximum number of iterations; longer loops do not fit in any card.
const LONGEST_LOOP: usize = 65_536;

/// Names whose values are known before a program runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    /// Values of `const float` declarations.
    pub values: HashMap<String, f32>,
    /// Value of undefined names in capitals, which the program expects as defines.
    pub expected_define: Option<f32>,
}

impl Constants {
    fn get(&self, name: &str) -> Option<f32> {
        let in_capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let value = self.values.get(name).copied();
        value.or(self.expected_define.filter(|_| name.chars().all(in_capitals)))
    }

    /// Stores the constants of a `const` declaration with constant initialisers.
    pub(crate) fn declare(&mut self, list: &InitDeclaratorList) {
        if !has_storage(&list.head, &StorageQualifierData::Const) {
            return;
        }
        for (name, _, initializer) in declared(list) {
            if let Some(InitializerData::Simple(value)) = initializer.map(|one| &one.content)
                && let Some(value) = self.evaluate(value)
            {
                self.values.insert(name.as_str().to_string(), value);
            }
        }
    }

    /// The value of `expression`, in single precision; true is 1 and false 0. `None` if it is not constant.
    pub(crate) fn evaluate(&self, expression: &Expr) -> Option<f32> {
        match &expression.content {
            ExprData::Variable(name) => self.get(name.as_str()),
            ExprData::FloatConst(value) => Some(*value),
            ExprData::IntConst(value) => Some(*value as f32),
            ExprData::BoolConst(value) => Some(truth(*value)),
            ExprData::Unary(operator, operand) => {
                let value = self.evaluate(operand)?;
                match operator.content {
                    UnaryOpData::Add => Some(value),
                    UnaryOpData::Minus => Some(-value),
                    UnaryOpData::Not => Some(truth(value == 0.0)),
                    _ => None,
                }
            }
            ExprData::Binary(operator, a, b) => {
                binary(&operator.content, self.evaluate(a)?, self.evaluate(b)?)
            }
            _ => None,
        }
    }
}

fn truth(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// The value of a binary operator of the era; `None` for other operators.
pub(crate) fn binary(operator: &BinaryOpData, a: f32, b: f32) -> Option<f32> {
    Some(match operator {
        BinaryOpData::Add => a + b,
        BinaryOpData::Sub => a - b,
        BinaryOpData::Mult => a * b,
        BinaryOpData::Div => a / b,
        BinaryOpData::Lt => truth(a < b),
        BinaryOpData::Gt => truth(a > b),
        BinaryOpData::Lte => truth(a <= b),
        BinaryOpData::Gte => truth(a >= b),
        BinaryOpData::Equal => truth(a == b),
        BinaryOpData::NonEqual => truth(a != b),
        BinaryOpData::And => truth(a != 0.0 && b != 0.0),
        BinaryOpData::Or => truth(a != 0.0 || b != 0.0),
        BinaryOpData::Xor => truth((a != 0.0) != (b != 0.0)),
        _ => return None,
    })
}

/// Evaluates the condition of an `#if`; undefined names are zero.
pub(crate) fn evaluate_text(text: &str) -> Option<f32> {
    struct Zero;
    impl glsl_lang::visitor::VisitorMut for Zero {
        fn visit_expr(&mut self, expression: &mut Expr) -> Visit {
            if matches!(expression.content, ExprData::Variable(_)) {
                expression.content = ExprData::IntConst(0);
            }
            Visit::Children
        }
    }
    use glsl_lang::visitor::HostMut;
    // The parser of a single expression panics on text with more than one.
    if text.contains([';', '{', '}', ',']) {
        return None;
    }
    let mut expression = <Expr as Parsable>::parse(text).ok()?;
    expression.visit_mut(&mut Zero);
    Constants::default().evaluate(&expression)
}

/// A `for` loop with known values of its counter, to be unrolled.
#[derive(Debug)]
pub(crate) struct Unrolled {
    /// Name of the loop counter.
    pub counter: String,
    /// Value of the counter in each iteration.
    pub values: Vec<f32>,
    /// True if data may end the loop earlier: its bound is `min(data, CONSTANT)`.
    pub ends_with_data: bool,
}

/// Fault of a loop whose bound is data.
pub(crate) const NO_BOUND: &str = "its bound is not constant";

/// Unrolls `for (float c = INIT; c < BOUND; c += STEP) body`, or up to the constant if the bound contains data.
/// Otherwise returns the fault.
pub(crate) fn unroll(
    init: &ForInitStatementData,
    rest: &ForRestStatement,
    body: &Statement,
    constants: &Constants,
) -> Result<Unrolled, &'static str> {
    let (counter, start) =
        counter_of(init, constants).ok_or("its counter has no constant start")?;
    let (comparison, bound) = condition_of(rest, &counter).ok_or(NO_BOUND)?;
    let known = constants.evaluate(bound);
    let ends_with_data = known.is_none();
    let bound = known.or_else(|| longest(bound, constants)).ok_or(NO_BOUND)?;
    let step = step_of(rest, &counter, constants).ok_or("its step is not constant")?;
    if assigns(body, &counter) {
        return Err("its body changes the counter");
    }
    let mut values = Vec::new();
    let mut value = start;
    while binary(comparison, value, bound) == Some(1.0) {
        if values.len() == LONGEST_LOOP || value + step == value {
            return Err("it does not end");
        }
        values.push(value);
        value += step;
    }
    Ok(Unrolled { counter, values, ends_with_data })
}

/// The constant in `min(data, CONSTANT)`.
fn longest(bound: &Expr, constants: &Constants) -> Option<f32> {
    let ExprData::FunCall(function, operands) = &bound.content else {
        return None;
    };
    match &function.content {
        FunIdentifierData::Expr(name) if is_variable(name, "min") => {
            operands.iter().find_map(|one| constants.evaluate(one))
        }
        _ => None,
    }
}

fn counter_of(init: &ForInitStatementData, constants: &Constants) -> Option<(String, f32)> {
    let ForInitStatementData::Declaration(declaration) = init else {
        return None;
    };
    let DeclarationData::InitDeclaratorList(list) = &declaration.content else {
        return None;
    };
    let InitializerData::Simple(start) = &list.head.initializer.as_ref()?.content else {
        return None;
    };
    let name = list.head.name.as_ref().filter(|_| list.tail.is_empty())?;
    Some((name.as_str().to_string(), constants.evaluate(start)?))
}

fn condition_of<'a>(
    rest: &'a ForRestStatement,
    counter: &str,
) -> Option<(&'a BinaryOpData, &'a Expr)> {
    let ConditionData::Expr(condition) = &rest.condition.as_ref()?.content else {
        return None;
    };
    match &condition.content {
        ExprData::Binary(comparison, left, bound) if is_variable(left, counter) => {
            Some((&comparison.content, bound))
        }
        _ => None,
    }
}

fn step_of(rest: &ForRestStatement, counter: &str, constants: &Constants) -> Option<f32> {
    match &rest.post_expr.as_ref()?.content {
        ExprData::Assignment(left, operator, step) if is_variable(left, counter) => {
            let step = constants.evaluate(step)?;
            match operator.content {
                AssignmentOpData::Add => Some(step),
                AssignmentOpData::Sub => Some(-step),
                _ => None,
            }
        }
        other => {
            let (target, step) = counted(other)?;
            is_variable(target, counter).then_some(step)
        }
    }
}

/// The variable that `x++` or a similar expression changes, and the increment.
fn counted(expression: &ExprData) -> Option<(&Expr, f32)> {
    match expression {
        ExprData::PostInc(target) => Some((target, 1.0)),
        ExprData::PostDec(target) => Some((target, -1.0)),
        ExprData::Unary(operator, target) => match operator.content {
            UnaryOpData::Inc => Some((target, 1.0)),
            UnaryOpData::Dec => Some((target, -1.0)),
            _ => None,
        },
        _ => None,
    }
}

fn is_variable(expression: &Expr, name: &str) -> bool {
    matches!(&expression.content, ExprData::Variable(found) if found.as_str() == name)
}

fn assigns(body: &Statement, name: &str) -> bool {
    struct Assigns<'a>(&'a str, bool);
    impl Visitor for Assigns<'_> {
        fn visit_expr(&mut self, expression: &Expr) -> Visit {
            let target = match &expression.content {
                ExprData::Assignment(target, ..) => Some(&**target),
                other => counted(other).map(|(target, _)| target),
            };
            self.1 |= target.is_some_and(|target| is_variable(target, self.0));
            Visit::Children
        }
    }
    let mut visitor = Assigns(name, false);
    body.visit(&mut visitor);
    visitor.1
}
