//! The bundled files (`figures/input`). They are part of the program, which works in any folder.

use std::error::Error;
use std::path::Path;

use crate::base::error::{BoxedError, with_remedy};
use crate::base::nearest::suggestion;
use crate::io::MeshFormat;
use crate::io::hdr::{HdrImage, parse_hdr};
use crate::io::matrix_market::parse_matrix;
use crate::io::names::system;
use crate::mesh::TriangleMesh;
use crate::solver::Csr;

/// A plate as a scene, with heaters, a cooler, and a condition of each kind along its sides.
pub const PLATE: &str = include_str!("../figures/input/plate.toml");

/// Sparse matrices in the Matrix Market format, by name.
pub const MATRICES: [(&str, &[u8]); 4] = [
    ("airfoil", include_bytes!("../figures/input/airfoil.mtx")),
    ("knot", include_bytes!("../figures/input/knot.mtx")),
    ("unit_cube", include_bytes!("../figures/input/unit_cube.mtx")),
    ("bcsstk01", include_bytes!("../figures/input/bcsstk01.mtx")),
];

/// The mesh that geveler2011 calls BLOOD, in FEAT's format: its boundary (PRM), and its cells (TRI).
pub const BLOOD: [&[u8]; 2] = [
    include_bytes!("../figures/input/elastisch.prm"),
    include_bytes!("../figures/input/elastisch.tri"),
];

/// The name by which commands read [`scan`].
pub const SCAN: &str = "bunny";

/// The name by which commands read [`panorama`].
pub const PANORAMA: &str = "room";

/// The scanned mesh: the Stanford bunny as scanned, with five holes.
pub fn scan() -> Result<TriangleMesh, Box<dyn Error + Send + Sync>> {
    let mesh = MeshFormat::Ply.parse(include_bytes!("../figures/input/bunny.ply"))?;
    mesh.validate()?;
    Ok(mesh)
}

/// Checks that a path is the name of a bundled file, and not the path of an existing one.
pub fn is_named(path: &Path, name: &str) -> bool {
    path.as_os_str() == name && !system(path).exists()
}

/// Checks that a path is a file or the name of a bundled one.
///
/// # Errors
/// Neither; with the names of the bundled ones, and the one that is close.
pub(crate) fn check_there(path: &Path, kind: &str, names: &[&str]) -> Result<(), BoxedError> {
    let text = path.to_string_lossy();
    if system(path).exists() || text == "-" || names.contains(&&*text) {
        return Ok(());
    }
    let fault = format!("{text}: there is no such file, and no bundled {kind} of that name");
    let all = names.join(", ");
    let one = if names.len() > 1 { "one of " } else { "" };
    let remedy = format!("{}give a file, or {one}{all}", suggestion(&text, names));
    Err(with_remedy(fault, &remedy).into())
}

/// The bundled matrix of this name, unless there is such a file.
pub fn named(path: &Path) -> Option<&'static [u8]> {
    let found = MATRICES.iter().find(|(known, _)| is_named(path, known));
    found.map(|&(_, file)| file)
}

/// One of the [`MATRICES`].
///
/// # Errors
/// [`Fault`](crate::io::Fault) for a text that is not Matrix Market.
pub fn matrix(file: &[u8]) -> Result<Csr<f64>, Box<dyn Error + Send + Sync>> {
    let file = parse_matrix(file)?;
    let entries = file.entries.iter();
    Ok(Csr::from_triplets(
        file.rows as usize,
        file.columns as usize,
        entries.map(|&(row, column, value)| (row as usize, column as usize, value)),
    )?)
}

/// A room with lamps and daylight, 1024 x 512 pixels.
pub fn panorama() -> Result<HdrImage, Box<dyn Error + Send + Sync>> {
    let file = include_bytes!("../figures/input/st_fagans_interior_1k.hdr");
    Ok(parse_hdr(file)?)
}
