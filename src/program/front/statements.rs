//! Statements. A branch is read, reported, and left out.

use super::builtin::BUILT_INS;
use super::fault::{Fault, Place};
use super::parse::{Parsed, Parser, Stuck};
use super::tree::{Expr, Kind, Loop, Node, Statement, Storage};
use super::types::Type;
use super::{DEEPEST, LONGEST_LOOP, MOST_STEPPED};
use crate::program::graph::scalar;
use crate::program::rule::Rule;

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
            match self.statement() {
                Ok(read) => statements.extend(read),
                Err(Stuck) => self.skip(false),
            }
        }
        self.expect("}")?;
        Ok(statements)
    }

    /// A statement; a declaration has one per name.
    fn statement(&mut self) -> Parsed<Vec<Statement>> {
        self.nesting += 1;
        if self.nesting > DEEPEST {
            self.stop(&format!("blocks that nest deeper than {DEEPEST}"));
        }
        let read = self.any();
        self.nesting -= 1;
        read
    }

    fn any(&mut self) -> Parsed<Vec<Statement>> {
        let place = self.place();
        let kind = match &*self.ahead(0).clone().text {
            "{" => Some(Kind::Block(self.scope(Self::block)?)),
            ";" => {
                self.advance();
                None
            }
            "if" => self.selection(place)?,
            "for" => self.scope(|parser| parser.repeat(place))?,
            "return" => Some(self.returned(place)?),
            "discard" => {
                self.advance();
                self.expect(";")?;
                self.current.acts = true;
                Some(Kind::Discard(None))
            }
            _ if self.is_declaration() => return self.local(),
            _ => {
                let expression = self.expression()?;
                if self.is(",") {
                    self.left_out(self.place(), "the operator `,`", "write two statements");
                    return Err(Stuck);
                }
                self.expect(";")?;
                Some(Kind::Evaluate(expression))
            }
        };
        Ok(kind.map(|kind| Statement { line: place.0, kind }).into_iter().collect())
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
        self.scope(Self::statement)?;
        if is_discard && !self.is("else") {
            return Ok(Some(Kind::Discard(Some(condition))));
        }
        self.broken(place, Rule::Branches, "if");
        if self.accept("else") {
            self.scope(Self::statement)?;
        }
        Ok(None)
    }

    fn returned(&mut self, place: Place) -> Parsed<Kind> {
        self.advance();
        let value = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let needed = self.current.result;
        match &value {
            Some(value) if needed != Type::Void => self.needs(value, value.ty, needed),
            None if needed == Type::Void => {}
            _ => {
                let found = format!("return in a function of type {needed}");
                self.wrong(place, &found, &format!("return {needed}"));
            }
        }
        if self.nesting > 1 || !self.is("}") {
            self.broken(place, Rule::Branches, "return before the end");
        }
        self.current.returns = true;
        Ok(Kind::Return(value))
    }

    /// `for (float c = START; c < BOUND; c += STEP)`.
    fn repeat(&mut self, place: Place) -> Parsed<Option<Kind>> {
        self.advance();
        let start = self.at;
        let header = self.header();
        if header.is_err() {
            self.skip_to_block();
        }
        let (first, condition, step) = header?;
        let unrolled = self.unrolled(&first, condition, step, (place, self.at - start));
        let (found, data) = match unrolled {
            Ok((found, data)) => (Some(found), data),
            Err(problem) => {
                self.broken(place, Rule::ConstantLoops, &format!("loop: {problem}"));
                (None, None)
            }
        };
        if data.is_some() {
            let fault = Fault::new(place, Rule::ConstantLoops, &format!("loop: {NO_BOUND}"));
            self.report(fault.listed());
        }
        let locked: Vec<usize> = found.iter().map(|found| found.counter).chain(data).collect();
        let before: Vec<bool> = locked.iter().map(|&at| self.lock(at, true)).collect();
        let trips = self.trips;
        self.trips = trips.saturating_mul(found.as_ref().map_or(1, |one| one.values.len().max(1)));
        // The body of a loop has the scope of its counter.
        let body = if self.is("{") {
            self.nesting += 1;
            let body = self.block();
            self.nesting -= 1;
            body
        } else {
            self.statement()
        };
        locked.into_iter().zip(before).for_each(|(at, before)| _ = self.lock(at, before));
        self.trips = trips;
        body.map(|body| found.map(|found| Kind::For(Loop { body, ..found })))
    }

    /// The start, the condition and the step of a loop.
    fn header(&mut self) -> Parsed<(Vec<Statement>, Option<Expr>, Option<Expr>)> {
        self.expect("(")?;
        let first = self.statement()?;
        let condition = if self.is(";") { None } else { Some(self.value()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok((first, condition, step))
    }

    /// Forbids or allows assignments to a variable. Returns what was true before.
    fn lock(&mut self, variable: usize, is_locked: bool) -> bool {
        std::mem::replace(&mut self.program.variables[variable].is_locked, is_locked)
    }

    /// The loop with this header, of some tokens, and the variable that may end it earlier; or its fault.
    fn unrolled(
        &mut self,
        first: &[Statement],
        condition: Option<Expr>,
        step: Option<Expr>,
        (place, tokens): (Place, usize),
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
        let (mut values, mut next) = (Vec::new(), start);
        let ended = loop {
            self.program.variables[counter].value = Some(scalar(next));
            self.stepped += tokens;
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
                Some(_) if self.stepped > MOST_STEPPED => break Err("the loops take too long"),
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
        let Node::Apply(relation, sides) = &condition.node else { return None };
        let [left, Expr { node: Node::Apply(minimum, operands), .. }] = &sides[..] else {
            return None;
        };
        let is_upper = matches!(BUILT_INS[*relation].name, "<" | "<=") && left.is_variable(counter);
        let (data, constant) = match &operands[..] {
            [Expr { node: Node::Variable(data), .. }, constant]
            | [constant, Expr { node: Node::Variable(data), .. }] => (*data, constant),
            _ => return None,
        };
        let variable = &self.program.variables[data];
        // A function that the body calls might change it.
        let may_change = variable.is_global && variable.storage == Storage::Variable;
        let is_minimum = BUILT_INS[*minimum].name == "min";
        let fits = is_upper && is_minimum && !may_change && variable.value.is_none();
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
        Node::Assign(target, row, value) if target.is_variable(counter) => Some(match row {
            Some(row) => Expr::new(Node::Apply(row, vec![*target, *value]), step.ty, step.place),
            None => *value,
        }),
        _ => None,
    }
}
