//! Pictures of high dynamic range on a screen (section 5.2).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bundled::PANORAMA;
use crate::experiment::{Presets, Solve};
use crate::goodnight2003::tonemap::ToneMapSettings;

use super::Method;

/// The solve of the registry.
pub static TONEMAP: Solve = Solve::of::<Settings>("tonemap");

/// Settings of a solve: the picture, its look and the solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Picture: a Radiance HDR or OpenEXR file, or `room`, the bundled picture
    #[schemars(extend("positional" = true, "takes" = "IN.hdr|exr"))]
    pub input: PathBuf,
    /// Look of the result.
    #[serde(flatten)]
    pub look: ToneMapSettings,
    /// Layer of an OpenEXR file, or the end of its name after a dot [default: R, G and B, Blender's Combined, or
    /// the only layer]
    #[schemars(extend("takes" = "NAME"))]
    pub layer: Option<String>,
    /// Solver.
    #[serde(flatten)]
    pub method: Method,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            input: PANORAMA.into(),
            look: ToneMapSettings::default(),
            layer: None,
            method: Method::default(),
        }
    }
}

impl Presets for Settings {
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let paper = Self { method: Method::paper(), ..Self::default() };
        vec![
            ("robust", "V(2,2), L2 norm by reduction", Self::default()),
            ("paper", "V(4,4), occlusion queries, surfaces up to 2048", paper),
        ]
    }
}
