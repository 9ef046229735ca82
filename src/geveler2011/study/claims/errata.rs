//! §2.3.1, §3.2: printed formulas that cannot be meant, run as printed and as corrected, on the CPU.

use crate::claim::{Checked, Claim, Erratum, Run};
use crate::geveler2011::{Ellpack, Setup};

use super::matrices::example;

pub(super) fn errata(run: &mut Run<'_>, _: &Claim) -> Checked {
    let format = Ellpack::new(&example()?);
    let rows = format.lengths.len();
    // Sums that read beyond the end of A, which is stored by columns, if they have this number of terms more than rl_i.
    let beyond = |more: usize| {
        let is_beyond = |row: &usize| {
            let mut terms = 0..format.lengths[*row] as usize + more;
            terms.any(|nz| format.values.get(nz * rows + row).is_none())
        };
        (0..rows).filter(is_beyond).count() as f64
    };
    let mesh = Setup::Circle.meshes(1).remove(0);
    let [vertices, edges, cells] = [mesh.vertices.len(), mesh.edges.len(), mesh.cells.len()];
    let fine = mesh.refined().vertices.len();
    let off = |rows: usize| rows.abs_diff(fine) as f64;
    let found = run.errata(&[
        Erratum {
            number: "rows of P that are too many",
            formulas: ["P_q has nᵉ rows", "P_q has n^q rows"],
            measured: [off(vertices + 2 * edges), off(vertices + edges + cells)],
            // Each cell has four edges, and an edge has at most two cells: there are at least twice as many edges.
            bounds: [cells as f64, 0.0],
        },
        Erratum {
            number: "rows that read beyond the array A",
            formulas: [
                "y_i = Σ A_i,nz x_j(nz), nz = 0 … rl_i",
                "y_i = Σ A_i,nz x_j(i,nz), nz = 0 … rl_i − 1",
            ],
            measured: [beyond(1), beyond(0)],
            // The longest row has no entry after its last one; other rows multiply padding, which is zero.
            bounds: [1.0, 0.0],
        },
    ]);
    Ok(found.because(
        "P is that of Q1 on CIRCLE's coarsest mesh, and A that of the paper's example of four rows.",
    ))
}
