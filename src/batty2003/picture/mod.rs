//! What a person sees of the liquid.
//!
//! | what | file |
//! |---|---|
//! | its surface as a mesh | [`surface`] |

pub mod surface;

pub use surface::Surface;
