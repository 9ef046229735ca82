//! Boundary conditions, goodnight2003 §4.2, equation 3: α U + β ∂U/∂n = γ at every boundary node.

use crate::goodnight2003::{Error, Grid, Side};

/// α U + β ∂U/∂n = γ, with n pointing outwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    /// α, the factor of the value.
    pub alpha: f64,
    /// β, the factor of the outward normal derivative. Zero for a prescribed value (Dirichlet).
    pub beta: f64,
    /// γ, the right-hand side.
    pub gamma: f64,
}

impl Condition {
    /// U = `value` (Dirichlet).
    pub const fn value(value: f64) -> Self {
        Self { alpha: 1.0, beta: 0.0, gamma: value }
    }

    /// ∂U/∂n = `slope` (Neumann).
    pub const fn slope(slope: f64) -> Self {
        Self { alpha: 0.0, beta: 1.0, gamma: slope }
    }

    /// Tests whether the value is prescribed.
    pub fn is_value(&self) -> bool {
        self.beta == 0.0
    }
}

/// The conditions of all sides, node by node: along the west and east side from the south up,
/// along the south and north side from the west on. `None` for periodic axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Boundaries {
    sides: [Option<Vec<Condition>>; 4],
}

impl Boundaries {
    /// Nothing prescribed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the same condition along a whole side of this grid.
    pub fn with(self, grid: &Grid, side: Side, condition: Condition) -> Self {
        let nodes = grid.along(side).nodes(0);
        self.with_each(side, vec![condition; nodes as usize])
    }

    /// Adds one condition per node of the side.
    pub fn with_each(mut self, side: Side, conditions: Vec<Condition>) -> Self {
        self.sides[side as usize] = Some(conditions);
        self
    }

    /// One condition on all sides that are not periodic.
    pub fn all(grid: &Grid, condition: Condition) -> Self {
        Self::each(grid, |_, _| condition)
    }

    /// A condition for each node, as a function of its ξ and η, on all sides that are not periodic.
    pub fn each(grid: &Grid, condition: impl Fn(Side, [f64; 2]) -> Condition) -> Self {
        let (columns, rows) = grid.size(0);
        let sides = Side::ALL.into_iter();
        let sides = sides.filter(|side| !grid.across(*side).is_periodic());
        sides.fold(Self::new(), |all, side| {
            let conditions = (0..grid.along(side).nodes(0)).map(|node| {
                let place = match side {
                    Side::West => (0, node),
                    Side::East => (columns - 1, node),
                    Side::South => (node, 0),
                    Side::North => (node, rows - 1),
                };
                condition(side, grid.point(place))
            });
            all.with_each(side, conditions.collect())
        })
    }

    /// Makes each replica's conditions equal to its original's.
    pub fn replicated(mut self, grid: &Grid) -> Self {
        for side in Side::ALL {
            if let Some([original, .., replica]) = self.sides[side as usize].as_deref_mut()
                && grid.along(side).is_periodic()
            {
                *replica = *original;
            }
        }
        self
    }

    /// Sets all prescribed values and flows to zero: the conditions of a correction.
    pub fn homogeneous(&self) -> Self {
        self.scaled(0.0)
    }

    /// Multiplies all prescribed values and flows: the conditions of a multiple of U.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = self.clone();
        let conditions = scaled.sides.iter_mut().flatten().flatten();
        conditions.for_each(|condition| condition.gamma *= factor);
        scaled
    }

    /// The conditions of a side.
    pub fn side(&self, side: Side) -> Option<&[Condition]> {
        self.sides[side as usize].as_deref()
    }

    /// Checks that exactly the sides that need conditions have them.
    pub fn check(&self, grid: &Grid) -> Result<(), Error> {
        for side in Side::ALL {
            match (self.side(side), grid.across(side).is_periodic()) {
                (None, true) => {}
                (None, false) => return Err(Error::UnderDetermined(side)),
                (Some(_), true) => return Err(Error::OverDetermined(side)),
                (Some(conditions), false) => check_side(grid, side, conditions)?,
            }
        }
        Ok(())
    }

    /// The conditions at a node of the finest grid on the sides that it touches, with the lengths of its
    /// pieces of the sides. `lengths` are those of a piece of a west or east side, and of a south or
    /// north side.
    pub fn pieces(
        &self,
        grid: &Grid,
        (column, row): (u32, u32),
        lengths: [f64; 2],
    ) -> impl Iterator<Item = (Side, Condition, f64)> {
        let (columns, rows) = grid.size(0);
        let touching = [
            (column == 0).then_some((row, lengths[0])),
            (column + 1 == columns).then_some((row, lengths[0])),
            (row == 0).then_some((column, lengths[1])),
            (row + 1 == rows).then_some((column, lengths[1])),
        ];
        let sides = Side::ALL.into_iter().zip(touching);
        sides.filter_map(|(side, touching)| {
            let (node, length) = touching?;
            Some((side, self.side(side)?[node as usize], length))
        })
    }

    /// The condition at a node of the finest grid: `None` inside and on periodic sides; `lengths` as in
    /// [`Boundaries::pieces`].
    ///
    /// At a corner a prescribed value takes precedence over a derivative. Two derivatives are combined to one
    /// condition with the total flow of both.
    pub fn at(
        &self,
        grid: &Grid,
        place: (u32, u32),
        lengths: [f64; 2],
    ) -> Option<(Condition, f64)> {
        let pieces = self.pieces(grid, place, lengths);
        let found: Vec<_> = pieces.map(|(_, c, length)| (c, length)).collect();
        if let Some(value) = found.iter().find(|(condition, _)| condition.is_value()) {
            return Some(*value);
        }
        let length: f64 = found.iter().map(|(_, length)| length).sum();
        // §4.2, Eq. 3 with β = 1: α = Σ (l α_k / β_k) / Σ l, and γ in the same way
        let mean = |part: fn(&Condition) -> f64| -> f64 {
            let parts = found.iter().map(|(c, length)| length * part(c) / c.beta);
            parts.sum::<f64>() / length
        };
        match found[..] {
            [] => None,
            [only] => Some(only),
            _ => Some((
                Condition { alpha: mean(|c| c.alpha), beta: 1.0, gamma: mean(|c| c.gamma) },
                length,
            )),
        }
    }

    /// Tests whether a value is prescribed at any node.
    pub fn prescribe_a_value(&self) -> bool {
        self.all_conditions().any(Condition::is_value)
    }

    /// Tests whether the conditions leave the solution undetermined up to a constant.
    pub fn leave_a_constant_free(&self) -> bool {
        self.all_conditions().all(|c| c.alpha == 0.0)
    }

    fn all_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.sides.iter().flatten().flatten()
    }
}

fn check_side(grid: &Grid, side: Side, conditions: &[Condition]) -> Result<(), Error> {
    let nodes = grid.along(side).nodes(0) as usize;
    Error::check_length(&format!("the {side} side"), conditions.len(), nodes)?;
    for (node, c) in conditions.iter().enumerate() {
        if ![c.alpha, c.beta, c.gamma].iter().all(|v| v.is_finite()) {
            return Err(Error::NotFinite {
                what: format!("the condition of the {side} side"),
                node,
            });
        }
        if c.alpha == 0.0 && c.beta == 0.0 {
            return Err(Error::Empty { side, node });
        }
    }
    Ok(())
}
