//! Tone mapping, goodnight2003 §5.2: compression of pictures of high dynamic range to the range of a screen by
//! gradient-domain compression (Fattal, Lischinski and Werman, *Gradient Domain High Dynamic Range
//! Compression*, SIGGRAPH 2002).
//!
//! Gradients of log luminance are attenuated, large ones more than small ones. The picture whose
//! gradients are closest to the result solves a Poisson equation.
//!
//! | Fattal et al. | what | file |
//! |---|---|---|
//! | 3 | H, the logarithm of luminance; div G of the attenuated gradients, and the equation | [`mapper`], `luminance.frag`, `source.frag` |
//! | 4 | Φ, the attenuation across scales | [`attenuation`], `halve.frag`, `gradient.frag`, `attenuation.frag` |
//! | 5 | colours | [`colour`], `colour.frag` |
//! | 4, 5 | α, β, s and other settings | [`settings`] |

pub mod attenuation;
pub mod colour;
pub mod mapper;
pub mod settings;

pub use mapper::{Difference, ToneMapped, ToneMapper};
pub use settings::ToneMapSettings;
