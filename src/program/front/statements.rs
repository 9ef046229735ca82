//! Statements. Those that a processor of 2003 could not execute are read, reported, and left out.

use super::builtin::BUILT_INS;
use super::fault::{Fault, Place};
use super::parse::{Parsed, Parser};
use super::size::{DEEPEST, LONGEST_LOOP};
use super::tree::{Expr, Kind, Loop, Node, Operator, Statement, Storage};
use super::types::Type;
use crate::program::dialect::Rule;

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
            ";" => {
                self.advance();
            }
            "if" => {
                if let Some(kind) = self.selection(place)? {
                    push(kind);
                }
            }
            "for" => {
                if let Some(one) = self.scope(|parser| parser.repeat(place))? {
                    push(Kind::For(one));
                }
            }
            "while" => {
                self.broken(place, Rule::ConstantLoops, "loop: while");
                self.advance();
                self.expect("(")?;
                self.condition()?;
                self.expect(")")?;
                self.left_out()?;
            }
            "do" => {
                self.broken(place, Rule::ConstantLoops, "loop: do");
                self.advance();
                self.left_out()?;
                self.expect("while")?;
                self.expect("(")?;
                self.condition()?;
                self.expect(")")?;
                self.expect(";")?;
            }
            "switch" => {
                self.broken(place, Rule::Branches, "switch");
                while !self.is("{") && !self.is_at_end() {
                    self.advance();
                }
                self.advance();
                self.skip(false);
                while !self.accept("}") && !self.is_at_end() {
                    self.skip(false);
                }
            }
            "break" | "continue" => {
                self.broken(place, Rule::Branches, &*token.text);
                self.advance();
                self.expect(";")?;
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
        let condition = self.condition()?;
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
        let given = value.as_ref().map_or(Type::Void, |value| value.ty);
        if !given.fits(needed) || needed == Type::Void && value.is_some() {
            self.wrong(
                place,
                format!("return of {given} from a function of {needed}"),
                format!("return {needed}"),
            );
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
        let condition = if self.is(";") { None } else { Some(self.condition()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let found = self.unrolled(&first, condition, step, place);
        let found = found.map_err(|problem| {
            self.broken(place, Rule::ConstantLoops, format!("loop: {problem}"));
        });
        let mut found = found.ok();
        let data =
            found.as_ref().and_then(|found| found.condition.as_ref()).and_then(bound_variable);
        let locked = found.as_ref().map(|found| found.counter).into_iter().chain(data);
        let locked: Vec<usize> =
            locked.filter(|&number| !self.program.variables[number].is_locked).collect();
        if data.is_some() {
            let found = "loop: its bound is not constant";
            self.report(Fault::new(place, Rule::ConstantLoops, found).listed());
        }
        let trips = self.trips;
        let own = found.as_ref().map_or(1, |found| found.values.len().max(1));
        self.trips = trips.saturating_mul(own);
        locked.iter().for_each(|&number| self.program.variables[number].is_locked = true);
        // The body of a loop has the scope of its counter.
        let mut body = Vec::new();
        let line = self.place().0;
        let read = if self.is("{") {
            self.nesting += 1;
            let read = self.block();
            self.nesting -= 1;
            read.map(|inner| body.push(Statement { line, kind: Kind::Block(inner) }))
        } else {
            self.statement(&mut body)
        };
        locked.iter().for_each(|&number| self.program.variables[number].is_locked = false);
        self.trips = trips;
        read?;
        found.iter_mut().for_each(|found| found.body = std::mem::take(&mut body));
        Ok(found)
    }

    /// The loop with this header, or its fault.
    fn unrolled(
        &self,
        first: &[Statement],
        condition: Option<Expr>,
        step: Option<Expr>,
        place: Place,
    ) -> Result<Loop, &'static str> {
        let value = |expression: &Expr| self.program.value(expression);
        let is_variable = |expression: &Expr, number: usize| matches!(expression.node, Node::Variable(one) if one == number);
        let no_start = "its counter has no constant start";
        let [Statement { kind: Kind::Declare(counter, Some(start)), .. }] = first else {
            return Err(no_start);
        };
        let declared = &self.program.variables[*counter];
        let is_counter = declared.ty == Type::Float(1) && declared.storage == Storage::Variable;
        let start =
            value(start).filter(|_| is_counter && declared.size.is_none()).ok_or(no_start)?;
        let no_bound = "its bound is not constant";
        let condition = condition.ok_or(no_bound)?;
        let (relation, bound) = match &condition.node {
            Node::Binary(relation, left, bound) if is_variable(left, *counter) => {
                (*relation, bound)
            }
            _ => return Err(no_bound),
        };
        let is_upper = matches!(relation, Operator::Less | Operator::LessEqual);
        let longest = || {
            let (data, constant) = bound_operands(bound).filter(|_| is_upper)?;
            let data = &self.program.variables[data];
            // A function that the body calls might change it.
            let may_change = data.is_global && data.storage == Storage::Variable;
            value(constant).filter(|_| !may_change)
        };
        let known = value(bound);
        let bound = known.or_else(longest).ok_or(no_bound)?;
        let step = match step.as_ref().map(|step| &step.node) {
            Some(Node::Assign(target, Some(Operator::Add), by))
                if is_variable(target, *counter) =>
            {
                value(by)
            }
            Some(Node::Assign(target, Some(Operator::Subtract), by))
                if is_variable(target, *counter) =>
            {
                value(by).map(|by| -by)
            }
            Some(Node::Step(target, by, _)) if is_variable(target, *counter) => Some(*by),
            _ => None,
        };
        let step = step.ok_or("its step is not constant")?;
        if known.is_none() && step <= 0.0 {
            return Err(no_bound);
        }
        let mut values = Vec::new();
        let mut next = start;
        while relation.value(next, bound) == 1.0 {
            if values.len() == LONGEST_LOOP || next + step == next {
                return Err("it does not end");
            }
            values.push(next);
            next += step;
        }
        let condition = known.is_none().then_some(condition);
        let first = self.current.first;
        Ok(Loop { counter: *counter, values, condition, body: Vec::new(), first, place })
    }
}

/// The operands of `min(DATA, CONSTANT)`: the variable, and the constant.
fn bound_operands(bound: &Expr) -> Option<(usize, &Expr)> {
    let Node::BuiltIn(at, operands) = &bound.node else { return None };
    match operands.as_slice() {
        [Expr { node: Node::Variable(data), is_constant: false, .. }, constant]
        | [constant, Expr { node: Node::Variable(data), is_constant: false, .. }]
            if BUILT_INS[*at].name == "min" =>
        {
            Some((*data, constant))
        }
        _ => None,
    }
}

/// The variable that may end a loop.
fn bound_variable(condition: &Expr) -> Option<usize> {
    match &condition.node {
        Node::Binary(_, _, bound) => bound_operands(bound).map(|(data, _)| data),
        _ => None,
    }
}
