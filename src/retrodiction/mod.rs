//! Every timing that the papers print and that can be computed from their texts, beside what the
//! calibrated model ([`crate::card::cost::calibrated`]) says: a retrodiction.
//!
//! Lengths of programs are the paper's where it prints them, otherwise those of our own programs,
//! counted from their texts. All textures hold four channels of 32 bits, as the papers' did. What is
//! assumed beside that stands at each row.
//!
//! 18 timings calibrated the model. Left out one by one, 17 of them come out within 30 %; since the
//! model's form was chosen after they were seen, that is optimistic. What is composed of several
//! operations shows that these add up, and no new physics.

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

/// All of them, paper by paper.
///
/// # Errors
/// If one of our own programs cannot be counted.
pub fn timings() -> Result<Vec<Timing>, CountError> {
    let papers = [
        bolz2003::timings()?,
        batty2003::timings()?,
        goodnight2003::timings()?,
        kruger2003::timings()?,
    ];
    Ok(papers.into_iter().flatten().collect())
}
