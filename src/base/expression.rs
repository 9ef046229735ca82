//! Expressions in names of quantities, as in `mean(dam.iterations) / 3`: the grammar of [formulas](super::formula) with
//! names for x and y, and seven functions that make one number of several.
//!
//! There are no conditions, no definitions and no texts, and no further functions: what needs more is a measurement.

use std::f64::consts::PI;
use std::fmt;

use super::formula::{
    BINARY, Binary, FormulaError, LONGEST, Parser, Term, UNARY, functions, is_of_name,
};
use super::nearest::suggestion;

/// Numbers of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// One.
    One(f64),
    /// One for each step, cycle, size or round.
    Each(Vec<f64>),
}

/// A function of several numbers.
type Reduction = fn(&[f64]) -> f64;

/// The functions that make one number of several.
const REDUCTIONS: [(&str, Reduction); 7] = [
    ("count", |all| all.len() as f64),
    ("first", |all| all.first().copied().unwrap_or(f64::NAN)),
    ("largest", |all| {
        all.iter().fold(f64::NEG_INFINITY, |largest, &one| or_nan(largest, one, f64::max))
    }),
    ("last", |all| all.last().copied().unwrap_or(f64::NAN)),
    ("mean", |all| all.iter().sum::<f64>() / all.len() as f64),
    ("smallest", |all| {
        all.iter().fold(f64::INFINITY, |smallest, &one| or_nan(smallest, one, f64::min))
    }),
    ("sum", |all| all.iter().sum()),
];

/// One of two numbers; NaN if one of them is.
fn or_nan(a: f64, b: f64, pick: Binary) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { pick(a, b) }
}

impl Quantity {
    /// All its numbers.
    pub fn all(&self) -> &[f64] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Each(all) => all,
        }
    }

    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::One(one) => Self::One(function(one)),
            Self::Each(all) => Self::Each(all.into_iter().map(function).collect()),
        }
    }

    /// Joins two, number by number.
    fn with(self, other: Self, function: Binary) -> Result<Self, String> {
        match (self, other) {
            (Self::One(a), b) => Ok(b.map(|b| function(a, b))),
            (a, Self::One(b)) => Ok(a.map(|a| function(a, b))),
            (Self::Each(a), Self::Each(b)) if a.len() == b.len() => {
                Ok(Self::Each(a.into_iter().zip(b).map(|(a, b)| function(a, b)).collect()))
            }
            (Self::Each(a), Self::Each(b)) => {
                let (a, b) = (a.len(), b.len());
                Err(format!(
                    "{a} numbers and {b} numbers are not joined one by one: take sum(…), mean(…) or last(…)"
                ))
            }
        }
    }
}

/// An expression.
#[derive(Clone)]
pub struct Expression {
    term: Term,
    /// The names in it, and their columns.
    pub names: Vec<(String, usize)>,
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({:?})", self.names)
    }
}

impl Expression {
    /// The expression at the beginning of a text, and the number of its characters with the blanks after it.
    ///
    /// # Errors
    /// The column of a fault, and its remedy.
    pub fn at_start_of(text: &str) -> Result<(Self, usize), FormulaError> {
        let mut parser = Parser { text: text.chars().collect(), next: 0, names: Some(Vec::new()) };
        if parser.text.len() > LONGEST {
            let what = format!("the line is longer than {LONGEST} characters: shorten it");
            return Err(FormulaError { column: LONGEST + 1, what });
        }
        let term = parser.sum()?;
        parser.peek();
        Ok((Self { term, names: parser.names.unwrap_or_default() }, parser.next))
    }

    /// Its value. Series are joined number by number.
    ///
    /// # Errors
    /// Those of looking up a name, and series of different lengths.
    pub fn value(&self, of: &dyn Fn(&str) -> Result<Quantity, String>) -> Result<Quantity, String> {
        let known = self.names.iter().map(|(name, _)| of(name));
        value(&self.term, &known.collect::<Result<Vec<_>, _>>()?)
    }
}

fn value(term: &Term, names: &[Quantity]) -> Result<Quantity, String> {
    Ok(match term {
        Term::Number(number) => Quantity::One(*number),
        Term::Coordinate(_) => Quantity::One(f64::NAN),
        Term::Name(name) => names[*name].clone(),
        Term::Unary(function, of) => value(of, names)?.map(function),
        Term::Binary(function, of) => {
            value(&of[0], names)?.with(value(&of[1], names)?, *function)?
        }
        Term::Reduced(function, of) => Quantity::One(function(value(of, names)?.all())),
    })
}

impl Parser {
    /// A name of a quantity, or a function with its arguments.
    pub(super) fn quantity(&mut self) -> Result<Term, FormulaError> {
        let start = self.next;
        let is_next = |c: &char| is_of_name(*c) || c.is_ascii_digit() || *c == '.';
        while self.text.get(self.next).is_some_and(is_next) {
            self.next += 1;
        }
        let name: String = self.text[start..self.next].iter().collect();
        if !self.accept('(') {
            if name == "pi" {
                return Ok(Term::Number(PI));
            }
            let names = self.names.get_or_insert_default();
            names.push((name, start + 1));
            return Ok(Term::Name(names.len() - 1));
        }
        let first = Box::new(self.sum()?);
        let reduction = REDUCTIONS.iter().find(|(known, _)| *known == name);
        let unary = UNARY.iter().find(|(known, _)| *known == name);
        let binary = BINARY.iter().find(|(known, _)| *known == name);
        let term = match (reduction, unary, binary) {
            (Some((_, function)), ..) => Term::Reduced(*function, first),
            (_, Some((_, function)), _) => Term::Unary(*function, first),
            (.., Some((_, function))) if self.accept(',') => {
                Term::Binary(*function, Box::new([*first, self.sum()?]))
            }
            (.., Some(_)) => {
                return Err(
                    self.unexpected(&format!("{name} takes two arguments, as in {name}(a, b)"))
                );
            }
            _ => {
                let all = REDUCTIONS.iter().map(|(name, _)| *name).chain(functions());
                let all: Vec<&str> = all.collect();
                let near = suggestion(&name, &all);
                let what = format!("no function {name}: {near}there are {}", all.join(", "));
                return Err(FormulaError { column: start + 1, what });
            }
        };
        self.closed()?;
        Ok(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Result<Quantity, String> {
        match name {
            "dam.steps" => Ok(Quantity::One(4.0)),
            "dam.left" => Ok(Quantity::Each(vec![1.0, 2.0, 6.0])),
            "dam.right" => Ok(Quantity::Each(vec![2.0, 4.0, 3.0])),
            "two" => Ok(Quantity::Each(vec![1.0, 2.0])),
            _ => Err(format!("no {name}")),
        }
    }

    #[test]
    fn series_are_joined_number_by_number_and_reduced_to_one() {
        let at = |text: &str| Expression::at_start_of(text).expect(text).0.value(&of);
        for (text, value) in [
            ("100 * dam.steps^2", 1600.0),
            ("sum(dam.left)", 9.0),
            ("mean(dam.left / dam.right)", 1.0),
            ("largest(dam.left / dam.right)", 2.0),
            ("smallest(dam.left)", 1.0),
            ("last(dam.left) / first(dam.left)", 6.0),
            ("count(dam.left) - sqrt(dam.steps)", 1.0),
            ("max(dam.steps, 3) + cos(pi)", 3.0),
        ] {
            assert_eq!(at(text), Ok(Quantity::One(value)), "{text}");
        }
        assert_eq!(at("2 * dam.left"), Ok(Quantity::Each(vec![2.0, 4.0, 12.0])));
        assert!(at("dam.left / two").unwrap_err().contains("3 numbers and 2"));
        assert_eq!(at("dam.lef"), Err("no dam.lef".to_owned()));
    }

    #[test]
    fn an_expression_ends_where_the_grammar_ends_and_faults_have_their_column() {
        let (found, end) = Expression::at_start_of("a.b_2 / c [s] > 1").unwrap();
        let names: Vec<_> = found.names.iter().map(|(name, column)| (&**name, *column)).collect();
        assert_eq!((names, end), (vec![("a.b_2", 1), ("c", 9)], 10));
        for (text, column, says) in [
            ("1 + total(a)", 5, "there are count, first, largest, last, mean, smallest, sum"),
            ("men(a)", 1, "did you mean mean?"),
            ("a +", 4, "ends"),
            ("max(a)", 6, "two arguments"),
            ("sum(a", 6, "closing bracket"),
        ] {
            let error = Expression::at_start_of(text).expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.what.contains(says), "{text}: {error}");
        }
        // There shall not be more.
        assert_eq!(REDUCTIONS.len(), 7);
    }
}
