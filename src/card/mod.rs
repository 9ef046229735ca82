//! The cards of 2003: rules for programs ([`dialect`]), instruction counts ([`count`]), results in any
//! arithmetic ([`interpret`], [`formats`]), limits ([`limits`]), and the cost of a run ([`cost`]).

pub mod cost;
pub mod count;
pub mod dialect;
pub mod formats;
pub mod interpret;
pub mod limits;
