//! Coordinates: the scale factors that define the operator of a grid (goodnight2003 §5.3).
//!
//! In orthogonal coordinates (ξ, η) with scale factors h₁ and h₂,
//!
//!   ∇·(k ∇φ) = 1/(h₁ h₂) [ ∂/∂ξ (k h₂/h₁ ∂φ/∂ξ) + ∂/∂η (k h₁/h₂ ∂φ/∂η) ].
//!
//! A fragment program computes the operator of every cell from a function that the user can
//! replace: `vec3 metric(vec2 p)` returns h₁, h₂ and k at p = (ξ, η).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

type Scales = dyn Fn(f64, f64) -> [f64; 3] + Send + Sync;

/// A function (ξ, η) → (h₁, h₂, k): as text of a fragment program and, if known, on the CPU.
#[derive(Clone)]
pub struct Metric {
    name: Cow<'static, str>,
    glsl: Cow<'static, str>,
    host: Option<Arc<Scales>>,
}

impl Metric {
    /// A metric in GLSL and in Rust.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        glsl: impl Into<Cow<'static, str>>,
        host: impl Fn(f64, f64) -> [f64; 3] + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), glsl: glsl.into(), host: Some(Arc::new(host)) }
    }

    /// A metric given only by its text, as a user's is.
    pub fn of_text(name: impl Into<String>, glsl: impl Into<String>) -> Self {
        Self { name: Cow::Owned(name.into()), glsl: Cow::Owned(glsl.into()), host: None }
    }

    /// h₁ = h₂ = k = 1.
    pub fn cartesian() -> Self {
        let text = include_str!("../../../glsl/goodnight2003/problem/metric_cartesian.glsl");
        Self::new("goodnight2003/problem/metric_cartesian", text, |_, _| [1.0; 3])
    }

    /// ξ the radius, η the angle: h₁ = 1, h₂ = ξ.
    pub fn polar() -> Self {
        let text = include_str!("../../../glsl/goodnight2003/problem/metric_polar.glsl");
        // §4.1: a stencil per cell allows cylindrical coordinates: h₁ = 1, h₂ = ξ
        Self::new("goodnight2003/problem/metric_polar", text, |radius, _| [1.0, radius, 1.0])
    }

    /// Name in messages and in the ledger.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of `vec3 metric(vec2 p)`.
    pub fn glsl(&self) -> &str {
        &self.glsl
    }

    /// h₁, h₂ and k on the CPU, if they are known there.
    pub fn at(&self, xi: f64, eta: f64) -> Option<[f64; 3]> {
        self.host.as_ref().map(|host| host(xi, eta))
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metric").field("name", &self.name).finish()
    }
}
