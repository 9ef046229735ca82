//! The stream processor: streams, kernels, passes, the ledger, and the model of the NV30.

pub mod dialect;
pub mod instructions;
pub mod nv30;
