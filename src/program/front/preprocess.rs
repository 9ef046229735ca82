//! The preprocessor: macros and conditions.
//!
//! The macros of the prelude, `stream`, `fetch` and `here`, are never expanded, because they are the words of the
//! dialect.

use std::collections::HashMap;
use std::rc::Rc;

use super::fault::{Fault, Place};
use super::lex::{Hidden, Token, tokens};
use super::{DEEPEST, LONGEST_STATEMENT, MOST_EXPANDED, condition};
use crate::program::text::PRELUDE;

/// Names that the language defines, with their values.
const PREDEFINED: [(&str, &str); 2] = [("__VERSION__", "330"), ("GL_core_profile", "1")];

/// A `#define`.
#[derive(Clone)]
struct Macro {
    /// `None` for a macro without parentheses.
    parameters: Option<Vec<Rc<str>>>,
    body: Vec<Token>,
    /// True if it is never expanded.
    stays: bool,
}

/// One level of `#if`.
struct Condition {
    place: Place,
    /// True if this level keeps the lines of the present branch.
    keeps: bool,
    /// True if a branch has been kept.
    kept: bool,
    /// True after `#else`.
    is_last: bool,
}

/// The tokens of a text after its directives.
#[derive(Default)]
pub(super) struct Preprocessed {
    pub tokens: Vec<Token>,
    /// Names that conditions test.
    pub tested: Vec<String>,
    /// True if an extension adds double precision.
    pub has_double: bool,
}

#[derive(Default)]
struct Preprocessor {
    macros: HashMap<Rc<str>, Macro>,
    conditions: Vec<Condition>,
    /// Number of tokens expanded so far.
    expanded: usize,
    /// Number of directives so far.
    directives: usize,
    result: Preprocessed,
}

/// Resolves the directives of a text and expands its macros. The `defined` names are defined as 1.
///
/// # Errors
/// A fault after which the rest of the text has no meaning.
pub(super) fn preprocess(
    source: Vec<Token>,
    defined: &[String],
    faults: &mut Vec<Fault>,
) -> Result<Preprocessed, Fault> {
    let mut state = Preprocessor::default();
    let prelude = tokens(PRELUDE, 0).unwrap_or_default();
    for line in prelude.split(|token| token.is("\n")) {
        if let [_, word, text @ ..] = line
            && word.is("define")
        {
            state.define(word, text)?;
        }
    }
    state.macros.values_mut().for_each(|one| one.stays = true);
    let defined = defined.iter().map(|name| (name.as_str(), "1"));
    for (name, value) in PREDEFINED.into_iter().chain(defined) {
        let body = vec![Token::new(value, (1, 1))];
        state.macros.insert(name.into(), Macro { parameters: None, body, stays: false });
    }
    // A call of a macro may extend over several lines.
    let mut pending = Vec::new();
    for line in source.split(|token| token.is("\n")) {
        match line {
            [hash, directive @ ..] if hash.is("#") => {
                state.end(&mut pending)?;
                if let [word, rest @ ..] = directive {
                    faults.extend(state.directive(word, rest).err());
                }
            }
            _ if state.is_active() => pending.extend_from_slice(line),
            _ => {}
        }
    }
    state.end(&mut pending)?;
    match state.conditions.pop() {
        Some(open) => Err(Fault::syntax(open.place, "#if without #endif", "add #endif")),
        None => Ok(state.result),
    }
}

impl Preprocessor {
    /// Ends a part of the text between directives.
    fn end(&mut self, pending: &mut Vec<Token>) -> Result<(), Fault> {
        let expanded = self.expand(std::mem::take(pending), 0)?;
        self.result.tokens.extend(expanded);
        Ok(())
    }

    fn is_active(&self) -> bool {
        self.conditions.iter().all(|condition| condition.keeps)
    }

    fn directive(&mut self, word: &Token, rest: &[Token]) -> Result<(), Fault> {
        let text = rest.iter().map(|token| &*token.text).collect::<Vec<_>>().join(" ");
        let wrong = |remedy: &'static str| {
            let found = format!("#{} {text}", word.text);
            Err(Fault::syntax(word.place, found.trim_end(), remedy))
        };
        let is_double = text.strip_prefix("GL_ARB_gpu_shader_fp64 : ");
        let is_double = is_double.is_some_and(|what| matches!(what, "require" | "enable"));
        self.directives += 1;
        let is_head = self.result.tokens.is_empty();
        match &*word.text {
            "if" | "ifdef" | "ifndef" => {
                let place = word.place;
                let open = Condition { place, keeps: true, kept: false, is_last: false };
                self.branch(open, word, rest)?;
            }
            "elif" | "else" => match self.conditions.pop() {
                Some(open) if !open.is_last => self.branch(open, word, rest)?,
                _ => return wrong("add #if in front of it"),
            },
            "endif" if rest.is_empty() && self.conditions.pop().is_some() => {}
            "endif" => return wrong("write one #endif per #if"),
            _ if !self.is_active() => {}
            "define" => self.define(word, rest)?,
            "undef" => match rest {
                [name] if self.is_own(name) => drop(self.macros.remove(&name.text)),
                _ => return wrong("name one #define of the program"),
            },
            "error" => return wrong("correct the cause"),
            "pragma" => {}
            "version" if is_head && self.directives == 1 && text == "330 core" => {}
            // The line number of an assembled text is known from its place.
            "line" if word.place.0 == 0 => {}
            "extension" if is_head && is_double => self.result.has_double = true,
            _ => return wrong("delete it: programs are GLSL 3.30 without extensions"),
        }
        Ok(())
    }

    /// Begins the next branch of a condition.
    fn branch(&mut self, mut open: Condition, word: &Token, rest: &[Token]) -> Result<(), Fault> {
        let own = rest.iter().filter(|token| self.is_own(token));
        let own: Vec<String> = own.map(|token| token.text.to_string()).collect();
        self.result.tested.extend(own);
        let is_decided = !self.is_active() || open.kept;
        let holds = if is_decided { Ok(false) } else { self.condition(word, rest) };
        open.keeps = *holds.as_ref().unwrap_or(&false);
        open.kept |= open.keeps;
        open.is_last = word.is("else");
        self.conditions.push(open);
        holds.map(|_| ())
    }

    /// Tests whether a name is the program's own, so that it may be defined.
    fn is_own(&self, name: &Token) -> bool {
        let is_of_language = name.text.starts_with("GL_") || name.text.contains("__");
        let stays = self.macros.get(&name.text).is_some_and(|one| one.stays);
        name.is_name() && !is_of_language && !stays && !name.is("defined")
    }

    fn condition(&mut self, word: &Token, rest: &[Token]) -> Result<bool, Fault> {
        let is_known = |token: &Token| {
            self.is_own(token) || self.macros.contains_key(&token.text) || token.is("defined")
        };
        if let Some(unknown) = rest.iter().find(|token| token.is_name() && !is_known(token)) {
            let found = format!("`{}`, which differs between drivers", unknown.text);
            return Err(Fault::syntax(unknown.place, &found, "test a #define of the program"));
        }
        let is_defined = |name: &Token| self.macros.contains_key(&name.text);
        match (&*word.text, rest) {
            ("else", []) => return Ok(true),
            ("ifdef", [name]) if name.is_name() => return Ok(is_defined(name)),
            ("ifndef", [name]) if name.is_name() => return Ok(!is_defined(name)),
            ("if" | "elif", [_, ..]) => {}
            (word, _) => {
                let place = rest.first().map_or((1, 1), |one| one.place);
                let found = format!("#{word} with {} words after it", rest.len());
                return Err(Fault::syntax(place, &found, "write #else, #ifdef NAME, #if VALUE"));
            }
        }
        let (mut resolved, mut left) = (Vec::new(), rest);
        while let [first, others @ ..] = left {
            let (name, length) = match others {
                _ if !first.is("defined") => (None, 0),
                [open, name, close, ..] if open.is("(") && close.is(")") => (Some(name), 3),
                [name, ..] => (Some(name), 1),
                [] => (Some(first), 0),
            };
            if name.is_some_and(|name| !name.is_name() || name.is("defined")) {
                let found = "`defined` without a name";
                return Err(Fault::syntax(first.place, found, "write `defined(NAME)`"));
            }
            let truth = |name| Token::new(if is_defined(name) { "1" } else { "0" }, name.place);
            resolved.push(name.map_or_else(|| first.clone(), truth));
            left = &others[length..];
        }
        let resolved = self.expand(resolved, 0)?;
        if resolved.len() > LONGEST_STATEMENT {
            let found = format!("#{} has more than {LONGEST_STATEMENT} tokens", word.text);
            return Err(Fault::syntax(word.place, &found, "shorten it"));
        }
        condition::evaluate(&resolved, word.place)
    }

    /// Stores the macro of `#define …`.
    fn define(&mut self, word: &Token, text: &[Token]) -> Result<(), Fault> {
        let wrong = |remedy: &'static str| {
            let name = text.first().map_or("", |name| &name.text);
            Err(Fault::syntax(word.place, &format!("#define {name}"), remedy))
        };
        let [name, rest @ ..] = text else {
            return wrong("write `#define NAME value`");
        };
        let mut parameters = None;
        let mut body = rest;
        if let [open, list @ ..] = rest
            && open.is("(")
            && !open.is_spaced
        {
            let end = list.iter().position(|token| token.is(")")).unwrap_or(list.len());
            let names = list[..end].iter().step_by(2);
            let mut commas = list[..end].iter().skip(1).step_by(2);
            let is_list = names.clone().all(Token::is_name) && commas.all(|one| one.is(","));
            let names: Vec<Rc<str>> = names.map(|one| Rc::clone(&one.text)).collect();
            let is_twice = (1..names.len()).any(|at| names[..at].contains(&names[at]));
            if !is_list || is_twice || end == list.len() || end > 0 && end % 2 == 0 {
                return wrong("write `#define NAME(a, b) value`, with different names");
            }
            (parameters, body) = (Some(names), &list[end + 1..]);
        }
        if body.iter().any(|token| token.is("##") || token.is("#")) {
            return wrong("write whole names, for GLSL 3.30 does not join them");
        }
        let new = Macro { parameters, body: body.to_vec(), stays: false };
        match self.macros.get(&name.text) {
            Some(old) if old.is_same(&new) => return Ok(()),
            Some(_) => return wrong("take another name, or #undef the first definition"),
            None if !self.is_own(name) => return wrong("take another name: this one is reserved"),
            None => self.macros.insert(Rc::clone(&name.text), new),
        };
        Ok(())
    }

    /// Expands the macros in some tokens; `depth` is the number of calls around them.
    fn expand(&mut self, mut rest: Vec<Token>, depth: usize) -> Result<Vec<Token>, Fault> {
        let mut result = Vec::new();
        rest.reverse();
        while let Some(token) = rest.pop() {
            let mut hidden = std::iter::successors(token.hidden.as_ref(), |one| one.outer.as_ref());
            let is_hidden = hidden.any(|one| one.name == token.text);
            let known = self.macros.get(&token.text).filter(|one| !one.stays && !is_hidden);
            let is_called = rest.last().is_some_and(|next| next.is("("));
            if token.is("fetch") && is_called {
                closes(&token, &rest)?;
            }
            // Without arguments, the name of a macro with parentheses is not a call.
            let is_call = |one: &&Macro| one.parameters.is_none() || is_called;
            let Some(Macro { parameters, body, .. }) = known.filter(is_call).cloned() else {
                self.expanded += 1;
                bounded(&token, self.expanded, 0)?;
                result.push(token);
                continue;
            };
            let mut arguments = Vec::new();
            if let Some(parameters) = &parameters {
                bounded(&token, 0, depth)?;
                for argument in taken(&token, &mut rest, parameters.len())? {
                    arguments.push(self.expand(argument, depth + 1)?);
                }
            }
            let mut expansion = Vec::new();
            for one in body {
                let mut names = parameters.iter().flatten();
                match names.position(|parameter| *parameter == one.text) {
                    Some(at) => expansion.extend_from_slice(&arguments[at]),
                    None => {
                        let hidden = token.hidden.clone();
                        expansion.push(Token { place: token.place, hidden, ..one });
                    }
                }
                bounded(&token, expansion.len(), 0)?;
            }
            self.expanded += expansion.len() + 1;
            bounded(&token, self.expanded, 0)?;
            for one in &mut expansion {
                let outer = one.hidden.take();
                let depth = outer.as_ref().map_or(1, |outer| outer.depth + 1);
                bounded(&token, 0, depth)?;
                one.hidden = Some(Rc::new(Hidden { name: Rc::clone(&token.text), depth, outer }));
            }
            rest.extend(expansion.into_iter().rev());
        }
        Ok(result)
    }
}

impl Macro {
    fn is_same(&self, other: &Macro) -> bool {
        let [a, b] = [self, other].map(|one| one.body.iter().map(|token| &token.text));
        self.parameters == other.parameters && a.eq(b)
    }
}

/// Checks the size of an expansion, and how deeply calls nest.
fn bounded(call: &Token, tokens: usize, depth: usize) -> Result<(), Fault> {
    let found = if tokens > MOST_EXPANDED {
        format!("more than {MOST_EXPANDED} tokens with macros expanded")
    } else if depth >= DEEPEST {
        format!("macros nest deeper than {DEEPEST}")
    } else {
        return Ok(());
    };
    Err(Fault::syntax(call.place, &found, "shorten it"))
}

/// Takes the arguments of a call from the tokens that follow, which are reversed.
fn taken(call: &Token, rest: &mut Vec<Token>, number: usize) -> Result<Vec<Vec<Token>>, Fault> {
    rest.pop(); // `(`
    let (mut depth, mut arguments, mut last) = (0, Vec::new(), Vec::new());
    while let Some(token) = rest.pop() {
        match &*token.text {
            ")" if depth == 0 => {
                if number > 0 || !last.is_empty() || !arguments.is_empty() {
                    arguments.push(last);
                }
                if arguments.len() == number {
                    return Ok(arguments);
                }
                let found = format!("call of {} with {} arguments", call.text, arguments.len());
                return Err(Fault::syntax(call.place, &found, &format!("give it {number}")));
            }
            "," if depth == 0 => arguments.push(std::mem::take(&mut last)),
            text => {
                depth += i32::from(text == "(") - i32::from(text == ")");
                last.push(token);
            }
        }
    }
    Err(open(call))
}

/// Checks that a call ends in the tokens that follow, which are reversed: for drivers, `fetch` is a macro.
fn closes(call: &Token, rest: &[Token]) -> Result<(), Fault> {
    let mut depth = 0;
    let mut ends = rest.iter().rev().map(|token| {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        depth == 0
    });
    if ends.any(|ends| ends) { Ok(()) } else { Err(open(call)) }
}

fn open(call: &Token) -> Fault {
    let found = format!("call of {} without `)`", call.text);
    Fault::syntax(call.place, &found, "close it before the next directive")
}
