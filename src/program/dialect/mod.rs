//! The era's rules, which ensure that a fragment processor of 2003 could run a program.
//!
//! GLSL is far larger than the language of Bolz et al. 2003 (section 2). [`check`] parses the text of a program
//! and reports everything that did not exist, with a remedy ([`Rule`]). A program that needs an exception
//! declares it in its first lines, with the reason:
//!
//! ```glsl
//! // EXCEPTION(constant-loops): the rows of ELLPACK-R end at their own length (CUDA, 2008)
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

pub(crate) mod constant;
pub(crate) mod declaration;
mod header;
mod preprocess;
mod rules;
mod size;
pub(crate) mod syntax;

pub use header::{Access, Exception, access, declares_exception, exceptions};
pub use preprocess::SyntaxError;
pub(crate) use preprocess::without_comments;
pub use rules::FUNCTIONS;
pub(crate) use rules::is_conditional_discard;

use syntax::Syntax;

/// Kind of text, by the extension of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// `.frag`: one kernel.
    Fragment,
    /// `.vert`: positions the corners of rectangles, or a mesh.
    Vertex,
    /// Anything else: text in front of other texts.
    Prelude,
}

/// One rule of the era.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The text is GLSL. No exception is possible.
    Syntax,
    /// The first lines name the paper's section and every channel, and exceptions are well-formed.
    /// No exception is possible.
    Header,
    /// Floats only: no integers, no unsigned, double or bool vectors.
    Types,
    /// No bit operations and no `%`.
    Operators,
    /// One RGBA result.
    OneResult,
    /// Streams only: no images, buffers, other samplers, shared memory.
    Resources,
    /// Functions of the era; textures are read only through `fetch`.
    Functions,
    /// At most 16 streams.
    SixteenStreams,
    /// At most eight interpolated inputs: the texture coordinates.
    EightCoordinates,
    /// Trip counts of loops are known when the program is assembled.
    ConstantLoops,
    /// No recursion: functions are inlined.
    Recursion,
    /// No branches: conditions select values. `discard` (KIL) may depend on a condition.
    Branches,
    /// The program fits the card of its paper. Only its listing decides that.
    Limits,
}

impl Rule {
    /// All rules from which a file may declare an exception.
    pub const EXEMPTABLE: [Rule; 11] = [
        Rule::Types,
        Rule::Operators,
        Rule::OneResult,
        Rule::Resources,
        Rule::Functions,
        Rule::SixteenStreams,
        Rule::EightCoordinates,
        Rule::ConstantLoops,
        Rule::Recursion,
        Rule::Branches,
        Rule::Limits,
    ];

    /// Name in `EXCEPTION(...)`.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// Permitted alternative.
    pub fn remedy(self) -> &'static str {
        self.words()[1]
    }

    /// Name and remedy.
    fn words(self) -> [&'static str; 2] {
        match self {
            Rule::Syntax => ["syntax", "correct the text"],
            Rule::Header => [
                "header",
                "begin with comments: formula and section, then `//   NAME   .xyzw  meaning` for \
                 result and each stream",
            ],
            Rule::Types => ["types", "use float, vec2, vec3, vec4 or a single bool"],
            Rule::Operators => ["operators", "use floor, fract and mod"],
            Rule::OneResult => {
                ["one-result", "write `result`, and the other value in another pass"]
            }
            Rule::Resources => ["resources", "declare `uniform stream NAME;`"],
            Rule::Functions => {
                ["functions", "use fetch(stream, position) and the functions of GLSL 1.10"]
            }
            Rule::SixteenStreams => {
                ["sixteen-streams", "split the program into passes, or pack streams into channels"]
            }
            Rule::EightCoordinates => ["eight-coordinates", "put two positions into one vec4"],
            Rule::ConstantLoops => [
                "constant-loops",
                "use `for (float c = CONSTANT; c < CONSTANT; c += CONSTANT)`, with a #define for \
                 the bound",
            ],
            Rule::Recursion => ["recursion", "write the steps out, or use a loop"],
            Rule::Branches => {
                ["branches", "select with ?:, step, mix, min or max; return only at the end"]
            }
            Rule::Limits => [
                "limits",
                "split it into passes, or declare the reason: `// EXCEPTION(limits): reason`",
            ],
        }
    }
}

/// Line and column, broken rule, text in question.
type Fault = ((u32, u32), Rule, String);

/// Something in a program that did not exist in 2003, or a fault of its header.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}:{column}: {found} ({}): {}", rule.name(), rule.remedy())]
pub struct Violation {
    /// Path or name of the file, as given.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in the line, from 1.
    pub column: u32,
    /// The rule that is broken.
    pub rule: Rule,
    /// The text in question.
    pub found: String,
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
    match violations(file, source, stage) {
        none if none.is_empty() => Ok(()),
        some => Err(some),
    }
}

/// The violations in a user's program, which needs no header, in the order of lines.
pub fn check_user(file: &str, source: &str) -> Vec<Violation> {
    let mut violations = violations(file, source, Stage::Fragment);
    violations.retain(|violation| violation.rule != Rule::Header);
    violations
}

/// All violations in a text, in the order of lines.
fn violations(file: &str, source: &str, stage: Stage) -> Vec<Violation> {
    let mut found: Vec<Fault> = Vec::new();
    let mut variants = vec![Vec::new()];
    let tested = preprocess::tested_names(source);
    if !tested.is_empty() {
        variants.push(tested);
    }
    for predefined in variants {
        match Syntax::parse(source, &predefined) {
            Ok(syntax) => {
                found.extend(rules::violations(&syntax, stage));
                if stage == Stage::Fragment {
                    found.extend(header::violations(file, source, &syntax));
                }
            }
            Err(error) => found.push(((error.line, error.column), Rule::Syntax, error.message)),
        }
    }
    header::apply_exceptions(source, &mut found);
    found.sort();
    found.dedup();
    let violations = found.into_iter();
    let violations = violations.map(|((line, column), rule, found)| Violation {
        file: file.to_string(),
        line,
        column,
        rule,
        found,
    });
    violations.collect()
}
