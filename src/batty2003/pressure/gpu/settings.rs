//! The switches of Appendix C: what the authors tried, one after another.

use crate::stream::Grouping;

/// How the seven diagonals of the matrix lie in textures (step 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Storage {
    /// Each in a texture of its own, rows wrapped
    Seven,
    /// All in one large texture, rows wrapped
    One,
    /// Each in a texture of its own, a slice of the grid in each row
    Slices,
}

/// How a program finds the texel of a neighbour (steps 2 and 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Index {
    /// The column is the fraction of a skewed row: the paper's final way
    Frac,
    /// Skewed coordinates and a remainder
    Skew,
    /// Quotient and remainder of the texel's number: the naive way
    Divmod,
    /// Two digits and a carry: exact on any texture, and not in the paper
    Carry,
}

/// What an entry of the matrix is stored as (step 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Entries {
    /// 32-bit floats
    Float,
    /// Bytes that mean −128 to 127, rounded: for timing, or for entries that are such numbers
    Byte,
}

/// Who builds the pair of floats that is the distance to a neighbour (step 3). [`Index::Divmod`] and
/// [`Storage::Slices`] need none, [`Index::Carry`] only takes one from the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Offsets {
    /// The CPU
    Prebuilt,
    /// Every fragment
    Built,
}

/// Where a solve starts (step 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Guess {
    /// At the last step's pressure
    Warm,
    /// At the right side
    RightSide,
}

/// Where the scalars of conjugate gradients are computed (step 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Scalars {
    /// On the CPU, from inner products that are read back
    Cpu,
    /// In surfaces of one texel; only the norm of the residual is read back
    Surfaces,
}

/// After how many iterations the paper took the norm of the residual, about: that is not printed, but
/// follows from the number of its dot products, 19 891 = 2 · 9549 + 51 + 742.
pub const NORM_EVERY: usize = 13;

/// How a pressure is solved for. The default is the paper's final configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Step 9.
    pub storage: Storage,
    /// Steps 2 and 5. [`Storage::Slices`] needs no index.
    pub index: Index,
    /// Step 1.
    pub entries: Entries,
    /// Step 3.
    pub offsets: Offsets,
    /// Step 4.
    pub guess: Guess,
    /// Step 6: which texels a pass of a sum adds up.
    pub grouping: Grouping,
    /// Step 7: whether each operation is waited for, and so timed.
    pub finish: bool,
    /// Step 8.
    pub scalars: Scalars,
    /// Step 10: a sum of at most so many texels is read back and left to the CPU. One with
    /// [`Scalars::Surfaces`].
    pub stop_at: u64,
    /// Whether there is the diagonal preconditioner.
    pub preconditioned: bool,
}

impl Settings {
    /// The paper's final configuration, which gave its tables.
    pub const fn paper_2003() -> Self {
        Self {
            storage: Storage::Seven,
            index: Index::Frac,
            entries: Entries::Float,
            offsets: Offsets::Prebuilt,
            guess: Guess::Warm,
            grouping: Grouping::Adjacent,
            finish: false,
            scalars: Scalars::Cpu,
            stop_at: 16,
            preconditioned: true,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::paper_2003()
    }
}
