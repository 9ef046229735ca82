//! `fragstream fem`.

use std::fs;

use crate::command::support::*;
use fragstream::io::matrix_market::{read_matrix, read_vector};
use tempfile::TempDir;

/// The numbers of the array of this name, or of the points.
fn array(vtu: &str, name: &str) -> Vec<f64> {
    let start = match name {
        "points" => vtu.find("<Points>").expect("points"),
        name => vtu.find(&format!("Name=\"{name}\"")).expect(name),
    };
    let (_, rest) = vtu[start..].split_once("format=\"ascii\">").expect(name);
    let (numbers, _) = rest.split_once('<').expect(name);
    let numbers = numbers.split_whitespace();
    numbers.map(|n| n.parse().expect(n)).collect()
}

#[test]
fn a_mesh_is_solved_and_written_for_paraview() {
    let folder = TempDir::new().expect("a folder");
    let line = "fem circle --element q2 --levels 3 --numbering xyz --out u.vtu --history h.csv";
    let told = succeeds(&mut fragstream(&folder, line));
    assert_says(
        &told,
        &["576 unknowns", "converged after 24 cycles", "level 3"],
    );
    let vtu = fs::read_to_string(folder.path().join("u.vtu")).expect("the solution");
    let sizes = [
        "NumberOfPoints=\"576\"",
        "NumberOfCells=\"128\"",
        "</VTKFile>",
    ];
    assert_says(&vtu, &sizes);
    let [points, corners, offsets, types, u] =
        ["points", "connectivity", "offsets", "types", "u"].map(|name| array(&vtu, name));
    assert_eq!((points.len(), u.len()), (3 * 576, 576));
    assert_eq!(
        offsets,
        (1..=128)
            .map(|cell| 9.0 * f64::from(cell))
            .collect::<Vec<_>>()
    );
    assert_eq!(types, [28.0; 128]);
    // VTK's biquadratic quadrilateral: corners, middles of the edges from the first, the middle.
    let at = |node: f64| [points[3 * node as usize], points[3 * node as usize + 1]];
    for cell in corners.chunks_exact(9) {
        for k in 0..4 {
            let [a, b, middle] = [cell[k], cell[(k + 1) % 4], cell[4 + k]].map(at);
            assert!((0..2).all(|i| (0.5 * (a[i] + b[i]) - middle[i]).abs() < 1e-14));
        }
    }
    // The maximum principle, but for what lies between −Δu = 1 and 0.
    assert!(u.iter().all(|u| (-1e-6..1.1).contains(u)));
    let history = fs::read_to_string(folder.path().join("h.csv")).expect("the history");
    assert_eq!(history.lines().count(), 26);
}

#[test]
fn constants_are_exact_with_any_conditions() {
    let folder = TempDir::new().expect("a folder");
    let line = "fem blood --levels 2 --dirichlet inner=3 --neumann outer=0 --neumann dome=0 \
                --neumann ends=0 --rhs 0 --pre 16 --post 16";
    let told = succeeds(&mut fragstream(&folder, line));
    assert_says(
        &told,
        &[
            "converged",
            "u from 3.000000 to 3.000000",
            "du/dn = 0 on ends",
        ],
    );
}

#[test]
fn what_was_solved_is_written_and_solved_by_what_was_written() {
    let folder = TempDir::new().expect("a folder");
    let line = "fem circle --levels 3 --numbering sto --rhs x+exp(-y) --dirichlet x*y \
                --neumann circle=-1 --matrices m";
    let told = succeeds(&mut fragstream(&folder, line));
    assert_says(
        &told,
        &["-lap u = x+exp(-y); u = x*y on outer, du/dn = -1 on circle"],
    );
    let inside = TempDir::new_in(folder.path()).expect("a folder");
    let mut files: Vec<String> = fs::read_dir(folder.path().join("m"))
        .expect("the folder")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    files.sort();
    let expected =
        ["A_1", "A_2", "A_3", "P_2", "P_3", "b_3", "x_3"].map(|name| format!("{name}.mtx"));
    assert_eq!(files, expected);
    let file = |name: &str| folder.path().join("m").join(name);
    let [a, p] = ["A_3.mtx", "P_3.mtx"].map(|name| read_matrix(&file(name)).expect(name));
    assert_eq!(
        (p.rows, p.columns),
        (a.rows, read_matrix(&file("A_2.mtx")).expect("A_2").rows)
    );
    let [b, x] = ["b_3.mtx", "x_3.mtx"].map(|name| read_vector(&file(name)).expect(name));
    let mut defect = b;
    a.entries
        .iter()
        .for_each(|&(i, j, value)| defect[i as usize] -= value * x[j as usize]);
    assert!(defect.iter().all(|d| d.abs() < 1e-7), "{defect:?}");
    // Another solver finds the same.
    let line = "solve ../m/A_3.mtx --rhs ../m/b_3.mtx --method lu --layout columns --out x.mtx";
    succeeds(&mut fragstream(&inside, line));
    let again = read_vector(&inside.path().join("x.mtx")).expect("x");
    let far = again
        .iter()
        .zip(&x)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(far < 1e-4, "{far}");
}

/// A square of two triangles, seen from behind: they go round clockwise. Its left side is named.
const SQUARE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"left\"\n\
                      $EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n\
                      $Elements\n3\n1 1 2 7 1 4 1\n2 2 2 1 1 1 3 2\n3 2 2 1 1 1 4 3\n$EndElements\n";

#[test]
fn a_mesh_of_gmsh_is_solved_as_the_others_are() {
    let folder = folder_with("square.msh", SQUARE);
    let line = "fem square.msh --element q2 --levels 3 --rhs 2*pi^2*sin(pi*x)*sin(pi*y) --png u.png \
                --out u.vtu";
    let told = succeeds(&mut fragstream(&folder, line));
    let says = [
        "the mesh went round clockwise and was turned back",
        "6 cells",
        "u = 0 on boundary",
        "u = 0 on left",
        "converged",
    ];
    assert_says(&told, &says);
    let vtu = fs::read_to_string(folder.path().join("u.vtu")).expect("the solution");
    let (points, u) = (array(&vtu, "points"), array(&vtu, "u"));
    for (at, u) in points.chunks_exact(3).zip(u) {
        let exact = [at[0], at[1]].map(|x| (std::f64::consts::PI * x).sin());
        // Of third order in cells of 1/8.
        assert!((u - exact[0] * exact[1]).abs() < 2.4e-3, "{u} at {at:?}");
    }
    let picture = image::open(folder.path().join("u.png")).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (1280, 800));
}

#[test]
fn what_cannot_be_solved_is_told_in_one_line_and_nothing_is_written() {
    let folder = folder_with("square.msh", SQUARE);
    let write = |name: &str, from: &str, to: &str| {
        fs::write(folder.path().join(name), SQUARE.replacen(from, to, 1)).expect(name);
    };
    write("flat.msh", "3 1 1 0", "3 2 0 0");
    write("folded.msh", "1 1 1 4 3", "1 1 1 3 4");
    write("second.msh", "2 2 2 1 1 1 3 2", "2 9 2 1 1 1 3 2 1 1 1");
    write("lost.msh", "1 1 1 3 2", "1 1 1 9 2");
    fs::write(folder.path().join("disc.tri"), "").expect("a file");
    let there = names(&folder);
    for (line, code, says) in [
        ("fem square", 2, "square"),
        ("fem cirle", 2, "did you mean circle?"),
        ("fem no.msh", 2, "no.msh"),
        ("fem disc.tri", 2, "disc.prm"),
        (
            "fem flat.msh",
            2,
            "flat.msh: line 18: a cell is turned round or degenerate",
        ),
        (
            "fem folded.msh",
            2,
            "folded.msh: line 18: a cell is turned round or degenerate",
        ),
        (
            "fem second.msh",
            2,
            "second.msh: line 18: triangles of second order",
        ),
        ("fem lost.msh", 2, "lost.msh: line 18: there is no node 9"),
        (
            "fem square.msh --dirichlet right=1",
            2,
            "there is no boundary right; this mesh has left, boundary",
        ),
        ("fem circle --levels 0", 2, "0"),
        (
            "fem circle --levels 12",
            2,
            "GB that it may; the largest that fits is",
        ),
        ("fem circle --dirichlet inner=1", 2, "outer, circle"),
        ("fem circle --dirichlet outer", 2, "outer=0"),
        ("fem circle --dirichlet outer=NaN", 2, "NaN"),
        (
            "fem circle --dirichlet outer=1 --neumann outer=0",
            2,
            "two things are given on the boundary outer",
        ),
        (
            "fem circle --levels 2 --dirichlet log(x)",
            2,
            "--dirichlet log(x) is -inf at (0, 0)",
        ),
        (
            "fem circle --rhs sin(x",
            2,
            "column 6: here a bracket should be closed",
        ),
        (
            "fem circle --neumann outer=0 --neumann circle=0",
            2,
            "--dirichlet",
        ),
        ("fem circle --pre 0 --post 0", 2, "give a sweep"),
        ("fem circle --out no/such/u.vtu", 2, "no/such"),
        ("fem circle --out u.vtk", 2, ".vtu"),
        ("fem circle --matrices square.msh", 2, "is a file"),
        (
            "fem blood --levels 2 --omega 1.0 --pre 4 --post 4 --out u.vtu --png u.png",
            3,
            "diverged",
        ),
        ("fem circle --levels 3 --maxiter 3", 3, "max-iterations"),
    ] {
        assert_says(&fails(&mut fragstream(&folder, line), code), &[says]);
    }
    assert_eq!(names(&folder), there);
}
