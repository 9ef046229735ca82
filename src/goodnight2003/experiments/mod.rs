//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`instructions`] | Table 1: instructions and registers of the kernels |
//! | [`speed::curves`] | Figs. 2, 3, 6, 7: general and lean programs, GPU and CPU, the red-black map, tests of convergence |
//! | [`speed::buffers`] | §6, Fig. 4: what changes of the rendering context cost |
//! | [`atlas`], [`atlas_picture`] | §6, Fig. 5: all levels in one buffer |
//! | [`speed::bandwidth`] | §7.1: what the solver waits for |
//! | [`boundary`] | §4.2: boundary conditions |
//! | [`agree`] | §5.1: GPU and CPU |
//! | [`applications::heat`] | §5.1: steady temperature on a plate |
//! | [`applications::tonemap`] | §5.2, colour plate 2: tone mapping |
//! | [`applications::wing`] | §5.3, colour plate 1: flow round a flapping wing |
//!
//! What several of them need: [`manufactured`] (problems whose solution is known), [`speed::chart`].

pub mod agree;
pub mod applications;
pub mod atlas;
pub mod atlas_picture;
pub mod boundary;
pub mod instructions;
pub mod manufactured;
pub mod speed;

use crate::claim::{Experiment, Options};
use crate::stream::Machine;
use crate::timing::Effort;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        instructions::EXPERIMENT,
        speed::curves::PROGRAMS,
        speed::curves::PROCESSORS,
        speed::buffers::EXPERIMENT,
        atlas::EXPERIMENT,
        speed::curves::RED_BLACK,
        speed::curves::CONVERGENCE,
        speed::bandwidth::EXPERIMENT,
        boundary::EXPERIMENT,
        agree::EXPERIMENT,
        applications::heat::EXPERIMENT,
        applications::tonemap::EXPERIMENT,
        applications::wing::EXPERIMENT,
    ]
}

/// Nodes a side of the grids on which cycles are timed: up to the paper's largest, or the one given.
fn sizes(options: &Options) -> Vec<u32> {
    let usual: &[u32] = match options.quick {
        true => &[33, 65, 129],
        false => &[33, 65, 129, 257, 513, 1025],
    };
    options.given.grids(usual)
}

/// How often a cycle on n² nodes is timed: the largest take seconds.
fn effort(quick: bool, n: u32) -> Effort {
    let (rounds, chain) = match n {
        ..=257 if !quick => (5, 2),
        _ => (3, 1),
    };
    Effort { rounds, chain }
}
