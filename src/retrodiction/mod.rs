//! A retrodiction: every timing that the papers print and that can be computed from their texts, compared with the
//! calibrated model ([`crate::card::cost::calibrated`]).
//!
//! Lengths of programs are the paper's if it prints them, otherwise those of fragstream's programs,
//! counted from their texts. All textures hold four channels of 32 bits, as the papers' did. Further
//! assumptions are given with each paper.
//!
//! The model was calibrated with 18 timings. Left out one at a time, 17 of them agree within 30 %; this is
//! optimistic, since the model's form was chosen after they were seen. Timings composed of several
//! operations show only that the operations add up.

mod batty2003;
mod bolz2003;
#[cfg(feature = "plot")]
pub mod claims;
mod goodnight2003;
mod kruger2003;
mod passes;
mod timing;

pub use timing::{Basis, Timing};

use crate::card::count::CountError;

/// All timings, paper by paper.
///
/// # Errors
/// If one of fragstream's programs cannot be counted.
pub fn timings() -> Result<Vec<Timing>, CountError> {
    let papers = [
        bolz2003::timings()?,
        batty2003::timings()?,
        goodnight2003::timings()?,
        kruger2003::timings()?,
    ];
    Ok(papers.into_iter().flatten().collect())
}
