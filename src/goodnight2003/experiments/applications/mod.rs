//! What the solver is used for (section 5).

pub mod heat;
pub mod tonemap;
pub mod wing;
