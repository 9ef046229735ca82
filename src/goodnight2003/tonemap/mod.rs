//! Tone mapping, goodnight2003 §5.2: compression of pictures of high dynamic range to the range of a screen by
//! gradient-domain compression (Fattal, Lischinski and Werman, *Gradient Domain High Dynamic Range
//! Compression*, SIGGRAPH 2002).
//!
//! Gradients of log luminance are attenuated, large ones more than small ones. The picture whose
//! gradients are closest to the result solves a Poisson equation.
//!
//! | Fattal et al. | what | file |
//! |---|---|---|
//! | 3 | H, the logarithm of luminance | [`luminance`], `luminance.frag` |
//! | 4 | Φ, the attenuation across scales | [`attenuation`], `halve.frag`, `gradient.frag`, `attenuation.frag` |
//! | 3 | div G of the attenuated gradients, and the equation | [`source`], `source.frag` |
//! | 5 | colours | [`colour`], `colour.frag` |
//! | 4, 5 | α, β, s and other settings | [`settings`] |
//! | all | the whole tone mapper | [`mapper`], [`result`] |
//! | | panoramas, whose sides are joined (fragstream's) | [`panorama`] |
//! | | pictures for comparison | [`compare`] |
//! | all | the reference on the CPU | [`twin`] |

pub mod attenuation;
pub mod colour;
pub mod compare;
pub mod error;
pub mod luminance;
pub mod mapper;
pub mod panorama;
pub mod result;
pub mod settings;
pub mod source;
pub mod twin;

pub use error::ToneMapError;
pub use mapper::tone_map;
pub use result::{Difference, ToneMapped};
pub use settings::ToneMapSettings;
