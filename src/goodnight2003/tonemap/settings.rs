//! Settings, and the quantities derived from them for a level of the pyramid.

use std::ops::RangeInclusive;

use crate::stream::Size;

use super::ToneMapError;
use crate::simulation::Setting;

/// The settings of the tone mapper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToneMapSettings {
    /// α as a multiple of the average magnitude of a level's gradients; gradients of this magnitude
    /// are not changed (Fattal et al. 2002, section 4: 0.1).
    pub alpha: f64,
    /// β: below 1, larger gradients are attenuated and smaller ones magnified; 1 keeps all (section
    /// 4: between 0.8 and 0.9, of which 0.9 keeps most of the picture's own contrast).
    pub beta: f64,
    /// Gradients smaller than this multiple of α are magnified as if they had that size. Otherwise noise in flat
    /// parts would be magnified without bound.
    pub noise: f64,
    /// Levels of the pyramid, including the picture itself. `None`: as long as both sides have at least 32
    /// samples (section 4).
    pub scales: Option<u32>,
    /// s: the share of colour that is kept; 1 all, 0 none (section 5: between 0.4 and 0.6).
    pub saturation: f64,
    /// Ratio of white to black. Fattal et al. do not specify the display of I: here
    /// it is stretched to this contrast, but at most to the picture's own. 100 is the contrast of a screen
    /// in a lit room; a smaller number brightens dark corners.
    pub contrast: f64,
    /// Percentage of pixels clipped to black.
    pub black: f64,
    /// Percentage of pixels clipped to white.
    pub white: f64,
    /// True if the left side continues at the right one ([`super::panorama`]).
    pub periodic: bool,
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
            periodic: false,
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
    ///
    /// # Errors
    /// [`ToneMapError::Levels`] if there are too many levels, so that the coarsest would repeat.
    pub fn level_sizes(&self, size: Size) -> Result<Vec<Size>, ToneMapError> {
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
            _ => Err(ToneMapError::Levels {
                got: levels,
                most: all.len(),
                width: size.0,
                height: size.1,
            }),
        }
    }

    /// α and the smallest magnitude that counts, on a level whose gradients have this average
    /// magnitude. If all are zero nothing is attenuated.
    pub(super) fn magnitudes(&self, average: f64) -> [f64; 2] {
        match self.alpha * average {
            alpha if alpha > 0.0 => [alpha, self.noise * alpha],
            _ => [1.0, 1.0],
        }
    }
}
