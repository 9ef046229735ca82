//! Multigrid as a sequence of sparse matrix–vector products, on the GPU and on the CPU.
//!
//! | file | section | holds |
//! |---|---|---|
//! | [`discretisation`] | 2, 4 | matrices of all levels |
//! | [`settings`] | 4.2 | smoother, cycle, layout, passes, precision |
//! | [`spai`] | 5 | a sparse approximate inverse |
//! | [`device`] | 2 | on the GPU |
//! | [`host`] | 4 | on the CPU |
//!
//! The cycle itself is [`crate::solver::multigrid`]'s, over [`crate::solver::multigrid::matrix_hierarchy`].

pub mod device;
pub mod discretisation;
pub mod host;
pub mod settings;
pub mod spai;

pub use device::DeviceError;
pub use discretisation::Discretisation;
pub use settings::{Passes, Precision, Settings, Smoother};
