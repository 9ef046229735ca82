//! Measurements of cards of 2003 by others, to which nothing was fitted.

use crate::base::expression::{Expression, Quantity};
use crate::base::number::short;
use crate::base::table::{Table, read_csv};
use crate::card::cost::{CARDS, Card, Demand, Numbers};

/// The measurements: figures/card/witnesses.csv.
const TABLE: &str = include_str!("../../figures/card/witnesses.csv");

/// A measurement of a card by others.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Name in the table.
    pub id: String,
    /// What was measured, with its unit.
    pub what: String,
    /// The measured number: cycles per pixel, millions of pixels per second, or a ratio.
    pub measured: f64,
    /// The model's number.
    pub model: f64,
    /// The time in the model divided by that measured; of a ratio, the ratios.
    pub ratio: f64,
    /// Where it was published.
    pub source: String,
}

/// All measurements, with what the model says.
///
/// # Panics
/// If the table is wrong.
pub fn witnesses() -> Vec<Witness> {
    let rows = read_csv(TABLE);
    let (head, rows) = rows.split_first().expect("a head");
    rows.iter().map(|row| witness(head, row)).collect()
}

fn witness(head: &[String], row: &[String]) -> Witness {
    let cell = |name: &str| {
        let place = head.iter().position(|known| known == name).expect("a column");
        row[place].as_str()
    };
    let number = |name: &str| cell(name).parse().unwrap_or(0.0);
    let (measured, unit) = (number("measured"), cell("unit"));
    let demand = Demand {
        arithmetic: number("arithmetic") as u32,
        fetches: number("fetches") as u32,
        registers: number("registers") as u32,
        bytes: number("bytes"),
        bytes_written: number("bytes_written"),
        ..Demand::default()
    };
    let card = CARDS.iter().find(|card| card.device.name == cell("card"));
    let cycles = card.map(|card| {
        let cycles = card.cycles(&demand);
        (cycles.instructions.max(cycles.bytes) / card.device.pipelines, card.device.clock)
    });
    let (model, ratio) = match (unit, cycles) {
        ("cycles per pixel", Some((cycles, _))) => (cycles, cycles / measured),
        ("million pixels per second", Some((cycles, clock))) => {
            let rate = 1e-6 * clock / cycles;
            (rate, measured / rate)
        }
        _ => {
            let model = Expression::at_start_of(cell("model")).expect("an expression").0;
            let model = match model.value(&|name| Err(name.to_owned())).expect("a number") {
                Quantity::One(one) => one,
                Quantity::Each(_) => f64::NAN,
            };
            (model, model / measured)
        }
    };
    Witness {
        id: cell("id").to_owned(),
        what: format!("{}, {}", cell("what"), unit),
        measured,
        model,
        ratio,
        source: format!("{}, {}", cell("source"), cell("date")),
    }
}

/// The table of the card's page.
pub fn table() -> Table {
    let mut table =
        Table::new("", ["witness", "what", "measured", "model", "model / witness", "source"]);
    for one in witnesses() {
        let numbers = [one.measured, one.model].map(short);
        let ratio = format!("{:.3}", one.ratio);
        table.row([one.id.as_str(), &one.what, &numbers[0], &numbers[1], &ratio, &one.source]);
    }
    table
}

/// Cycles per pixel of 17 instructions with this number of registers, for the fitted κ and the ends of its interval: what
/// the model says of lines that nobody of the project has read.
pub fn prediction(registers: u32) -> [f64; 3] {
    let card = CARDS[0];
    [card.numbers.registers, 0.579, 1.41].map(|kappa| {
        let numbers = Numbers { registers: kappa, ..card.numbers };
        let card = Card { numbers, ..card };
        let demand = Demand { arithmetic: 17, registers, ..Demand::default() };
        card.cycles(&demand).instructions / card.device.pipelines
    })
}
