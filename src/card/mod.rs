//! The cards of 2003: what a program may be ([`dialect`]), how many instructions it has ([`count`]),
//! what it computes in any arithmetic ([`interpret`], [`formats`]), how long it may be ([`limits`]), and what a run of
//! it would have cost ([`cost`]).

pub mod cost;
pub mod count;
pub mod dialect;
pub mod formats;
pub mod interpret;
pub mod limits;
