//! A line of a row, `label: expression [unit] condition`. A range is written as `least to most`.
//!
//! | condition | meaning |
//! |---|---|
//! | `= p` | the paper's ratio, within the range of the report |
//! | `> 1`, `< 1` | a direction without a printed number |
//! | `in a to b`, `<= c`, `>= c` | a range, both ends included |
//! | `meets p` | a curve: it meets this ratio, and is on its side of 1 everywhere |
//! | `== n` | this number exactly |
//! | `is 'text'` | this text |
//! | none | shown, not judged |
//!
//! With `over a..b` before its condition a line is of all values of the row's sweep between these, from the smallest to the
//! largest result. A label may name a setting, as in `at {slow.settings.size}`.
//!
//! `a to b` in the place of an expression is a range, such as a curve from its smallest to its largest value.

use serde_json::Value;

use super::file::{Ordered, Shared, Source, Text, kept};
use super::numbers::Numbers;
use super::{BoxedError, How, Named, Printed};
use crate::base::expression::{Expression, Quantity};
use crate::base::interval::range;
use crate::base::nearest::suggestion;
use crate::experiment::swept;

/// What the lines of a row may name.
pub struct Reading<'r> {
    pub source: &'r Source<'r>,
    pub shared: &'r Shared,
    pub experiments: &'r [Named],
    /// Quantities that works have besides those of their ledgers.
    pub also: [Option<&'static str>; 2],
    pub printed: &'r Numbers,
    /// Further options in full mode of the lines whose names begin so.
    pub full: &'r [(String, String)],
    /// The row has a sweep.
    pub is_swept: bool,
}

/// A part of a row's sweep, from the smallest to the largest value; none for the row's own value.
pub type Part = Option<[f64; 2]>;

/// All of a sweep.
pub const ALL: Part = Some([f64::NEG_INFINITY, f64::INFINITY]);

/// A value of a row.
#[derive(Debug)]
pub struct Line {
    pub id: String,
    /// The label as written; settings in braces are those of what runs.
    pub label: String,
    /// The label with the settings in full mode.
    pub full_label: String,
    pub expression: Expression,
    /// Further values of a range, which goes from the smallest to the largest.
    pub further: Vec<Expression>,
    pub over: Part,
    pub unit: String,
    pub condition: Condition,
    /// The condition as written; empty for a value that is shown.
    pub condition_text: String,
    /// The value in the model, where it does not follow from a race.
    pub on_card: Option<Expression>,
    /// The same on this device, where the verdict has another basis.
    pub here: Option<Here>,
}

/// A value on this device.
#[derive(Debug)]
pub struct Here {
    pub label: String,
    pub expression: Expression,
    pub over: Part,
}

impl Line {
    /// Its values: several for a range.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        [&self.expression].into_iter().chain(&self.further)
    }
}

/// A condition of a value.
#[derive(Clone, Debug)]
pub enum Condition {
    Shown,
    Printed(Printed),
    AtMost(Expression),
    AtLeast(Expression),
    Between([Expression; 2]),
    Equal(Expression),
    Meets(Expression),
    Is(String),
}

/// The conditions, for a message.
const CONDITIONS: &str =
    "a condition is one of = p, > 1, < 1, in a to b, <= c, >= c, == n, meets p, is 'text'";

impl Reading<'_> {
    /// Checks that a name is there.
    fn check(&self, name: &str) -> Result<(), String> {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        if first == "printed" {
            return self.printed.record.quantity(rest).map(drop);
        }
        let Some(named) = self.experiments.iter().find(|named| named.name == first) else {
            let names = self.experiments.iter().map(|named| &*named.name).chain(["printed"]);
            let names: Vec<&str> = names.collect();
            let near = suggestion(first, &names);
            return Err(format!(
                "nothing is called {first} in this row: {near}there are {}",
                names.join(", ")
            ));
        };
        let (subject, known) = (named.subject, named.subject.quantities());
        // A word of a sweep names one of its experiments.
        let (word, of_word) = rest.split_once('.').unwrap_or((rest, ""));
        let rest = if named.words.iter().any(|known| known == word) { of_word } else { rest };
        let is_known = |known: &String| {
            known.strip_prefix(rest).is_some_and(|end| end.is_empty() || end.starts_with('.'))
        };
        let has_setting = |name: &str| subject.fields().iter().any(|field| field.name() == name);
        match rest.strip_prefix("settings.") {
            _ if rest.is_empty() && named.how == How::Race => Ok(()),
            None if named.how == How::Race && self.also.contains(&Some(rest)) => Ok(()),
            _ if rest.is_empty() => {
                Err(format!("name a quantity of {first}, as in {first}.passes"))
            }
            Some(setting) if has_setting(setting) => Ok(()),
            None if known.is_empty() || known.iter().any(is_known) => Ok(()),
            _ => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let (near, all) = (suggestion(rest, &known), known.join(", "));
                Err(format!("{} has no quantity {rest}: {near}there are {all}", subject.command()))
            }
        }
    }

    /// The setting that a label names, in full mode.
    fn setting(&self, name: &str) -> Option<String> {
        let (first, setting) = name.split_once(".settings.")?;
        let named = self.experiments.iter().find(|named| named.name == first)?;
        let mut one = super::experiment(named.subject, &swept(&named.line).swap_remove(0)).ok()?;
        let full = self.full.iter().filter(|(name, _)| named.name.starts_with(name));
        full.for_each(|(_, line)| drop(one.given(line)));
        Some(in_words(one.settings().get(setting)?))
    }

    /// The expressions of a text, for a word in the place of its list.
    pub fn expression(&self, of: &Text, [list, word]: [&str; 2]) -> Result<Expression, BoxedError> {
        let mut scan = Scan { reading: self, of, text: with(of.get_ref(), [list, word]), at: 0 };
        let found = scan.expression()?;
        scan.end("an expression ends here")?;
        Ok(found)
    }
}

/// A text with a word in the place of its list.
pub fn with(text: &str, [list, word]: [&str; 2]) -> String {
    if list.is_empty() { text.to_owned() } else { text.replace(&format!("{{{list}}}"), word) }
}

/// A label with the words of the settings that it names in braces.
pub fn filled(label: &str, setting: impl Fn(&str) -> Option<String>) -> String {
    let (mut filled, mut rest) = (String::new(), label);
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        filled += before;
        filled += &setting(name).unwrap_or_else(|| format!("{{{name}}}"));
        rest = after;
    }
    filled + rest
}

/// A setting in a label: that of a square grid as `65²`.
pub fn in_words(setting: &Value) -> String {
    let text = setting.as_str().map_or_else(|| setting.to_string(), str::to_owned);
    match text.split_once('x') {
        Some((columns, rows)) if columns == rows => format!("{columns}²"),
        _ => text,
    }
}

/// A range of a setting, `least..most` with both ends, one or none, or a single value.
pub fn ends(text: &str) -> Option<[f64; 2]> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let end = |text: &str, open: f64| if text.is_empty() { Some(open) } else { text.parse().ok() };
    match text {
        "" => None,
        _ => Some([end(least, f64::NEG_INFINITY)?, end(most, f64::INFINITY)?]),
    }
}

/// A text of the file, read from the left.
struct Scan<'s> {
    reading: &'s Reading<'s>,
    of: &'s Text,
    text: String,
    /// The next character.
    at: usize,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        self.text.char_indices().nth(self.at).map_or("", |(at, _)| &self.text[at..])
    }

    fn fault(&self, what: &str) -> BoxedError {
        self.reading.source.fault(self.of, self.at, what)
    }

    /// Takes a sign if it comes next, and the blanks around it.
    fn accept(&mut self, sign: &str) -> bool {
        let blanks = |text: &str| text.chars().take_while(|c| c.is_whitespace()).count();
        self.at += blanks(self.rest());
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.chars().count();
            self.at += blanks(self.rest());
        }
        is_next
    }

    /// Takes the characters before a sign, and the sign.
    fn before(&mut self, sign: char) -> Option<String> {
        let before = self.rest().split_once(sign)?.0.to_owned();
        self.at += before.chars().count() + 1;
        Some(before)
    }

    fn expression(&mut self) -> Result<Expression, BoxedError> {
        let source = self.reading.source;
        let (found, length) = Expression::at_start_of(self.rest())
            .map_err(|error| source.fault(self.of, self.at + error.column - 1, error.what))?;
        for (name, column) in &found.names {
            let known = self.reading.check(name);
            known.map_err(|what| source.fault(self.of, self.at + column - 1, what))?;
        }
        self.at += length;
        Ok(found)
    }

    /// The part of the row's sweep that a line is of.
    fn part(&mut self) -> Result<Part, BoxedError> {
        if !self.accept("over ") {
            return Ok(None);
        }
        if !self.reading.is_swept {
            return Err(
                self.fault("this row has no sweep: give it one, as in over.size = \"{list}\"")
            );
        }
        let word = self.rest().split_whitespace().next().unwrap_or_default().to_owned();
        let Some(ends) = ends(&word) else {
            return Err(self
                .fault("a part of a sweep is written as in over 100..200, over 100.. or over .."));
        };
        self.at += word.chars().count();
        Ok(Some(ends))
    }

    /// Checks that nothing is left.
    fn end(&self, what: &str) -> Result<(), BoxedError> {
        if self.rest().trim().is_empty() { Ok(()) } else { Err(self.fault(what)) }
    }

    /// A ratio of the paper's, known before any run, with what the digits and words of its numbers allow if one of them
    /// has a hedge.
    fn constant(&mut self) -> Result<Printed, BoxedError> {
        let at = self.at;
        let found = self.expression()?;
        let numbers = self.reading.printed;
        let names = found.names.iter().filter_map(|(name, _)| name.strip_prefix("printed."));
        let names: Vec<&str> = names.collect();
        // Its value where each number is at one of its ends: the largest and the smallest are among these.
        let value = |corner: Option<usize>| {
            let value = found.value(&|name| {
                let Some(name) = name.strip_prefix("printed.") else {
                    return Err(
                        "the paper's number consists of numbers and printed ones".to_owned()
                    );
                };
                let place = names.iter().position(|known| *known == name).unwrap_or_default();
                match corner.and_then(|corner| Some(numbers.ends(name)?[corner >> place & 1])) {
                    Some(end) => Ok(Quantity::One(end)),
                    None => numbers.quantity(name),
                }
            });
            match value {
                Ok(Quantity::One(one)) if one.is_finite() && one > 0.0 => Ok(one),
                Ok(_) => Err("one number above zero is expected here".to_owned()),
                Err(what) => Err(what),
            }
        };
        let all = || -> Result<Printed, String> {
            let ratio = value(None)?;
            if let [name] = names[..]
                && numbers.is_almost_exact(name)
            {
                return Ok(Printed::Almost(ratio, [value(Some(0))?, value(Some(1))?]));
            }
            if names.len() > 8 || !names.iter().any(|name| numbers.is_hedged(name)) {
                return Ok(Printed::Ratio(ratio));
            }
            let corners = (0..1 << names.len()).map(|corner| value(Some(corner)));
            Ok(Printed::Rounded(ratio, range(corners.collect::<Result<Vec<_>, String>>()?)))
        };
        all().map_err(|what| self.reading.source.fault(self.of, at, what))
    }

    fn condition(&mut self) -> Result<Condition, BoxedError> {
        if self.rest().trim().is_empty() {
            return Ok(Condition::Shown);
        }
        let condition = match () {
            () if self.accept("is '") => match self.before('\'') {
                Some(text) => Condition::Is(text),
                None => return Err(self.fault("the text ends with ', as in is 'rows'")),
            },
            () if self.accept("in ") => {
                let least = self.expression()?;
                if !self.accept("to ") {
                    return Err(self.fault("a range is written as in a to b"));
                }
                Condition::Between([least, self.expression()?])
            }
            () if self.accept("meets ") => Condition::Meets(self.expression()?),
            () if self.accept("==") => Condition::Equal(self.expression()?),
            () if self.accept("<=") => Condition::AtMost(self.expression()?),
            () if self.accept(">=") => Condition::AtLeast(self.expression()?),
            () if self.accept("=") => Condition::Printed(self.constant()?),
            () if self.accept("> 1") => Condition::Printed(Printed::Faster),
            () if self.accept("< 1") => Condition::Printed(Printed::Slower),
            () => return Err(self.fault(CONDITIONS)),
        };
        self.end("this is left over after the condition")?;
        Ok(condition)
    }
}

/// The label of a line, which may contain a colon.
fn label_of(line: &str) -> Option<&str> {
    let end = line.find(" is '").unwrap_or(line.len());
    line[..end].rsplit_once(": ").map(|(label, _)| label)
}

/// The values of lines.
pub fn values(reading: &Reading<'_>, lines: &Ordered<Text>) -> Result<Vec<Line>, BoxedError> {
    let mut values = Vec::new();
    for (key, of) in &lines.0 {
        let (list, words) = reading.shared.words(reading.source, &spanned(key, of))?;
        for word in words {
            let text = with(of.get_ref(), [list, word]);
            let mut scan = Scan { reading, of, text, at: 0 };
            let Some(label) = label_of(&scan.text) else {
                return Err(scan.fault("write a line as label: expression [unit] condition"));
            };
            // Where its list stands in a label, a word is written with hyphens.
            let end = label_of(of.get_ref()).unwrap_or_default();
            let label_in_words = with(end, [list, &word.replace('_', "-")]);
            let full_label = filled(&label_in_words, |name| reading.setting(name));
            if full_label.contains('{') {
                let what = "a label has settings in braces, as in {dam.settings.size}";
                return Err(reading.source.fault(of, 0, what));
            }
            scan.at = label.chars().count() + 2;
            let (expression, mut further) = (scan.expression()?, Vec::new());
            while scan.accept("to ") {
                further.push(scan.expression()?);
            }
            let unit = match scan.accept("[") {
                true => scan.before(']').ok_or_else(|| scan.fault("the unit ends with ]"))?,
                false => String::new(),
            };
            let over = scan.part()?;
            scan.accept("");
            let condition_text = scan.rest().to_owned();
            values.push(Line {
                id: with(key, [list, word]),
                label: label_in_words,
                full_label,
                expression,
                further,
                over,
                unit,
                condition: scan.condition()?,
                condition_text,
                on_card: None,
                here: None,
            });
        }
    }
    Ok(values)
}

/// A text at the place of another.
pub fn spanned(text: &str, place: &Text) -> Text {
    Text::new(place.span(), text.to_owned())
}

/// Adds the values in the model.
pub fn on_card(
    reading: &Reading<'_>,
    texts: &Ordered<Text>,
    lines: &mut [Line],
) -> Result<(), BoxedError> {
    for (key, of) in &texts.0 {
        let (list, words) = reading.shared.words(reading.source, &spanned(key, of))?;
        for word in words {
            let found = reading.expression(of, [list, word])?;
            line(reading.source, of, &with(key, [list, word]), lines)?.on_card = Some(found);
        }
    }
    Ok(())
}

/// Adds the same on this device.
pub fn here(
    reading: &Reading<'_>,
    texts: &Ordered<Text>,
    lines: &mut [Line],
) -> Result<(), BoxedError> {
    for (key, of) in &texts.0 {
        let Some(label) = label_of(of.get_ref()) else {
            return Err(reading.source.fault(of, 0, "write a line as label: expression"));
        };
        let mut scan =
            Scan { reading, of, text: of.get_ref().clone(), at: label.chars().count() + 2 };
        let (expression, over) = (scan.expression()?, scan.part()?);
        scan.end("an expression ends here")?;
        let here = Here { label: label.to_owned(), expression, over };
        line(reading.source, of, key, lines)?.here = Some(here);
    }
    Ok(())
}

/// The value of a name.
fn line<'l>(
    source: &Source<'_>,
    of: &Text,
    id: &str,
    lines: &'l mut [Line],
) -> Result<&'l mut Line, BoxedError> {
    let names: Vec<String> = lines.iter().map(|line| line.id.clone()).collect();
    let found = lines.iter_mut().find(|line| line.id == id);
    found.ok_or_else(|| {
        source.fault(
            of,
            0,
            format_args!("no value {id} in this row: there are {}", names.join(", ")),
        )
    })
}

/// Checks that the values that a headline names are there.
pub fn check_headline(
    source: &Source<'_>,
    headline: &Text,
    lines: &[Line],
) -> Result<(), BoxedError> {
    let parts = headline.get_ref().split('{').skip(1).filter_map(|part| part.split_once('}'));
    for (id, _) in parts {
        if !lines.iter().any(|line| line.id == id) {
            let names: Vec<&str> = lines.iter().map(|line| &*line.id).collect();
            let near = suggestion(id, &names);
            let what = format!("no value {id} in this row: {near}there are {}", names.join(", "));
            return Err(source.fault(headline, 0, what));
        }
    }
    Ok(())
}

/// The paper's numbers of a row: its printed ratios, or else its words.
pub fn printed(lines: &[Line], words: &str) -> Printed {
    let printed = lines.iter().filter_map(|line| match line.condition {
        Condition::Printed(printed) => Some((line, printed)),
        _ => None,
    });
    let printed: Vec<_> = printed.collect();
    let name = |line: &Line| {
        let label = &*line.full_label;
        kept(label.strip_prefix("times ").unwrap_or(label))
    };
    match &printed[..] {
        [] => Printed::Words(kept(words)),
        [(_, one)] => *one,
        // Several directions are one demand.
        [(_, first @ (Printed::Faster | Printed::Slower)), ..] => *first,
        all => {
            let ratios = all.iter().map(|&(line, one)| match one {
                Printed::Ratio(ratio) | Printed::Rounded(ratio, _) | Printed::Almost(ratio, _) => {
                    (name(line), ratio)
                }
                _ => (name(line), 1.0),
            });
            Printed::Ratios(ratios.collect::<Vec<_>>().leak())
        }
    }
}
