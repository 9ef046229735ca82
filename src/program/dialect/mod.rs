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

use super::front::{Fault, Reading, Stage, assembled_as, is_whole, parse};
use super::{LINE, VERSION, VERTEX_PRELUDE};

/// The functions that a program may call, except for constructors and its own: `fetch`, and the float functions of
/// GLSL 1.10 that have instructions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    std::iter::once("fetch").chain(super::front::functions().map(|one| one.name))
}

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident $name:literal $remedy:literal;)*) => {
        /// One rule of the era.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $($(#[$doc])* $rule,)* }

        impl Rule {
            /// All rules.
            pub const ALL: &[Rule] = &[$(Rule::$rule,)*];

            /// Name and remedy of each.
            const WORDS: &[[&str; 2]] = &[$([$name, $remedy],)*];
        }
    };
}

// rule, its name, the permitted alternative
rules! {
    /// The text is GLSL. No exception is possible.
    Syntax "syntax" "correct the text";
    /// The first lines name the paper's section and every channel, and exceptions are well-formed.
    /// No exception is possible.
    Header "header" "begin with comments: formula and section, then `//   NAME   .xyzw  meaning` for result and each \
        stream";
    /// Floats only: no integers, no unsigned, double or bool vectors.
    Types "types" "use float, vec2, vec3, vec4 or a single bool";
    /// No bit operations and no `%`.
    Operators "operators" "use floor, fract and mod";
    /// One RGBA result.
    OneResult "one-result" "write `result`, and the other value in another pass";
    /// Streams only: no images, buffers, other samplers, shared memory.
    Resources "resources" "declare `uniform stream NAME;`";
    /// Functions of the era; textures are read only through `fetch`.
    Functions "functions" "use fetch(stream, position) and the functions of GLSL 1.10 without arcs";
    /// At most 16 streams.
    SixteenStreams "sixteen-streams" "split the program into passes, or pack streams into channels";
    /// At most eight interpolated inputs: the texture coordinates.
    EightCoordinates "eight-coordinates" "put two positions into one vec4";
    /// Trip counts of loops are known when the program is assembled.
    ConstantLoops "constant-loops" "use `for (float c = CONSTANT; c < CONSTANT; c += CONSTANT)`, with a #define for \
        the bound";
    /// No recursion: functions are inlined.
    Recursion "recursion" "write the steps out, or use a loop";
    /// No branches: conditions select values. `discard` (KIL) may depend on a condition.
    Branches "branches" "select with ?:, step, mix, min or max; return only at the end";
    /// Values change in statements alone: `x = …`, `x++`, a call with `out` parameters.
    SideEffects "side-effects" "assign in a statement of its own, and use the variable after it";
    /// A word of GLSL that the dialect leaves out, although processors of 2003 could have it.
    /// No exception is possible.
    Dialect "dialect" "write it in another way";
    /// The program fits the card of its paper. Only its listing decides that.
    Limits "limits" "split it into passes, or declare the reason: `// EXCEPTION(limits): reason`";
}

impl Rule {
    /// Tests whether a file may declare an exception from it.
    pub fn is_exemptable(self) -> bool {
        !matches!(self, Rule::Syntax | Rule::Header | Rule::Dialect)
    }

    /// Name in `EXCEPTION(...)`.
    pub fn name(self) -> &'static str {
        Self::WORDS[self as usize][0]
    }

    /// Permitted alternative.
    pub fn remedy(self) -> &'static str {
        Self::WORDS[self as usize][1]
    }
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
