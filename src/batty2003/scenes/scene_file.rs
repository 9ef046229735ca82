//! Scenes of liquids as TOML files.
//!
//! ```toml
//! gravity = [0.0, -9.81, 0.0]   # m/s²; y is up. Everything except [grid] is optional
//! time_step = 0.008             # s
//! density = 1000.0              # kg/m³
//! flip = 0.97                   # fraction of FLIP in the velocity update; the rest is PIC
//! keep_volume = true            # correct volume that was lost or gained
//! seed = 2003                   # random seed of the particles
//!
//! [grid]
//! size = [64, 48, 32]           # cells; for the GPU a multiple of 4 in x
//! spacing = 0.015625            # the side of a cell (m)
//!
//! [[liquid]]                    # a box, between two corners
//! from = [0.0, 0.0, 0.0]
//! to = [0.4, 0.5, 0.5]
//! velocity = [0.0, 0.0, 0.0]    # m/s
//!
//! [[liquid]]                    # a sphere
//! centre = [0.7, 0.5, 0.25]
//! radius = 0.1
//!
//! [[solid]]                     # a box or a sphere, as a liquid, at rest
//! from = [0.6, 0.0, 0.2]
//! to = [0.7, 0.2, 0.3]
//!
//! [[inflow]]                    # as a liquid, but kept full
//! centre = [0.1, 0.6, 0.25]
//! radius = 0.05
//! velocity = [1.0, 0.0, 0.0]
//! until = 2.0                   # s
//! ```

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::batty2003::scenes::flip::{Body, Inflow, Scene, Shape};
use crate::io::read_text;
use crate::io::toml_text::{line_of, parse_toml};

use crate::scene::BoxedError;

/// A fault of a file.
fn in_file(path: &Path, what: impl Display) -> BoxedError {
    BoxedError::from(format!("{}: {what}", path.display()))
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneTable {
    grid: GridTable,
    gravity: Option<Spanned<[f64; 3]>>,
    time_step: Option<Spanned<f64>>,
    density: Option<Spanned<f64>>,
    flip: Option<Spanned<f64>>,
    keep_volume: Option<Spanned<bool>>,
    seed: Option<Spanned<u32>>,
    #[serde(default)]
    liquid: Vec<Spanned<BodyTable>>,
    #[serde(default)]
    solid: Vec<Spanned<BodyTable>>,
    #[serde(default)]
    inflow: Vec<Spanned<BodyTable>>,
}

/// `[grid]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GridTable {
    size: Spanned<[usize; 3]>,
    spacing: Spanned<f64>,
}

/// `[[liquid]]`, `[[solid]]` or `[[inflow]]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyTable {
    from: Option<[f64; 3]>,
    to: Option<[f64; 3]>,
    centre: Option<[f64; 3]>,
    radius: Option<f64>,
    velocity: Option<[f64; 3]>,
    until: Option<f64>,
}

/// Reads a scene. `cells` along the longest side, if given, replace those of the file.
pub fn read_scene(path: &Path, cells: Option<usize>) -> Result<Scene, BoxedError> {
    scene_of(path, &read_text(path)?, cells)
}

/// Parses a scene from the text of the file at `path`.
fn scene_of(path: &Path, text: &str, cells: Option<usize>) -> Result<Scene, BoxedError> {
    let table: SceneTable = parse_toml(text).map_err(|fault| in_file(path, fault))?;
    let reader = Reader { path, text };
    let mut scene = reader.without_bodies(&table, cells)?;
    let (liquids, solids) = (&table.liquid, &table.solid);
    reader.bodies("liquid", liquids, &["until"], &mut scene, |scene, body, shape| {
        let velocity = body.velocity.unwrap_or_default();
        scene.liquids.push(Body { shape, velocity });
    })?;
    let refused = ["velocity", "until"];
    reader.bodies("solid", solids, &refused, &mut scene, |scene, _, shape| {
        scene.solids.push(shape);
    })?;
    reader.bodies("inflow", &table.inflow, &[], &mut scene, |scene, body, shape| {
        scene.inflows.push(Inflow {
            shape,
            velocity: body.velocity.unwrap_or_default(),
            until: body.until,
        });
    })?;
    Ok(scene)
}

/// Turns tables into a scene; faults name the file, the line and the table.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn fault(&self, place: Range<usize>, what: impl Display) -> BoxedError {
        let line = line_of(self.text, place.start);
        in_file(self.path, format_args!("line {line}: {what}"))
    }

    /// The grid and the constants.
    fn without_bodies(
        &self,
        table: &SceneTable,
        cells: Option<usize>,
    ) -> Result<Scene, BoxedError> {
        let mut scene = Scene::empty(1);
        let size = &table.grid.size;
        let longest = size.get_ref().iter().copied().max().unwrap_or(1).max(1);
        let cells = cells.unwrap_or(longest);
        self.set(&mut scene, Some(size), |scene, size| {
            let scaled = |side: usize| (side.saturating_mul(cells) / longest).max(side.min(1));
            scene.size = size.map(scaled);
        })?;
        self.set(&mut scene, Some(&table.grid.spacing), |scene, spacing| {
            scene.spacing = spacing * longest as f64 / cells as f64;
        })?;
        let constants = [&table.time_step, &table.density, &table.flip].map(Option::as_ref);
        let [time_step, density, flip] = constants;
        self.set(&mut scene, time_step, |scene, value| scene.time_step = value)?;
        self.set(&mut scene, density, |scene, value| scene.density = value)?;
        self.set(&mut scene, flip, |scene, value| scene.flip = value)?;
        let (gravity, seed) = (table.gravity.as_ref(), table.seed.as_ref());
        self.set(&mut scene, gravity, |scene, value| scene.gravity = value)?;
        self.set(&mut scene, seed, |scene, value| scene.seed = value.into())?;
        let keep = table.keep_volume.as_ref();
        self.set(&mut scene, keep, |scene, value| scene.keep_volume = value)?;
        Ok(scene)
    }

    /// Sets a value from a key, if the key is present, and checks it.
    fn set<T: Copy>(
        &self,
        scene: &mut Scene,
        value: Option<&Spanned<T>>,
        set: impl FnOnce(&mut Scene, T),
    ) -> Result<(), BoxedError> {
        let Some(value) = value else { return Ok(()) };
        set(scene, *value.get_ref());
        let checked = scene.check();
        checked.map_err(|error| self.fault(value.span(), error))
    }

    /// Adds the bodies of a kind, which cannot have the keys in `refused`.
    fn bodies(
        &self,
        kind: &str,
        tables: &[Spanned<BodyTable>],
        refused: &[&str],
        scene: &mut Scene,
        add: impl Fn(&mut Scene, &BodyTable, Shape),
    ) -> Result<(), BoxedError> {
        for (number, table) in (1..).zip(tables) {
            let fault = |what: &dyn Display| {
                self.fault(table.span(), format_args!("{kind} {number}: {what}"))
            };
            let body = table.get_ref();
            let given = [("velocity", body.velocity.is_some()), ("until", body.until.is_some())];
            let mut wrong = given.iter().filter(|(key, given)| *given && refused.contains(key));
            if let Some((key, _)) = wrong.next() {
                return Err(fault(&format_args!("has no {key}. Leave it out")));
            }
            let shape = body.shape().map_err(|what| fault(&what))?;
            add(scene, body, shape);
            scene.check().map_err(|error| fault(&error))?;
        }
        Ok(())
    }
}

impl BodyTable {
    fn shape(&self) -> Result<Shape, String> {
        match (self.from, self.to, self.centre, self.radius) {
            (Some(from), Some(to), None, None) => Ok(Shape::Box { from, to }),
            (None, None, Some(centre), Some(radius)) => Ok(Shape::Sphere { centre, radius }),
            _ => {
                let given = [
                    ("from", self.from.is_some()),
                    ("to", self.to.is_some()),
                    ("centre", self.centre.is_some()),
                    ("radius", self.radius.is_some()),
                ];
                let given = given.iter().filter(|key| key.1).map(|key| key.0);
                let given = given.collect::<Vec<_>>().join(", ");
                Err(format!("{given} do not make a shape. Give from and to, or centre and radius"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    const SCENE: &str = "gravity = [0.0, -9.81, 0.0]\ntime_step = 0.008\nflip = 0.97\nkeep_volume = true\n\
                         [grid]\nsize = [8, 6, 4]\nspacing = 0.125\n[[liquid]]\nfrom = [0.0, 0.0, 0.0]\n\
                         to = [0.4, 0.5, 0.5]\n[[solid]]\ncentre = [0.7, 0.5, 0.25]\nradius = 0.1\n\
                         [[inflow]]\ncentre = [0.1, 0.6, 0.25]\nradius = 0.05\nvelocity = [1.0, 0, 0]\nuntil = 2\n";

    fn read(text: &str) -> Result<Scene, BoxedError> {
        scene_of(Path::new("a.toml"), text, None)
    }

    #[test]
    fn the_sample_is_a_scene() {
        assert!(read(SCENE).is_ok());
    }

    #[test]
    fn gravity_beyond_single_precision_is_refused_in_its_line() {
        let failure = read(&SCENE.replace("-9.81", "-9.8e300")).err();
        let line = failure.map(|failure| failure.to_string()).unwrap_or_default();
        assert!(line.starts_with("a.toml: line 1: a component of gravity is -9800"), "{line}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// At each position up to 40 characters are removed and up to eight inserted.
        #[test]
        fn a_damaged_scene_is_read_or_refused_in_a_line(
            places in vec((any::<Index>(), 0..40usize, "[-0-9.e+/ \n\r#\\[\\]=\"$a-c\u{e9}]{0,8}"), 1..6),
        ) {
            let mut text: Vec<char> = SCENE.chars().collect();
            for (at, lost, gained) in places {
                let from = at.index(text.len() + 1);
                let to = (from + lost).min(text.len());
                text.splice(from..to, gained.chars());
            }
            if let Err(failure) = read(&text.into_iter().collect::<String>()) {
                let line = failure.to_string();
                let is_line = !line.contains(['\n', '\r']) && line.len() < 2000;
                prop_assert!(is_line && line.starts_with("a.toml: "), "{line}");
            }
        }
    }
}
