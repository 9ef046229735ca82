//! Settings, and the quantities derived from them for a level of the pyramid.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stream::Size;

use crate::goodnight2003::Error;
use crate::scene::Setting;

/// Settings of the tone mapper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToneMapSettings {
    /// Gradients of this multiple of the average magnitude keep their magnitude (Fattal et al. 2002,
    /// section 4: 0.1)
    pub alpha: f64,
    /// Exponent, usually 0.8 to 0.9: 1 compresses nothing, less compresses more
    pub beta: f64,
    /// Gradients below this multiple of alpha are magnified as if they had it, so that noise in flat parts
    /// is not magnified without bound
    pub noise: f64,
    /// Number of scales on which gradients are attenuated, each half as fine as the one before [default: as
    /// many as keep 32 samples per side]
    #[schemars(range(min = 1))]
    pub scales: Option<u32>,
    /// Saturation, from 0 (grey) to 1 (all colour)
    pub saturation: f64,
    /// Largest contrast of the result, white to black, but never more than the picture's own; a screen in a
    /// lit room has at most 100, and less keeps corners out of the dark
    pub contrast: f64,
    /// Percentage of the pixels that become black
    #[schemars(extend("takes" = "PERCENT"))]
    pub black: f64,
    /// Percentage of the pixels that become white
    #[schemars(extend("takes" = "PERCENT"))]
    pub white: f64,
}

impl Default for ToneMapSettings {
    fn default() -> Self {
        Self {
            alpha: 0.1,
            beta: 0.9,
            noise: 0.1,
            scales: None,
            saturation: 0.5,
            contrast: 10.0,
            black: 0.1,
            white: 0.5,
        }
    }
}

/// Smallest number of samples per side of the coarsest level.
const COARSEST: u32 = 32;

impl ToneMapSettings {
    /// Checks that every setting is in its range.
    pub fn check(&self) -> Result<(), Setting> {
        let within = |what, value: f64, range: RangeInclusive<f64>, remedy| {
            Setting::check(what, value, range.contains(&value), remedy)
        };
        let above_zero = f64::MIN_POSITIVE..=1.0;
        let unit = "give a number above 0 and at most 1";
        Setting::positive("alpha", self.alpha)?;
        within("beta", self.beta, above_zero.clone(), unit)?;
        within("noise", self.noise, above_zero, unit)?;
        let share = "give a number from 0 to 1";
        within("saturation", self.saturation, 0.0..=1.0, share)?;
        let (contrast, above) = (self.contrast, "give a number above 1");
        Setting::check("contrast", contrast, contrast > 1.0, above)?;
        let percent = "give percentages from 0 to 49";
        within("black", self.black, 0.0..=49.0, percent)?;
        within("white", self.white, 0.0..=49.0, percent)
    }

    /// Columns and rows of the levels of the pyramid over a picture of this size, the finest first.
    pub fn level_sizes(&self, size: Size) -> Result<Vec<Size>, Error> {
        let half = |&(width, height): &Size| {
            ((width, height) != (1, 1)).then(|| (width.div_ceil(2), height.div_ceil(2)))
        };
        let all: Vec<Size> = std::iter::successors(Some(size), half).collect();
        let levels = match self.scales {
            Some(scales) => scales as usize,
            None => {
                let large = |size: &&Size| size.0.min(size.1) >= COARSEST;
                all.iter().take_while(large).count().max(1)
            }
        };
        match all.get(..levels) {
            Some(sizes) if levels > 0 => Ok(sizes.to_vec()),
            _ => Err(Error::Levels { got: levels, most: all.len(), width: size.0, height: size.1 }),
        }
    }

    /// α and the smallest magnitude that counts, on a level whose gradients have this average
    /// magnitude. If all are zero nothing is attenuated.
    pub(super) fn magnitudes(&self, average: f64) -> [f64; 2] {
        // §5.2 (Fattal et al., section 4): α = 0.1 times the average |∇H| by default
        match self.alpha * average {
            alpha if alpha > 0.0 => [alpha, self.noise * alpha],
            _ => [1.0, 1.0],
        }
    }
}
