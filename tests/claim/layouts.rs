//! The factors of `figures/layouts/README.md` follow from the table next to it. The comment in front of a factor is its
//! formula: `<!--= run.seconds rows/quarters box,grid 30000 -->1.6 to 4.7` is the smallest and the largest quotient of two
//! layouts over matrices of these families, from 30 000 rows on (two numbers: the first and the last). `fastest` is the
//! fastest layout in textures; ± takes the larger of a quotient and its inverse, and rounds it up.

use std::collections::BTreeMap;
use std::fs;

use crate::claim::readme::root;

/// A column's values for a layout, by the family and the number of rows.
fn values<'a>(table: &'a str, column: &str, layout: &str) -> BTreeMap<(&'a str, u32), f64> {
    let cells = |line: &'a str| {
        let mut is_quoted = false;
        let ends = move |c: char| {
            is_quoted ^= c == '"';
            c == ',' && !is_quoted
        };
        line.split(ends).map(|cell| cell.trim_matches('"')).collect::<Vec<_>>()
    };
    let mut lines = table.lines().map(cells);
    let is_column = |name: &&str| name.replace(' ', "") == column;
    let at = lines.next().and_then(|head| head.iter().position(is_column)).expect(column);
    let mut values = BTreeMap::new();
    for line in lines {
        let is_meant = match layout {
            "fastest" => !line[3].starts_with("CSR"),
            _ => line[3].replace(' ', "") == layout,
        };
        if let (true, Ok(value)) = (is_meant, line[at].parse::<f64>()) {
            let (family, rest) = line[0].split_once(": ").expect("a title");
            let rows = rest.split(' ').next().and_then(|rows| rows.parse().ok()).expect("rows");
            let least: &mut f64 = values.entry((family, rows)).or_insert(value);
            *least = least.min(value);
        }
    }
    values
}

#[test]
fn the_factors_of_the_page_of_layouts_are_those_of_its_table() {
    let read = |name| fs::read_to_string(root().join("figures/layouts").join(name)).expect(name);
    let (table, page) = (read("families.csv"), read("README.md"));
    let digits = |value: f64| format!("{value:.*}", usize::from(value < 9.95));
    for part in page.split("<!--= ").skip(1) {
        let (formula, text) = part.split_once(" -->").expect("an end");
        let mut words = formula.split(' ');
        let mut word = || words.next().expect(formula);
        let (column, quotient, families) = (word(), word(), word());
        let rows: Vec<u32> = words.map(|rows| rows.parse().expect(formula)).collect();
        let (a, b) = quotient.trim_start_matches('±').split_once('/').expect(formula);
        let (of, b) = if b == "useful" { ("useful_bytes", a) } else { (column, b) };
        let (a, b) = (values(&table, column, a), values(&table, of, b));
        let is_meant = |(family, n): &(&str, u32)| {
            let is_family = families.split(',').any(|one| one == *family);
            is_family && rows[0] <= *n && rows.get(1).is_none_or(|last| n <= last)
        };
        let meant = a.into_iter().filter(|(key, _)| is_meant(key));
        let quotients = meant.filter_map(|(key, a)| Some(a / b.get(&key)?));
        let [low, high] =
            quotients.fold([f64::MAX, 0.0], |[low, high], q| [q.min(low), q.max(high)]);
        let expected = match [low, high].map(digits) {
            _ if quotient.starts_with('±') => digits((10.0 * high.max(1.0 / low)).ceil() / 10.0),
            [low, high] if low == high => low,
            [low, high] => format!("{low} to {high}"),
        };
        let text: String = text.chars().take(20).collect();
        let is_there =
            ["\n", " ", ",", ". "].map(|end| text.starts_with(&format!("{expected}{end}")));
        assert!(is_there.contains(&true), "{formula}: {expected}, not {text}");
    }
    assert!(page.matches("<!--= ").count() > 40);
}
