//! Table 1, Fig. 1 and §4.2: unknowns and non-zeros of a level, and the meshes.

use crate::experiment::{Record, Study, Takes};
use crate::geveler2011::numbering::neighbours;
use crate::geveler2011::solves::coarse::Coarse;
use crate::geveler2011::solves::fem::{self, Assembled, FEM};
use crate::geveler2011::study::mesh_picture::meshes;
use crate::geveler2011::{Counts, Space};
use crate::solver::Csr;

/// A level, whose matrix is not assembled.
pub static LEVEL: Study = Study::measuring(
    "geveler2011/level",
    "Unknowns and non-zeros of a level, by formulas in the vertices, edges and cells of the coarse mesh",
    Takes::of(&FEM, "paper", "mesh element levels"),
    &[
        ("unknowns", "", "of the level"),
        ("coarser", "", "unknowns of the next coarser level"),
        ("non_zeros", "", "of the matrix"),
    ],
    |experiment, _| {
        let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
        let (coarse, level) = (Coarse::of(&one.mesh)?.mesh, usize::from(one.levels));
        let of_level = Counts::of_level(&coarse, level);
        let coarser = Counts::of_level(&coarse, level.max(2) - 1);
        record.one("unknowns", of_level.unknowns(one.element) as f64);
        record.one("coarser", coarser.unknowns(one.element) as f64);
        record.one("non_zeros", of_level.non_zeros(one.element) as f64);
        Ok(record)
    },
);

/// Meshes and their picture.
pub static MESHES: Study = Study::measuring(
    "geveler2011/meshes",
    "The coarse mesh, and the mesh of a level next to it",
    Takes::of(&FEM, "paper", "mesh levels"),
    &[
        ("{vertices|edges|cells}", "", "of the coarse mesh"),
        ("vertices.refined", "", "of the mesh after one refinement"),
    ],
    |experiment, _| {
        let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
        let all = Coarse::of(&one.mesh)?.mesh.levels(one.levels.into());
        let (coarse, level) = (&all[0], format!("level {}", one.levels));
        record.one("vertices", coarse.vertices.len() as f64);
        record.one("edges", coarse.edges.len() as f64);
        record.one("cells", coarse.cells.len() as f64);
        record.one("vertices.refined", coarse.refined().vertices.len() as f64);
        let drawn = meshes(&[("level 1", coarse), (&level, &all[all.len() - 1])])?;
        record.picture("meshes", "The coarse mesh and a refinement of it.", drawn);
        Ok(record)
    },
);

/// The shortest and the longest row.
fn ends(matrix: Option<&Csr<f64>>) -> [f64; 2] {
    let Some(matrix) = matrix else { return [f64::NAN; 2] };
    let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
    let [least, most] = [lengths.clone().min(), lengths.max()];
    [least, most].map(|end| end.unwrap_or(0) as f64)
}

/// The rows of assembled matrices.
pub static ROWS: Study = Study::measuring(
    "geveler2011/rows",
    "Rows of the matrices of a level: lengths, and the work of warps of 32 rows",
    Takes::of(&FEM, "paper", "mesh element levels numbering"),
    &[
        ("unknowns", "", "rows of the matrix A"),
        ("non_zeros", "", "entries of A"),
        ("prolongation.non_zeros", "", "entries of P to the level, and of R from it"),
        (
            "{matrix|prolongation|restriction}.{shortest|longest}",
            "",
            "entries of a row of A, P and R",
        ),
        (
            "coupled",
            "",
            "fewest unknowns that share a cell with one, itself included: a row of A without boundary values",
        ),
        ("work", "", "of warps, each as long as its longest row, relative to the non-zeros"),
    ],
    |experiment, _| {
        let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
        let Assembled { meshes, system, .. } = one.assembled()?;
        let matrix = &system.matrices[0];
        record.one("unknowns", matrix.rows() as f64);
        record.one("non_zeros", matrix.entries() as f64);
        let transfer = system.prolongations.first().map_or(f64::NAN, |p| p.entries() as f64);
        record.one("prolongation.non_zeros", transfer);
        for (name, of) in [
            ("matrix", Some(matrix)),
            ("prolongation", system.prolongations.first()),
            ("restriction", system.restrictions.first()),
        ] {
            let [shortest, longest] = ends(of);
            record.one(format!("{name}.shortest"), shortest);
            record.one(format!("{name}.longest"), longest);
        }
        let space = Space::new(&meshes[meshes.len() - 1], one.element);
        let coupled = neighbours(&space).iter().map(|others| others.len() + 1).min();
        record.one("coupled", coupled.unwrap_or(0) as f64);
        let lengths: Vec<usize> = (0..matrix.rows()).map(|row| matrix.row_length(row)).collect();
        let longest = |warp: &[usize]| 32 * warp.iter().max().copied().unwrap_or(0);
        let work: usize = lengths.chunks(32).map(longest).sum();
        record.one("work", work as f64 / matrix.entries() as f64);
        Ok(record)
    },
);
