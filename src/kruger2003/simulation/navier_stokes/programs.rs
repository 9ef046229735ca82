//! The programs of a step of the fluid (Krüger and Westermann 2003, section 6).

use crate::stream::{Part, Source, source};

/// The program of the divergence.
pub const DIVERGENCE: Source = source!("kruger2003/simulation/divergence");
/// The program of the new velocity.
pub const PROJECT: Source = source!("kruger2003/simulation/project");

/// Interpolation between texels in semi-Lagrangian advection: linear, as in Stam's method, or cubic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Interpolation {
    /// From four cells; smooths the field
    Linear,
    /// From sixteen cells
    #[default]
    Cubic,
}

impl Interpolation {
    /// Part in front of the programs that read between texels.
    fn part(self) -> Part {
        match self {
            Self::Linear => source!(part "kruger2003/simulation/interpolate_linear"),
            Self::Cubic => source!(part "kruger2003/simulation/interpolate_cubic"),
        }
    }

    /// The program of a step's explicit part.
    pub fn explicit(self) -> Source {
        source!("kruger2003/simulation/explicit").with([self.part()])
    }

    /// The program that carries dye.
    pub fn carry_dye(self) -> Source {
        source!("kruger2003/simulation/carry_dye").with([self.part()])
    }
}
