//! The operator of every level: the coefficients a_k of the faces (goodnight2003 §4.1.1, §5.3).
//!
//! Those of the finest level come from the coordinates, those of each coarser level from the next finer one. If
//! they were taken from the coordinates at the coarser nodes, corrections could be too long, since everything between
//! these nodes may differ: with conductivities of 1 and 16 in a chessboard of eight fields per
//! side, the error of 65 × 65 nodes grew by 1.4 per V(4,4)-cycle.

use crate::goodnight2003::{Axis, Error, Grid, Problem};

impl Problem {
    /// The coefficients a_k of the finest level, west, east, south and north of each node, computed
    /// on the CPU: the contents of the operator map.
    pub fn coefficients(&self) -> Result<Vec<[f64; 4]>, Error> {
        let (x, y) = (&self.grid.x, &self.grid.y);
        let across_x = |interval: u32, row: u32| -> Result<f64, Error> {
            let [h1, h2, k] = self.metric_at(x.midpoint(0, interval), y.position(0, row))?;
            // §5.3, Eq. 2 in coordinates: a = k h₂/h₁ Δη/Δξ; 1 inside a square Cartesian grid
            Ok(k * h2 / h1 * y.width(0, row) / x.interval(0, interval))
        };
        let across_y = |column: u32, interval: u32| -> Result<f64, Error> {
            let [h1, h2, k] = self.metric_at(x.position(0, column), y.midpoint(0, interval))?;
            Ok(k * h1 / h2 * x.width(0, column) / y.interval(0, interval))
        };
        let mut faces = Faces::new(&self.grid, 0);
        for row in 0..y.originals(0) {
            for column in 0..x.nodes(0) - 1 {
                *faces.east(column, row) = across_x(column, row)?;
            }
        }
        for row in 0..y.nodes(0) - 1 {
            for column in 0..x.originals(0) {
                *faces.north(column, row) = across_y(column, row)?;
            }
        }
        Ok(faces.of_nodes())
    }

    /// The coefficients of a level from those of the next finer one.
    ///
    /// A correction e of the coarser level costs the energy Σ a (difference of P e)² on the finer
    /// one. Interpolation makes that difference, at a face of length h within one of length H, from
    /// the adjacent coarser differences: their mean, weighted as rows (or columns) are
    /// interpolated, times h / H. The square of a mean is at most the mean of the squares, so with
    ///
    ///   A = Σ weight (h / H)² a
    ///
    /// over the finer faces, the coarser energy of e is at least the finer one of P e, for every e:
    /// no correction is too long, whatever the coefficients are between the nodes of coarser grids,
    /// and no cycle increases the energy of the error. For constant coefficients, A is given by
    /// the coarser grid's own volumes and distances.
    fn coarser_coefficients(&self, level: u32, finer: &[[f64; 4]]) -> Vec<[f64; 4]> {
        let (x, y) = (&self.grid.x, &self.grid.y);
        let columns = x.nodes(level - 1) as usize;
        let mut faces = Faces::new(&self.grid, level);
        for row in 0..y.originals(level - 1) {
            for column in 0..x.originals(level - 1) {
                let [_, east, _, north] = finer[row as usize * columns + column as usize];
                if let Some((interval, part)) = within(x, level, column) {
                    for (row, weight) in y.reached_by(level, row) {
                        *faces.east(interval, row) += weight * part * part * east;
                    }
                }
                if let Some((interval, part)) = within(y, level, row) {
                    for (column, weight) in x.reached_by(level, column) {
                        *faces.north(column, interval) += weight * part * part * north;
                    }
                }
            }
        }
        faces.of_nodes()
    }

    /// The coefficients of all levels, the finest first.
    pub fn operators(&self, levels: u32) -> Result<Vec<Vec<[f64; 4]>>, Error> {
        let finest = self.coefficients()?;
        let mut coarsest = 0;
        let coarser = |finer: &Vec<_>| {
            coarsest += 1;
            (coarsest < levels).then(|| self.coarser_coefficients(coarsest, finer))
        };
        Ok(std::iter::successors(Some(finest), coarser).collect())
    }
}

/// The interval of a level that contains the one after a node of the next finer level, and the share of
/// it. None after the last node, and if the level has a single node.
fn within(axis: &Axis, level: u32, node: u32) -> Option<(u32, f64)> {
    let is_interval = node + 1 < axis.nodes(level - 1) && axis.originals(level) > 1;
    is_interval.then(|| {
        let interval = axis.coarser(level - 1, node);
        let part = axis.interval(level - 1, node) / axis.interval(level, interval);
        (interval, part)
    })
}

/// The coefficients of a level, each face once.
struct Faces<'a> {
    grid: &'a Grid,
    level: u32,
    /// To the east and to the north of each node.
    of: Vec<[f64; 2]>,
}

impl<'a> Faces<'a> {
    fn new(grid: &'a Grid, level: u32) -> Self {
        let of = vec![[0.0; 2]; grid.nodes(level)];
        Self { grid, level, of }
    }

    fn east(&mut self, column: u32, row: u32) -> &mut f64 {
        let node = self.node(column, row);
        &mut self.of[node][0]
    }

    fn north(&mut self, column: u32, row: u32) -> &mut f64 {
        let node = self.node(column, row);
        &mut self.of[node][1]
    }

    /// Index of the faces of a node or of its original.
    fn node(&self, column: u32, row: u32) -> usize {
        let (columns, _) = self.grid.size(self.level);
        let column = self.grid.x.original(self.level, column);
        let row = self.grid.y.original(self.level, row);
        row as usize * columns as usize + column as usize
    }

    /// West, east, south and north of each node. No face connects a node with itself.
    fn of_nodes(&self) -> Vec<[f64; 4]> {
        let before = |axis: &Axis, node| match axis.original(self.level, node) {
            0 => axis.is_periodic().then(|| axis.originals(self.level) - 1),
            node => Some(node - 1),
        };
        let coefficients = |(column, row)| {
            let at = |column, row| self.of[self.node(column, row)];
            let west = before(&self.grid.x, column).map_or(0.0, |west| at(west, row)[0]);
            let south = before(&self.grid.y, row).map_or(0.0, |south| at(column, south)[1]);
            let [east, north] = at(column, row);
            [west, east, south, north]
        };
        self.grid.places(self.level).map(coefficients).collect()
    }
}
