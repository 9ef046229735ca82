//! Settings, declared once: ordinary structs with a JSON Schema.
//!
//! A settings struct derives `Serialize`, `Deserialize` and `JsonSchema`. From its schema follow the options of a
//! command, their help and ranges, the words of a command line, links and JSON ([`crate::experiment`]): the
//! names are written nowhere else. Some keywords extend the schema of a field
//! (`#[schemars(extend("without" = "Leave out the finger"))]`):
//!
//! | keyword | meaning |
//! |---|---|
//! | `without` | help of the option that switches a flag off |
//! | `formerly` | former name of the option; of a flag, of the option that switches it off |
//! | `heading` | heading in the help |
//! | `hidden` | the help does not show the option |
//! | `takes` | name of the value in the help |
//! | `nothing` | word of a setting that is left open, in the place of `none` |
//! | `positional` | the value comes before the options, without a name |
//! | `of_command` | the command has the option already |
//! | `alone` | value of the option without one |
//! | `several` | the option may be repeated; its values are joined by this character |
//! | `needs` | a feature of the machine: `files` for any value, `native: doubles` for one of them |
//! | `instead_of` | the setting that this one replaces; a command line takes one of them |

mod bytes;
mod need;
pub mod precision;
mod size;
pub mod text;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::base::error::{WithKind, with_remedy};
use crate::base::nearest::suggestion;

pub use bytes::Bytes;
pub use need::Need;
pub use size::{GridSize, pair};

/// Settings by name, in the order of their declaration. A value is a number, a text, true or false, or null for a
/// setting that follows from others.
pub type Flat = Map<String, Value>;

/// Settings that a schema describes.
pub trait Declared: Serialize + DeserializeOwned + JsonSchema + Default {}
impl<S: Serialize + DeserializeOwned + JsonSchema + Default> Declared for S {}

/// An unknown setting, or a value that a setting does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", with_remedy(format_args!("--{option} {got}"), remedy))]
pub struct Refused {
    /// Name of the option.
    pub option: String,
    /// Its value, as a word.
    pub got: String,
    /// Remedy.
    pub remedy: String,
}

impl WithKind for Refused {}

/// A setting, as its schema describes it.
#[derive(Debug, Clone)]
pub struct Field {
    name: String,
    schema: Value,
    /// The value as the struct holds it.
    held: fn(&str, Value) -> Result<Value, String>,
}

/// The fields of a struct, those of flattened structs included.
pub fn fields<S: Declared>() -> Vec<Field> {
    let generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = generator.into_generator().into_root_schema_for::<S>();
    let properties = schema.remove("properties");
    let Some(Value::Object(properties)) = properties else { return Vec::new() };
    properties.into_iter().map(|(name, schema)| Field { name, schema, held: held::<S> }).collect()
}

/// The values of a struct.
pub fn flat<S: Declared>(settings: &S) -> Flat {
    match serde_json::to_value(settings) {
        Ok(Value::Object(flat)) => flat,
        _ => Flat::new(),
    }
}

/// A struct from all its values.
pub fn typed<S: Declared>(settings: &Flat) -> Result<S, String> {
    serde_json::from_value(Value::Object(settings.clone())).map_err(|error| error.to_string())
}

/// The value of a setting once a struct has held it: `257` becomes `257x257`.
fn held<S: Declared>(name: &str, value: Value) -> Result<Value, String> {
    let mut all = flat(&S::default());
    all.insert(name.to_owned(), value);
    let mut held = flat(&typed::<S>(&all)?);
    Ok(held.remove(name).unwrap_or_default())
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => match number.as_f64().unwrap_or_default() {
            short if short == 0.0 || (1e-3..1e7).contains(&short.abs()) => short.to_string(),
            long => format!("{long:e}"),
        },
        other => other.to_string(),
    }
}

impl Field {
    /// A field that no struct has: only its schema decides on its values.
    pub fn new(name: &str, schema: Value) -> Self {
        Self { name: name.to_owned(), schema, held: |_, value| Ok(value) }
    }

    /// Name in JSON and in links.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name of its option.
    pub fn option(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Description for a page: its name, its schema, and the reason why a page lacks what it needs.
    pub fn described(&self) -> Value {
        let needs = self.keyword("needs").map(|needs| needs.rsplit(": ").next().unwrap_or(needs));
        let lacking = needs.and_then(Need::of).and_then(|need| need.lacking(None));
        json!({ "name": self.name, "schema": self.schema, "lacking": lacking })
    }

    /// Its schema.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Description: the first paragraph of its documentation.
    pub fn text(&self) -> String {
        summary(self.keyword("description").unwrap_or_default())
    }

    /// Former name of the option; of a flag, of the option that switches it off.
    pub fn formerly(&self) -> Option<&str> {
        self.keyword("formerly")
    }

    /// Tests whether the help shows the option.
    pub fn is_hidden(&self) -> bool {
        self.schema["hidden"] == true
    }

    /// The word of a value.
    pub fn word(&self, value: &Value) -> String {
        if value.is_null() { self.nothing().to_owned() } else { word(value) }
    }

    /// The word of a setting that is left open.
    pub fn nothing(&self) -> &str {
        self.keyword("nothing").unwrap_or("none")
    }

    /// Help of the option that switches a flag off.
    pub fn without(&self) -> String {
        self.keyword("without").map_or_else(|| format!("Not: {}", self.text()), str::to_owned)
    }

    /// Tests whether its value comes before the options, without a name.
    pub fn is_positional(&self) -> bool {
        self.schema["positional"] == true
    }

    /// Tests whether the command has the option already.
    pub fn is_of_command(&self) -> bool {
        self.schema["of_command"] == true
    }

    /// Value of the option without one.
    pub fn alone(&self) -> Option<&str> {
        self.keyword("alone")
    }

    /// Character that joins the values of an option that may be repeated.
    pub fn several(&self) -> Option<&str> {
        self.keyword("several")
    }

    /// Name of the setting that this one replaces.
    pub fn instead_of(&self) -> Option<&str> {
        self.keyword("instead_of")
    }

    /// Tests whether one of them is given instead of the other.
    pub fn excludes(&self, other: &Self) -> bool {
        let replaces = |one: &Self, other: &Self| one.instead_of() == Some(other.name());
        // A setting that cannot be left open is not given by being there.
        (replaces(self, other) || replaces(other, self))
            && self.is_optional()
            && other.is_optional()
    }

    /// The feature of a machine without which a value cannot run.
    pub fn need(&self, value: &Value) -> Option<Need> {
        let needs = self.keyword("needs")?;
        let (is_needed, name) = match needs.split_once(": ") {
            Some((word, name)) => (value == word, name),
            None => (!value.is_null(), needs),
        };
        Need::of(name).filter(|_| is_needed)
    }

    /// Heading in the help.
    pub fn heading(&self) -> Option<&str> {
        self.keyword("heading")
    }

    /// Name of the value in the help.
    pub fn takes(&self) -> String {
        match self.keyword("takes") {
            Some(name) => name.to_owned(),
            None if !self.choices().is_empty() => self.option().to_uppercase(),
            None if self.is("integer") => "N".to_owned(),
            None => "NUMBER".to_owned(),
        }
    }

    /// Tests whether it is true or false.
    pub fn is_flag(&self) -> bool {
        self.is("boolean")
    }

    /// Tests whether it may be left open, to follow from other settings.
    pub fn is_optional(&self) -> bool {
        self.is("null")
    }

    /// Names and descriptions of its choices.
    pub fn choices(&self) -> Vec<[&str; 2]> {
        let mut choices = Vec::new();
        for part in self.parts() {
            for choice in list(&part["oneOf"]) {
                choices.push([&choice["const"], &choice["description"]]);
            }
            choices.extend(list(&part["enum"]).map(|name| [name, &Value::Null]));
        }
        choices.into_iter().map(|choice| choice.map(|v| v.as_str().unwrap_or_default())).collect()
    }

    /// The value of a word.
    pub fn value(&self, word: &str) -> Result<Value, Refused> {
        self.parsed(word)
            .and_then(|value| (self.held)(&self.name, value))
            .map_err(|remedy| Refused { option: self.option(), got: word.to_owned(), remedy })
    }

    fn parsed(&self, word: &str) -> Result<Value, String> {
        let names: Vec<&str> = self.choices().into_iter().map(|[name, _]| name).collect();
        let is_nothing = word == self.nothing() || word == "none" && !names.contains(&word);
        if is_nothing && self.is_optional() {
            return Ok(Value::Null);
        }
        if self.is_flag() {
            return word.parse().map(Value::Bool).map_err(|_| "give true or false".to_owned());
        }
        if self.is("integer") || self.is("number") {
            return self.number(word).ok_or_else(|| self.range());
        }
        if !names.is_empty() && !names.contains(&word) {
            return Err(format!("{}choose one of {}", suggestion(word, &names), names.join(", ")));
        }
        Ok(word.into())
    }

    fn number(&self, word: &str) -> Option<Value> {
        let number: f64 = word.parse().ok().filter(|number: &f64| number.is_finite())?;
        let limit = |keyword: &str| self.parts().find_map(|part| part[keyword].as_f64());
        let fits = limit("minimum").is_none_or(|least| number >= least)
            && limit("maximum").is_none_or(|most| number <= most)
            && limit("exclusiveMinimum").is_none_or(|bound| number > bound);
        match self.is("integer") {
            true => word.parse().ok().map(|integer: u64| json!(integer)),
            false => Some(json!(number)),
        }
        .filter(|_| fits)
    }

    /// The range of a number, as a remedy.
    fn range(&self) -> String {
        let kind = if self.is("integer") { "an integer" } else { "a number" };
        let limit = |keyword: &str| {
            self.parts().find_map(|part| part[keyword].as_f64()).map(|limit| word(&json!(limit)))
        };
        match [limit("minimum"), limit("maximum"), limit("exclusiveMinimum")] {
            [Some(least), Some(most), _] => format!("give {kind} from {least} to {most}"),
            [Some(least), ..] => format!("give {kind} of at least {least}"),
            [_, _, Some(bound)] => format!("give {kind} above {bound}"),
            _ => format!("give {kind} that is finite"),
        }
    }

    /// The schema, and the alternatives that it lists.
    fn parts(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.schema).chain(list(&self.schema["anyOf"]))
    }

    fn is(&self, kind: &str) -> bool {
        self.parts().any(|part| part["type"] == kind || list(&part["type"]).any(|t| t == kind))
    }

    fn keyword(&self, name: &str) -> Option<&str> {
        self.schema[name].as_str()
    }
}

/// Gives a keyword to some settings of a schema: for settings of a flattened struct.
pub fn extend(schema: &mut Schema, names: &[&str], keyword: &str, value: impl Into<Value>) {
    let value = value.into();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (_, property) in
            properties.iter_mut().filter(|(name, _)| names.contains(&name.as_str()))
        {
            property[keyword] = value.clone();
        }
    }
}

/// Gives a heading to all settings of a schema.
pub fn headed(schema: &mut Schema, heading: &str) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names: Vec<String> = properties.map_or_else(Vec::new, |all| all.keys().cloned().collect());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    extend(schema, &names, "heading", heading);
}

/// The first paragraph of a documentation, on one line.
pub fn summary(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or_default();
    first.replace('\n', " ").trim_end_matches('.').to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The field of this name.
pub fn find<'a>(fields: &'a [Field], name: &str) -> Result<&'a Field, Refused> {
    fields.iter().find(|field| field.name == name).ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(Field::name).collect();
        Refused {
            option: name.replace('_', "-"),
            got: "is not a setting".to_owned(),
            remedy: format!("{}choose one of {}", suggestion(name, &names), names.join(", ")),
        }
    })
}

/// The words of a command line that turn `base` into `settings`.
pub fn differences(fields: &[Field], settings: &Flat, base: &Flat) -> Vec<String> {
    let (mut words, mut last) = (Vec::new(), Vec::new());
    // Giving one of two settings leaves the other open.
    let is_implied = |field: &Field| {
        let mut others = fields.iter().filter(|other| field.excludes(other));
        settings.get(&field.name) == Some(&Value::Null)
            && others.any(|other| settings.get(&other.name).is_some_and(|value| !value.is_null()))
    };
    for field in fields.iter().filter(|field| !is_implied(field)) {
        let (option, value) = (field.option(), settings.get(&field.name));
        match value.filter(|_| value != base.get(&field.name)) {
            None => {}
            Some(Value::Bool(true)) => words.push(format!("--{option}")),
            Some(Value::Bool(false)) => words.push(format!("--no-{option}")),
            Some(value) if field.is_positional() => match field.word(value) {
                word if word.starts_with('-') => last = vec!["--".to_owned(), word],
                word => words.insert(0, word),
            },
            Some(value) => match field.word(value) {
                word if word.starts_with('-') => words.push(format!("--{option}={word}")),
                word => words.extend([format!("--{option}"), word]),
            },
        }
    }
    words.append(&mut last);
    words
}

/// Names and words of the options of a command line, as [`differences`] writes them: `--size 64 --no-finger` are `size`
/// with 64 and `finger` with false.
pub fn options(fields: &[Field], line: &str) -> Result<Vec<[String; 2]>, Refused> {
    let mut words = line.split_whitespace();
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        let (option, given) = match word.split_once('=') {
            Some((option, given)) => (option, Some(given)),
            None => (word, None),
        };
        let name = option.trim_start_matches("--").replace('-', "_");
        let flag = name.strip_prefix("no_").and_then(|name| find(fields, name).ok());
        let positional = fields.iter().find(|field| field.is_positional());
        let (field, word) = match (flag.filter(|field| field.is_flag()), positional) {
            (Some(flag), _) => (flag, "false"),
            (None, Some(field)) if !word.starts_with("--") => (field, word),
            _ => match find(fields, &name)? {
                flag if flag.is_flag() => (flag, "true"),
                field => (field, given.or_else(|| words.next()).unwrap_or_default()),
            },
        };
        options.push([field.name.clone(), word.to_owned()]);
    }
    Ok(options)
}
