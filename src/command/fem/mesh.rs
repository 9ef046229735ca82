//! The mesh on the command line, with its defaults.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::geveler2011::{Counts, Element, QuadMesh, Settings, Setup, read_quad_mesh};
use crate::io::extension;
use crate::memory;
use crate::nearest::suggestion;

use super::super::failure::Failure;

/// Maximum number of unknowns, however much memory is free. While matrices are assembled, each takes about a kilobyte.
const MOST_UNKNOWNS: usize = 1 << 22;

/// Source of the mesh.
#[derive(Clone, Debug)]
pub enum MeshSource {
    /// A problem of the paper.
    Paper(Setup),
    /// A file.
    File(PathBuf),
}

impl FromStr for MeshSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, extension(text).as_str()) {
            ("circle", _) => Ok(Self::Paper(Setup::Circle)),
            ("blood", _) => Ok(Self::Paper(Setup::Blood)),
            (_, "msh" | "tri") => Ok(Self::File(text.into())),
            _ => Err(format!(
                "{}give circle, blood, a file of Gmsh (.msh) or one of FEAT (.tri, with its .prm in the same folder)",
                suggestion(text, &["circle", "blood"])
            )),
        }
    }
}

/// A coarse mesh.
pub struct Coarse {
    /// Name.
    pub name: String,
    /// Cells.
    pub mesh: QuadMesh,
    /// Changes made by the reader, on one line.
    pub note: Option<String>,
    /// Names of curves that are only inside the mesh.
    pub inside: Vec<String>,
}

impl MeshSource {
    /// The coarse mesh.
    pub fn read(&self) -> Result<Coarse, Failure> {
        match self {
            Self::Paper(setup) => Ok(Coarse {
                name: format!("{setup:?}").to_lowercase(),
                mesh: setup.mesh(),
                note: None,
                inside: Vec::new(),
            }),
            Self::File(path) => read(path),
        }
    }

    /// Returns the paper's smoothing, f, and u on all parts of the boundary but the last and on the last. A
    /// user's mesh is treated as the circle, with u = 0 on the whole boundary.
    pub fn problem(&self) -> (Settings, f64, [f64; 2]) {
        match self {
            Self::Paper(setup) => {
                let (source, values) = setup.values();
                (setup.settings(), source, values)
            }
            Self::File(_) => (Settings::paper_circle(), 1.0, [0.0, 0.0]),
        }
    }
}

fn read(path: &Path) -> Result<Coarse, Failure> {
    let converted = read_quad_mesh(path)?;
    let turned = (converted.turned > 0).then(|| "clockwise cells were reversed".to_owned());
    let periodic = converted.periodic.then(|| "periodic sides of the file are not used".to_owned());
    let divided = converted.divided.then(|| {
        "each triangle was divided into three quadrilaterals, each quadrilateral into four"
            .to_owned()
    });
    let slit = (converted.doubled > 0).then(|| {
        format!(
            "{} in the same position as another: the mesh has a slit there, whose sides are boundaries (to close \
             it, merge the vertices)",
            match converted.doubled {
                1 => "1 vertex is".to_owned(),
                count => format!("{count} vertices are"),
            }
        )
    });
    let notes = turned.into_iter().chain(divided).chain(periodic).chain(slit);
    let notes: Vec<String> = notes.collect();
    Ok(Coarse {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        mesh: converted.mesh,
        inside: converted.inside,
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    })
}

/// Checks that main memory can hold this number of levels.
pub fn check_levels(coarse: &QuadMesh, element: Element, levels: usize) -> Result<(), Failure> {
    let unknowns = |level| Counts::of_level(coarse, level).unknowns(element);
    let free = memory::available().map_or(usize::MAX, |bytes| (bytes >> 10) as usize);
    let most = free.min(MOST_UNKNOWNS);
    if unknowns(levels) <= most {
        return Ok(());
    }
    let largest = (1..levels).rfind(|&level| unknowns(level) <= most);
    let remedy = match largest {
        Some(largest) => format!("Give at most {largest}"),
        None => "Give a coarser mesh".to_owned(),
    };
    let [need, free] =
        [unknowns(levels), free].map(|unknowns| memory::in_words(1024 * unknowns as u64));
    Err(Failure::input(format_args!(
        "--levels {levels} has {} unknowns, which take about {need}; {}. {remedy}",
        unknowns(levels),
        match most {
            MOST_UNKNOWNS => format!("at most {MOST_UNKNOWNS} are solved for"),
            _ => format!("{free} is free"),
        }
    )))
}
