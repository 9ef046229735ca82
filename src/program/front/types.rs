//! Types and reserved words.

use std::fmt;

/// Type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Of something that is already reported, or that another text defines: it fits everywhere.
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
    /// The type of the dialect that has this name.
    pub(super) fn named(name: &str) -> Option<Type> {
        Some(match name {
            "void" => Type::Void,
            "bool" => Type::Bool,
            "float" => Type::Float(1),
            "vec2" => Type::Float(2),
            "vec3" => Type::Float(3),
            "vec4" => Type::Float(4),
            "double" => Type::Double,
            "stream" => Type::Stream,
            _ => return None,
        })
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

    /// Type of a sum or product; `None` if there is none.
    pub(super) fn combined(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Float(a), Type::Float(b)) if a == b || a == 1 || b == 1 => {
                Some(Type::Float(a.max(b)))
            }
            (Type::Double, Type::Double) => Some(Type::Double),
            (Type::Unknown, Type::Unknown | Type::Float(_) | Type::Double) => Some(Type::Unknown),
            (Type::Float(_) | Type::Double, Type::Unknown) => Some(Type::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Unknown => write!(f, "an unknown type"),
            Type::Void => write!(f, "void"),
            Type::Bool => write!(f, "bool"),
            Type::Float(1) => write!(f, "float"),
            Type::Float(width) => write!(f, "vec{width}"),
            Type::Double => write!(f, "double"),
            Type::Stream => write!(f, "stream"),
        }
    }
}

/// Kind of a type that the dialect does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    Number,
    Matrix,
    Resource,
}

/// The kind of a type of GLSL, or one of other languages, that the dialect does not have.
pub(super) fn foreign(name: &str) -> Option<Foreign> {
    let without = |name: &'_ str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let stem = &name[..without(name)];
    let stem = stem.strip_suffix('x').map_or(stem, |first| &first[..without(first)]);
    match stem {
        "mat" if stem != name => return Some(Foreign::Matrix),
        "int" | "uint" | "half" | "fixed" | "unsigned" | "long" | "short" => {
            return Some(Foreign::Number);
        }
        "float" | "double" | "bool" | "vec" | "ivec" | "uvec" | "bvec" | "dvec" | "dmat"
            if stem != name =>
        {
            return Some(Foreign::Number);
        }
        "atomic_uint" => return Some(Foreign::Resource),
        _ => {}
    }
    let kinds = ["sampler", "isampler", "usampler", "image", "iimage", "uimage"];
    let dimensions = ["1D", "2D", "3D", "Cube", "Buffer"];
    let is_resource = |kind: &str| {
        let dimension = name.strip_prefix(kind);
        dimension.is_some_and(|rest| dimensions.iter().any(|one| rest.starts_with(one)))
    };
    kinds.into_iter().any(is_resource).then_some(Foreign::Resource)
}

/// Words of GLSL 3.30 that are not names, in addition to types; and the prelude's.
const RESERVED: &str = "attribute const uniform varying layout centroid flat smooth noperspective \
    break continue do for while switch case default if else subroutine in out inout void true false \
    invariant discard return lowp mediump highp precision struct common partition active asm class \
    union enum typedef template this packed goto inline noinline volatile public static extern \
    external interface input output hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 filter sizeof cast namespace \
    using row_major stream fetch here texture bool float double";

/// Tests whether a word cannot be the name of a variable or function.
pub(super) fn is_reserved_word(name: &str) -> bool {
    RESERVED.split_whitespace().any(|word| word == name)
        || foreign(name).is_some()
        || Type::named(name).is_some()
        || name.starts_with("gl_")
        || name.contains("__")
}
