//! −∇·(a ∇u) + σu = g on a grid, in double precision: coefficients, right-hand side, residual (Bolz et
//! al. 2003, section 4).

use crate::base::parallel::collect;
use crate::bolz2003::Error;
use crate::solver::host::tree_dot;
use crate::solver::scaling::power_of_two;

use crate::bolz2003::grid::geometry::{Boundary, Grid};
use crate::bolz2003::grid::stencil::{apply_stencil, helmholtz_stencil};

/// A coefficient of the equation.
#[derive(Debug, Clone, PartialEq)]
pub enum Coefficient {
    /// One value everywhere.
    Constant(f64),
    /// One value per node.
    Nodes(Vec<f64>),
}

impl Coefficient {
    pub(crate) fn at(&self, place: usize) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Nodes(values) => values[place],
        }
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        let (constant, nodes) = match self {
            Self::Constant(value) => (Some(*value), &[][..]),
            Self::Nodes(values) => (None, &values[..]),
        };
        constant.into_iter().chain(nodes.iter().copied())
    }
}

/// −∇·(a ∇u) + σu on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The nodes, and the conditions on the sides.
    pub grid: Grid,
    /// h, the distance between two nodes.
    pub spacing: f64,
    /// a > 0. Between two nodes, their mean.
    pub diffusion: Coefficient,
    /// σ.
    pub sigma: Coefficient,
}

impl Equation {
    /// −∇²u = g with this spacing of the nodes.
    pub fn poisson(grid: Grid, spacing: f64) -> Self {
        Self {
            grid,
            spacing,
            diffusion: Coefficient::Constant(1.0),
            sigma: Coefficient::Constant(0.0),
        }
    }

    /// Computes the stencil of a node in double precision.
    pub(crate) fn stencil(&self, i: usize, j: usize) -> [f64; 9] {
        let (grid, h2) = (&self.grid, self.spacing * self.spacing);
        let a = |i, j| self.diffusion.at(grid.place(i, j));
        let sigma_h2 = |i, j| h2 * self.sigma.at(grid.place(i, j));
        helmholtz_stencil(grid, i, j, a, sigma_h2)
    }

    /// b − A u at the computed nodes, zero elsewhere, in double precision.
    pub(crate) fn residual(&self, b: &[f64], u: &[f64]) -> Vec<f64> {
        let grid = &self.grid;
        if u.iter().all(|&u| u == 0.0) {
            return grid.map(0.0, |i, j| b[grid.place(i, j)]);
        }
        let stencils = self.stencils();
        grid.map(0.0, |i, j| b[grid.place(i, j)] - apply_stencil(grid, &stencils(i, j), u, i, j))
    }

    /// ε ‖|A| |u|‖, the norm of the residual that rounding u to double precision leaves. No solve promises
    /// less.
    pub fn rounding(&self, u: &[f64]) -> f64 {
        let grid = &self.grid;
        let u: Vec<f64> = u.iter().map(|u| u.abs()).collect();
        let stencils = self.stencils();
        let sums =
            grid.map(0.0, |i, j| apply_stencil(grid, &stencils(i, j).map(f64::abs), &u, i, j));
        f64::EPSILON / 2.0 * tree_dot(&sums, &sums).sqrt()
    }

    /// The stencils of all nodes; with constant coefficients, the inner stencil is computed once.
    fn stencils(&self) -> impl Fn(usize, usize) -> [f64; 9] + Sync {
        let [last_column, last_row] = self.grid.cells;
        let inner = self.is_constant().map(|_| self.stencil(1, 1));
        move |i, j| match inner {
            Some(inner) if i > 0 && j > 0 && i < last_column && j < last_row => inner,
            _ => self.stencil(i, j),
        }
    }

    /// Tests whether u is determined only up to a constant.
    pub(crate) fn is_singular(&self) -> bool {
        self.grid.sides.none_known() && self.sigma.values().all(|sigma| sigma == 0.0)
    }

    /// A 1, that is, h² σ times the share of each node, if no value is prescribed but u is determined; otherwise empty.
    pub(crate) fn leaks(&self) -> Vec<f64> {
        if !self.grid.sides.none_known() || self.is_singular() {
            return Vec::new();
        }
        let (grid, h2) = (&self.grid, self.spacing * self.spacing);
        let leak = |place| h2 * self.sigma.at(place) * grid.share(place);
        grid.map(0.0, |i, j| leak(grid.place(i, j)))
    }

    /// Returns σ if the stencil is the same at all inner nodes and that of −∇² + σ.
    pub(crate) fn is_constant(&self) -> Option<f64> {
        match (&self.diffusion, &self.sigma) {
            (Coefficient::Constant(1.0), Coefficient::Constant(sigma)) => Some(*sigma),
            _ => None,
        }
    }

    /// The right-hand side of the integrated equation before prescribed values are eliminated: h² g, and the
    /// inflow through Neumann sides, a h ∂u/∂n times the side's share; both times `scale`.
    pub(crate) fn integrated(&self, right: &RightSide<'_>, scale: f64) -> Vec<f64> {
        let (grid, h) = (&self.grid, self.spacing);
        let flux = |place: usize| {
            let Some(given) = right.boundary else {
                return 0.0;
            };
            let [i, j] = grid.node(place);
            let [last_column, last_row] = grid.cells;
            let on = [i == 0, i == last_column, j == 0, j == last_row];
            let along = [grid.extent(1, j), grid.extent(0, i)];
            let sides = on.into_iter().zip(grid.sides.each()).enumerate();
            let open = sides.filter(|(_, (on, side))| *on && *side == Boundary::Neumann);
            let length: f64 = open.map(|(side, _)| along[side / 2]).sum();
            h * length * self.diffusion.at(place) * (scale * given[place])
        };
        collect(grid.nodes(), |place| {
            h * h * grid.share(place) * (scale * right.g[place]) + flux(place)
        })
    }

    /// The prescribed values on Dirichlet sides times `scale`, zero elsewhere.
    pub(crate) fn known(&self, right: &RightSide<'_>, scale: f64) -> Vec<f64> {
        let node = |place: usize| {
            let [i, j] = self.grid.node(place);
            let given = right.boundary.filter(|_| !self.grid.is_computed(i, j));
            given.map_or(0.0, |given| scale * given[place])
        };
        (0..self.grid.nodes()).map(node).collect()
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(self.spacing.is_finite() && self.spacing > 0.0) {
            return Err(Error::Spacing(self.spacing));
        }
        for (what, coefficient) in [("a", &self.diffusion), ("sigma", &self.sigma)] {
            if let Coefficient::Nodes(values) = coefficient {
                check_nodes(&self.grid, what, values)?;
            }
            if let Some(value) = coefficient.values().find(|v| !v.is_finite()) {
                return Err(Error::Coefficient { what, value });
            }
        }
        match self.diffusion.values().find(|&a| a <= 0.0) {
            Some(value) => Err(Error::Coefficient { what: "a", value }),
            None => Ok(()),
        }
    }
}

/// Data of a solve.
#[derive(Debug, Clone, Copy)]
pub struct RightSide<'a> {
    /// g at every node.
    pub g: &'a [f64],
    /// One value per node, of which only those on the sides are used: u on Dirichlet sides, ∂u/∂n on
    /// Neumann sides (at a corner of two, the same number for both). If absent, all are zero.
    pub boundary: Option<&'a [f64]>,
    /// Initial guess; zero if absent.
    pub start: Option<&'a [f64]>,
}

impl<'a> RightSide<'a> {
    /// g with zero on all sides, starting from zero.
    pub fn new(g: &'a [f64]) -> Self {
        Self { g, boundary: None, start: None }
    }

    /// The power of two that scales the largest of all values into [1, 2).
    pub(crate) fn scale(&self) -> f64 {
        let given = [Some(self.g), self.boundary, self.start].into_iter().flatten();
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        power_of_two(&given.map(largest).collect::<Vec<_>>())
    }
}

/// Checks that there is one finite value per node.
pub(crate) fn check_nodes(grid: &Grid, what: &'static str, values: &[f64]) -> Result<(), Error> {
    if values.len() != grid.nodes() {
        let (found, expected) = (values.len(), grid.nodes());
        return Err(Error::Length { what, found, expected });
    }
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(place) => Err(Error::NotFinite {
            what,
            value: values[place],
            column: grid.node(place)[0],
            row: grid.node(place)[1],
        }),
    }
}
