//! The source of a plate: a scene, a picture of heat sources, or the bundled scene.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::claim::bundled::PLATE;
use crate::goodnight2003::heat::{PictureSource, Scene, parse_scene, read_scene};
use crate::io::grey::read_grey;

use super::super::failure::Failure;
use super::super::output::extension;

/// A file that describes a plate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A scene.
    Scene(PathBuf),
    /// A picture, whose grey levels are heat sources.
    Picture(PathBuf),
}

impl FromStr for Input {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match extension(text).as_str() {
            "toml" => Ok(Input::Scene(text.into())),
            "png" | "gif" | "hdr" | "exr" => Ok(Input::Picture(text.into())),
            _ => Err("give a scene (.toml) or a picture of heat sources (.png, .gif, .hdr, .exr)"),
        }
    }
}

impl Input {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Input::Scene(path) | Input::Picture(path) => path,
        }
    }
}

/// Reads the input; without one, the bundled scene.
pub fn read(input: Option<&Input>) -> Result<Scene, Failure> {
    match input {
        None => parse_scene(PLATE)
            .map_err(|fault| Failure::input(format_args!("the bundled scene: {fault}"))),
        Some(Input::Scene(path)) => Ok(read_scene(path)?),
        Some(Input::Picture(path)) => Ok(Scene {
            picture: Some(PictureSource { grey: read_grey(path)?, white: 1.0 }),
            ..Scene::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_names() {
        assert_eq!("a/b.TOML".parse(), Ok(Input::Scene("a/b.TOML".into())));
        assert_eq!("s.png".parse(), Ok(Input::Picture("s.png".into())));
        for bad in ["", "toml", "a.jpg", "sources/"] {
            assert!(bad.parse::<Input>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_bundled_scene_is_one() {
        assert!(!read(None).unwrap_or_else(|e| panic!("{e:?}")).sources.is_empty());
    }
}
