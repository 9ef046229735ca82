//! Values of rows by Mesa's compilers for NV30 and R300, next to those of fragstream's listings.

use super::found::{Bound, Found, Measured, Value};
use super::report::json::Entry;
use super::{Interval, Table};
use crate::base::table::{plain, read_csv};
use crate::card::mesa::compiled;

/// Row, its value, the card, the quantity, the program, and that by whose number it is divided.
const ROWS: &str = include_str!("../../figures/mesa/rows.csv");

impl Found {
    /// Adds what the compilers make of the programs of a row, each after the value that it repeats. Numbers of fetches and of
    /// instructions by kind have the condition of that value; other numbers are shown.
    pub(super) fn compiled(mut self, row: &str) -> Self {
        for line in read_csv(ROWS).iter().filter(|line| line[0] == row) {
            let place = self.values.iter().position(|value| value.name == line[1]);
            let added = place.and_then(|at| Some((at + 1, counterpart(&self.values[at], line)?)));
            if let Some((at, value)) = added {
                self.values.insert(at, value);
            }
        }
        self
    }
}

/// A value by the compiler of a line.
fn counterpart(value: &Value, line: &[String]) -> Option<Value> {
    let [_, _, card, quantity, program, over] = line else { return None };
    let count = |program: &str| compiled(program)?.count(card, quantity);
    let measured = match (&**quantity, &**over) {
        ("kinds", _) => Measured::Text(compiled(program)?.kinds().to_owned()),
        ("registers", "") => Measured::Text(format!("at most {}", count(program)?[1])),
        ("registers", _) => {
            let pairs = [program, over].map(|one| count(one).map(|[_, most]| most / 2.0));
            Measured::Text(format!("{} and {} pairs at most", pairs[0]?, pairs[1]?))
        }
        (_, "") => Measured::Number(range(count(program)?)),
        _ => {
            let [of, by] = [count(program)?, count(over)?];
            Measured::Number(range([of[0] / by[0], of[1] / by[1]]))
        }
    };
    let decides = matches!(&**quantity, "fetches" | "kinds");
    let is_number = matches!(measured, Measured::Number(_));
    Some(Value {
        is_ratio: value.is_ratio && is_number,
        unit: if is_number { value.unit.clone() } else { "".into() },
        name: format!("{}, by Mesa's compiler for {card}", value.name).into(),
        measured,
        bound: if decides { value.bound.clone() } else { Bound::None },
        is_key: false,
        compiler: card.clone().into(),
        ..value.clone()
    })
}

/// The range between two counts.
fn range([one, other]: [f64; 2]) -> Interval {
    let median = if one == other { one } else { f64::midpoint(one, other) };
    Interval { median, low: one.min(other), high: one.max(other), ..Interval::default() }
}

/// A table of these values next to fragstream's, for a paper's page; empty without any.
pub fn by_compilers(entries: &[&Entry]) -> String {
    let mut table = Table::new("", ["claim", "value", "here", "Mesa's compiler", "for"]);
    for entry in entries {
        for (at, value) in entry.values.iter().enumerate() {
            let own = entry.values[..at].iter().rfind(|own| own.compiler.is_empty());
            let Some(own) = own.filter(|_| !value.compiler.is_empty()) else { continue };
            let decides = if value.bound == Bound::None { "" } else { ", decides" };
            let card = format!("{}{decides}", value.compiler);
            table.row([
                format!("`{}`", entry.parts().1),
                plain(&own.name),
                own.text(),
                value.text(),
                card,
            ]);
        }
    }
    match table.rows.is_empty() {
        true => String::new(),
        false => format!(
            "\nThe programs [as Mesa's compilers make them](../mesa/README.md), with and without the moves of the one for NV30:\n\n{}",
            table.markdown(|_| false)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fetches_decide_and_instructions_are_shown() {
        let of = |fetches: f64| {
            let found = Found::new().between("product", 33.0, [21.0, 45.0]);
            found
                .equal("fetches of the product", fetches, fetches)
                .compiled("bolz2003/instructions")
        };
        let is_kept = |value: &Value| value.bound.is_kept(&value.measured, 0.0) == Some(true);
        let [right, wrong] = [21.0, 20.0].map(of);
        assert_eq!(right.values.len(), 4);
        assert_eq!(right.values[1].bound, Bound::None);
        assert!(right.values.iter().all(is_kept));
        // The listing has what the row asks for, and the compiler has not.
        assert!(!wrong.values.iter().all(is_kept));
    }
}
