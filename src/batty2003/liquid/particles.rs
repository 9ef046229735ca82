//! The particles that carry the liquid and its velocity.

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Where it is (m).
    pub position: [f32; 3],
    /// How fast it moves (m/s).
    pub velocity: [f32; 3],
}
