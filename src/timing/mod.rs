//! Timing, the papers' way: a kernel beside a trivial one, in the same run.
//!
//! A [`Case`] is a kernel, its ceiling (a trivial kernel with the same fetches and the same output)
//! and a baseline, the program for the CPU that it competes with. The rig runs what is compared
//! alternately, round after round, so that whatever else the machine does falls on all alike. A paper
//! keeps the list of its cases; its claims judge them, and `fragstream bench` prints them.
//!
//! | file | holds |
//! |---|---|
//! | [`rig`] | medians of what is run alternately |
//! | [`ping_pong`] | what the runs of a chain read and write |
//! | [`case`] | a kernel, its ceiling and its baseline |
//! | [`ceiling`] | trivial programs with the same fetches, made for any kernel |
//! | [`cost`] | what a run makes the machine do, beside its time; an iteration of a solver |
//! | [`switch`] | what a change of the target costs |
//! | [`reduction`] | a sum, beside its ceiling and the CPU |
//! | [`cpu`] | sums as a CPU does them best |
//! | [`one_core`](mod@one_core) | a work on one core |
//! | [`mod@bench`] | the lines of the benchmark |

pub mod bench;
pub mod case;
pub mod ceiling;
pub mod cost;
pub mod cpu;
pub mod one_core;
pub mod ping_pong;
pub mod reduction;
pub mod rig;
pub mod switch;

pub use bench::{Bench, Line};
pub use case::{Case, Times};
pub use ceiling::with_ceiling;
pub use cost::{Cost, Iteration};
pub use one_core::one_core;
pub use ping_pong::PingPong;
pub use rig::{Effort, TimingError, Work, fastest, median, medians};
pub use switch::seconds_a_switch;
