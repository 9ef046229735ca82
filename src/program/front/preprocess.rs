//! The preprocessor: macros and conditions.
//!
//! `stream`, `fetch` and `here` are macros in front of every program. They are never expanded, because they are the
//! words of the dialect.

use std::collections::HashMap;
use std::rc::Rc;

use super::condition;
use super::fault::{Fault, Place};
use super::lex::{Hidden, Token, tokens};
use super::size::{DEEPEST, LONGEST_STATEMENT, MOST_EXPANDED};

/// Macros of the prelude.
const VOCABULARY: &str = "#define stream sampler2DRect\n#define fetch(s, p) texture(s, p)\n\
                          #define here gl_FragCoord.xy\n";

/// Names that the language defines, with their values.
const PREDEFINED: [(&str, &str); 2] = [("__VERSION__", "330"), ("GL_core_profile", "1")];

/// A `#define`.
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
    /// True if an earlier branch has been kept.
    kept: bool,
    /// True after `#else`.
    is_last: bool,
}

/// The tokens of a text after its directives, and the names that its conditions test.
#[derive(Default)]
pub(super) struct Preprocessed {
    pub tokens: Vec<Token>,
    pub tested: Vec<String>,
    /// True if an extension adds double precision.
    pub has_double: bool,
}

#[derive(Default)]
struct Preprocessor<'a> {
    macros: HashMap<Rc<str>, Macro>,
    conditions: Vec<Condition>,
    /// Number of tokens expanded so far.
    expanded: usize,
    result: Preprocessed,
    /// True before the first token of the program.
    is_first: bool,
    faults: Option<&'a mut Vec<Fault>>,
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
    let mut state = Preprocessor { is_first: true, ..Preprocessor::default() };
    let vocabulary = tokens(VOCABULARY, 0).unwrap_or_default();
    for line in vocabulary.split(|token| token.is("\n")).filter(|line| !line.is_empty()) {
        state.define(&line[2..], line[0].place)?;
    }
    state.macros.values_mut().for_each(|one| one.stays = true);
    let defined = defined.iter().map(|name| (name.as_str(), "1"));
    for (name, value) in PREDEFINED.into_iter().chain(defined) {
        let body = vec![Token::new(value, (1, 1))];
        state.macros.insert(name.into(), Macro { parameters: None, body, stays: false });
    }
    state.faults = Some(faults);
    // A call of a macro may extend over several lines.
    let mut pending = Vec::new();
    for line in source.split_inclusive(|token| token.is("\n")) {
        let (line, _) = line.split_at(line.len() - 1);
        match line {
            [hash, directive @ ..] if hash.is("#") => {
                state.flush(&mut pending)?;
                if let [word, rest @ ..] = directive
                    && let Err(fault) = state.directive(word, rest)
                {
                    state.report(fault);
                }
            }
            _ if state.is_active() => pending.extend_from_slice(line),
            _ => {}
        }
    }
    state.flush(&mut pending)?;
    if let Some(open) = state.conditions.pop() {
        return Err(Fault::syntax(open.place, "#if without #endif", "add #endif"));
    }
    Ok(state.result)
}

impl Preprocessor<'_> {
    fn report(&mut self, fault: Fault) {
        self.faults.iter_mut().for_each(|faults| faults.push(fault.clone()));
    }

    fn is_active(&self) -> bool {
        self.conditions.iter().all(|condition| condition.keeps)
    }

    fn flush(&mut self, pending: &mut Vec<Token>) -> Result<(), Fault> {
        self.is_first &= pending.is_empty();
        let expanded = self.expand(std::mem::take(pending), 0)?;
        self.result.tokens.extend(expanded);
        Ok(())
    }

    fn directive(&mut self, word: &Token, rest: &[Token]) -> Result<(), Fault> {
        let place = word.place;
        let is_first = std::mem::replace(&mut self.is_first, false);
        let none_after = || match rest.first() {
            Some(more) => Err(Fault::syntax(
                more.place,
                format!("`{}` after #{}", more.text, word.text),
                "delete it",
            )),
            None => Ok(()),
        };
        match &*word.text {
            "if" | "ifdef" | "ifndef" => {
                self.note(rest);
                let mut keeps = Ok(false);
                if self.is_active() {
                    keeps = self.condition(word, rest);
                }
                let kept = *keeps.as_ref().unwrap_or(&false);
                self.conditions.push(Condition { place, keeps: kept, kept, is_last: false });
                keeps?;
            }
            "elif" | "else" => {
                self.note(rest);
                let is_last = word.is("else");
                let Some(open) = self.conditions.pop().filter(|open| !open.is_last) else {
                    return Err(Fault::syntax(
                        place,
                        format!("#{} without #if", word.text),
                        "add #if in front of it",
                    ));
                };
                let mut keeps = Ok(false);
                if self.is_active() && !open.kept {
                    keeps = if is_last { Ok(true) } else { self.condition(word, rest) };
                }
                let kept = *keeps.as_ref().unwrap_or(&false);
                self.conditions.push(Condition {
                    keeps: kept,
                    kept: kept || open.kept,
                    is_last,
                    ..open
                });
                keeps?;
                if is_last {
                    none_after()?;
                }
            }
            "endif" => {
                none_after()?;
                self.conditions
                    .pop()
                    .ok_or_else(|| Fault::syntax(place, "#endif without #if", "delete it"))?;
            }
            _ if !self.is_active() => {}
            "define" => self.define(rest, place)?,
            "undef" => match rest {
                [name] if self.is_own(name) => {
                    self.macros.remove(&name.text);
                }
                _ => {
                    return Err(Fault::syntax(
                        place,
                        "#undef without a name of your own",
                        "name one #define of the program",
                    ));
                }
            },
            "error" => {
                let words: Vec<&str> = rest.iter().map(|token| &*token.text).collect();
                return Err(Fault::syntax(
                    place,
                    format!("#error {}", words.join(" ")),
                    "correct what it says",
                ));
            }
            "version" => {
                let is_known = rest.first().is_some_and(|number| number.is("330"))
                    && rest.get(1).is_none_or(|profile| profile.is("core"));
                if !is_first || !is_known {
                    return Err(Fault::syntax(
                        place,
                        "#version",
                        "delete it: programs are GLSL 3.30",
                    ));
                }
            }
            // The line number of an assembled text is known from its place.
            "line" if rest.len() == 1 && place.0 == 0 => {}
            "extension" if self.result.tokens.is_empty() && is_double(rest) => {
                self.result.has_double = true;
            }
            "pragma" => {}
            other => return Err(Fault::syntax(place, format!("#{other}"), "delete it")),
        }
        Ok(())
    }

    /// Notes the names that a condition tests.
    fn note(&mut self, rest: &[Token]) {
        let own = rest.iter().filter(|token| self.is_own(token) && !token.is("defined"));
        let own: Vec<String> = own.map(|token| token.text.to_string()).collect();
        self.result.tested.extend(own);
    }

    /// Tests whether a name is the program's own, so that it may be defined.
    fn is_own(&self, name: &Token) -> bool {
        name.is_name()
            && !is_reserved(&name.text)
            && !name.is("defined")
            && !self.macros.get(&name.text).is_some_and(|one| one.stays)
    }

    fn condition(&mut self, word: &Token, rest: &[Token]) -> Result<bool, Fault> {
        let is_known =
            |token: &&Token| !is_reserved(&token.text) || self.macros.contains_key(&token.text);
        if let Some(unknown) = rest.iter().find(|token| token.is_name() && !is_known(token)) {
            let found = format!("`{}`, which differs between drivers", unknown.text);
            return Err(Fault::syntax(unknown.place, found, "test a #define of the program"));
        }
        let truth = |is_defined: bool, place| Token::new(if is_defined { "1" } else { "0" }, place);
        if !matches!(&*word.text, "if" | "elif") {
            return match rest {
                [name] if name.is_name() => {
                    Ok(self.macros.contains_key(&name.text) == word.is("ifdef"))
                }
                _ => Err(Fault::syntax(
                    word.place,
                    format!("#{} without a single name", word.text),
                    "write one name",
                )),
            };
        }
        let (mut resolved, mut rest) = (Vec::new(), rest);
        while let [first, others @ ..] = rest {
            rest = others;
            if !first.is("defined") {
                resolved.push(first.clone());
                continue;
            }
            let (name, after) = match others {
                [open, name, close, after @ ..] if open.is("(") && close.is(")") => (name, after),
                [name, after @ ..] => (name, after),
                [] => (first, others),
            };
            if !name.is_name() || name.is("defined") {
                return Err(Fault::syntax(
                    first.place,
                    "`defined` without a name",
                    "write `defined(NAME)`",
                ));
            }
            resolved.push(truth(self.macros.contains_key(&name.text), name.place));
            rest = after;
        }
        let resolved = self.expand(resolved, 0)?;
        if resolved.len() > LONGEST_STATEMENT {
            let found = format!("#{} has more than {LONGEST_STATEMENT} tokens", word.text);
            return Err(Fault::syntax(word.place, found, "shorten it"));
        }
        condition::evaluate(&resolved, word.place)
    }

    /// Stores the macro of `#define …`.
    fn define(&mut self, text: &[Token], place: Place) -> Result<(), Fault> {
        let wrong = |found: &str, remedy: &'static str| Fault::syntax(place, found, remedy);
        let [name, rest @ ..] = text else {
            return Err(wrong("#define without a name", "write `#define NAME value`"));
        };
        let (parameters, body) = match rest {
            [open, list @ ..] if open.is("(") && !open.is_spaced => {
                let end = list.iter().position(|token| token.is(")"));
                let end = end
                    .ok_or_else(|| wrong("#define without `)`", "close the list of parameters"))?;
                let names = list[..end].iter().enumerate();
                let is_well_formed = end == 0
                    || end % 2 == 1
                        && names.clone().all(|(k, token)| {
                            if k % 2 == 0 { token.is_name() } else { token.is(",") }
                        });
                let names = names
                    .filter(|(_, token)| token.is_name())
                    .map(|(_, token)| Rc::clone(&token.text));
                let names: Vec<Rc<str>> = names.collect();
                let is_twice = (1..names.len()).any(|k| names[..k].contains(&names[k]));
                if !is_well_formed || is_twice {
                    return Err(wrong(
                        "#define with a wrong list of parameters",
                        "write different names and commas",
                    ));
                }
                (Some(names), &list[end + 1..])
            }
            _ => (None, rest),
        };
        if let Some(glue) = body.iter().find(|token| token.is("##") || token.is("#")) {
            return Err(Fault::syntax(
                glue.place,
                format!("`{}` in a macro", glue.text),
                "write the whole name",
            ));
        }
        let known = self.macros.get(&name.text);
        let is_same = known.is_some_and(|known| {
            let same = |(a, b): (&Token, &Token)| a.text == b.text;
            known.parameters == parameters
                && known.body.len() == body.len()
                && known.body.iter().zip(body).all(same)
        });
        if known.is_some() && !is_same {
            return Err(wrong(
                &format!("second definition of {}", name.text),
                "take another name, or #undef the first",
            ));
        }
        if !is_same && !self.is_own(name) {
            return Err(wrong(&format!("#define {}", name.text), "take a name of your own"));
        }
        if !is_same {
            let macro_ = Macro { parameters, body: body.to_vec(), stays: false };
            self.macros.insert(Rc::clone(&name.text), macro_);
        }
        Ok(())
    }

    /// Expands the macros in some tokens; `depth` is the number of calls around them.
    fn expand(&mut self, tokens: Vec<Token>, depth: usize) -> Result<Vec<Token>, Fault> {
        let mut result = Vec::new();
        let mut rest = tokens;
        rest.reverse();
        while let Some(token) = rest.pop() {
            self.expanded += 1;
            if self.expanded > MOST_EXPANDED {
                let found = format!("more than {MOST_EXPANDED} tokens with macros expanded");
                return Err(Fault::syntax(token.place, found, "shorten the macros"));
            }
            let mut hidden = std::iter::successors(token.hidden.as_ref(), |one| one.outer.as_ref());
            let is_hidden = hidden.any(|one| one.name == token.text);
            let Some(known) = self.macros.get(&token.text).filter(|one| !one.stays && !is_hidden)
            else {
                result.push(token);
                continue;
            };
            let mut body = known.body.clone();
            if let Some(parameters) = known.parameters.clone() {
                if !rest.last().is_some_and(|next| next.is("(")) {
                    result.push(token); // Without arguments, the name is not a call.
                    continue;
                }
                let arguments = arguments(&token, &mut rest, parameters.len())?;
                nests(&token, depth)?;
                let mut expanded = Vec::new();
                for argument in arguments {
                    expanded.push(self.expand(argument, depth + 1)?);
                }
                body = self.substituted(&token, body, &parameters, &expanded)?;
            } else {
                body = self.substituted(&token, body, &[], &[])?;
            }
            for one in &mut body {
                let outer = one.hidden.take();
                let depth = outer.as_ref().map_or(1, |outer| outer.depth + 1);
                nests(&token, depth)?;
                one.hidden = Some(Rc::new(Hidden { name: Rc::clone(&token.text), depth, outer }));
            }
            rest.extend(body.into_iter().rev());
        }
        Ok(result)
    }

    /// The body of a macro with its arguments.
    fn substituted(
        &mut self,
        call: &Token,
        body: Vec<Token>,
        parameters: &[Rc<str>],
        arguments: &[Vec<Token>],
    ) -> Result<Vec<Token>, Fault> {
        let mut result = Vec::new();
        for token in body {
            match parameters.iter().position(|parameter| *parameter == token.text) {
                Some(at) => result.extend_from_slice(&arguments[at]),
                None => {
                    result.push(Token { place: call.place, hidden: call.hidden.clone(), ..token })
                }
            }
            if result.len() > MOST_EXPANDED {
                let found = format!("more than {MOST_EXPANDED} tokens with macros expanded");
                return Err(Fault::syntax(call.place, found, "shorten the macros"));
            }
        }
        Ok(result)
    }
}

/// Tests whether an extension is that of double precision.
fn is_double(extension: &[Token]) -> bool {
    let words: String = extension.iter().map(|token| &*token.text).collect();
    matches!(&*words, "GL_ARB_gpu_shader_fp64:require" | "GL_ARB_gpu_shader_fp64:enable")
}

/// Tests whether a name belongs to the language.
pub(super) fn is_reserved(name: &str) -> bool {
    name.starts_with("GL_") || name.contains("__")
}

fn nests(call: &Token, depth: usize) -> Result<(), Fault> {
    if depth < DEEPEST {
        return Ok(());
    }
    let found = format!("macros nest deeper than {DEEPEST}");
    Err(Fault::syntax(call.place, found, "expand them by hand"))
}

/// Takes the arguments of a call from the tokens that follow, which are reversed.
fn arguments(call: &Token, rest: &mut Vec<Token>, number: usize) -> Result<Vec<Vec<Token>>, Fault> {
    rest.pop(); // `(`
    let (mut depth, mut arguments) = (0, vec![Vec::new()]);
    loop {
        let Some(token) = rest.pop() else {
            let found = format!("call of {} without `)`", call.text);
            return Err(Fault::syntax(call.place, found, "close it before the next directive"));
        };
        match &*token.text {
            ")" if depth == 0 => break,
            "," if depth == 0 => {
                arguments.push(Vec::new());
                continue;
            }
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        arguments.iter_mut().next_back().into_iter().for_each(|last| last.push(token.clone()));
    }
    if number == 0 && arguments.len() == 1 && arguments[0].is_empty() {
        arguments.clear();
    }
    if arguments.len() != number {
        let found = format!("call of {} with {} arguments", call.text, arguments.len());
        return Err(Fault::syntax(call.place, found, format!("give it {number}")));
    }
    Ok(arguments)
}
