//! Hand-written text does not repeat numbers that the report of the same paper has measured, because the next run would
//! contradict it. The generator fills such a number in (`src/papers/pages.rs`), or the text does without it. A number that
//! only looks like a measured one has a reason in front of it: `<!--! printed in the paper -->1.34`.

use std::fs;

use fragstream::papers::PAPERS;
use fragstream::papers::pages::report;

use crate::claim::readme::root;

/// Number of digits from which on a number is hardly equal to another by chance.
const DIGITS: usize = 3;

/// A measured number with its unit. Integers are counted.
struct Measured {
    claim: String,
    value: f64,
    unit: String,
}

/// The numbers that a report has measured for a paper, ends of intervals included.
fn measured(paper: &str) -> Vec<Measured> {
    let entries = report(&root().join("figures")).expect("a report").claims;
    let mut all = Vec::new();
    for entry in entries.iter().filter(|entry| entry.id.split('/').next() == Some(paper)) {
        for one in &entry.values {
            let fragstream::claim::Measured::Number(interval) = one.measured else {
                continue;
            };
            let numbers = [interval.median, interval.low, interval.high].into_iter();
            all.extend(numbers.filter(|value| value.fract() != 0.0).map(|value| Measured {
                claim: entry.id.clone(),
                value,
                unit: one.unit.to_string(),
            }));
        }
    }
    all
}

/// A number in a text: its digits, and what follows.
fn numbers(text: &str) -> Vec<(&str, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(place) = text[at..].find(|c: char| c.is_ascii_digit()).map(|place| at + place) {
        let rest = &text[place..];
        let mut end = digits(rest);
        while end <= 7 && rest[end..].starts_with(' ') && digits(&rest[end + 1..]) == 3 {
            end += 4;
        }
        for sign in [".", "e-", "e"] {
            let more = rest[end..].strip_prefix(sign).map_or(0, digits);
            end += if more > 0 { sign.len() + more } else { 0 };
        }
        let before = text[..place].chars().last().unwrap_or(' ');
        if !before.is_alphanumeric() && !"./-×".contains(before) {
            numbers.push((&rest[..end], &rest[end..]));
        }
        at = place + end;
    }
    numbers
}

/// Tests whether a written number is this measured one, rounded.
fn is_rounded(written: &str, after: &str, measured: &Measured) -> bool {
    const SYMBOLS: [&str; 9] = ["%", "s", "ms", "µs", "ns", "MB", "GB", "²", "³"];
    let written = written.replace(' ', "");
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let digits = mantissa.replace('.', "");
    let follows = after.trim_start().split([' ', '\n', ',', '.', ';', ':', ')', '|']).next();
    let follows = follows.filter(|unit| SYMBOLS.contains(unit)).unwrap_or_default();
    let factor = match (measured.unit.as_str(), follows) {
        (unit, follows) if unit == follows => 1.0,
        ("", "%") => 100.0,
        ("s", "ms") | ("GB", "MB") => 1e3,
        ("s", "µs") => 1e6,
        ("s", "ns") => 1e9,
        (unit, "") if !SYMBOLS.contains(&unit) => 1.0,
        _ => return false,
    };
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let last = 10_f64.powi(exponent.parse::<i32>().expect("an exponent") - decimals as i32);
    let value: f64 = written.parse().expect("a number");
    digits.trim_start_matches('0').len() >= DIGITS
        && (value - factor * measured.value).abs() <= 0.5 * last
}

/// A text without what is between these marks.
fn without(mut text: &str, open: &str, close: &str) -> String {
    let mut kept = String::new();
    while let Some((before, rest)) = text.split_once(open) {
        kept = kept + before + " ` ";
        text = rest.split_once(close).map_or("", |(_, after)| after);
    }
    kept + text
}

/// The hand-written text of a page, without numbers that the generator fills in, and without exceptions.
fn hand_written(page: &str) -> String {
    let marks = [("<!-- ", "<!-- end of "), ("```", "```"), ("“", "”"), ("<!--= ", "<!--/-->")];
    let text =
        marks.iter().fold(page.to_owned(), |text, (open, close)| without(&text, open, close));
    let mut parts = text.split("<!--! ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let excepted = part.split_once("-->").map_or("", |(_, rest)| rest);
        text + excepted.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
    })
}

#[test]
fn hand_written_text_does_not_repeat_what_the_report_has_measured() {
    let (mut copies, mut filled_in) = (Vec::new(), 0);
    for paper in PAPERS {
        let name = format!("figures/{}/README.md", paper.id);
        let page = fs::read_to_string(root().join(&name)).expect("a page");
        // There a comment would begin a block of HTML, and end the paragraph.
        let begins = page.lines().find(|line| line.trim_start().starts_with("<!--= "));
        assert_eq!(begins, None, "{name}: a line begins with a placeholder");
        let measured = measured(paper.id);
        let found = |text: &str| -> Vec<String> {
            let numbers = numbers(text).into_iter().filter_map(|(written, after)| {
                let of = measured.iter().find(|measured| is_rounded(written, after, measured));
                of.map(|of| format!("{name}: {written} is measured by {}", of.claim))
            });
            numbers.collect()
        };
        filled_in += found(&page).len();
        copies.extend(found(&hand_written(&page)));
    }
    assert!(filled_in > 500, "{filled_in} numbers of the generated parts are recognised");
    assert!(copies.is_empty(), "fill these in, or leave them out:\n{}", copies.join("\n"));
}
