//! The sides of a grid (goodnight2003 §4.2).

named! {
    /// A side of the grid, in the order of an operator's channels.
    Side {
        /// The first column.
        West = "west",
        /// The last column.
        East = "east",
        /// The first row.
        South = "south",
        /// The last row.
        North = "north",
    }
}
