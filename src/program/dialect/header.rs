//! The first lines of a program: its formula, its channels, its accesses, its exceptions.

use super::Rule;
use crate::program::front::{Fault, Tree, Type};

/// An exception from the era's rules that a program declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Name of the rule, see [`Rule::name`].
    pub rule: String,
    /// Reason for the exception; empty if the program gives none.
    pub reason: String,
    /// Line in the file, from 1.
    pub line: u32,
}

/// Positions from which neighbouring fragments fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Neighbouring positions, as caches expect.
    Coherent,
    /// Every other record: half of each cache line is unused.
    Strided,
    /// Arbitrary positions. A fetch at the fragment's own position is always coherent.
    Random,
}

/// The exceptions that a program declares: lines `// EXCEPTION(rule): reason` among its first.
pub fn exceptions(source: &str) -> Vec<Exception> {
    let declared = header(source).filter_map(|(line, text)| {
        let (rule, reason) = declaration(text, "EXCEPTION")?;
        Some(Exception { rule: rule.to_string(), reason: reason.to_string(), line })
    });
    declared.collect()
}

/// Tests whether a program, or one of the texts of which it is assembled, declares an exception from a rule.
pub fn declares_exception(assembled: &str, rule: Rule) -> bool {
    let mut comments = assembled.lines().filter_map(comment);
    comments.any(|text| declaration(text, "EXCEPTION").is_some_and(|(name, _)| name == rule.name()))
}

/// Returns how a program, or one assembled from several texts, reads a stream: lines `// STRIDED(stream):
/// where` and `// RANDOM(stream): where`. [`Access::Coherent`] is the default.
pub fn access(source: &str, stream: &str) -> Access {
    let mut comments = source.lines().filter_map(comment);
    let declared = comments.find_map(|text| accesses(text).find(|(_, name)| *name == stream));
    declared.map_or(Access::Coherent, |(access, _)| access)
}

/// The accesses declared in the comments of a text.
fn accesses(text: &str) -> impl Iterator<Item = (Access, &str)> {
    let kinds = [("STRIDED", Access::Strided), ("RANDOM", Access::Random)];
    kinds.into_iter().flat_map(move |(keyword, access)| {
        let streams = declaration(text, keyword).map_or("", |(streams, _)| streams);
        let names = streams.split(',').map(str::trim);
        names.filter(|name| !name.is_empty()).map(move |name| (access, name))
    })
}

/// The parts of `KEYWORD(what): why`.
fn declaration<'a>(text: &'a str, keyword: &str) -> Option<(&'a str, &'a str)> {
    let (what, why) = text.strip_prefix(keyword)?.strip_prefix('(')?.split_once(')')?;
    Some((what.trim(), why.trim_start_matches(':').trim()))
}

/// A line of comment without its slashes.
fn comment(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix("//")?.trim())
}

/// The comment lines at the beginning of a text, numbered, without their slashes.
fn header(source: &str) -> impl Iterator<Item = (u32, &str)> {
    (1u32..).zip(source.lines()).map_while(|(number, line)| Some((number, comment(line)?)))
}

/// Omissions in a kernel's header: the section, and the channels of streams and result.
pub(super) fn violations(file: &str, source: &str, program: &Tree) -> Vec<Fault> {
    let mut found = Vec::new();
    let mut missing = |place, what: &str| found.push(Fault::new(place, Rule::Header, what));
    let names_section = |text: &str| text.contains('§') || text.to_lowercase().contains("section");
    if header(source).next().is_none() {
        missing((1, 1), "no comment in the first lines");
    }
    if belongs_to_a_paper(file) && !header(source).any(|(_, text)| names_section(text)) {
        missing((1, 1), "no section of the paper in the first lines");
    }
    if !describes_channels(source, "result") {
        missing((1, 1), "no line for the channels of result");
    }
    let streams = || program.globals().filter(|global| global.ty == Type::Stream);
    for stream in streams().filter(|stream| !describes_channels(source, &stream.name)) {
        missing(stream.place, &format!("no line for the channels of stream {}", stream.name));
    }
    let declared =
        header(source).flat_map(|(line, text)| accesses(text).map(move |one| (line, one)));
    for (line, (_, name)) in declared {
        if !streams().any(|stream| &*stream.name == name) {
            missing((line, 1), &format!("no stream {name} whose access is declared"));
        }
    }
    found
}

/// Tests whether the program is in the folder of a paper: a name that ends in a year.
fn belongs_to_a_paper(file: &str) -> bool {
    let mut folders = file.split(['/', '\\']).rev().skip(1);
    folders.any(|folder| {
        let year = folder.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        year.len() == 4 && year.len() < folder.len() && year.bytes().all(|c| c.is_ascii_digit())
    })
}

/// Tests whether the header has a line `NAME  .xyzw  meaning`.
fn describes_channels(source: &str, name: &str) -> bool {
    header(source).any(|(_, text)| {
        let mut words = text.split_whitespace();
        let channels = |word: &str| {
            let channels = word.strip_prefix('.').unwrap_or("");
            !channels.is_empty() && channels.chars().all(|c| "xyzw".contains(c))
        };
        words.next() == Some(name) && words.next().is_some_and(channels) && words.next().is_some()
    })
}

/// Removes violations covered by declared exceptions, and adds the faults of exceptions.
pub(super) fn apply_exceptions(source: &str, found: &mut Vec<Fault>) {
    let mut wrong = Vec::new();
    for Exception { rule, reason, line } in exceptions(source) {
        let mut exemptable = Rule::ALL.iter().copied().filter(|rule| rule.is_exemptable());
        let what = match exemptable.find(|known| known.name() == rule) {
            None => format!("no exception is possible from `{rule}`"),
            Some(_) if reason.is_empty() => format!("exception from {rule} without a reason"),
            Some(exempt) => {
                let before = found.len();
                found.retain(|violation| violation.rule != exempt);
                // The length of a program depends on the text in front of it.
                if found.len() < before || exempt == Rule::Limits {
                    continue;
                }
                format!("exception from {rule} is not needed")
            }
        };
        wrong.push(Fault::new((line, 1), Rule::Header, &what));
    }
    found.extend(wrong);
}
