//! Layouts of one sparse matrix.
//!
//! | file | holds |
//! |---|---|
//! | [`layout`] | their names |
//! | [`plan`] | what each would take, before there is anything |
//! | [`boxes`] | matrices that are seven-point stencils of a box |
//! | [`stored`] | a matrix in textures, and its product |
//! | [`compare`](mod@compare) | all of them beside each other, and beside the CPU |

pub mod boxes;
pub mod compare;
pub mod layout;
pub mod plan;
pub mod stored;

pub use compare::compare;
pub use layout::MatrixLayout;
pub use plan::Plan;
pub use stored::Stored;
