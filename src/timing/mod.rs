//! Timing by the papers' method: a kernel compared with a trivial one in the same run.
//!
//! A [`Case`] is a kernel, its ceiling (a trivial kernel with the same fetches and the same output) and its
//! baseline, a CPU program. The rig runs them in rounds, each in random order, so that other load on the machine
//! affects all of them equally. Claims, `bench`, `layouts`, `solve` and `info --limits` have this one rig. A paper lists its
//! cases, and `fragstream bench` prints them.

pub mod bench;
pub mod case;
pub mod ceiling;
pub mod cost;
pub mod cpu;
pub mod heats;
pub mod laps;
pub mod limits;
pub mod one_core;
pub mod origin;
pub mod ping_pong;
pub mod rig;
pub mod samples;
pub mod switch;
pub mod twins;

pub use crate::base::interval::{self, Interval, median};
pub use bench::{Bench, Line};
pub use case::Case;
pub use ceiling::with_ceiling;
pub use heats::Heats;
pub use one_core::{one_core, own_core};
pub use origin::Origin;
pub use ping_pong::PingPong;
pub use rig::{Effort, Work, medians};
pub use samples::Samples;
pub use switch::seconds_a_switch;
