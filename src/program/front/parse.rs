//! The parser: its position in the text, its scopes, and what it has found.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::builtin::BUILT_INS;
use super::fault::{Fault, Place};
use super::flow;
use super::lex::{Token, tokens};
use super::preprocess::{Preprocessed, preprocess};
use super::tree::{Expr, Function, Storage, Tree, Variable};
use super::types::{Type, foreign, is_reserved, typeset};
use super::{
    LONGEST_NAME, LONGEST_STATEMENT, LONGEST_TEXT, MOST_SUGGESTIONS, MOST_TOKENS, MOST_UNROLLED,
    Stage,
};
use crate::base::nearest::nearest;
use crate::program::dialect::declares_exception;
use crate::program::rule::Rule;
use crate::program::text::own_text;

/// Way of reading a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub stage: Stage,
    /// True if other texts may define names in capitals. They count as 2.0.
    pub is_open: bool,
    /// Names that are defined as 1.
    pub defined: &'a [String],
}

/// The fault is reported, and the text has to be skipped up to the next statement.
#[derive(Debug)]
pub(super) struct Stuck;

pub(super) type Parsed<T> = Result<T, Stuck>;

/// The function that is being read.
#[derive(Debug, Default)]
pub(super) struct Current {
    /// Number of the function; `None` outside of functions.
    pub number: Option<usize>,
    pub result: Type,
    /// Number of its first variable.
    pub first: usize,
    /// True if it changes a variable of the program, or may discard the fragment.
    pub acts: bool,
    pub depth: usize,
    pub returns: bool,
}

#[derive(Default)]
pub(super) struct Parser {
    pub stage: Stage,
    pub is_open: bool,
    pub program: Tree,
    pub current: Current,
    /// Nesting of statements.
    pub nesting: usize,
    /// Nesting of expressions.
    pub depth: usize,
    /// Product of the trip counts of the loops around this position.
    pub trips: usize,
    /// Tokens of this function with loops unrolled and calls inlined.
    pub unrolled: usize,
    /// Names in texts that are skipped.
    pub excused: HashSet<Rc<str>>,
    /// True if another text defines a name in it.
    pub is_partial: bool,
    is_stopped: bool,
    /// Number of tokens of this statement.
    pub statement: usize,
    /// Tokens of the headers of loops, as often as their counters step.
    pub stepped: usize,
    tokens: Vec<Token>,
    pub at: usize,
    scopes: Vec<HashMap<Rc<str>, usize>>,
}

/// Number of `gl_FragCoord`.
pub(crate) const POSITION: usize = 0;
/// Number of `result`.
pub(super) const RESULT: usize = 1;

/// Reads the whole text of a program that `Source` has assembled, or one without a prelude.
pub(crate) fn assembled_as(source: &str, stage: Stage) -> Tree {
    parse(source, Reading { stage, is_open: false, defined: &[] })
}

/// Reads a text.
pub(crate) fn parse(source: &str, reading: Reading<'_>) -> Tree {
    let head = &source[..source.len() - own_text(source).len()];
    let head = head.matches('\n').count() as u32;
    let mut faults = Vec::new();
    let read = if source.len() > LONGEST_TEXT || source.contains('\0') {
        let found = format!("a text of more than {LONGEST_TEXT} characters, or with a zero");
        Err(Fault::syntax((1, 1), &found, "shorten it"))
    } else {
        tokens(source, head).and_then(|tokens| preprocess(tokens, reading.defined, &mut faults))
    };
    let read = read.unwrap_or_else(|fault| {
        faults.push(fault);
        Preprocessed::default()
    });
    let Preprocessed { mut tokens, tested, has_double } = read;
    let is_read = !tokens.is_empty();
    let last = tokens.last().map_or((1, 1), |last| last.place);
    tokens.push(Token::new("", last));
    let mut parser = Parser {
        stage: reading.stage,
        is_open: reading.is_open,
        program: Tree { tested, has_double, faults, ..Tree::default() },
        trips: 1,
        tokens,
        scopes: vec![HashMap::new()],
        ..Parser::default()
    };
    let outputs = ["result", "gl_Position"].map(|name| (name, Storage::Out));
    for (name, storage) in [("gl_FragCoord", Storage::In)].into_iter().chain(outputs) {
        parser.bind(Variable::new(name.into(), Type::Float(4), storage, (0, 0)));
    }
    if parser.tokens.len() > MOST_TOKENS {
        parser.stop(&format!("a program of more than {MOST_TOKENS} tokens, with macros expanded"));
    }
    while !parser.is_at_end() {
        parser.statement = 0;
        if parser.external().is_err() {
            parser.skip(true);
        }
    }
    let has_main = parser.program.main().is_some() || parser.is_open;
    if !has_main && (is_read || parser.program.faults.is_empty()) {
        parser.wrong(last, "no function main", "write `void main()` and assign `result`");
    }
    // A text that is read only in part may write variables in the rest.
    let is_open = reading.is_open && (parser.is_partial || !parser.program.tested.is_empty());
    // Other faults are mended first.
    let faults = &parser.program.faults;
    let is_excepted = faults.iter().all(|fault| declares_exception(source, fault.rule));
    if !is_open && faults.iter().all(|fault| fault.has_listing) {
        let faults = flow::faults(&parser.program, reading.stage, is_excepted);
        parser.program.faults.extend(faults);
    } else if let Some(main) = parser.program.main().filter(|_| {
        // Exceptions leave parts unread, which may write the result, but not without its name.
        let names_it = parser.tokens.iter().any(|token| token.is("result"));
        !is_open && is_excepted && !names_it && reading.stage == Stage::Fragment
    }) {
        let fault = flow::unwritten("result", main.place);
        parser.program.faults.push(fault);
    }
    parser.program.faults.sort();
    parser.program.faults.dedup();
    parser.program
}

impl Parser {
    /// Reports a fault. Returns something unknown in its place.
    pub(super) fn report(&mut self, fault: Fault) -> Expr {
        let unknown = Expr::unknown(fault.place);
        self.program.faults.push(fault);
        unknown
    }

    /// Reports a text that is not GLSL.
    pub(super) fn wrong(&mut self, place: Place, found: &str, remedy: &str) -> Expr {
        self.report(Fault::syntax(place, found, remedy))
    }

    /// Reports GLSL that the dialect leaves out.
    pub(super) fn left_out(&mut self, place: Place, found: &str, remedy: &str) -> Expr {
        self.report(Fault::new(place, Rule::Dialect, found).with(remedy))
    }

    /// Reports what breaks a rule of the era.
    pub(super) fn broken(&mut self, place: Place, rule: Rule, found: &str) -> Expr {
        self.report(Fault::new(place, rule, found))
    }

    /// Ends the reading of a text that is too large.
    pub(super) fn stop(&mut self, found: &str) {
        if !self.is_at_end() {
            self.wrong(self.place(), found, "shorten it");
            self.at = self.tokens.len() - 1;
            self.is_stopped = true;
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at + 1 >= self.tokens.len()
    }

    /// The token at this position, or one after it.
    pub(super) fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.ahead(0).is(text)
    }

    pub(super) fn place(&self) -> Place {
        self.ahead(0).place
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.ahead(0).clone();
        if !self.is_at_end() {
            self.at += 1;
            self.statement += 1;
            self.unroll(1);
            if self.statement > LONGEST_STATEMENT {
                self.stop(&format!("a statement of more than {LONGEST_STATEMENT} tokens"));
            }
        }
        token
    }

    /// Counts tokens of this function, as often as the loops around this position repeat them.
    pub(super) fn unroll(&mut self, tokens: usize) {
        self.unrolled = self.unrolled.saturating_add(tokens.saturating_mul(self.trips));
        if self.unrolled > MOST_UNROLLED {
            let what = "tokens with loops unrolled and calls inlined";
            self.stop(&format!("more than {MOST_UNROLLED} {what}"));
        }
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        let is_next = self.is(text) && !self.is_at_end();
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        let remedy = format!("write `{text}` before it");
        if self.accept(text) { Ok(()) } else { self.unexpected(&remedy) }
    }

    /// Reports the token at this position.
    pub(super) fn unexpected<T>(&mut self, remedy: &str) -> Parsed<T> {
        let place = self.place();
        let word = Rc::clone(&self.ahead(0).text);
        let is_block = self.ahead(0).is_name() && self.ahead(1).is("{");
        match foreign(&word).or(is_block.then_some((Rule::Resources, "block"))) {
            _ if self.is_stopped => return Err(Stuck),
            Some((rule, what)) => self.broken(place, rule, &format!("{what} {word}")),
            None if self.is_at_end() => self.wrong(place, "unexpected end", remedy),
            None => {
                let sign = word.chars().next().filter(|sign| !sign.is_ascii());
                let sign = sign.map(|sign| format!(" (U+{:04X})", u32::from(sign)));
                let found = format!("unexpected `{word}`{}", sign.unwrap_or_default());
                self.wrong(place, &found, typeset(&word).unwrap_or(remedy))
            }
        };
        Err(Stuck)
    }

    /// Skips the rest of a statement, or of a declaration outside of functions. The names in it may be declared by it.
    pub(super) fn skip(&mut self, is_outside: bool) {
        let mut depth = 0;
        while !self.is_at_end() {
            self.statement = 0;
            match &*self.ahead(0).text {
                "{" => depth += 1,
                "}" if depth == 0 && !is_outside => return,
                "}" => depth -= 1,
                _ => {}
            }
            let token = self.advance();
            if depth <= 0 && (token.is("}") || token.is(";")) {
                // A block of a buffer has a name.
                if token.is("}") && self.ahead(1).is(";") && is_outside {
                    self.advance();
                }
                self.accept(";");
                return;
            }
            if token.is_name() {
                self.excused.insert(token.text);
            }
        }
    }

    /// Skips the header of a loop, whose `;` ends no statement.
    pub(super) fn skip_to_block(&mut self) {
        while !self.is_at_end() && !self.is("{") && !self.is("}") {
            self.statement = 0;
            let token = self.advance();
            if token.is_name() {
                self.excused.insert(token.text);
            }
        }
    }

    /// A new name; its place.
    pub(super) fn name(&mut self) -> Parsed<(Rc<str>, Place)> {
        if !self.ahead(0).is_name() {
            return self.unexpected("write a name");
        }
        let token = self.advance();
        if is_reserved(&token.text) {
            let found = format!("`{}` as a name", token.text);
            self.wrong(token.place, &found, "take another name, for this word is reserved");
        }
        Ok((token.text, token.place))
    }

    /// Reads something in a scope of its own.
    pub(super) fn scope<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(HashMap::new());
        let read = read(self);
        self.scopes.pop();
        read
    }

    /// Things between `(` and `)`, or `void`.
    pub(super) fn list<T>(&mut self, one: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = Vec::new();
        self.expect("(")?;
        if self.is("void") && self.ahead(1).is(")") {
            self.advance();
        }
        while !self.is(")") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(one(self)?);
        }
        self.expect(")")?;
        Ok(all)
    }

    /// Declares a variable in the innermost scope; its number.
    pub(super) fn bind(&mut self, new: Variable) -> usize {
        let (name, place, is_global) = (Rc::clone(&new.name), new.place, self.is_outside());
        // The prelude declares `result`, unless the text does.
        if (&*name, new.ty, new.storage) == ("result", Type::Float(4), Storage::Out)
            && let Some(old) = self.find(&name)
            && self.program.variables[old].place == (0, 0)
        {
            self.program.variables[old].place = place;
            return old;
        }
        let number = self.program.variables.len();
        let old = self.scopes.last_mut().and_then(|scope| scope.insert(Rc::clone(&name), number));
        let is_function = |one: &Function| one.name == name;
        if old.is_some() || is_global && self.program.functions.iter().any(is_function) {
            self.wrong(place, &format!("second declaration of {name}"), "take another name");
        }
        self.program.variables.push(Variable { is_global, ..new });
        number
    }

    /// Tests whether this position is outside of functions.
    pub(super) fn is_outside(&self) -> bool {
        self.scopes.len() == 1
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// A remedy that begins with the closest known name.
    pub(super) fn suggestion(&self, name: &str, remedy: &str) -> String {
        let variables = self.scopes.iter().flat_map(HashMap::keys).map(|name| &**name);
        let functions = self.program.functions.iter().map(|function| &*function.name);
        let built_in = BUILT_INS.iter().map(|one| one.name);
        let known = variables.chain(functions).chain(built_in).chain(["fetch", "here"]);
        let is_short = |name: &&str| name.len() <= LONGEST_NAME;
        if !is_short(&name) || self.program.faults.len() >= MOST_SUGGESTIONS {
            return remedy.to_owned();
        }
        let known = known.filter(is_short);
        match nearest(name, &known.collect::<Vec<_>>()).first() {
            Some(near) => format!("did you mean `{near}`? Otherwise {remedy}"),
            None => remedy.to_owned(),
        }
    }
}
