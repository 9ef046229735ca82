//! The record of a run: what it found, by name.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::base::nearest::suggestion;
use crate::card::cost::{CARDS, bill};
use crate::settings::Flat;
use crate::stream::Ledger;

/// Numbers of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// One.
    One(f64),
    /// One for each step, cycle, size or round.
    Each(Vec<f64>),
}

/// A picture of a run.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Name of the view.
    pub name: String,
    /// Caption: a sentence about its contents.
    pub caption: String,
    /// A PNG file.
    pub png: Vec<u8>,
}

/// The results of a run, by name. A name has letters, digits and `_`; a dot separates parts, as in `waited.seconds.product`.
///
/// All records have the settings as `settings.size`, …, and those of a run on the machine its work: `passes`, `fetches`,
/// `instructions`, `switches` (of the target; of its buffer, `switches.buffer`), `waits`, `bytes` (fetched and written), and the seconds of a card of 2003 by its
/// model as `model.geforce_fx_5900_ultra`, ….
#[derive(Clone, Debug, Default)]
pub struct Record {
    quantities: Vec<(String, Quantity)>,
    texts: Vec<(String, String)>,
    /// Pictures.
    pub pictures: Vec<Picture>,
}

impl Record {
    /// An empty record.
    pub fn new() -> Self {
        Self::default()
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
        self.pictures.push(Picture { name: name.into(), caption: caption.into(), png });
    }

    /// The record of a serialisable result, and the work that it took.
    pub fn of(result: &impl Serialize, ledger: &Ledger) -> Self {
        let mut record = Self::new();
        record.result("", &json!(result));
        record.ledger("", ledger);
        record
    }

    /// Adds the settings.
    pub(super) fn settings(&mut self, settings: &Flat) {
        self.result("settings", &Value::Object(settings.clone()));
    }

    /// Adds the work of a ledger, its names after those of a part.
    pub fn ledger(&mut self, part: &str, ledger: &Ledger) {
        let (bill, named) = (bill(ledger), |name: &str| under(part, name));
        let total = bill.total();
        let counts = [
            ("passes", total.done.passes as f64),
            ("fetches", total.done.fetches as f64),
            ("instructions", bill.instructions()),
            ("switches", ledger.target_switches as f64),
            ("switches.buffer", ledger.buffer_switches as f64),
            ("waits", ledger.finishes as f64),
            ("bytes", total.done.bytes() as f64),
        ];
        counts.into_iter().for_each(|(name, count)| self.one(named(name), count));
        for card in &CARDS {
            if let Ok(seconds) = card.seconds(ledger) {
                let name = card.device.name.to_lowercase().replace(' ', "_");
                self.one(named(&format!("model.{name}")), seconds);
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
    fn numbers_are_found_by_name_and_others_are_refused_with_the_nearest() {
        let mut record = Record::new();
        record.result("solve", &json!({ "cycles": 3, "history": [1.0, 0.5], "reason": "rtol" }));
        record.columns(&["step,residual".to_owned(), "1,0.5".to_owned(), "2,-".to_owned()]);
        assert_eq!(record.last("solve.cycles"), Ok(3.0));
        assert_eq!(record.all("solve.history").unwrap(), [1.0, 0.5]);
        assert_eq!(record.text_of("solve.reason"), Some("rtol"));
        assert!(record.all("residual").unwrap()[1].is_nan());
        let error = record.all("solve.cycle").unwrap_err();
        assert!(error.contains("solve.cycles"), "{error}");
        let mut both = Record::new();
        both.take("first", record);
        assert_eq!(both.json()["first.solve.cycles"], 3.0);
    }
}
