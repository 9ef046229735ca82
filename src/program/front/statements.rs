//! Statements. A branch is read, reported, and left out.

use super::builtin::BUILT_INS;
use super::fault::{Fault, Place};
use super::parse::{Parsed, Parser};
use super::size::{DEEPEST, LONGEST_LOOP};
use super::tree::{Expr, Kind, Loop, Node, Statement, Storage};
use super::types::Type;
use crate::program::dialect::Rule;
use crate::program::graph::scalar;

impl Parser {
    /// Statements between `{` and `}`, in the scope that is open.
    pub(super) fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.is("}") {
            if self.is_at_end() {
                return self.unexpected("write `}`");
            }
            self.statement = 0;
            if self.statement(&mut statements).is_err() {
                self.skip(false);
            }
        }
        self.expect("}")?;
        Ok(statements)
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        self.nesting += 1;
        if self.nesting > DEEPEST {
            self.stop(format!("blocks that nest deeper than {DEEPEST}"));
        }
        let read = self.any(statements);
        self.nesting -= 1;
        read
    }

    fn any(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        let place = self.place();
        let token = self.ahead(0).clone();
        let mut push = |kind| statements.push(Statement { line: place.0, kind });
        match &*token.text {
            "{" => {
                let body = self.scope(Self::block)?;
                push(Kind::Block(body));
            }
            ";" => drop(self.advance()),
            "if" => self.selection(place)?.into_iter().for_each(push),
            "for" => {
                let found = self.scope(|parser| parser.repeat(place))?;
                found.into_iter().for_each(|one| push(Kind::For(one)));
            }
            "return" => push(self.returned(place)?),
            "discard" => {
                self.advance();
                self.expect(";")?;
                self.current.acts = true;
                push(Kind::Discard(None));
            }
            _ if self.is_declaration() => self.local(statements)?,
            _ => {
                let expression = self.expression()?;
                if self.is(",") {
                    let fault = Fault::new(self.place(), Rule::Dialect, "the operator `,`");
                    self.report(fault.with("write two statements"));
                    return Err(super::parse::Stuck);
                }
                self.expect(";")?;
                push(Kind::Evaluate(expression));
            }
        }
        Ok(())
    }

    fn scope<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.open();
        let read = read(self);
        self.close();
        read
    }

    /// A statement that is read, but not executed.
    fn left_out(&mut self) -> Parsed<()> {
        self.scope(|parser| parser.statement(&mut Vec::new()))
    }

    fn selection(&mut self, place: Place) -> Parsed<Option<Kind>> {
        self.advance();
        self.expect("(")?;
        let condition = self.value()?;
        self.needs(&condition, condition.ty, Type::Bool);
        self.expect(")")?;
        let braces = usize::from(self.is("{"));
        let is_discard = self.ahead(braces).is("discard")
            && self.ahead(braces + 1).is(";")
            && (braces == 0 || self.ahead(3).is("}"));
        self.left_out()?;
        if is_discard && !self.is("else") {
            return Ok(Some(Kind::Discard(Some(condition))));
        }
        self.broken(place, Rule::Branches, "if");
        if self.accept("else") {
            self.left_out()?;
        }
        Ok(None)
    }

    fn returned(&mut self, place: Place) -> Parsed<Kind> {
        self.advance();
        let value = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let needed = self.program.functions[self.current.number].result;
        match &value {
            Some(value) if needed != Type::Void => self.needs(value, value.ty, needed),
            None if needed == Type::Void => {}
            _ => self.wrong(
                place,
                format!("return in a function of type {needed}"),
                format!("return {needed}"),
            ),
        }
        if self.nesting > 1 || !self.is("}") {
            self.broken(place, Rule::Branches, "return before the end");
        }
        self.current.returns = true;
        Ok(Kind::Return(value))
    }

    /// `for (float c = START; c < BOUND; c += STEP)`.
    fn repeat(&mut self, place: Place) -> Parsed<Option<Loop>> {
        self.advance();
        self.expect("(")?;
        let mut first = Vec::new();
        self.statement(&mut first)?;
        let condition = if self.is(";") { None } else { Some(self.value()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let (mut found, data) = match self.unrolled(&first, condition, step, place) {
            Ok((found, data)) => (Some(found), data),
            Err(problem) => {
                self.broken(place, Rule::ConstantLoops, format!("loop: {problem}"));
                (None, None)
            }
        };
        if data.is_some() {
            let fault = Fault::new(place, Rule::ConstantLoops, format!("loop: {NO_BOUND}"));
            self.report(fault.listed());
        }
        let counter = found.as_ref().map(|found| found.counter);
        let locked: Vec<usize> = counter.into_iter().chain(data).collect();
        let before: Vec<bool> = locked.iter().map(|&at| self.lock(at, true)).collect();
        let trips = self.trips;
        self.trips = trips.saturating_mul(found.as_ref().map_or(1, |one| one.values.len().max(1)));
        // The body of a loop has the scope of its counter.
        let mut body = Vec::new();
        let read = if self.is("{") {
            self.nesting += 1;
            let read = self.block().map(|statements| body = statements);
            self.nesting -= 1;
            read
        } else {
            self.statement(&mut body)
        };
        locked.into_iter().zip(before).for_each(|(at, before)| {
            self.lock(at, before);
        });
        self.trips = trips;
        read?;
        found.iter_mut().for_each(|found| found.body = std::mem::take(&mut body));
        Ok(found)
    }

    /// Forbids or allows assignments to a variable. Returns what was true before.
    fn lock(&mut self, variable: usize, is_locked: bool) -> bool {
        std::mem::replace(&mut self.program.variables[variable].is_locked, is_locked)
    }

    /// The loop with this header, and the variable that may end it earlier; or its fault.
    fn unrolled(
        &mut self,
        first: &[Statement],
        condition: Option<Expr>,
        step: Option<Expr>,
        place: Place,
    ) -> Result<(Loop, Option<usize>), &'static str> {
        let no_start = "its counter has no constant start";
        let [Statement { kind: Kind::Declare(counter, Some(start)), .. }] = first else {
            return Err(no_start);
        };
        let (counter, start) = (*counter, self.program.number(start).ok_or(no_start)?);
        let condition = condition.ok_or(NO_BOUND)?;
        let longest = self.longest(&condition, counter);
        let data = longest.as_ref().map(|(data, _)| *data);
        let tested = longest.map_or_else(|| condition.clone(), |(_, longest)| longest);
        let step = step.and_then(|step| stepped(step, counter)).ok_or(NO_STEP)?;
        let mut values = Vec::new();
        let mut next = start;
        let ended = loop {
            self.program.variables[counter].value = Some(scalar(next));
            match self.program.number(&tested) {
                None => break Err(NO_BOUND),
                Some(0.0) => break Ok(()),
                Some(_) => values.push(next),
            }
            match self.program.number(&step) {
                None => break Err(NO_STEP),
                Some(same) if same == next || values.len() > LONGEST_LOOP => {
                    break Err("it does not end");
                }
                Some(other) => next = other,
            }
        };
        self.program.variables[counter].value = None;
        ended?;
        let first = self.current.first;
        let condition = data.map(|_| condition);
        Ok((Loop { counter, values, condition, body: Vec::new(), first, place }, data))
    }

    /// The variable of a condition `c < min(DATA, CONSTANT)`, and the condition `c < CONSTANT`.
    fn longest(&self, condition: &Expr, counter: usize) -> Option<(usize, Expr)> {
        let is_counter = |one: &Expr| matches!(one.node, Node::Variable(at) if at == counter);
        let Node::Apply(relation, sides) = &condition.node else { return None };
        let [left, Expr { node: Node::Apply(minimum, operands), .. }] = &sides[..] else {
            return None;
        };
        let is_upper = matches!(BUILT_INS[*relation].name, "<" | "<=") && is_counter(left);
        let (data, constant) = match &operands[..] {
            [Expr { node: Node::Variable(data), .. }, constant]
            | [constant, Expr { node: Node::Variable(data), .. }] => (*data, constant),
            _ => return None,
        };
        let variable = &self.program.variables[data];
        // A function that the body calls might change it.
        let may_change = variable.is_global && variable.storage == Storage::Variable;
        let fits = is_upper
            && BUILT_INS[*minimum].name == "min"
            && !may_change
            && variable.value.is_none();
        let sides = vec![left.clone(), constant.clone()];
        fits.then(|| (data, Expr { node: Node::Apply(*relation, sides), ..condition.clone() }))
    }
}

const NO_BOUND: &str = "its bound is not constant";
const NO_STEP: &str = "its step is not constant";

/// The value of the counter after a step.
fn stepped(step: Expr, counter: usize) -> Option<Expr> {
    match step.node {
        Node::Before(_, assigned) => stepped(*assigned, counter),
        Node::Assign(target, row, value) if matches!(target.node, Node::Variable(at) if at == counter) => {
            Some(match row {
                Some(row) => {
                    Expr::new(Node::Apply(row, vec![*target, *value]), step.ty, step.place)
                }
                None => *value,
            })
        }
        _ => None,
    }
}
