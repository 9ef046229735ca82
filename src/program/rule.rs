//! One rule of 2003: what a fragment processor could not run, and the permitted alternative.

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
