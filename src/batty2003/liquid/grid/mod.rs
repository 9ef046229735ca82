//! The grid: its cells, and numbers at their centres, corners and faces.

pub mod cells;
pub mod faces;
pub mod field;

pub use cells::Grid;
pub use faces::Faces;
pub use field::Field;
