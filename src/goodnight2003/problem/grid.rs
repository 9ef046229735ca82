//! The grids of all levels, with the positions of their nodes (goodnight2003 §2.1, §4.2).
//!
//! A coarser grid keeps every second node. If the number of intervals is odd, the last of these nodes
//! is replaced by the end. So any size and any period has coarser grids, whose intervals are equal
//! except for the last, which is at most twice as long. (If the last but one were kept too, the last interval would be
//! ever shorter than the others: two nodes that hardly differ. At sides without a prescribed value,
//! neither smoothing nor coarser grids change their common error, and multigrid slows down with every
//! level: 0.5 per V(2,2)-cycle at 66 × 66, 0.9 at 514 × 514, instead of 0.06.)
//! Node j of level l is node j 2^l of the finest grid, and the last node is the last.
//!
//! The two sides of an elongated grid are halved together, and the short one is the first without an
//! interval left: a single node then represents all of it. (If two nodes remained two, their
//! coupling would grow fourfold per level relative to that along the long side, and relaxation would
//! only level out the two: 0.95 per V(4,4)-cycle at 513 × 9 between insulated long sides.)

use crate::goodnight2003::{Error, Side};
use crate::stream::Size;

/// One coordinate of a grid: nodes at equal distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    nodes: u32,
    origin: f64,
    spacing: f64,
    periodic: bool,
}

impl Axis {
    /// Creates an axis of `nodes` nodes with this spacing, the first at `origin`.
    pub fn new(nodes: u32, origin: f64, spacing: f64) -> Result<Self, Error> {
        if nodes < 2 || !(spacing > 0.0 && spacing.is_finite() && origin.is_finite()) {
            return Err(Error::Axis { nodes, spacing });
        }
        Ok(Self { nodes, origin, spacing, periodic: false })
    }

    /// A periodic axis, with the last node a replica of the first: flow out of one end enters at the
    /// other.
    pub fn periodic(nodes: u32, origin: f64, spacing: f64) -> Result<Self, Error> {
        let axis = Self::new(nodes, origin, spacing)?;
        if nodes.is_multiple_of(2) {
            return Err(Error::Period(nodes));
        }
        Ok(Self { periodic: true, ..axis })
    }

    /// Tests whether the last node is a replica of the first.
    pub fn is_periodic(&self) -> bool {
        self.periodic
    }

    /// Number of nodes on a level: at least one, or one and its replica.
    pub fn nodes(&self, level: u32) -> u32 {
        let intervals = (self.nodes - 1) / stride(level);
        intervals.max(u32::from(self.periodic)) + 1
    }

    /// Number of nodes on a level without replicas.
    pub fn originals(&self, level: u32) -> u32 {
        self.nodes(level) - u32::from(self.periodic)
    }

    /// Index of a node in the finest grid.
    pub fn finest(&self, level: u32, node: u32) -> u32 {
        if node + 1 < self.nodes(level) {
            node.saturating_mul(stride(level))
        } else {
            self.nodes - 1
        }
    }

    /// The coordinate of a node.
    pub fn position(&self, level: u32, node: u32) -> f64 {
        self.origin + self.spacing * f64::from(self.finest(level, node))
    }

    /// The distance from a node to the next one.
    pub fn interval(&self, level: u32, node: u32) -> f64 {
        self.spacing * f64::from(self.finest(level, node + 1) - self.finest(level, node))
    }

    /// The coordinate halfway from a node to the next one.
    pub fn midpoint(&self, level: u32, node: u32) -> f64 {
        self.position(level, node) + 0.5 * self.interval(level, node)
    }

    /// The width of a node's control volume: half of the interval on either side, and nothing outside
    /// an end, unless the axis is periodic. A single node has the whole axis.
    pub fn width(&self, level: u32, node: u32) -> f64 {
        if self.originals(level) == 1 {
            return self.spacing * f64::from(self.nodes - 1);
        }
        let sides = [self.before(level, node), self.after(level, node)];
        0.5 * sides.into_iter().flatten().sum::<f64>()
    }

    /// The interval before a node, across the end of a periodic axis.
    pub fn before(&self, level: u32, node: u32) -> Option<f64> {
        match node {
            0 if self.periodic => Some(self.interval(level, self.nodes(level) - 2)),
            0 => None,
            _ => Some(self.interval(level, node - 1)),
        }
    }

    /// The interval after a node, across the end of a periodic axis.
    pub fn after(&self, level: u32, node: u32) -> Option<f64> {
        if node + 1 < self.nodes(level) {
            Some(self.interval(level, node))
        } else {
            self.periodic.then(|| self.interval(level, 0))
        }
    }

    /// The coarser node before a node, or at the same position; for the last node, the last but one.
    pub fn coarser(&self, level: u32, node: u32) -> u32 {
        (node / 2).min(self.nodes(level + 1).saturating_sub(2))
    }

    /// The weight of the coarser node after [`Axis::coarser`] in the interpolation to a node; that one has the rest
    /// of the weight. Zero if there is a single coarser node.
    pub fn weight(&self, level: u32, node: u32) -> f64 {
        if self.originals(level + 1) == 1 {
            return 0.0;
        }
        let before = self.coarser(level, node);
        // §4.1.5, bilinear: the weight (x − X_J) / (X_J+1 − X_J) in this direction
        let from = self.position(level + 1, before);
        (self.position(level, node) - from) / self.interval(level + 1, before)
    }

    /// The nodes of a level whose corrections reach a node of the next finer one, with its shares.
    pub fn reached_by(&self, level: u32, node: u32) -> impl Iterator<Item = (u32, f64)> + use<> {
        let (before, weight) = (self.coarser(level - 1, node), self.weight(level - 1, node));
        let both = [(before, 1.0 - weight), (before + 1, weight)];
        // A share due to rounding errors is dropped.
        both.into_iter().filter(|(_, share)| *share > 1e-9)
    }

    /// The node itself, or, for the replica at the end of a period, its original.
    pub fn original(&self, level: u32, node: u32) -> u32 {
        // §4.2: the last column (or row) of a periodic grid is the first
        if self.periodic && node + 1 == self.nodes(level) { 0 } else { node }
    }

    /// Position of the last node, in intervals of the level before its last one.
    pub fn end(&self, level: u32) -> f64 {
        f64::from(self.nodes - 1) / f64::from(stride(level))
    }

    /// Tests whether the intervals of a level, and those of the next coarser one, are all equal.
    pub fn halves_evenly(&self, level: u32) -> bool {
        (self.nodes - 1).is_multiple_of(stride(level + 1))
    }
}

fn stride(level: u32) -> u32 {
    1u32.checked_shl(level).unwrap_or(u32::MAX)
}

/// The nodes of a red-black half-sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Column plus row even.
    Red,
    /// Column plus row odd.
    Black,
}

impl Colour {
    /// Both colours, in the order of a sweep.
    pub const BOTH: [Self; 2] = [Self::Red, Self::Black];

    /// Tests whether a node has this colour.
    pub fn has(self, column: usize, row: usize) -> bool {
        (column + row).is_multiple_of(2) == (self == Self::Red)
    }
}

/// A grid of nodes, columns along `x` and rows along `y`, and its coarser versions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// ξ, along the columns.
    pub x: Axis,
    /// η, along the rows.
    pub y: Axis,
}

impl Grid {
    /// The unit square (or the rectangle 1 x (rows − 1)/(columns − 1)), not periodic.
    pub fn unit(columns: u32, rows: u32) -> Result<Self, Error> {
        let spacing = 1.0 / f64::from(columns.max(2) - 1);
        Ok(Self { x: Axis::new(columns, 0.0, spacing)?, y: Axis::new(rows, 0.0, spacing)? })
    }

    /// The aspect ratio of the cells. The longer they are, the slower relaxation by
    /// points.
    pub fn elongation(&self) -> f64 {
        let [x, y] = [self.x.spacing, self.y.spacing];
        x.max(y) / x.min(y)
    }

    /// Columns and rows on a level.
    pub fn size(&self, level: u32) -> Size {
        (self.x.nodes(level), self.y.nodes(level))
    }

    /// Number of nodes on a level.
    pub fn nodes(&self, level: u32) -> usize {
        let (columns, rows) = self.size(level);
        columns as usize * rows as usize
    }

    /// Column and row of every node of a level, rows from the south up.
    pub fn places(&self, level: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (columns, rows) = self.size(level);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    /// Column and row of the node with this index in [`Grid::places`] of the finest grid.
    pub fn place(&self, node: usize) -> (u32, u32) {
        let columns = self.x.nodes(0);
        (node as u32 % columns, node as u32 / columns)
    }

    /// ξ and η of a node of the finest grid.
    pub fn point(&self, (column, row): (u32, u32)) -> [f64; 2] {
        [self.x.position(0, column), self.y.position(0, row)]
    }

    /// The nodes of a level without replicas, as indices in [`Grid::places`]: a replica is its
    /// original, and is counted once.
    pub fn originals(&self, level: u32) -> impl Iterator<Item = usize> + use<> {
        let (columns, _) = self.size(level);
        let (columns_once, rows_once) = (self.x.originals(level), self.y.originals(level));
        (0..rows_once)
            .flat_map(move |row| (0..columns_once).map(move |column| row * columns + column))
            .map(|node| node as usize)
    }

    /// The mean of a value over the nodes of the finest grid, without replicas.
    pub fn mean(&self, value: impl Fn(usize) -> f64) -> f64 {
        let nodes = f64::from(self.x.originals(0)) * f64::from(self.y.originals(0));
        self.originals(0).map(value).sum::<f64>() / nodes
    }

    /// The axis along a side.
    pub fn along(&self, side: Side) -> &Axis {
        match side {
            Side::West | Side::East => &self.y,
            Side::South | Side::North => &self.x,
        }
    }

    /// The axis perpendicular to a side.
    pub fn across(&self, side: Side) -> &Axis {
        match side {
            Side::West | Side::East => &self.x,
            Side::South | Side::North => &self.y,
        }
    }

    /// 1 for a periodic axis, as kernels take it.
    pub fn periodic(&self) -> [f32; 2] {
        [&self.x, &self.y].map(|axis| f32::from(axis.is_periodic()))
    }

    /// The last column and row, in units of the level's other intervals, as kernels take them.
    pub fn end(&self, level: u32) -> [f32; 2] {
        [&self.x, &self.y].map(|axis| axis.end(level) as f32)
    }

    /// Tests whether a node is red, that is, whether the sum of column and row is even. A replica has
    /// its original's.
    pub fn is_red(&self, level: u32, (column, row): (u32, u32)) -> bool {
        (self.x.original(level, column) + self.y.original(level, row)).is_multiple_of(2)
    }

    /// Number of levels until both sides have at most three nodes without replicas,
    /// for which a few sweeps suffice.
    pub fn levels(&self) -> u32 {
        self.levels_until(3)
    }

    /// Number of levels until both sides have at most `nodes` nodes.
    pub fn levels_until(&self, nodes: u32) -> u32 {
        let most = |level| self.x.originals(level).max(self.y.originals(level));
        (0..32).take_while(|&level| most(level) > nodes).count() as u32 + 1
    }
}
