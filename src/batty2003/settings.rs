//! The switches of Appendix C, in the order in which the authors tried them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stream::Grouping;

/// Storage of the seven diagonals of the matrix in textures (step 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// Each diagonal in a texture of its own, rows wrapped
    Seven,
    /// All diagonals in one large texture, rows wrapped
    One,
    /// Each diagonal in a texture of its own, a slice of the grid per row: not in the paper
    Slices,
}

/// Computation of a neighbour's texel (steps 2 and 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Index {
    /// The column is the fraction of a skewed row: the paper's final method
    Frac,
    /// Skewed coordinates and a remainder
    Skew,
    /// Quotient and remainder of the texel's number: the naive method
    Divmod,
    /// Two digits and a carry: exact on any texture; not in the paper
    Carry,
}

/// Storage of an entry of the matrix (step 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entries {
    /// 32-bit floats
    Float,
    /// Bytes for −128 to 127, rounded: for timing, or for entries in that range
    Byte,
}

/// Place where the pair of floats for the distance to a neighbour is built (step 3). [`Index::Divmod`] and
/// [`Storage::Slices`] need none; [`Index::Carry`] always takes it from the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offsets {
    /// On the CPU
    Prebuilt,
    /// In every fragment
    Built,
}

/// Start of a solve (step 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guess {
    /// The previous step's pressure
    Warm,
    /// The right-hand side
    RightSide,
}

/// Place where the scalars of conjugate gradients are computed (step 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalars {
    /// On the CPU, from inner products that are read back
    Cpu,
    /// In surfaces of one texel; only the norm of the residual is read back
    Surfaces,
}

/// Approximate number of iterations between the paper's computations of the residual's norm. It is not printed, but
/// follows from the number of dot products, 19 891 = 2 · 9549 + 51 + 742.
pub const NORM_EVERY: usize = 13;

/// Configuration of a pressure solve. The default is the paper's final one.
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
    /// Step 6: the texels that a pass of a sum adds.
    pub grouping: Grouping,
    /// Step 7: true to wait for each operation, and so to time it alone.
    pub finish: bool,
    /// Step 8.
    pub scalars: Scalars,
    /// Step 10: a sum of at most this many texels is read back and finished on the CPU. One with
    /// [`Scalars::Surfaces`].
    pub stop_at: u64,
    /// True to use the diagonal preconditioner.
    pub preconditioned: bool,
}

impl Settings {
    /// The paper's final configuration, from which its tables come.
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
