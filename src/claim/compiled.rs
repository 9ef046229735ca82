//! Values of rows by Mesa's compilers for NV30 and R300, next to those of fragstream's listings.

use super::Interval;
use super::found::{Bound, Found, Measured, Value};
use crate::base::table::read_csv;
use crate::card::mesa::compiled;

/// Row, its value, the card, the quantity, the program, and that by whose number it is divided.
const ROWS: &str = include_str!("../../figures/mesa/rows.csv");

impl Found {
    /// Adds what the compilers make of the programs of a row, each after the value that it repeats. Numbers of fetches and of
    /// instructions by kind have the condition of that value; other numbers are shown.
    pub fn compiled(mut self, row: &str) -> Self {
        for line in read_csv(ROWS).iter().filter(|line| line[0] == row) {
            if let Some(at) = self.values.iter().position(|value| value.name == line[1])
                && let Some(value) = counterpart(&self.values[at], line)
            {
                self.values.insert(at + 1, value);
            }
        }
        self
    }
}

/// A value by the compiler of a line.
fn counterpart(value: &Value, line: &[String]) -> Option<Value> {
    let [_, _, card, quantity, program, over] = line else { return None };
    let count = |program: &str| compiled(program)?.count(card, quantity);
    let measured = if quantity == "kinds" {
        Measured::Text(compiled(program)?.kinds().to_owned())
    } else {
        let ([a, b], over) =
            (count(program)?, if over.is_empty() { Some([1.0; 2]) } else { count(over) }?);
        let [a, b] = [a / over[0], b / over[1]];
        let (median, low, high) = (f64::midpoint(a, b), a.min(b), a.max(b));
        Measured::Number(Interval { median, low, high, ..Interval::default() })
    };
    let decides = matches!(&**quantity, "fetches" | "kinds");
    Some(Value {
        name: format!("{}, by Mesa's compiler for {card}", value.name).into(),
        measured,
        bound: if decides { value.bound.clone() } else { Bound::None },
        is_key: false,
        compiler: card.clone().into(),
        ..value.clone()
    })
}
