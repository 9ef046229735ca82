//! Scenes of liquids as TOML files.
//!
//! ```toml
//! gravity = [0.0, -9.81, 0.0]   # m/s²; y is up. All but [grid] can be left out
//! time_step = 0.008             # s
//! density = 1000.0              # kg/m³
//! flip = 0.97                   # the share of a particle's velocity that is its own
//! keep_volume = true            # make up for volume that was lost or won
//! seed = 2003                   # what the places of particles depend on
//!
//! [grid]
//! size = [64, 48, 32]           # cells; a multiple of 4 in x
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
//! [[solid]]                     # a closed mesh (PLY, OBJ, OFF), beside this file
//! mesh = "bunny.ply"
//! scale = 2.0                   # metres a unit of the file
//! at = [0.6, 0.0, 0.2]          # where its origin is
//!
//! [[solid]]                     # voxels: 32-bit floats, x fastest, distances (m) at their centres
//! voxels = "rock.raw"
//! size = [20, 10, 20]
//! spacing = 0.01                # the side of a voxel; without it that of a cell
//! at = [0.2, 0.0, 0.1]          # the corner of the first
//!
//! [[inflow]]                    # as a liquid, and kept full
//! centre = [0.1, 0.6, 0.25]
//! radius = 0.05
//! velocity = [1.0, 0.0, 0.0]
//! until = 2.0                   # s
//! ```

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use fragstream::batty2003::liquid::{Body, Field, Inflow, Scene, Shape};
use fragstream::io::InputError;
use fragstream::io::mesh_file::read_valid_mesh;
use fragstream::io::raw::read_floats;
use fragstream::io::toml_text::{line_of, parse_toml};
use fragstream::mesh::distance::signed_distance;
use fragstream::simulation::Setting;

use super::super::failure::Failure;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneTable {
    grid: GridTable,
    gravity: Option<[f64; 3]>,
    time_step: Option<f64>,
    density: Option<f64>,
    flip: Option<f64>,
    keep_volume: Option<bool>,
    seed: Option<u32>,
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
    size: [usize; 3],
    spacing: f64,
}

/// `[[liquid]]`, `[[solid]]` or `[[inflow]]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyTable {
    from: Option<[f64; 3]>,
    to: Option<[f64; 3]>,
    centre: Option<[f64; 3]>,
    radius: Option<f64>,
    mesh: Option<String>,
    scale: Option<f64>,
    voxels: Option<String>,
    size: Option<[usize; 3]>,
    spacing: Option<f64>,
    at: Option<[f64; 3]>,
    velocity: Option<[f64; 3]>,
    until: Option<f64>,
}

impl BodyTable {
    /// The keys that are there and say what shape it has.
    fn shape_keys(&self) -> Vec<&'static str> {
        let keys = [
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("centre", self.centre.is_some()),
            ("radius", self.radius.is_some()),
            ("mesh", self.mesh.is_some()),
            ("scale", self.scale.is_some()),
            ("voxels", self.voxels.is_some()),
            ("size", self.size.is_some()),
            ("spacing", self.spacing.is_some()),
            ("at", self.at.is_some()),
        ];
        keys.into_iter()
            .filter(|key| key.1)
            .map(|key| key.0)
            .collect()
    }
}

/// What shapes there are, by their keys.
const SHAPES: &str = "give from and to, or centre and radius, or mesh (with scale and at), or \
                      voxels and size (with spacing and at)";

/// Reads a scene and the files that it names, whose paths are relative to its folder. `cells` along
/// the longest side, if given, stand in for those of the file.
pub fn read_scene(path: &Path, cells: Option<usize>) -> Result<Scene, Failure> {
    let unreadable = |source| InputError::Unreadable {
        path: path.to_path_buf(),
        source,
    };
    let text = fs::read_to_string(path).map_err(unreadable)?;
    let table: SceneTable = parse_toml(&text).map_err(|fault| Failure::in_file(path, fault))?;
    let mut scene = table.without_bodies(cells);
    // A grid that is too large is better known before distances are computed on it.
    let sound = |scene: &Scene| scene.check().map_err(|error| Failure::in_file(path, error));
    sound(&scene)?;
    let reader = Reader {
        path,
        text: &text,
        scene: scene.clone(),
    };
    for (number, body) in table.liquid.iter().enumerate() {
        let shape = reader.shape(("liquid", number), body)?;
        let velocity = body.get_ref().velocity.unwrap_or_default();
        reader.refuse(
            ("liquid", number),
            body,
            body.get_ref().until.is_some(),
            "until",
        )?;
        scene.liquids.push(Body { shape, velocity });
    }
    for (number, body) in table.solid.iter().enumerate() {
        let (name, table) = (("solid", number), body.get_ref());
        reader.refuse(name, body, table.velocity.is_some(), "velocity")?;
        reader.refuse(name, body, table.until.is_some(), "until")?;
        scene.solids.push(reader.shape(name, body)?);
    }
    for (number, body) in table.inflow.iter().enumerate() {
        scene.inflows.push(Inflow {
            shape: reader.shape(("inflow", number), body)?,
            velocity: body.get_ref().velocity.unwrap_or_default(),
            until: body.get_ref().until,
        });
    }
    sound(&scene)?;
    Ok(scene)
}

impl SceneTable {
    fn without_bodies(&self, cells: Option<usize>) -> Scene {
        let longest = self.grid.size.into_iter().max().unwrap_or(1).max(1);
        let cells = cells.unwrap_or(longest);
        let scaled = |side: usize| (side.saturating_mul(cells) / longest).max(side.min(1));
        let usual = Scene::empty(1);
        Scene {
            size: self.grid.size.map(scaled),
            spacing: self.grid.spacing * longest as f64 / cells as f64,
            time_step: self.time_step.unwrap_or(usual.time_step),
            gravity: self.gravity.unwrap_or(usual.gravity),
            density: self.density.unwrap_or(usual.density),
            flip: self.flip.unwrap_or(usual.flip),
            keep_volume: self.keep_volume.unwrap_or(usual.keep_volume),
            seed: self.seed.map_or(usual.seed, u64::from),
            ..usual
        }
    }
}

/// Turns tables into bodies; faults name the file, the line and the table.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    /// Grid and constants.
    scene: Scene,
}

impl Reader<'_> {
    fn fault(
        &self,
        (kind, number): (&str, usize),
        table: &Spanned<BodyTable>,
        what: impl std::fmt::Display,
    ) -> Failure {
        let line = line_of(self.text, table.span().start);
        Failure::in_file(
            self.path,
            format_args!("line {line}: {kind} {}: {what}", number + 1),
        )
    }

    fn refuse(
        &self,
        name: (&str, usize),
        table: &Spanned<BodyTable>,
        is_given: bool,
        key: &str,
    ) -> Result<(), Failure> {
        match is_given {
            true => Err(self.fault(name, table, format_args!("has no {key}; leave it out"))),
            false => Ok(()),
        }
    }

    fn shape(&self, name: (&str, usize), table: &Spanned<BodyTable>) -> Result<Shape, Failure> {
        let body = table.get_ref();
        let given = body.shape_keys();
        let only = |keys: &[&str]| given.iter().all(|key| keys.contains(key));
        let fault = |what: &dyn std::fmt::Display| self.fault(name, table, what);
        let shape =
            if let (Some(from), Some(to), true) = (body.from, body.to, only(&["from", "to"])) {
                Shape::Box { from, to }
            } else if let (Some(centre), Some(radius), true) =
                (body.centre, body.radius, only(&["centre", "radius"]))
            {
                Shape::Sphere { centre, radius }
            } else if let (Some(mesh), true) = (&body.mesh, only(&["mesh", "scale", "at"])) {
                self.mesh(mesh, body, &fault)?
            } else if let (Some(voxels), Some(size), true) = (
                &body.voxels,
                body.size,
                only(&["voxels", "size", "spacing", "at"]),
            ) {
                self.voxels(voxels, size, body, &fault)?
            } else {
                return Err(fault(&format_args!(
                    "{} do not make a shape; {SHAPES}",
                    given.join(", ")
                )));
            };
        shape.check().map_err(|error| fault(&error))?;
        Ok(shape)
    }

    /// The distance from a mesh, at the nodes of the grid.
    fn mesh(
        &self,
        name: &str,
        body: &BodyTable,
        fault: &dyn Fn(&dyn std::fmt::Display) -> Failure,
    ) -> Result<Shape, Failure> {
        let (scale, at) = (body.scale.unwrap_or(1.0), body.at.unwrap_or_default());
        Setting::check("scale", scale, scale > 0.0, "give a number above 0")
            .map_err(|error| fault(&error))?;
        let path = self.beside(name);
        let mut mesh = read_valid_mesh(&path)?;
        for position in &mut mesh.positions {
            *position = [0, 1, 2].map(|axis| (at[axis] + scale * f64::from(position[axis])) as f32);
        }
        let (size, spacing) = (self.scene.size.map(|cells| cells + 1), self.scene.spacing);
        let distances = signed_distance(&mesh, size, [0.0; 3], spacing)
            .map_err(|source| InputError::Unfit { path, source })?;
        let field = Field::new(size, [0.0; 3], spacing, distances);
        field.map(Shape::Distance).map_err(|error| fault(&error))
    }

    fn voxels(
        &self,
        name: &str,
        size: [usize; 3],
        body: &BodyTable,
        fault: &dyn Fn(&dyn std::fmt::Display) -> Failure,
    ) -> Result<Shape, Failure> {
        let spacing = body.spacing.unwrap_or(self.scene.spacing);
        let centre = body.at.unwrap_or_default().map(|at| at + 0.5 * spacing);
        let count = size.iter().try_fold(1_usize, |n, &m| n.checked_mul(m));
        let count = count.ok_or_else(|| fault(&"size is too large; correct it"))?;
        let values = read_floats(&self.beside(name), count)?;
        let field = Field::new(size, centre, spacing, values);
        field.map(Shape::Distance).map_err(|error| fault(&error))
    }

    fn beside(&self, name: &str) -> std::path::PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(name)
    }
}
