//! Types and reserved words.

use std::fmt;

use crate::program::rule::Rule;

/// Type of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Type {
    /// Unknown, because a fault is reported already or another text defines it; it fits everywhere.
    #[default]
    Unknown,
    Void,
    Bool,
    /// A float or a vector, by its number of channels.
    Float(usize),
    /// By an exception from the era's rules. The arithmetic of the run decides its precision.
    Double,
    Stream,
}

impl Type {
    const NAMED: [(&str, Type); 8] = [
        ("void", Type::Void),
        ("bool", Type::Bool),
        ("float", Type::Float(1)),
        ("vec2", Type::Float(2)),
        ("vec3", Type::Float(3)),
        ("vec4", Type::Float(4)),
        ("double", Type::Double),
        ("stream", Type::Stream),
    ];

    /// The type of the dialect that has this name.
    pub(super) fn named(name: &str) -> Option<Type> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, ty)| ty)
    }

    /// Number of channels of a value.
    pub(crate) fn width(self) -> usize {
        match self {
            Type::Float(width) => width,
            Type::Bool | Type::Double => 1,
            Type::Unknown | Type::Void | Type::Stream => 0,
        }
    }

    /// Tests whether a value of this type may be used where `other` is needed.
    pub(super) fn fits(self, other: Type) -> bool {
        self == other || self == Type::Unknown || other == Type::Unknown
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMED.into_iter().find(|(_, ty)| ty == self);
        f.write_str(named.map_or("an unknown type", |(name, _)| name))
    }
}

/// The remedy for a sign of word processors.
pub(super) fn typeset(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "−" | "–" | "—" => "write `-`",
        "×" | "·" | "∗" => "write `*`",
        "÷" | "∕" => "write `/`",
        "≤" => "write `<=`",
        "≥" => "write `>=`",
        "≠" => "write `!=`",
        "“" | "”" | "„" | "‘" | "’" | "‚" | "«" | "»" => {
            "leave it out: programs have no quotation marks"
        }
        _ => return None,
    })
}

/// The rule that a word of GLSL breaks, and what it is, if the dialect does not have it.
pub(super) fn foreign(word: &str) -> Option<(Rule, &'static str)> {
    let is_of = |words: &str| words.split_whitespace().any(|one| one == word);
    let digits = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let stem = &word[..digits(word)];
    let stem = stem.strip_suffix('x').map_or(stem, |first| &first[..digits(first)]);
    let mut numbers = "float double bool vec ivec uvec bvec dvec mat dmat".split_whitespace();
    let is_number = numbers.any(|kind| kind == stem && kind != word)
        || "int uint half fixed".split_whitespace().any(|kind| kind == stem);
    let opaque = word.trim_start_matches(['i', 'u']);
    let is_opaque = ["sampler", "image", "mage"].iter().any(|kind| {
        let kinds = ["1D", "2D", "3D", "Cube", "Buffer"];
        opaque.strip_prefix(kind).is_some_and(|rest| kinds.iter().any(|one| rest.starts_with(one)))
    });
    let qualifiers = "layout flat noperspective centroid invariant attribute varying buffer shared";
    let kinds = [
        (is_number || word == "struct", Rule::Types, "type"),
        (is_opaque || word == "atomic_uint", Rule::Resources, "type"),
        (is_of(qualifiers), Rule::Resources, "qualifier"),
        (is_of("while do"), Rule::ConstantLoops, "loop:"),
        (is_of("switch break continue"), Rule::Branches, "statement"),
    ];
    let kind = kinds.into_iter().find(|(is_this, ..)| *is_this && Type::named(word).is_none());
    kind.map(|(_, rule, what)| (rule, what))
}

/// Words of GLSL 3.30 and of the dialect that are not names.
const KEYWORDS: &str = "const uniform for if else case default subroutine in out inout void lowp mediump \
    highp smooth precision discard return common partition active asm class union enum typedef template this packed \
    goto inline noinline volatile public static extern external interface long short unsigned superp input \
    output hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 filter sizeof cast namespace using row_major \
    true false stream fetch here texture";

/// Tests whether a word cannot be the name of a variable or function.
pub(super) fn is_reserved(word: &str) -> bool {
    KEYWORDS.split_whitespace().any(|one| one == word)
        || Type::named(word).is_some()
        // `buffer` and `shared` are names in GLSL 3.30.
        || foreign(word).is_some() && !matches!(word, "buffer" | "shared")
        || word.starts_with("gl_")
        || word.contains("__")
        || word.len() > 256
}

/// Tests whether a name may be a macro that another text defines.
pub(super) fn is_in_capitals(name: &str) -> bool {
    name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
}

/// The value of a decimal integer.
pub(super) fn integer(digits: &str) -> Option<usize> {
    let is_decimal = digits == "0" || digits.starts_with(|c: char| matches!(c, '1'..='9'));
    digits.parse().ok().filter(|_| is_decimal)
}
