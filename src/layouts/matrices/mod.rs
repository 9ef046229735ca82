//! Layouts of one sparse matrix.
//!
//! | file | holds |
//! |---|---|
//! | [`layout`] | their names |
//! | [`plan`] | what each would take, before there is anything |
//! | [`boxes`] | matrices that are seven-point stencils of a box |
//! | [`stored`] | a matrix in textures, and its product |
//! | [`compare`](mod@compare) | all of them beside each other, and beside the CPU |
//! | [`solves`](mod@solves) | the same of whole solves |

pub mod boxes;
pub mod compare;
pub mod layout;
pub mod plan;
pub mod solves;
pub mod stored;

pub use compare::compare;
pub use layout::MatrixLayout;
pub use plan::Plan;
pub use solves::solves;
pub use stored::Stored;
