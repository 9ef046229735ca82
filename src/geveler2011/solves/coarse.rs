//! The coarse mesh.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::error::BoxedError;
use crate::base::memory;
use crate::geveler2011::{Counts, Element, QuadMesh, read_quad_mesh};

use super::mesh_source::MeshSource;

/// Maximum number of unknowns, however much memory is free. While matrices are assembled, each takes about a kilobyte.
const MOST_UNKNOWNS: usize = 1 << 22;

/// A coarse mesh.
pub struct Coarse {
    pub name: String,
    /// Cells.
    pub mesh: QuadMesh,
    /// Changes made by the reader, on one line.
    pub note: Option<String>,
    /// Names that no edge of the boundary has; true if an edge inside the mesh has it.
    pub elsewhere: BTreeMap<String, bool>,
}

impl Coarse {
    /// Reads the coarse mesh.
    pub fn of(source: &MeshSource) -> Result<Self, BoxedError> {
        match source {
            MeshSource::Paper(setup) => Ok(Coarse {
                name: format!("{setup:?}").to_lowercase(),
                mesh: setup.mesh(),
                note: None,
                elsewhere: BTreeMap::new(),
            }),
            MeshSource::File(path) => read(path),
        }
    }
}

fn read(path: &Path) -> Result<Coarse, BoxedError> {
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
        elsewhere: converted.elsewhere,
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    })
}

/// Checks that main memory can hold this number of levels.
pub fn check_levels(coarse: &QuadMesh, element: Element, levels: usize) -> Result<(), BoxedError> {
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
    Err(format!(
        "--levels {levels} has {} unknowns, which take about {need}; {}. {remedy}",
        unknowns(levels),
        match most {
            MOST_UNKNOWNS => format!("at most {MOST_UNKNOWNS} are solved for"),
            _ => format!("{free} is free"),
        }
    )
    .into())
}
