//! Results as text: the same names and numbers as with `--json`.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::base::columns::{aligned, record};
use crate::base::number::full;
use crate::io::names::shown;

/// Entries of a list that are printed at its start and at its end.
const HALF: usize = 5;

/// A record as lines of names and values. A list of records is a table of at most this width.
pub fn text(result: &Value, width: usize) -> String {
    let Value::Object(fields) = result else {
        return inline(result) + "\n";
    };
    let is_empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let fields = || fields.iter().filter(|(_, value)| !is_empty(value));
    let lines = || fields().filter(|(_, value)| records(value).is_none());
    let names = lines().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    for (name, value) in lines() {
        let _ = writeln!(text, "{:names$}{}", words(name), named(name, value));
    }
    for (_, value) in fields() {
        if let Some(records) = records(value) {
            text += &table(&records, width);
        }
    }
    text
}

/// The records of a list that contains nothing else.
fn records(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    let list = value.as_array().filter(|list| !list.is_empty())?;
    list.iter().map(Value::as_object).collect()
}

/// Records below the names of their fields: text to the left, numbers to the right.
fn table(records: &[&Map<String, Value>], width: usize) -> String {
    let headings: Vec<String> = records[0].keys().map(|name| words(name)).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cells = |record: &&Map<String, Value>| {
        record.iter().map(|(name, value)| named(name, value)).collect()
    };
    let rows = records.iter().map(cells).collect();
    let is_text = |column| records[0].values().nth(column).is_some_and(Value::is_string);
    aligned(&headings, rows, is_text, width)
}

/// Smallest width of a column of a table that is printed row by row.
const COLUMN: usize = 9;

/// A row of a table that is printed row by row, below the headings if it is the first one. If the headings are wider
/// than `width`, each row is a paragraph of names and values.
pub fn row(fields: &Map<String, Value>, is_first: bool, width: usize) -> String {
    let headings: Vec<String> = fields.keys().map(|name| words(name)).collect();
    let cells: Vec<String> = fields.iter().map(|(name, value)| named(name, value)).collect();
    let spread = |cells: &[String]| {
        let cells = headings.iter().zip(cells).map(|(heading, cell)| {
            let width = heading.len().max(COLUMN);
            format!("{cell:>width$}")
        });
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    let head = spread(&headings);
    if head.len() > width {
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        return record(&headings, &cells, false, width);
    }
    if is_first { head + &spread(&cells) } else { spread(&cells) }
}

/// The value of a field on one line: a size as `--size` takes it.
fn named(name: &str, value: &Value) -> String {
    match value.as_array() {
        Some(sides) if name == "size" => {
            sides.iter().map(Value::to_string).collect::<Vec<_>>().join("x")
        }
        _ => inline(value),
    }
}

/// A value on one line.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(value) => match value.as_f64() {
            Some(float) if value.is_f64() => full(float),
            _ => value.to_string(),
        },
        Value::String(text) => shown(text).into_owned(),
        Value::Array(list) => {
            let mut entries: Vec<String> = list.iter().map(entry).collect();
            if entries.len() > 2 * HALF {
                entries.splice(HALF..entries.len() - HALF, ["…".to_owned()]);
            }
            entries.join(", ")
        }
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            let fields = fields.map(|(name, value)| format!("{} {}", words(name), inline(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
    }
}

/// An entry of a list; one that is a list itself is `7: 0.25`.
fn entry(value: &Value) -> String {
    match value.as_array() {
        Some(list) => list.iter().map(inline).collect::<Vec<_>>().join(": "),
        None => inline(value),
    }
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_is_lines_and_a_list_of_records_a_table() {
        let result = json!({
            "norm_b": 0.25, "steps": 12, "nothing": null, "seconds": {"set_up": 0.5, "solve": 1e-9},
            "rows": [{"step": 1, "drag": 2.5}, {"step": 100, "drag": 12345.67}],
        });
        let expected = "norm b   0.25\nsteps    12\nseconds  set up 0.5, solve 1.000e-9\n\
                        step     drag\n   1      2.5\n 100  12345.7\n";
        assert_eq!(text(&result, 80), expected);
        let narrow = row(result["rows"][1].as_object().unwrap(), true, 12);
        assert_eq!(narrow, "step 100,\n    drag\n    12345.7\n");
    }

    #[test]
    fn long_lists_have_a_gap_and_numbers_six_digits() {
        let list = Value::from((0..12).collect::<Vec<i32>>());
        assert_eq!(inline(&list), "0, 1, 2, 3, 4, …, 7, 8, 9, 10, 11");
        assert_eq!(inline(&json!([[0, 8.0], [2, 0.5]])), "0: 8, 2: 0.5");
        let texts = [0.1 + 0.2, -20.0, 12345678.0, 0.0, 2.0 / 3.0].map(|x| inline(&json!(x)));
        assert_eq!(texts, ["0.3", "-20", "1.235e7", "0", "0.666667"]);
    }
}
