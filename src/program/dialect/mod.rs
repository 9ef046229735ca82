//! Rules of 2003: what a fragment processor could run.
//!
//! GLSL is far larger than the language of Bolz et al. 2003 (section 2). [`check`] parses the text of a program
//! and reports everything that did not exist, with a remedy ([`Rule`]). A program that needs an exception
//! declares it in its first lines, with the reason:
//!
//! ```glsl
//! // EXCEPTION(constant-loops): the rows of ELLPACK-R end at their own length (CUDA, 2007)
//! ```
//!
//! In the same way a program declares how it reads a stream, unless neighbouring fragments read neighbouring
//! records ([`Access`]):
//!
//! ```glsl
//! // STRIDED(x): every other record
//! // RANDOM(x): positions from pointers
//! ```
//!
//! Programs that keep the rules have a listing: [`super::listing`].

mod header;
mod violation;

pub use header::{Access, Exception, access, declares_exception, exceptions};
pub use violation::Violation;
pub(crate) use violation::report;

pub use super::rule::Rule;

use super::front::{Fault, Reading, Stage, assembled_as, is_whole, parse};
use super::{LINE, VERSION, VERTEX_PRELUDE};

/// The functions that a program may call, except for constructors and its own: `fetch`, and the float functions of
/// GLSL 1.10 that have instructions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    std::iter::once("fetch").chain(super::front::functions().map(|one| one.name))
}

/// Checks the text of one program against the era's rules.
///
/// `file` is the path or name for messages; its extension determines the kind (`.frag`, `.vert`, other).
/// Undefined names in capitals count as 2.0. If `#if` selects variants, the text is checked both with none and
/// with all of the tested names defined.
///
/// # Errors
/// All violations, in the order of lines.
pub fn check(file: &str, source: &str) -> Result<(), Vec<Violation>> {
    let stage = match file.rsplit('.').next() {
        Some("frag") => Stage::Fragment,
        Some("vert") => Stage::Vertex,
        _ => Stage::Prelude,
    };
    let violations = violations(file, source, stage, true);
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

/// The violations in a user's program, which needs no header, in the order of lines.
pub fn check_user(file: &str, source: &str) -> Vec<Violation> {
    let mut violations = violations(file, source, Stage::Fragment, false);
    violations.retain(|violation| violation.rule != Rule::Header);
    violations
}

/// The violations in an assembled fragment program, in the order of lines.
pub(crate) fn check_assembled(text: &str) -> Vec<Violation> {
    refused("", text, &assembled_as(text, Stage::Fragment).faults)
}

/// The faults of an assembled program from which it declares no exception.
pub(crate) fn refused(name: &str, text: &str, faults: &[Fault]) -> Vec<Violation> {
    let is_exempt = |rule: Rule| rule.is_exemptable() && declares_exception(text, rule);
    let faults = faults.iter().filter(|fault| !is_exempt(fault.rule)).cloned();
    faults.map(|fault| Violation::new(name, text, fault)).collect()
}

/// All violations in a text, in the order of lines; also if the names that it tests are defined in front of it.
fn violations(file: &str, source: &str, stage: Stage, has_variants: bool) -> Vec<Violation> {
    let text = match stage {
        Stage::Vertex if !is_whole(source) => format!("{VERSION}{VERTEX_PRELUDE}{LINE}{source}"),
        _ => source.to_owned(),
    };
    let read = |defined: &[String]| parse(&text, Reading { stage, is_open: true, defined });
    let plain = read(&[]);
    let mut found = plain.faults.clone();
    if has_variants && !plain.tested.is_empty() {
        found.extend(read(&plain.tested).faults);
    }
    let is_glsl = found.iter().all(|fault| fault.rule != Rule::Syntax);
    if stage == Stage::Fragment && is_glsl {
        found.extend(header::violations(file, source, &plain));
    }
    header::apply_exceptions(source, &mut found);
    found.sort();
    found.dedup();
    found.into_iter().map(|fault| Violation::new(file, source, fault)).collect()
}
