//! Tone mapping, goodnight2003 §5.2: compression of pictures of high dynamic range to the range of a screen by
//! gradient-domain compression (Fattal, Lischinski and Werman, *Gradient Domain High Dynamic Range
//! Compression*, SIGGRAPH 2002).
//!
//! Gradients of log luminance are attenuated, large ones more than small ones. The picture whose
//! gradients are closest to the result solves a Poisson equation.
//!
//! | Fattal et al. | what | file |
//! |---|---|---|
//! | 3 | H, the logarithm of luminance; div G of the attenuated gradients, and the equation | `mapper`, `luminance.frag`, `source.frag` |
//! | 4 | Φ, the attenuation across scales | `attenuation`, `halve.frag`, `gradient.frag`, `attenuation.frag` |
//! | 5 | colours | `colour`, `colour.frag` |
//! | 4, 5 | α, β, s and other settings | `settings` |

mod attenuation;
mod colour;
mod mapper;
mod settings;

pub use attenuation::{PyramidLevel, attenuation};
pub use colour::{DisplayRange, clamped, colours_shown, extremes, panels};
pub use mapper::{
    Difference, EPSILON, Scene, ToneMapped, ToneMapper, draw_divergence, log_luminance,
};
pub use settings::ToneMapSettings;
