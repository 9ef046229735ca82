//! The tables of a scene's file in their written form; [`scene_file`](super::scene_file) documents their
//! meaning.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use super::scene::ConditionParts;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneTable {
    pub size: Option<[u32; 2]>,
    pub extent: Option<[Spanned<f64>; 2]>,
    pub conductivity: Option<Spanned<f64>>,
    pub periodic: Option<Periodic>,
    #[serde(default)]
    pub source: Vec<Spanned<SourceTable>>,
    pub picture: Option<PictureTable>,
    pub west: Option<Spanned<SideTable>>,
    pub east: Option<Spanned<SideTable>>,
    pub south: Option<Spanned<SideTable>>,
    pub north: Option<Spanned<SideTable>>,
    pub sides: Option<Spanned<SideTable>>,
}

/// Periodic axes.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Periodic {
    X,
    Y,
    Both,
}

/// Available shapes.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeName {
    Rectangle,
    Disc,
    Gaussian,
}

/// `[[source]]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceTable {
    pub shape: ShapeName,
    pub from: Option<[f64; 2]>,
    pub to: Option<[f64; 2]>,
    pub centre: Option<[f64; 2]>,
    pub radius: Option<f64>,
    pub deviation: Option<f64>,
    pub power: Option<f64>,
    pub density: Option<f64>,
}

/// `[picture]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureTable {
    pub path: String,
    pub white: Spanned<f64>,
}

/// `[west]`, or `[[west]]` several times.
pub enum SideTable {
    One(ConditionParts),
    Several(Vec<Spanned<ConditionParts>>),
}

impl<'de> Deserialize<'de> for SideTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = SideTable;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a condition, or a list of conditions on parts of the side")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SideTable, A::Error> {
                ConditionParts::deserialize(MapAccessDeserializer::new(map)).map(SideTable::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<SideTable, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(SideTable::Several)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
