//! A boundary value problem: grid, conditions, coordinates, equations.

pub mod boundary;
pub mod equations;
pub mod grid;
pub mod level;
pub mod metric;
pub mod operator;
pub mod side;
