//! Numbers as text, for readers.

/// A positive or negative number with at least this number of digits.
fn with_digits(value: f64, digits: i32) -> String {
    let before = value.abs().log10().floor() as i32;
    format!("{value:.*}", usize::try_from(digits - 1 - before).unwrap_or(0))
}

/// The text without zeros at the end of a fraction.
fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with three digits: integers unchanged, 1e-5 instead of many zeros.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == value.trunc() && size < 1e9 {
        return format!("{value}");
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{value:.1e}");
    }
    with_digits(value, 3)
}

/// A number with at most six digits.
pub fn full(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => trimmed(with_digits(value, 6)),
        _ => format!("{value:.3e}"),
    }
}

/// A number as people write it: `0.05`, `1250`, `37 000`, and `3·10^−7` for very large or small ones.
pub fn written(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e7).contains(&size) {
        return power_of_ten(value);
    }
    // Three digits are enough, except for integers, which keep all of theirs.
    let plain = trimmed(with_digits(size, 3));
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}", grouped(&plain))
}

/// An integer of at least five digits in groups of three; other texts are unchanged.
fn grouped(plain: &str) -> String {
    if plain.contains('.') || plain.len() < 5 {
        return plain.to_owned();
    }
    let mut text = String::new();
    for (place, digit) in plain.chars().enumerate() {
        if place > 0 && (plain.len() - place).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// `10⁻⁷`, `3·10⁻⁷`
fn power_of_ten(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = mantissa.trim_end_matches(".0").replace('-', "−");
    let raised = |character: char| match character.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    let raised: String = exponent.chars().map(raised).collect();
    match mantissa.as_str() {
        "1" => format!("10{raised}"),
        mantissa => format!("{mantissa}·10{raised}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let texts = [1.0, 0.0884, 1.0749, 12.34, 246.8, 1e-7, 28749.0, 0.35e-3].map(short);
        assert_eq!(texts, ["1", "0.0884", "1.07", "12.3", "247", "1.0e-7", "28749", "3.5e-4"]);
    }

    #[test]
    fn numbers_are_written_as_readers_write_them() {
        for (value, text) in [
            (0.0, "0"),
            (0.05, "0.05"),
            (1.0, "1"),
            (2.54, "2.54"),
            (-40.0, "−40"),
            (1250.0, "1250"),
            (15_384.0, "15\u{a0}384"),
            (1e-7, "10⁻⁷"),
            (3e9, "3·10⁹"),
            (0.9999, "1"),
        ] {
            assert_eq!(written(value), text);
        }
    }
}
