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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// 32-bit floats
    Float,
    /// Bytes for −128 to 127, rounded: for timing, or for entries in that range
    Byte,
}

/// Place where the pair of floats for the distance to a neighbour is built (step 3). [`Index::Divmod`] and
/// [`Storage::Slices`] need none; [`Index::Carry`] always takes it from the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Offsets {
    /// On the CPU
    Prebuilt,
    /// In every fragment
    Built,
}

/// Start of a solve (step 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Guess {
    /// The previous step's pressure
    Warm,
    /// The right-hand side
    RightSide,
}

/// Place where the scalars of conjugate gradients are computed (step 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Layout of the matrix in textures
    ///
    /// Step 9.
    #[serde(rename = "layout")]
    pub storage: Storage,
    /// Index arithmetic for the texel of a neighbour
    ///
    /// Steps 2 and 5. [`Storage::Slices`] needs no index.
    pub index: Index,
    /// Step 1.
    #[serde(skip)]
    pub entries: Entries,
    /// Place where the distance to a neighbour is built
    ///
    /// Step 3.
    pub offsets: Offsets,
    /// Start of a solve
    ///
    /// Step 4.
    pub guess: Guess,
    /// Texels that a pass of a sum adds
    ///
    /// Step 6.
    pub grouping: Grouping,
    /// Wait for each operation, and so time it alone
    ///
    /// Step 7.
    #[schemars(extend("without" = "Do not wait for operations"))]
    pub finish: bool,
    /// Place where the scalars of conjugate gradients are computed
    ///
    /// Step 8.
    pub scalars: Scalars,
    /// Largest number of texels of a sum that the CPU finishes
    ///
    /// Step 10. One with [`Scalars::Surfaces`].
    #[schemars(range(min = 1))]
    pub stop_at: u64,
    /// True to use the diagonal preconditioner.
    #[serde(skip)]
    pub preconditioned: bool,
}

impl Settings {
    /// The paper's final configuration, from which its tables come.
    pub const fn paper_2003() -> Self {
        Self {
            // Appendix C, steps 9, 5, 1, 3, 4, 6, 7, 8 and 10, in this order
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
