//! The record of a run: what it found, by name.

use serde::Serialize;
use serde_json::{Map, Value, json};

pub use crate::base::expression::Quantity;
use crate::base::nearest::suggestion;
use crate::base::table::{Table, read_csv};
use crate::card::cost::{CARDS, bill};
use crate::settings::Flat;
use crate::stream::Ledger;

/// A picture of a run.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Name of the view.
    pub name: String,
    /// Caption: a sentence about its contents.
    pub caption: String,
    /// A PNG file; empty for a chart.
    pub png: Vec<u8>,
    /// An SVG file; empty for a picture in pixels.
    pub svg: String,
    /// The numbers in it, as CSV.
    pub csv: String,
}

/// The results of a run, by name. A name has letters, digits and `_`; a dot separates parts, as in `waited.seconds.product`.
///
/// All records have the settings as `settings.size`, …, and those of a run on the machine its work: `passes`, `fragments`,
/// `fetches`, `instructions`, `switches` (of the target; of its buffer, `switches.buffer`), `waits`, `bytes` (fetched and written), and the seconds of a card of 2003 by its
/// model as `model.geforce_fx_5900_ultra`, ….
#[derive(Clone, Debug, Default)]
pub struct Record {
    quantities: Vec<(String, Quantity)>,
    texts: Vec<(String, String)>,
    /// Pictures and charts.
    pub pictures: Vec<Picture>,
    /// Tables, by name.
    pub tables: Vec<(String, Table)>,
}

/// Names of the work in a record.
const WORK: [&str; 8] = [
    "passes",
    "fragments",
    "fetches",
    "instructions",
    "switches",
    "switches.buffer",
    "waits",
    "bytes",
];

/// Names of the work in a record, and of its seconds on the cards of 2003.
pub(super) fn work_names() -> impl Iterator<Item = String> {
    let cards = CARDS.iter().map(|card| model_name(card.device.name));
    WORK.iter().map(|&name| name.to_owned()).chain(cards)
}

/// The name of the seconds on a card.
fn model_name(card: &str) -> String {
    format!("model.{}", card.to_lowercase().replace(' ', "_"))
}

impl Record {
    /// An empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// A record of these numbers.
    pub fn numbers<const N: usize>(all: [(&str, f64); N]) -> Self {
        let mut record = Self::new();
        all.into_iter().for_each(|(name, number)| record.one(name, number));
        record
    }

    /// Adds a number.
    pub fn one(&mut self, name: impl Into<String>, number: impl Into<f64>) {
        self.quantities.push((name.into(), Quantity::One(number.into())));
    }

    /// Adds a number for each step, cycle, size or round.
    pub fn each(&mut self, name: impl Into<String>, numbers: impl IntoIterator<Item = f64>) {
        self.quantities.push((name.into(), Quantity::Each(numbers.into_iter().collect())));
    }

    /// Adds a text.
    pub fn text(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.texts.push((name.into(), text.into()));
    }

    /// Adds a picture, as a PNG file.
    pub fn picture(&mut self, name: impl Into<String>, caption: impl Into<String>, png: Vec<u8>) {
        let (name, caption) = (name.into(), caption.into());
        self.pictures.push(Picture { name, caption, png, ..Picture::default() });
    }

    /// Adds a chart, as an SVG file, with its numbers as CSV.
    pub fn chart(&mut self, name: &str, caption: &str, svg: String, csv: String) {
        let (name, caption) = (name.to_owned(), caption.to_owned());
        self.pictures.push(Picture { name, caption, svg, csv, ..Picture::default() });
    }

    /// Adds the numbers of the last picture, as CSV.
    pub fn numbers_of_last(&mut self, csv: String) {
        if let Some(last) = self.pictures.last_mut() {
            last.csv = csv;
        }
    }

    /// Adds a table.
    pub fn table(&mut self, name: &str, table: Table) {
        self.tables.push((name.to_owned(), table));
    }

    /// The numbers that a paper prints: the columns `id` and `value` of a CSV.
    ///
    /// # Errors
    /// A column that is not there; a line without a number, or with a name that another has.
    pub fn printed(csv: &str) -> Result<Self, String> {
        let (mut record, rows) = (Self::new(), read_csv(csv));
        let place = |name: &str| {
            let found = rows.first().and_then(|head| head.iter().position(|cell| cell == name));
            found.ok_or_else(|| format!("no column {name}: it needs the columns id and value"))
        };
        let (id, value) = (place("id")?, place("value")?);
        for (number, row) in (1..).zip(&rows).skip(1) {
            let cell = |at: usize| row.get(at).map_or("", |cell| cell.as_str());
            let (id, value) = (cell(id), cell(value));
            let Ok(one) = value.parse::<f64>() else {
                let what = "is no number: write digits and a point, as in 12.3";
                return Err(format!("line {number}: “{value}” {what}"));
            };
            if record.quantities.iter().any(|(known, _)| known == id) {
                return Err(format!("line {number}: a second number is called {id}: rename one"));
            }
            record.one(id, one);
        }
        Ok(record)
    }

    /// The record of a serialisable result, and the work that it took.
    pub fn of(result: &impl Serialize, ledger: &Ledger) -> Self {
        let mut record = Self::new();
        record.result("", &json!(result));
        record.ledger("", ledger);
        record
    }

    /// Adds the settings.
    pub(crate) fn settings(&mut self, settings: &Flat) {
        self.result("settings", &Value::Object(settings.clone()));
    }

    /// Adds the work of a ledger, its names after those of a part.
    pub fn ledger(&mut self, part: &str, ledger: &Ledger) {
        let (bill, named) = (bill(ledger), |name: &str| under(part, name));
        let total = bill.total();
        let counts = [
            total.done.passes as f64,
            total.done.fragments as f64,
            total.done.fetches as f64,
            bill.instructions(),
            ledger.target_switches as f64,
            ledger.buffer_switches as f64,
            ledger.finishes as f64,
            total.done.bytes() as f64,
        ];
        WORK.iter().zip(counts).for_each(|(name, count)| self.one(named(name), count));
        for card in &CARDS {
            if let Ok(seconds) = card.seconds(ledger) {
                self.one(named(&model_name(card.device.name)), seconds);
            }
        }
    }

    /// Divides all its numbers by this one, such as the number of runs that they are of.
    #[cfg(feature = "plot")]
    pub(crate) fn per(&mut self, runs: f64) {
        for (_, quantity) in &mut self.quantities {
            match quantity {
                Quantity::One(one) => *one /= runs,
                Quantity::Each(each) => each.iter_mut().for_each(|one| *one /= runs),
            }
        }
    }

    /// Adds all numbers, truths (as 0 or 1) and texts of a serialised result.
    pub fn result(&mut self, part: &str, value: &Value) {
        match value {
            Value::Number(number) => self.one(part, number.as_f64().unwrap_or(f64::NAN)),
            Value::Bool(holds) => self.one(part, f64::from(u8::from(*holds))),
            Value::String(text) => self.text(part, &**text),
            Value::Object(all) => {
                all.iter().for_each(|(name, value)| self.result(&under(part, name), value));
            }
            Value::Array(all) if all.iter().all(Value::is_number) => {
                self.each(part, all.iter().filter_map(Value::as_f64));
            }
            // Of records with the same fields, each field is a series.
            Value::Array(all) => {
                for (name, value) in all.first().and_then(Value::as_object).into_iter().flatten() {
                    if value.is_number() || value.is_null() {
                        let numbers = all.iter().map(|one| one[name].as_f64().unwrap_or(f64::NAN));
                        self.each(under(part, name), numbers.collect::<Vec<_>>());
                    }
                }
            }
            Value::Null => {}
        }
    }

    /// Adds columns of numbers below a heading, as CSV; cells that are no numbers are NaN.
    pub fn columns(&mut self, lines: &[String]) {
        let Some((heading, rows)) = lines.split_first() else { return };
        for (place, name) in heading.split(',').enumerate() {
            let cell = |row: &String| row.split(',').nth(place)?.parse().ok();
            self.each(name, rows.iter().map(|row| cell(row).unwrap_or(f64::NAN)));
        }
    }

    /// The numbers of a name, of which there may be one.
    ///
    /// # Errors
    /// The names that there are, and the nearest of them.
    pub fn all(&self, name: &str) -> Result<&[f64], String> {
        let found = self.quantities.iter().find(|(known, _)| known == name);
        match found.map(|(_, quantity)| quantity) {
            Some(Quantity::One(one)) => Ok(std::slice::from_ref(one)),
            Some(Quantity::Each(each)) => Ok(each),
            None => {
                let names: Vec<&str> = self.names().collect();
                let near = suggestion(name, &names);
                Err(format!("the record has no {name}: {near}there are {}", names.join(", ")))
            }
        }
    }

    /// The number of a name; of several, the last.
    ///
    /// # Errors
    /// As those of [`Self::all`].
    pub fn last(&self, name: &str) -> Result<f64, String> {
        Ok(self.all(name)?.last().copied().unwrap_or(f64::NAN))
    }

    /// The quantity of a name. Of a name that others continue after a dot, the series of these in their order.
    pub fn quantity(&self, name: &str) -> Result<Quantity, String> {
        let is_part =
            |known: &str| known.strip_prefix(name).is_some_and(|end| end.starts_with('.'));
        match self.all(name) {
            Ok([one]) => Ok(Quantity::One(*one)),
            Ok(all) => Ok(Quantity::Each(all.to_vec())),
            Err(what) if !self.names().any(is_part) => Err(what),
            Err(_) => {
                let parts = self.names().filter(|known| is_part(known));
                Ok(Quantity::Each(parts.map(|part| self.last(part)).collect::<Result<_, _>>()?))
            }
        }
    }

    /// The text of a name.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(known, _)| known == name).map(|(_, text)| &**text)
    }

    /// All names of numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.quantities.iter().map(|(name, _)| &**name)
    }

    /// All of another record, its names after that of a part.
    pub fn take(&mut self, part: &str, other: Self) {
        let named = |(name, one): (String, Quantity)| (under(part, &name), one);
        self.quantities.extend(other.quantities.into_iter().map(named));
        let named = |(name, text): (String, String)| (under(part, &name), text);
        self.texts.extend(other.texts.into_iter().map(named));
        self.pictures.extend(other.pictures);
        self.tables.extend(other.tables);
    }

    /// As JSON: numbers, lists of numbers, and texts by name.
    pub fn json(&self) -> Value {
        let number = |(name, quantity): &(String, Quantity)| match quantity {
            Quantity::One(one) => (name.clone(), json!(one)),
            Quantity::Each(each) => (name.clone(), json!(each)),
        };
        let texts = self.texts.iter().map(|(name, text)| (name.clone(), json!(text)));
        Value::Object(self.quantities.iter().map(number).chain(texts).collect::<Map<_, _>>())
    }
}

/// A name after that of a part.
fn under(part: &str, name: &str) -> String {
    if part.is_empty() { name.to_owned() } else { format!("{part}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_have_names_of_their_own() {
        let printed = Record::printed("id,value,words\na,1.5,\"about, or so\"\nb,2,\n").unwrap();
        assert_eq!([printed.last("a"), printed.last("b")], [Ok(1.5), Ok(2.0)]);
        for (csv, says) in [
            ("id\na\n", "no column value"),
            ("id,value\na,\n", "line 2: “” is no number"),
            ("id,value\na,1\na,2\n", "line 3: a second number is called a"),
        ] {
            let error = Record::printed(csv).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn numbers_are_found_by_name_and_others_are_refused_with_the_nearest() {
        let mut record = Record::new();
        record.result("solve", &json!({ "cycles": 3, "history": [1.0, 0.5], "reason": "rtol" }));
        record.columns(&["step,residual".to_owned(), "1,0.5".to_owned(), "2,-".to_owned()]);
        assert_eq!(record.last("solve.cycles"), Ok(3.0));
        assert_eq!(record.all("solve.history").unwrap(), [1.0, 0.5]);
        assert_eq!(record.text_of("solve.reason"), Some("rtol"));
        assert!(record.all("residual").unwrap()[1].is_nan());
        assert_eq!(record.quantity("solve"), Ok(Quantity::Each(vec![3.0, 0.5])));
        assert_eq!(record.quantity("solve.cycles"), Ok(Quantity::One(3.0)));
        let error = record.all("solve.cycle").unwrap_err();
        assert!(error.contains("solve.cycles"), "{error}");
        let mut both = Record::new();
        both.take("first", record);
        assert_eq!(both.json()["first.solve.cycles"], 3.0);
    }
}
