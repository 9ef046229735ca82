//! Pictures of high dynamic range on a screen (section 5.2).

use std::path::PathBuf;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::bundled::{PANORAMA, check_there, is_named, panorama};
use crate::experiment::{Experiment, Place, Presets, Record, Solve};
use crate::goodnight2003::tonemap::{ToneMapSettings, ToneMapper};
use crate::io::HdrImage;
use crate::io::hdr::read_layer;
use crate::picture::png;
use crate::settings::extend;

use super::Method;

/// The solve of the registry.
pub static TONEMAP: Solve = Solve::of::<Settings>("tonemap", record);

/// Maps a picture.
fn record(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let task: Settings = experiment.typed()?;
    let solver = task.method.settings();
    solver.check()?;
    task.look.check()?;
    let image = task.image()?;
    let mut mapper = ToneMapper::new(place.machine, &image, &task.look, &solver)?;
    place.machine.take_ledger();
    let mapped = mapper.solve(&task.method.criteria(), |_, _| ())?;
    let mut record = Record::of(&mapped.solve, &place.machine.take_ledger());
    record.one("original_contrast", (mapped.original[1] - mapped.original[0]).exp());
    record.one("contrast", mapped.range.contrast());
    record.result("levels", &serde_json::json!(mapped.levels));
    let caption = format!("{}x{} pixels.", image.width(), image.height());
    record.picture("picture", caption, png(&mapped.picture)?);
    Ok(record)
}

/// Settings of a solve: the picture, its look and the solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Picture: a Radiance HDR or OpenEXR file, or `room`, the bundled picture
    #[schemars(extend("positional" = true, "takes" = "IN.hdr|exr"))]
    pub input: PathBuf,
    /// Take every n-th column and row of the picture
    #[schemars(range(min = 1))]
    pub thin: u32,
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

fn arrange(schema: &mut Schema) {
    let rtol = "Relative tolerance: converged is |b - A x| <= max(rtol |b|, atol), where x is the logarithm of the new \
                luminance. Unless --test is occlusion, also: an error, estimated from the last two cycles, of at most 10 \
                rtol of the range of x";
    extend(schema, &["rtol"], "description", rtol);
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            input: PANORAMA.into(),
            thin: 1,
            look: ToneMapSettings::default(),
            layer: None,
            method: Method::default(),
        }
    }
}

impl Settings {
    /// The picture.
    pub fn image(&self) -> Result<HdrImage, BoxedError> {
        check_there(&self.input, "picture", &[PANORAMA])?;
        let image = match (is_named(&self.input, PANORAMA), &self.layer) {
            (false, layer) => read_layer(&self.input, layer.as_deref())?,
            (true, None) => panorama()?,
            (true, Some(_)) => {
                return Err("--layer: the bundled picture has no layers. Leave it out".into());
            }
        };
        Ok(image.thinned(self.thin as usize))
    }
}

impl Presets for Settings {
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let robust = Self { method: Method::robust(), ..Self::default() };
        vec![
            ("robust", "V(2,2), L2 norm by reduction", robust),
            ("paper", "V(4,4), occlusion queries, surfaces up to 2048", Self::default()),
        ]
    }
}
