//! The programs of a step of the fluid (Krüger and Westermann 2003, section 6).

use crate::stream::Source;

/// A program behind one that reads between texels.
macro_rules! interpolating {
    ($file:literal, $way:literal) => {
        Source {
            name: concat!("kruger2003/", $file, " ", $way),
            text: concat!(
                include_str!(concat!(
                    "../../../glsl/kruger2003/interpolate_",
                    $way,
                    ".glsl"
                )),
                include_str!(concat!("../../../glsl/kruger2003/", $file, ".frag"))
            ),
        }
    };
}

/// The program of the divergence.
pub const DIVERGENCE: Source = Source {
    name: "kruger2003/divergence",
    text: include_str!("../../../glsl/kruger2003/divergence.frag"),
};
/// The program of the new velocity.
pub const PROJECT: Source = Source {
    name: "kruger2003/project",
    text: include_str!("../../../glsl/kruger2003/project.frag"),
};

/// How what lies between texels is found when tracing back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// From four texels, as Stam does: simple, and smooths what it carries.
    Linear,
    /// From sixteen, by cubics: finer.
    #[default]
    Cubic,
}

impl Interpolation {
    /// The program of a step's explicit part.
    pub fn explicit(self) -> Source {
        match self {
            Self::Linear => interpolating!("explicit", "linear"),
            Self::Cubic => interpolating!("explicit", "cubic"),
        }
    }

    /// The program that carries dye.
    pub fn carry_dye(self) -> Source {
        match self {
            Self::Linear => interpolating!("carry_dye", "linear"),
            Self::Cubic => interpolating!("carry_dye", "cubic"),
        }
    }
}
