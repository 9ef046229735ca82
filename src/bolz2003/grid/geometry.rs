//! Regular grids, their boundary conditions and their coarsening (Bolz et al. 2003, section
//! 4.2).

use std::fmt;
use std::str::FromStr;

use crate::base::nearest::suggestion;
use crate::base::parallel::{PART, parts};
use crate::base::random::SplitMix64;
use crate::bolz2003::Error;
use crate::solver::Real;

/// Largest coarsest grid, in nodes, that a simple iteration still solves.
const LARGEST_COARSEST: usize = 33 * 33;

named! {
    /// Condition on one side of the domain.
    Boundary {
        /// The values are prescribed; the nodes on this side are not computed.
        Dirichlet = "dirichlet",
        /// The normal derivative is prescribed; the nodes on this side are unknowns.
        Neumann = "neumann",
        /// Indices are modulo N: the last column (row) is the first one again (section 4.1).
        Periodic = "periodic",
    }
}

impl FromStr for Boundary {
    type Err = String;

    /// Parses a name or its first letter.
    fn from_str(name: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name);
        let is_meant = |side: &Self| [side.name(), &side.name()[..1]].contains(&name);
        Self::ALL.into_iter().find(is_meant).ok_or_else(|| {
            let near = suggestion(name, &names);
            format!(
                "{near}give dirichlet, neumann or periodic (d, n or p) for all sides, or for left,right,bottom,top"
            )
        })
    }
}

/// The conditions on the four sides. A corner with a Dirichlet side is prescribed.
/// Periodic sides are opposite each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sides {
    /// Side at column 0.
    pub left: Boundary,
    /// Side at the last column.
    pub right: Boundary,
    /// Side at row 0.
    pub bottom: Boundary,
    /// Side at the last row.
    pub top: Boundary,
}

impl fmt::Display for Sides {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.each().map(Boundary::name);
        let is_one = names.iter().all(|name| *name == names[0]);
        formatter.write_str(&if is_one { names[0].to_owned() } else { names.join(",") })
    }
}

impl FromStr for Sides {
    type Err = String;

    /// Parses one condition for all sides, or four.
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split(',').map(str::parse).collect::<Result<Vec<Boundary>, _>>()?;
        match sides[..] {
            [all] => Ok(Self::all(all)),
            [left, right, bottom, top] => Ok(Self::new([left, right, bottom, top])),
            _ => Err("give one condition, or four: left,right,bottom,top".to_owned()),
        }
    }
}

impl Sides {
    /// One condition on all sides.
    pub const fn all(boundary: Boundary) -> Self {
        Self::new([boundary; 4])
    }

    /// The conditions on the left, right, bottom and top side.
    pub const fn new([left, right, bottom, top]: [Boundary; 4]) -> Self {
        Self { left, right, bottom, top }
    }

    /// Left, right, bottom, top.
    pub const fn each(self) -> [Boundary; 4] {
        [self.left, self.right, self.bottom, self.top]
    }

    /// Tests whether no value is prescribed on any side.
    pub fn none_known(self) -> bool {
        !self.each().contains(&Boundary::Dirichlet)
    }
}

/// (N+1) × (M+1) nodes; the node in column i and row j has index i + j (N+1) in a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// N and M.
    pub cells: [usize; 2],
    /// The conditions on its sides.
    pub sides: Sides,
}

impl Grid {
    /// Creates a grid of `columns` × `rows` nodes.
    pub fn new(columns: usize, rows: usize, sides: Sides) -> Result<Self, Error> {
        let grid = Self { cells: [columns.saturating_sub(1), rows.saturating_sub(1)], sides };
        let is_periodic = sides.each().map(|side| side == Boundary::Periodic);
        if is_periodic[0] != is_periodic[1] || is_periodic[2] != is_periodic[3] {
            return Err(Error::Unpaired);
        }
        if grid.can_be_coarsened() {
            return Ok(grid);
        }
        let [suggested_columns, suggested_rows] = grid.suggestion();
        Err(Error::Size { columns, rows, suggested_columns, suggested_rows })
    }

    fn can_be_coarsened(&self) -> bool {
        let small = |grid: &Self| grid.nodes() <= LARGEST_COARSEST;
        let fits = self.cells.iter().all(|&n| n >= 2 && n % 2 == 0);
        fits && self.levels(0).last().is_some_and(small)
    }

    /// Numbers of nodes, at least as many, that can be halved down to a small grid, as small as possible: if possible
    /// of the same shape within 1 %, and at most 1.3 times as wide.
    fn suggestion(&self) -> [usize; 2] {
        let [width, height] = self.cells.map(|n| n.max(1));
        let alike = |unit: usize| {
            let mut widths = width.div_ceil(unit)..=13 * width / (10 * unit);
            widths.find_map(|columns| {
                let rows = (columns * height + width / 2) / width;
                let change = (columns * height).abs_diff(rows * width);
                let grid = Self { cells: [columns * unit, rows * unit], ..*self };
                let fits = 100 * change <= rows * width && grid.cells[1] >= height;
                (fits && grid.can_be_coarsened()).then_some(grid.cells)
            })
        };
        let found =
            (1..20).filter_map(|halvings| alike(1 << halvings)).min_by_key(|cells| cells[0]);
        let cells = found.unwrap_or_else(|| {
            // Both sides as multiples of one power of two leave at most 16 cells on the coarsest grid.
            let unit = (width.max(height).max(2).next_power_of_two() / 8).max(2);
            [width, height].map(|n| n.div_ceil(unit) * unit)
        });
        cells.map(|n| n + 1)
    }

    /// Nodes per row.
    pub fn columns(&self) -> usize {
        self.cells[0] + 1
    }

    /// Nodes per column.
    pub fn rows(&self) -> usize {
        self.cells[1] + 1
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.columns() * self.rows()
    }

    /// Index of a node in a vector.
    pub fn place(&self, i: usize, j: usize) -> usize {
        i + j * self.columns()
    }

    /// Column and row of the node with this index.
    pub fn node(&self, place: usize) -> [usize; 2] {
        [place % self.columns(), place / self.columns()]
    }

    /// Computes a value for each unknown, and takes the default elsewhere, in the order of the nodes.
    pub fn map<V: Copy + Default + Send + Sync>(
        &self,
        elsewhere: V,
        value: impl Fn(usize, usize) -> V + Sync,
    ) -> Vec<V> {
        let (columns, [left, right, bottom, top]) = (self.columns(), self.computed());
        let mut values = vec![elsewhere; self.nodes()];
        let rows = PART.div_ceil(columns) * columns;
        parts(&mut values, rows, &|first, values| {
            let rows = (first / columns..).zip(values.chunks_mut(columns));
            for (j, row) in rows.filter(|(j, _)| (bottom..=top).contains(j)) {
                for (i, node) in (left..=right).zip(&mut row[left..]) {
                    *node = value(i, j);
                }
            }
        });
        values
    }

    /// First and last column, first and last row of the computed nodes.
    pub fn computed(&self) -> [usize; 4] {
        let first = |side| usize::from(side == Boundary::Dirichlet);
        let last = |cells, side| cells - usize::from(side != Boundary::Neumann);
        let [left, right, bottom, top] = self.sides.each();
        [first(left), last(self.cells[0], right), first(bottom), last(self.cells[1], top)]
    }

    /// Tests whether a node is an unknown.
    pub fn is_computed(&self, i: usize, j: usize) -> bool {
        let [left, right, bottom, top] = self.computed();
        (left..=right).contains(&i) && (bottom..=top).contains(&j)
    }

    /// Tests whether indices along an axis are modulo N.
    pub fn is_periodic(&self, axis: usize) -> bool {
        self.sides.each()[2 * axis] == Boundary::Periodic
    }

    /// First and last column, first and last row, beyond which there is nothing; on periodic axes, a
    /// period further away.
    pub fn ends(&self) -> [f32; 4] {
        let [[left, right], [bottom, top]] = [0, 1].map(|axis| {
            let last = self.cells[axis] as f32;
            if self.is_periodic(axis) { [-last, 2.0 * last] } else { [0.0, last] }
        });
        [left, right, bottom, top]
    }

    /// The index at this distance from another along an axis, if the grid has it.
    pub fn beside(&self, axis: usize, index: usize, distance: isize) -> Option<usize> {
        let cells = self.cells[axis];
        if self.is_periodic(axis) {
            // §4.1: indices modulo N, 0 ≡ N
            Some((index + cells).checked_add_signed(distance)? % cells)
        } else {
            index.checked_add_signed(distance).filter(|&n| n <= cells)
        }
    }

    /// Gives the last column (row) of periodic sides the values of the first one, of which it is a replica.
    pub fn bring_in_step<V: Copy>(&self, values: &mut [V]) {
        let [columns, rows] = [self.columns(), self.rows()];
        if self.is_periodic(0) {
            (0..rows).for_each(|j| values[self.place(columns - 1, j)] = values[self.place(0, j)]);
        }
        if self.is_periodic(1) {
            values.copy_within(..columns, self.place(0, rows - 1));
        }
    }

    /// Random values from about −1 to 1 at computed nodes, zero elsewhere. If no value is prescribed,
    /// their mean is zero: a constant solves the equation, but its rounding errors would soon be all
    /// that is left of a residual.
    pub fn random(&self, seed: u64) -> Vec<f32> {
        let everywhere = SplitMix64::new(seed).vector(self.nodes());
        let mut values = self.map(0.0, |i, j| everywhere[self.place(i, j)]);
        if self.sides.none_known() {
            let mean = self.mean(&values) as f32;
            values.iter_mut().for_each(|value| *value -= mean);
        }
        self.bring_in_step(&mut values);
        values
    }

    /// The extent of a node's control volume along an axis, in units of h: a half at the ends. The
    /// part of the last node of periodic sides counts for the first one.
    pub fn extent(&self, axis: usize, index: usize) -> f64 {
        let is_last = index == self.cells[axis];
        match self.is_periodic(axis) {
            true if is_last => 0.0,
            false if is_last || index == 0 => 0.5,
            _ => 1.0,
        }
    }

    /// A node's control volume as a share of a cell.
    pub fn share(&self, place: usize) -> f64 {
        let [i, j] = self.node(place);
        self.extent(0, i) * self.extent(1, j)
    }

    /// The mean over the domain.
    pub fn mean<T: Real>(&self, values: &[T]) -> f64 {
        let nodes = values.iter().enumerate();
        let sum: f64 = nodes.map(|(place, v)| self.share(place) * v.to_f64()).sum();
        sum / (self.cells[0] * self.cells[1]) as f64
    }

    /// Makes the sum of integrals over the control volumes zero by subtracting a constant, which is
    /// returned.
    pub fn balance(&self, integrals: &mut [f64]) -> f64 {
        let constant = integrals.iter().sum::<f64>() / (self.cells[0] * self.cells[1]) as f64;
        for (place, value) in integrals.iter_mut().enumerate() {
            *value -= constant * self.share(place);
        }
        constant
    }

    /// The grid of every other node; none if one of its quadrants would have half a cell.
    pub fn coarser(&self) -> Option<Self> {
        let halves = self.cells.iter().all(|&n| n % 4 == 0);
        halves.then(|| Self { cells: self.cells.map(|n| n / 2), sides: self.sides })
    }

    /// This grid and its coarser ones, until one has at most `coarsest` nodes or none is coarser.
    pub fn levels(&self, coarsest: usize) -> Vec<Self> {
        std::iter::successors(Some(*self), |grid| {
            let large = grid.nodes() > coarsest;
            large.then(|| grid.coarser()).flatten()
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Sides = Sides::all(Boundary::Dirichlet);

    #[test]
    fn conditions_are_one_or_four() {
        let mixed: Sides = "d,neumann,n,dirichlet".parse().unwrap();
        assert_eq!([mixed.right, mixed.top], [Boundary::Neumann, Boundary::Dirichlet]);
        assert_eq!(mixed.to_string().parse(), Ok(mixed));
        assert_eq!("dirichlet".parse(), Ok(ALL));
        for bad in ["", "d,n", "d,n,d,n,d", "robin"] {
            assert!(bad.parse::<Sides>().is_err(), "{bad}");
        }
        let slip = "neuman".parse::<Sides>().unwrap_err();
        assert!(slip.starts_with("did you mean neumann?"), "{slip}");
    }

    #[test]
    fn the_suggested_size_is_always_accepted() {
        for (columns, rows) in [(0, 0), (1, 7), (100, 100), (66, 1025), (1030, 20), (3000, 2000)] {
            if let Err(Error::Size { suggested_columns: c, suggested_rows: r, .. }) =
                Grid::new(columns, rows, ALL)
            {
                assert!(c >= columns && r >= rows, "{columns} x {rows}: {c} x {r}");
                Grid::new(c, r, ALL).unwrap();
            }
        }
    }

    #[test]
    fn the_suggested_size_has_the_same_shape() {
        for size in [[301, 201], [50, 40], [640, 480], [1000, 700], [200, 1000], [4001, 2999]] {
            let Err(Error::Size { suggested_columns, suggested_rows, .. }) =
                Grid::new(size[0], size[1], ALL)
            else {
                panic!("{size:?}")
            };
            let ratio = |new: usize, old: usize| (new - 1) as f64 / (old - 1) as f64;
            let [wider, higher] =
                [ratio(suggested_columns, size[0]), ratio(suggested_rows, size[1])];
            assert!((wider / higher - 1.0).abs() < 0.0101, "{size:?}");
            assert!(wider.min(higher) >= 1.0 && wider < 1.3, "{size:?}");
        }
    }

    #[test]
    fn sizes_of_the_paper_are_halved_to_three_nodes_on_the_shorter_side() {
        let levels = Grid::new(257, 257, ALL).unwrap().levels(0);
        assert_eq!(levels.len(), 8);
        assert_eq!(levels[7].cells, [2, 2]);
        let levels = Grid::new(513, 129, ALL).unwrap().levels(0);
        assert_eq!(levels.last().unwrap().cells, [8, 2]);
        let levels = Grid::new(513, 129, ALL).unwrap().levels(300);
        assert_eq!(levels.last().unwrap().cells, [32, 8]);
        Grid::new(1000, 1000, ALL).unwrap_err();
    }
}
