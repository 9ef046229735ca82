//! The layouts by name.

/// How a matrix lies in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum MatrixLayout {
    /// Rows of like length, packed into rectangles (bolz2003, section 3.2)
    Rows,
    /// The diagonals that are not all zero, a texture each (kruger2003, section 2)
    Diagonals,
    /// The same with four entries a texel (kruger2003, section 6)
    DiagonalsRgba,
    /// The same with a quarter of the entries in each channel: ours, and `solve`'s where diagonals are few
    Quarters,
    /// Every column, zeros too (kruger2003, section 3.2)
    Columns,
    /// The entries, drawn as points (kruger2003, section 4.2)
    Points,
    /// Rows padded to the longest one (geveler2011, section 3.1)
    Ellpack,
    /// Rows that end at their own lengths (geveler2011, section 3.1): no program of 2003 could
    EllpackR,
    /// Seven diagonals of a box, four cells a texel, rows wrapped (batty2003)
    Wrapped,
    /// The same in one texture (batty2003, Appendix C, step 9)
    OneTexture,
    /// The same, a slice of the box in each row of seven textures (batty2003, Appendix C, step 9)
    Slices,
}

impl MatrixLayout {
    /// Those that any matrix is tried in, and the one of batty2003 that most resembles them.
    pub const FOR_MATRICES: [Self; 8] = [
        Self::Rows,
        Self::Diagonals,
        Self::Quarters,
        Self::Columns,
        Self::Points,
        Self::Ellpack,
        Self::EllpackR,
        Self::Slices,
    ];

    /// Those of grids in three dimensions.
    pub const FOR_BOXES: [Self; 9] = [
        Self::Wrapped,
        Self::OneTexture,
        Self::Slices,
        Self::Diagonals,
        Self::DiagonalsRgba,
        Self::Quarters,
        Self::Rows,
        Self::Ellpack,
        Self::EllpackR,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Diagonals => "diagonals",
            Self::DiagonalsRgba => "diagonals-rgba",
            Self::Quarters => "quarters",
            Self::Columns => "columns",
            Self::Points => "points",
            Self::Ellpack => "ellpack",
            Self::EllpackR => "ellpack-r",
            Self::Wrapped => "wrapped",
            Self::OneTexture => "one-texture",
            Self::Slices => "slices",
        }
    }

    /// The paper and the section that has it.
    pub fn from(self) -> &'static str {
        match self {
            Self::Rows => "bolz2003 §3.2",
            Self::Diagonals => "kruger2003 §2",
            Self::DiagonalsRgba => "kruger2003 §6",
            Self::Quarters => "ours",
            Self::Columns => "kruger2003 §3.2",
            Self::Points => "kruger2003 §4.2",
            Self::Ellpack | Self::EllpackR => "geveler2011 §3.1",
            Self::Wrapped => "batty2003",
            Self::OneTexture | Self::Slices => "batty2003 App. C",
        }
    }

    /// Whether a program of 2003 could take the product.
    pub fn is_of_2003(self) -> bool {
        self != Self::EllpackR
    }
}
