//! Formulas in x and y as typed by people: `sin(pi*x)*exp(-y^2)`.
//!
//! The grammar is a sum of products of powers. A sign binds less than a power, so −x^2 is −(x²), and powers
//! group from the right. This is own code because, of the maintained crates, one reads −x^2 as (−x)², and none
//! gives the column of an error.

use std::f64::consts::{E, PI};
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::base::error::WithKind;
use crate::base::nearest::suggestion;

/// Maximum length of a formula, which bounds the recursion of parsing and evaluation.
pub(super) const LONGEST: usize = 400;

/// A function of one number.
pub(super) type Unary = fn(f64) -> f64;

/// A function of two.
pub(super) type Binary = fn(f64, f64) -> f64;

pub(super) const UNARY: [(&str, Unary); 15] = [
    ("abs", f64::abs),
    ("acos", f64::acos),
    ("asin", f64::asin),
    ("atan", f64::atan),
    ("cos", f64::cos),
    ("exp", f64::exp),
    ("floor", f64::floor),
    ("ln", f64::ln),
    ("log", f64::ln),
    ("sign", |x| if x == 0.0 { 0.0 } else { x.signum() }),
    ("sin", f64::sin),
    ("sqrt", f64::sqrt),
    ("step", |x| if x.is_nan() { x } else { f64::from(x >= 0.0) }),
    ("tan", f64::tan),
    ("tanh", f64::tanh),
];

pub(super) const BINARY: [(&str, Binary); 4] =
    [("atan2", f64::atan2), ("max", f64::max), ("min", f64::min), ("pow", f64::powf)];

/// Named values.
const VALUES: [(&str, Term); 4] = [
    ("e", Term::Number(E)),
    ("pi", Term::Number(PI)),
    ("x", Term::Coordinate(0)),
    ("y", Term::Coordinate(1)),
];

/// Signs of other notations, and their forms here.
const SIGNS: [(char, &str); 14] = [
    ('\u{2212}', "the keyboard's -"),
    ('\u{2013}', "the keyboard's -"),
    ('×', "*"),
    ('·', "*"),
    ('⋅', "*"),
    ('÷', "/"),
    ('²', "^2"),
    ('³', "^3"),
    ('π', "pi"),
    ('√', "sqrt(x)"),
    ('[', "("),
    (']', ")"),
    ('{', "("),
    ('}', ")"),
];

/// Names of other notations, and their forms here.
const NAMES: [(&str, &str); 8] = [
    ("heaviside", "step"),
    ("if", CONDITION),
    ("where", CONDITION),
    ("sgn", "sign"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
];

/// Form of a condition.
const CONDITION: &str = "step(x-0.5), which is 1 where x is at least 0.5 and 0 elsewhere,";

/// Describes formulas for help texts.
#[cfg(feature = "cli")]
pub(crate) fn help() -> String {
    format!(
        "Formulas are in x and y, with + - * / ^, brackets, pi, e, and the functions {}. Both log and ln are natural. \
         step(x-0.5) is 1 where x is at least 0.5, and 0 elsewhere.",
        functions().collect::<Vec<_>>().join(", ")
    )
}

/// Names of the functions.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    let unary = UNARY.iter().map(|(name, _)| *name);
    unary.chain(BINARY.iter().map(|(name, _)| *name))
}

/// A function of x and y.
#[derive(Clone)]
pub struct Formula {
    text: String,
    term: Term,
}

/// A text that is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {what}")]
pub struct FormulaError {
    /// Column in the text, in characters from 1.
    pub column: usize,
    /// Fault and remedy.
    pub what: String,
}

impl WithKind for FormulaError {}

/// A part of a formula, or of an [expression](super::expression).
#[derive(Clone)]
pub(super) enum Term {
    Number(f64),
    /// x or y.
    Coordinate(usize),
    /// A name of an expression, by its place.
    Name(usize),
    /// One number of several, in an expression.
    Reduced(fn(&[f64]) -> f64, Box<Term>),
    Unary(Unary, Box<Term>),
    Binary(Binary, Box<[Term; 2]>),
}

impl Formula {
    /// Value at x, y; NaN or infinite where it is undefined.
    pub fn at(&self, place: [f64; 2]) -> f64 {
        self.term.at(place)
    }
}

impl From<f64> for Formula {
    fn from(value: f64) -> Self {
        Self { text: value.to_string(), term: Term::Number(value) }
    }
}

impl Term {
    fn at(&self, place: [f64; 2]) -> f64 {
        match self {
            Self::Number(value) => *value,
            Self::Coordinate(axis) => place[*axis],
            // Only expressions have these.
            Self::Name(_) | Self::Reduced(..) => f64::NAN,
            Self::Unary(function, of) => function(of.at(place)),
            Self::Binary(function, of) => function(of[0].at(place), of[1].at(place)),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Formula({})", self.text)
    }
}

/// Formulas are equal if their texts are.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Formula {}

impl FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        let mut parser = Parser { text: text.chars().collect(), next: 0, names: None };
        if parser.text.len() > LONGEST {
            let what = format!("the formula is longer than {LONGEST} characters: shorten it");
            return Err(FormulaError { column: LONGEST + 1, what });
        }
        let term = parser.sum()?;
        match parser.peek() {
            None => Ok(Self { text: text.trim().to_owned(), term }),
            Some(')') => Err(parser.fault("this bracket was never opened")),
            Some(_) => Err(parser.unexpected("an operator is missing before this, as in 2*x")),
        }
    }
}

pub(super) struct Parser {
    pub text: Vec<char>,
    pub next: usize,
    /// The names in an expression so far, and their columns; none in a formula, whose names are x and y.
    pub names: Option<Vec<(String, usize)>>,
}

impl Parser {
    /// The next character that is not blank, without consuming it.
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.text.get(self.next).is_some_and(|c| c.is_whitespace()) {
            self.next += 1;
        }
        self.text.get(self.next).copied()
    }

    /// Consumes a sign if it comes next.
    pub(super) fn accept(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// A fault at the next character.
    pub(super) fn fault(&self, what: impl Into<String>) -> FormulaError {
        FormulaError { column: self.next + 1, what: what.into() }
    }

    /// A fault at the next character: its own if formulas do not have it, otherwise `what`.
    pub(super) fn unexpected(&mut self, what: &str) -> FormulaError {
        let what = what.to_owned();
        let Some(sign) = self.peek() else { return self.fault(what) };
        let known = SIGNS.iter().find(|(foreign, _)| *foreign == sign);
        self.fault(match (sign, known) {
            (_, Some((_, here))) => format!("write {here} for {sign}"),
            ('|', _) => "write abs(x) for |x|, and a product of steps for a condition".to_owned(),
            ('!', _) if self.text.get(self.next + 1) != Some(&'=') => {
                "there is no factorial. Write the product, as in 3*2*1".to_owned()
            }
            ('&', _) => "conditions are joined by a product. Write step(x)*step(y)".to_owned(),
            ('%', _) => "write x - 2*floor(x/2) for x%2".to_owned(),
            ('<' | '>' | '=' | '≤' | '≥' | '≠' | '!' | '?' | ':', _) => {
                format!("there are no comparisons. Write {CONDITION} for x > 0.5")
            }
            ('*', _) if self.next > 0 && self.text[self.next - 1] == '*' => {
                "write ^ for **".to_owned()
            }
            (',', _) => "a comma is allowed only between two arguments, as in max(x, y). Write \
                         decimals with a point"
                .to_owned(),
            (sign, _) if sign.is_alphanumeric() || "()+-*/^.".contains(sign) => what,
            _ => format!("not understood: {}", sign.escape_debug()),
        })
    }

    /// A fault after an operand: an operator is missing if another operand follows.
    fn after_operand(&mut self, what: &str) -> FormulaError {
        let follows = |c: char| c == '(' || c == '.' || c.is_ascii_digit() || is_of_name(c);
        match self.peek().is_some_and(follows) {
            true => self.fault("an operator is missing before this, as in 2*x"),
            false => self.unexpected(what),
        }
    }

    pub(super) fn sum(&mut self) -> Result<Term, FormulaError> {
        let mut sum = self.product()?;
        loop {
            sum = match self.peek() {
                Some('+') => self.joined(|a, b| a + b, sum, Self::product)?,
                Some('-') => self.joined(|a, b| a - b, sum, Self::product)?,
                _ => return Ok(sum),
            };
        }
    }

    fn product(&mut self) -> Result<Term, FormulaError> {
        let mut product = self.signed()?;
        loop {
            product = match self.peek() {
                Some('*') => self.joined(|a, b| a * b, product, Self::signed)?,
                Some('/') => self.joined(|a, b| a / b, product, Self::signed)?,
                _ => return Ok(product),
            };
        }
    }

    fn signed(&mut self) -> Result<Term, FormulaError> {
        if self.accept('-') {
            return Ok(Term::Unary(|a| -a, Box::new(self.signed()?)));
        }
        if self.accept('+') { self.signed() } else { self.power() }
    }

    fn power(&mut self) -> Result<Term, FormulaError> {
        let base = self.operand()?;
        match self.peek() {
            Some('^') => self.joined(f64::powf, base, Self::signed),
            _ => Ok(base),
        }
    }

    /// Two terms joined by the next operator.
    fn joined(
        &mut self,
        function: Binary,
        left: Term,
        right: fn(&mut Self) -> Result<Term, FormulaError>,
    ) -> Result<Term, FormulaError> {
        self.next += 1;
        Ok(Term::Binary(function, Box::new([left, right(self)?])))
    }

    fn operand(&mut self) -> Result<Term, FormulaError> {
        match self.peek() {
            Some('(') => {
                self.next += 1;
                let inside = self.sum()?;
                self.closed()?;
                Ok(inside)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if is_of_name(c) => self.named(),
            Some(_) => {
                Err(self.unexpected("a number, x, y, a function or a bracket is expected here"))
            }
            None => Err(self.fault("the formula ends before a number, x, y or a function")),
        }
    }

    pub(super) fn closed(&mut self) -> Result<(), FormulaError> {
        if self.accept(')') {
            Ok(())
        } else {
            Err(self.after_operand("a closing bracket is expected here"))
        }
    }

    fn number(&mut self) -> Result<Term, FormulaError> {
        let start = self.next;
        let digits = |parser: &mut Self| {
            while parser.text.get(parser.next).is_some_and(char::is_ascii_digit) {
                parser.next += 1;
            }
        };
        digits(self);
        if self.text.get(self.next) == Some(&'.') {
            self.next += 1;
            digits(self);
        }
        // An exponent, unless this is the number e.
        let exponent = match self.text[self.next..] {
            ['e' | 'E', '+' | '-', digit, ..] if digit.is_ascii_digit() => 2,
            ['e' | 'E', digit, ..] if digit.is_ascii_digit() => 1,
            _ => 0,
        };
        if exponent > 0 {
            self.next += exponent;
            digits(self);
        }
        let text: String = self.text[start..self.next].iter().collect();
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Term::Number).ok_or_else(|| FormulaError {
            column: start + 1,
            what: format!("{text} is not a finite number"),
        })
    }

    /// A value, or a function with its arguments.
    fn named(&mut self) -> Result<Term, FormulaError> {
        let start = self.next;
        if self.names.is_some() {
            return self.quantity();
        }
        while self.text.get(self.next).is_some_and(|&c| is_of_name(c) || c.is_ascii_digit()) {
            self.next += 1;
        }
        let name: String = self.text[start..self.next].iter().collect();
        if let Some((_, value)) = VALUES.iter().find(|(known, _)| *known == name) {
            return Ok(value.clone());
        }
        let unary = UNARY.iter().find(|(known, _)| *known == name);
        let binary = BINARY.iter().find(|(known, _)| *known == name);
        if unary.is_none() && binary.is_none() {
            return Err(FormulaError { column: start + 1, what: unknown(&name) });
        }
        if !self.accept('(') {
            return Err(self.fault(format!("{name} needs its argument in brackets")));
        }
        let first = self.sum()?;
        let term = match (unary, binary) {
            (_, Some((_, function))) => {
                if !self.accept(',') {
                    let what = format!("{name} takes two arguments, as in {name}(x, y)");
                    return Err(self.after_operand(&what));
                }
                Term::Binary(*function, Box::new([first, self.sum()?]))
            }
            (Some(_), None) if self.peek() == Some(',') => {
                return Err(self.fault(format!("{name} takes one argument, as in {name}(x)")));
            }
            (Some((_, function)), None) => Term::Unary(*function, Box::new(first)),
            (None, None) => first,
        };
        self.closed()?;
        Ok(term)
    }
}

/// Tests whether a name may contain this character.
pub(super) fn is_of_name(c: char) -> bool {
    (c.is_alphabetic() || c == '_') && !SIGNS.iter().any(|(sign, _)| *sign == c)
}

/// Message for an unknown name.
fn unknown(name: &str) -> String {
    let plain = name.to_lowercase();
    if let Some((_, here)) = NAMES.iter().find(|(foreign, _)| *foreign == plain) {
        return format!("write {here} for {name}");
    }
    let names: Vec<&str> = VALUES.iter().map(|(name, _)| *name).chain(functions()).collect();
    let meant = suggestion(&plain, &names);
    format!("unknown name {name}: {meant}there are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, place: [f64; 2]) -> f64 {
        text.parse::<Formula>().expect(text).at(place)
    }

    #[test]
    fn signs_bind_less_than_powers_and_powers_group_from_the_right() {
        for (text, value) in [
            ("-3^2", -9.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("1-2-3", -4.0),
            ("8/2/2", 2.0),
            ("1+2*3", 7.0),
            ("(1+2)*3", 9.0),
            ("--2", 2.0),
            ("2*-3", -6.0),
            (" 1e3 + .5 ", 1000.5),
            ("2e-1", 0.2),
            ("max(1, min(5, 3))", 3.0),
            ("log(e)", 1.0),
            ("ln(e)", 1.0),
            ("floor(-0.5) + floor(2)", 1.0),
            ("step(-1e-300) + 2*step(0) + 4*step(1/0)", 6.0),
            ("sign(-2) + 2*sign(0) + 4*sign(3)", 3.0),
            ("4*atan(1) - pi", 0.0),
            ("acos(0) - asin(1)", 0.0),
        ] {
            assert_eq!(at(text, [0.0; 2]), value, "{text}");
        }
    }

    #[test]
    fn a_formula_is_the_function_that_it_looks_like() {
        let place @ [x, y] = [0.3, -1.7_f64];
        let expected =
            (PI * x).sin() * (-y * y).exp() + (x * x + y * y).sqrt() / 2.0 - y.abs().cos();
        let found = at("sin(pi*x)*exp(-y^2) + sqrt(x^2+y^2)/2 - cos(abs(y))", place);
        assert!((found - expected).abs() < 1e-15);
        for undefined in ["sqrt(y)", "step(sqrt(y))", "sign(sqrt(y))"] {
            assert!(at(undefined, place).is_nan());
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_column() {
        for (text, column, says) in [
            ("", 1, "ends"),
            ("1+", 3, "ends"),
            ("2x", 2, "operator"),
            ("x)", 2, "never opened"),
            ("(x", 3, "closing bracket"),
            ("x + sinn(y)", 5, "did you mean sin?"),
            ("z", 1, "there are e, pi, x, y"),
            ("sin x", 5, "brackets"),
            ("max(x)", 6, "two arguments"),
            ("sin(x, y)", 6, "one argument"),
            ("sin(x y)", 7, "operator is missing"),
            ("1..2", 3, "operator"),
            ("1e999", 1, "finite"),
            (".", 1, "number"),
            ("x > y", 3, "no comparisons. Write step(x-0.5)"),
            ("max(x >= 1, 2)", 7, "no comparisons"),
            ("(x==y)", 3, "no comparisons"),
            ("if(x)", 1, "write step(x-0.5)"),
            ("Heaviside(x)", 1, "write step for Heaviside"),
            ("Sin(x)", 1, "did you mean sin?"),
            ("*x", 1, "expected here"),
            ("x**2", 3, "write ^ for **"),
            ("1 \u{2212} x", 3, "write the keyboard's - for \u{2212}"),
            ("(1 \u{2013} x)", 4, "write the keyboard's - for"),
            ("2·x", 2, "write * for ·"),
            ("sin(2×x)", 6, "write * for ×"),
            ("x² + 1", 2, "write ^2 for ²"),
            ("2*π", 3, "write pi for π"),
            ("sin[x]", 4, "brackets"),
            ("0,5*x", 2, "decimals with a point"),
            ("x % 2", 3, "floor(x/2)"),
            ("|x|", 1, "abs(x)"),
            ("3!", 2, "factorial"),
            ("x&y", 2, "step(x)*step(y)"),
            ("exp(2x)", 6, "operator is missing"),
            ("max(2x, 1)", 6, "operator is missing"),
            ("x # 2", 3, "not understood: #"),
        ] {
            let error = text.parse::<Formula>().expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.what.contains(says), "{text}: {error}");
        }
        for deep in ["(", "-", "sin(", "1+", "x^"] {
            assert!(deep.repeat(100_000).parse::<Formula>().is_err());
            assert!(deep.repeat(90).parse::<Formula>().is_err());
        }
    }
}
