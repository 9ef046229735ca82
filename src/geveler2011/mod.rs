//! Geveler, Ribbrock, Göddeke, Zajac, Turek: *Efficient Finite Element Geometric Multigrid Solvers
//! for Unstructured Grids on GPUs* (2011).
//!
//! Geometric multigrid for finite elements on unstructured quadrilaterals in which smoothing,
//! restriction and prolongation are one kernel, the sparse matrix–vector product, and the numbering of
//! the unknowns determines its speed.
//!
//! | section | what | file |
//! |---|---|---|
//! | 4.2, Fig. 1 | the two meshes, refined | [`mesh`] |
//! | 4.2 | the two problems on them | [`problems`] |
//! | 1.2, 4.2 | Q1 and Q2, assembly | [`elements::assembly`] |
//! | 2.3 | prolongation and restriction as matrices | [`elements::transfer`] |
//! | 2, 4 | the solver | [`multigrid`] |
//! | 3 | the sparse matrix–vector product in ELLPACK | [`products`] |
//! | 2.2 | the five numberings | [`elements::numbering`] |
//! | 4 | timings, compared with ceilings and the CPU | [`speed`] |
//! | all | the paper's numbers and claims, rebuilt | [`claims`] |

#[cfg(feature = "plot")]
pub mod claims;
pub mod elements;
pub mod mesh;
pub mod multigrid;
pub mod problems;
pub mod products;
pub mod speed;
