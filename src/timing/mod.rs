//! Timing by the papers' method: a kernel compared with a trivial one in the same run.
//!
//! A [`Case`] is a kernel, its ceiling (a trivial kernel with the same fetches and the same output) and its
//! baseline, a CPU program. The rig runs them alternately, round after round, so that other load on the machine
//! affects all of them equally. A paper lists its cases; its claims judge them, and `fragstream bench` prints
//! them.

pub mod bench;
pub mod case;
pub mod ceiling;
pub mod cost;
pub mod cpu;
pub mod laps;
pub mod limits;
pub mod one_core;
pub mod ping_pong;
pub mod rig;
pub mod samples;
pub mod switch;

pub use crate::base::interval::{self, Interval, median};
pub use bench::{Bench, Line};
pub use case::{Case, Times};
pub use ceiling::with_ceiling;
pub use one_core::{one_core, own_core};
pub use ping_pong::PingPong;
pub use rig::{Effort, Work, medians};
pub use samples::Samples;
pub use switch::seconds_a_switch;
