//! The file of rows: its tables, and the place of a fault in it.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::line::{self, Reading};
use super::numbers::{Numbers, Own};
use super::{
    BoxedError, Claim, Claims, How, Named, ON_CARD, Paper, Row, Scope, Sweep, Switches,
    WITH_SWITCHES, exhibits, experiment,
};
use crate::base::nearest::suggestion;
use crate::card::cost::CARDS;
use crate::claim::row::{Class, JudgedOn, Needs, Variant, judged_on};
use crate::experiment::{Subject, swept};
use crate::io::toml_text::parse_toml;

/// A value with a place in its file.
pub trait Placed {
    /// The byte at which it, or its first text, begins.
    fn place(&self) -> usize;
}

impl<T> Placed for Spanned<T> {
    fn place(&self) -> usize {
        self.span().start
    }
}

/// A table in the order of its file.
#[derive(Clone, Debug)]
pub struct Ordered<T>(pub Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de> + Placed> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Ordered<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Ordered(all))
            }
        }
        let mut all: Self = from.deserialize_map(Entries(PhantomData))?;
        all.0.sort_by_key(|(_, value)| value.place());
        Ok(all)
    }
}

/// A text with its place.
pub type Text = Spanned<String>;

/// All of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    paper: Option<Head>,
    /// Printed numbers besides those of the paper's CSV.
    #[serde(default)]
    printed: Ordered<Spanned<Own>>,
    #[serde(default)]
    list: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    group: BTreeMap<String, Ordered<Text>>,
    row: Ordered<RowText>,
}

/// Whose claims they are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Name before the slash of a claim.
    pub id: String,
    #[serde(default)]
    authors: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    year: u16,
}

impl Head {
    /// The paper with these claims.
    pub fn paper(self, claims: Vec<Claim>) -> Paper {
        Paper {
            id: kept(self.id),
            authors: kept(self.authors),
            title: kept(self.title),
            year: self.year,
            subject: "",
            partly: &[],
            together: &[],
            claims: Claims::These(claims.leak()),
        }
    }
}

/// Subject of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum About {
    /// Counts, sizes, errors: equal on any machine.
    Arithmetic,
    /// The time of a card of 2003.
    Card,
    /// One processor compared with another, or the time of one that is younger than 2003.
    Processors,
    /// The time of a driver of 2003.
    Driver,
    /// A whole machine, with its bus.
    Machine,
    /// The paper itself, such as the sums of its own tables.
    Paper,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowText {
    place: Text,
    says: String,
    #[serde(default)]
    scope: BTreeMap<String, Text>,
    about: About,
    paper: String,
    class: Class,
    basis: Option<JudgedOn>,
    #[serde(default)]
    ours: bool,
    #[serde(default)]
    run: Ordered<Text>,
    #[serde(default)]
    race: Ordered<Text>,
    #[serde(default = "one")]
    chain: usize,
    #[serde(default)]
    aside: Vec<Text>,
    card: Option<Text>,
    #[serde(default)]
    switches: Switches,
    #[serde(default)]
    over: BTreeMap<String, Text>,
    #[serde(default)]
    without_switches: bool,
    needs: Option<Needs>,
    #[serde(default)]
    fitted: bool,
    quick: Option<Text>,
    #[serde(default)]
    full: Ordered<Text>,
    #[serde(default)]
    small: Ordered<Text>,
    #[serde(default)]
    value: Ordered<Text>,
    also: Option<Text>,
    #[serde(default)]
    on_card: Ordered<Text>,
    #[serde(default)]
    here: Ordered<Text>,
    headline: Option<Text>,
    #[serde(default)]
    because: String,
    #[serde(default)]
    in_software: String,
    holds_for_inputs: Option<General>,
    #[serde(default)]
    table: Ordered<exhibits::TableText>,
    #[serde(default)]
    bars: Ordered<exhibits::BarsText>,
    #[serde(default)]
    chart: Ordered<exhibits::ChartText>,
    #[serde(default)]
    picture: Ordered<exhibits::PictureText>,
    #[serde(default)]
    pictures: Vec<Text>,
}

const fn one() -> usize {
    1
}

/// The statement with a user's inputs: as it is, or in these words.
#[derive(Deserialize)]
#[serde(untagged)]
enum General {
    Same(bool),
    Words(String),
}

impl General {
    /// Words of the paper's column; empty if they are the same.
    fn words(self) -> Option<String> {
        match self {
            Self::Same(holds) => holds.then(String::new),
            Self::Words(words) => Some(words),
        }
    }
}

impl Placed for RowText {
    fn place(&self) -> usize {
        self.place.place()
    }
}

/// A file, for the places of its faults.
pub struct Source<'t> {
    file: &'t str,
    text: &'t str,
}

impl Source<'_> {
    /// A message with the place of a character of a text of the file.
    pub fn fault(&self, of: &Text, character: usize, what: impl fmt::Display) -> BoxedError {
        let inside =
            of.get_ref().char_indices().nth(character).map_or(of.get_ref().len(), |at| at.0);
        // A quotation mark comes before the text. After an escape in it, the column is a little to the left.
        let before = self.text.get(..of.span().start + 1 + inside).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        format!("{}:{line}:{column}: {what}", self.file).into()
    }
}

/// A text that lives as long as the program, as the claims do.
pub fn kept(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// The lists and groups of a file.
pub struct Shared {
    /// Names in `{name}`, each of which stands for several words.
    pub list: BTreeMap<String, Vec<String>>,
    group: BTreeMap<String, Ordered<Text>>,
    text: String,
}

impl Shared {
    /// The list that a text names in braces, and its words; one empty word without braces.
    pub fn words<'s>(
        &'s self,
        source: &Source<'_>,
        of: &Text,
    ) -> Result<(&'s str, Vec<&'s str>), BoxedError> {
        let braces = of.get_ref().split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        match braces {
            Some((name, _)) => self.list(source, of, name),
            None => Ok(("", vec![""])),
        }
    }

    /// A list by name.
    pub fn list<'s>(
        &'s self,
        source: &Source<'_>,
        of: &Text,
        name: &str,
    ) -> Result<(&'s str, Vec<&'s str>), BoxedError> {
        match self.list.get_key_value(name) {
            Some((name, words)) => Ok((name, words.iter().map(String::as_str).collect())),
            None => {
                let known: Vec<&str> = self.list.keys().map(String::as_str).collect();
                let near = suggestion(name, &known);
                Err(source.fault(
                    of,
                    0,
                    format_args!("no list {name}: {near}there are {}", known.join(", ")),
                ))
            }
        }
    }
}

/// Reads a file: whose claims they are, and the claims.
///
/// # Errors
/// The first fault, with line and column.
pub fn read(
    file: &str,
    text: &str,
    mut printed: Numbers,
    subjects: &[&'static dyn Subject],
) -> Result<(Option<Head>, Vec<Claim>), BoxedError> {
    let File { paper, printed: own, list, group, row: Ordered(rows) } =
        parse_toml(text).map_err(|fault| format!("{file}: {fault}"))?;
    let shared =
        text.lines().skip_while(|line| !["[list", "[group"].iter().any(|of| line.starts_with(of)));
    let shared: Vec<&str> = shared.take_while(|line| !line.starts_with("[row.")).collect();
    let text_of_shared = shared.join("\n").trim_end().to_owned();
    let (source, shared) = (Source { file, text }, Shared { list, group, text: text_of_shared });
    for (name, number) in own.0 {
        printed.add(name, number.into_inner()).map_err(|what| format!("{file}: {what}"))?;
    }
    let printed = Arc::new(printed);
    let claims = rows.into_iter().map(|(id, row)| {
        let own = own_text(text, &id);
        claim(&source, (id, row, own), &shared, &printed, subjects)
    });
    Ok((paper, claims.collect::<Result<_, _>>()?))
}

/// The part of a file that is a row's.
fn own_text(text: &str, id: &str) -> String {
    let is_own = |line: &&str| {
        line.starts_with(&format!("[row.{id}]")) || line.starts_with(&format!("[row.{id}."))
    };
    let (mut own, mut lines) = (String::new(), text.lines().skip_while(|line| !is_own(line)));
    while let Some(line) = lines.next().filter(|line| !line.starts_with('[') || is_own(line)) {
        own += line;
        own.push('\n');
    }
    own.trim_end().to_owned()
}

fn claim(
    source: &Source<'_>,
    (id, row, text): (String, RowText, String),
    shared: &Shared,
    printed: &Arc<Numbers>,
    subjects: &[&'static dyn Subject],
) -> Result<Claim, BoxedError> {
    let lines = row.run.0.iter().map(|line| (How::Run, line));
    let lines = lines.chain(row.race.0.iter().map(|line| (How::Race, line)));
    let experiments = lines.map(|(how, (name, line))| {
        let (list, words) = shared.words(source, &line::spanned(name, line))?;
        let each = words.into_iter().map(|word| {
            let text = line::with(line.get_ref(), [list, word]);
            named(source, how, line::with(name, [list, word]), (line, &text), subjects)
        });
        each.collect::<Result<Vec<_>, _>>()
    });
    let experiments: Vec<_> =
        experiments.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let [switches, on_card] = [row.without_switches, row.card.is_some()];
    let also = [switches.then_some(WITH_SWITCHES), on_card.then_some(ON_CARD)];
    let (over, full) = (sweep(source, shared, &row.over)?, texts(&row.full));
    let is_swept = over.is_some();
    let reading =
        Reading { source, shared, experiments: &experiments, also, printed, full: &full, is_swept };
    let mut lines = line::values(&reading, &row.value)?;
    if let Some(name) = &row.also {
        let known: Vec<&str> = shared.group.keys().map(String::as_str).collect();
        let group = shared.group.get(name.get_ref()).ok_or_else(|| {
            source.fault(
                name,
                0,
                format_args!("no group of this name: there are {}", known.join(", ")),
            )
        })?;
        lines.extend(line::values(&reading, group)?);
    }
    line::on_card(&reading, &row.on_card, &mut lines)?;
    line::here(&reading, &row.here, &mut lines)?;
    if let Some(headline) = &row.headline {
        line::check_headline(source, headline, &lines)?;
    }
    let card = row.card.as_ref().map(|card| {
        let known = CARDS.iter().find(|known| known.device.name == card.get_ref());
        let names: Vec<&str> = CARDS.iter().map(|card| card.device.name).collect();
        known.copied().ok_or_else(|| {
            source.fault(
                card,
                0,
                format_args!("no model of this card: there are {}", names.join(", ")),
            )
        })
    });
    let is_there = |name: &str, place: &Text, is: &str, how: How| {
        let mut all = experiments.iter().filter(|one| one.how == how);
        match all.any(|one| one.name == name) {
            true => Ok(name.to_owned()),
            false => Err(source.fault(place, 0, format_args!("no {is} of this name in the row"))),
        }
    };
    let run = |name: &Text| is_there(name.get_ref(), name, "run", How::Run);
    let work = |name: &Text| is_there(name.get_ref(), name, "work", How::Race);
    let picture = |text: &Text| {
        let (run, picture) = text.get_ref().split_once('.').unwrap_or((text.get_ref(), ""));
        Ok::<_, BoxedError>((is_there(run, text, "run", How::Run)?, picture.to_owned()))
    };
    for (name, line) in row.full.0.iter().chain(&row.small.0) {
        if !experiments.iter().any(|one| one.name.starts_with(name)) {
            return Err(source.fault(line, 0, "no name of a run or a work in the row begins so"));
        }
    }
    let (paper, class) = (line::printed(&lines, &row.paper), row.class);
    let parsed = Row {
        text,
        shared: shared.text.clone(),
        about: row.about,
        is_fitted: row.fitted,
        scope: scope(source, &row.scope)?,
        quick: row.quick.as_ref().map(|quick| quick.get_ref().clone()).unwrap_or_default(),
        over,
        small: texts(&row.small),
        chain: row.chain.max(1),
        aside: row.aside.iter().map(work).collect::<Result<_, _>>()?,
        card: card.transpose()?,
        switches: row.switches,
        is_by_clock: row.basis == Some(JudgedOn::Clock),
        headline: row.headline.map(Spanned::into_inner),
        because: row.because,
        in_software: row.in_software,
        general: row.holds_for_inputs.and_then(General::words),
        without_switches: row.without_switches,
        tables: exhibits::tables(&reading, row.table)?,
        bars: exhibits::bars(&reading, row.bars)?,
        charts: exhibits::charts(&reading, row.chart)?,
        sheets: exhibits::sheets(row.picture, run)?,
        pictures: row.pictures.iter().map(picture).collect::<Result<_, _>>()?,
        printed: Arc::clone(printed),
        lines,
        full,
        experiments,
    };
    let own = row.small.0.first().or(row.full.0.first());
    let quick = row.quick.as_ref().or(own.map(|(_, line)| line));
    if let (Some(quick), Err(error)) = (quick, parsed.experiments(true, &[])) {
        return Err(source.fault(quick, 0, error));
    }
    Ok(Claim {
        id: kept(id),
        class,
        variant: if row.ours { Variant::Ours } else { Variant::Paper },
        judged_on: row.basis.unwrap_or(judged_on(class)),
        needs: row.needs,
        section: kept(row.place.into_inner()),
        says: kept(row.says),
        paper,
        printed: kept(row.paper),
        row: Box::leak(Box::new(parsed)),
    })
}

/// The sweep of a row: a setting with its further values, and its meaning under `of`.
fn sweep(
    source: &Source<'_>,
    shared: &Shared,
    texts: &BTreeMap<String, Text>,
) -> Result<Option<Sweep>, BoxedError> {
    let Some((setting, text)) = texts.iter().find(|(name, _)| *name != "of") else {
        return Ok(None);
    };
    let (_, words) = shared.words(source, text)?;
    let values = words.into_iter().map(|word| {
        let what = "a sweep has numbers: name a list of them, as in over.size = \"{sizes}\"";
        word.parse().map_err(|_| source.fault(text, 0, what))
    });
    let values = values.collect::<Result<_, _>>()?;
    let meaning = texts.get("of").map_or(setting, |text| text.get_ref()).clone();
    Ok(Some(Sweep { setting: setting.clone(), meaning, values }))
}

/// Texts by their names.
fn texts(all: &Ordered<Text>) -> Vec<(String, String)> {
    all.0.iter().map(|(name, text)| (name.clone(), text.get_ref().clone())).collect()
}

/// The experiments of a line. That of a work may have the number of its runs before its words, and a setting by which
/// seconds and counts are divided after them: `8 × bolz2003/cg per iterations`.
fn named(
    source: &Source<'_>,
    how: How,
    name: String,
    (line, text): (&Text, &str),
    subjects: &[&'static dyn Subject],
) -> Result<Named, BoxedError> {
    let repeated =
        text.split_once(" × ").and_then(|(times, text)| Some((times.parse().ok()?, text)));
    let (times, text) = repeated.filter(|_| how == How::Race).unwrap_or((1, text));
    let (text, per) = match text.rsplit_once(" per ") {
        Some((text, per)) if how == How::Race => (text, Some(per.to_owned())),
        _ => (text, None),
    };
    let (of, rest) = text.split_once(' ').unwrap_or((text, ""));
    let subject = subjects.iter().find(|subject| subject.command() == of).ok_or_else(|| {
        let names: Vec<&str> = subjects.iter().map(|subject| subject.command()).collect();
        let near = suggestion(of, &names);
        source.fault(
            line,
            0,
            format_args!("nothing that runs is called {of}: {near}there are {}", names.join(", ")),
        )
    })?;
    for rest in swept(rest) {
        experiment(*subject, &rest).map_err(|error| source.fault(line, of.len() + 1, error))?;
    }
    if how == How::Race && !subject.is_timed() {
        let what = "this is no work that is timed: name it as a run, or see fragstream run --help";
        return Err(source.fault(line, 0, what));
    }
    let words = rest.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    let words = words.filter(|(_, rest)| !rest.contains('{')).map(|(words, _)| words.split('|'));
    let words: Vec<String> = words.into_iter().flatten().map(str::to_owned).collect();
    if how == How::Race && words.is_empty() && rest.contains('{') {
        return Err(source.fault(line, of.len() + 1, "a work has one setting in braces at most"));
    }
    let is_known = |per: &&String| subject.fields().iter().any(|field| field.name() == **per);
    if let Some(per) = per.as_ref().filter(|per| !is_known(per)) {
        return Err(source.fault(line, 0, format_args!("{of} has no setting {per}")));
    }
    let (subject, line) = (*subject, rest.to_owned());
    Ok(Named { name, how, times, per, subject, line, words })
}

/// The scope: a text under `of`, and ranges `least..most` of settings.
fn scope(source: &Source<'_>, texts: &BTreeMap<String, Text>) -> Result<Scope, BoxedError> {
    let mut scope = Scope::default();
    for (name, text) in texts {
        if name == "of" {
            scope.text.clone_from(text.get_ref());
            continue;
        }
        let Some(range) = line::ends(text.get_ref()) else {
            let what = "a range of a setting is written as in 100..200, 100.. or 100";
            return Err(source.fault(text, 0, what));
        };
        scope.ranges.push((name.clone(), range));
    }
    Ok(scope)
}
