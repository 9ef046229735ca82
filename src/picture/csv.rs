//! Comma-separated values.

/// A field of CSV, quoted if necessary.
pub fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The fields of each line.
#[cfg(feature = "plot")]
pub(crate) fn lines(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut field, mut is_quoted) = (vec![], vec![], String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => line.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            _ => field.push(letter),
        }
    }
    lines
}

#[cfg(all(test, feature = "plot"))]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_are_written() {
        let fields = ["plain", "with, a comma", "\"quoted\"", "two\nlines", ""];
        let line = fields.map(field).join(",") + "\n";
        assert_eq!(lines(&line.repeat(2)), vec![fields.map(String::from).to_vec(); 2]);
    }
}
