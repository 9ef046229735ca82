//! `fragstream smooth`.

use std::fs;
use std::path::Path;

use crate::command::support::*;
use fragstream::io::{read_mesh, write_mesh};
use fragstream::mesh::measure::{area, mean_squared_edge_length};
use fragstream::mesh::{Connectivity, TriangleMesh, VertexKind, generate};
use tempfile::TempDir;

const FORMATS: [&str; 3] = ["ply", "obj", "off"];

/// A noisy sheet and a noisy cube beside it: two components, one with a boundary, and a vertex
/// between them that no triangle uses.
fn two_components() -> TriangleMesh {
    let mut mesh = generate::sheet(9, 7);
    mesh.positions.push([-7.25, 0.1, 3.5]);
    let cube = generate::cube(5);
    let first = mesh.positions.len() as u32;
    mesh.positions
        .extend(cube.positions.iter().map(|&[x, y, z]| [x + 30.0, y, z]));
    let moved = cube
        .triangles
        .iter()
        .map(|triangle| triangle.map(|vertex| vertex + first));
    mesh.triangles.extend(moved);
    generate::add_normal_noise(&mut mesh, 0.05, 5);
    mesh
}

fn folder_with_mesh(name: &str, mesh: &TriangleMesh) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_mesh(&folder.path().join(name), mesh).unwrap();
    folder
}

fn result(folder: &TempDir, name: &str) -> TriangleMesh {
    read_mesh(&folder.path().join(name)).unwrap()
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(&a, b)| (f64::from(a) - f64::from(b)).powi(2));
    squares.sum::<f64>().sqrt()
}

/// One step of geometric flow in double precision, assembled triangle by triangle and solved by
/// Gauss and Seidel's iteration: Σ_j a_ij x_j = 4 A_i x_i(old), a_ij = −λΔt (cot α + cot β),
/// a_ii = 4 A_i − Σ_j a_ij.
fn reference_step(mesh: &TriangleMesh, lambda_dt: f64) -> Vec<[f64; 3]> {
    let n = mesh.positions.len();
    let old: Vec<[f64; 3]> = mesh.positions.iter().map(|p| p.map(f64::from)).collect();
    let subtract = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let mut entries = vec![vec![0.0; n]; n];
    let mut areas = vec![0.0; n];
    for &triangle in &mesh.triangles {
        for turn in 0..3 {
            let [i, j, k] = [0, 1, 2].map(|corner| triangle[(turn + corner) % 3] as usize);
            let (u, v) = (subtract(old[i], old[k]), subtract(old[j], old[k]));
            let dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
            let cross = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            let doubled_area = cross.iter().map(|c| c * c).sum::<f64>().sqrt();
            entries[i][j] -= lambda_dt * dot / doubled_area;
            entries[j][i] -= lambda_dt * dot / doubled_area;
            areas[k] += doubled_area / 2.0;
        }
    }
    let kind = Connectivity::new(mesh).unwrap();
    let free: Vec<usize> = (0..n)
        .filter(|&i| kind.kind()[i] == VertexKind::Interior)
        .collect();
    let row = |&i: &usize| {
        let row = entries[i].iter().copied().enumerate();
        let row: Vec<(usize, f64)> = row.filter(|&(_, entry)| entry != 0.0).collect();
        (i, 4.0 * areas[i] - entries[i].iter().sum::<f64>(), row)
    };
    let rows: Vec<_> = free.iter().map(row).collect();
    let mut x = old.clone();
    for _ in 0..2000 {
        for &(i, diagonal, ref row) in &rows {
            for axis in 0..3 {
                let others: f64 = row.iter().map(|&(j, entry)| entry * x[j][axis]).sum();
                x[i][axis] = (4.0 * areas[i] * old[i][axis] - others) / diagonal;
            }
        }
    }
    x
}

#[test]
fn a_step_solves_the_system_that_the_paper_states() {
    let mesh = two_components();
    let folder = folder_with_mesh("in.ply", &mesh);
    let arguments = "smooth in.ply out.ply --steps 1 --lambda-dt 0.3 --rtol 1e-6";
    let expected = reference_step(&mesh, 0.3);
    for method in ["cg", "pcg"] {
        succeeds(&mut fragstream(
            &folder,
            &format!("{arguments} --method {method}"),
        ));
        for (got, &expected) in result(&folder, "out.ply")
            .positions
            .into_iter()
            .zip(&expected)
        {
            let error = distance(got, expected.map(|coordinate| coordinate as f32));
            assert!(error < 1e-4, "{got:?} for {expected:?}");
        }
    }
}

#[test]
fn any_format_becomes_any_other_with_its_vertices_in_order() {
    let mesh = two_components();
    let kinds = Connectivity::new(&mesh).unwrap();
    for input in FORMATS {
        for output in FORMATS {
            let folder = folder_with_mesh(&format!("in.{input}"), &mesh);
            let arguments = format!("smooth in.{input} out.{output} --steps 3");
            succeeds(&mut fragstream(&folder, &arguments));
            let smooth = result(&folder, &format!("out.{output}"));
            assert_eq!(smooth.triangles, mesh.triangles);
            assert_eq!(smooth.positions.len(), mesh.positions.len());
            let vertices = smooth.positions.iter().zip(&mesh.positions);
            for ((&new, &old), &kind) in vertices.zip(kinds.kind()) {
                if kind == VertexKind::Interior {
                    assert!(new != old && distance(new, old) < 1.0, "{new:?} {old:?}");
                } else {
                    assert_eq!(new.map(f32::to_bits), old.map(f32::to_bits));
                }
            }
            assert!(area(&smooth) < area(&mesh));
        }
    }
}

#[test]
fn the_table_has_a_line_a_step_and_the_area_falls() {
    let folder = folder_with_mesh("in.off", &two_components());
    let text = succeeds(&mut fragstream(&folder, "smooth in.off out.off --steps 4"));
    let steps: Vec<Vec<f64>> = text
        .lines()
        .filter_map(|line| {
            line.split_whitespace()
                .map(|word| word.parse().ok())
                .collect()
        })
        .collect();
    let numbers: Vec<f64> = steps.iter().map(|step| step[0]).collect();
    assert_eq!(numbers, [0.0, 1.0, 2.0, 3.0, 4.0]);
    for pair in steps.windows(2) {
        let (before, [_, iterations, residual, area, displacement]) =
            (&pair[0], pair[1][..].try_into().unwrap());
        let area_before = if before.len() == 2 {
            before[1]
        } else {
            before[3]
        };
        assert!(area < area_before && iterations >= 1.0 && residual <= 1e-5 && displacement > 0.0);
    }
}

#[test]
fn the_default_step_is_the_mean_squared_edge_and_is_printed() {
    let mesh = two_components();
    let squared_edge = mean_squared_edge_length(&mesh, &Connectivity::new(&mesh).unwrap());
    let folder = folder_with_mesh("in.ply", &mesh);
    let text = succeeds(&mut fragstream(&folder, "smooth in.ply out.ply --steps 1"));
    let expected = format!("lambda dt {squared_edge:.4e} = 1.0000 x the mean squared edge");
    assert_says(&text, &[&expected]);
}

#[test]
fn where_a_mesh_lies_and_how_large_it_is_does_not_matter() {
    let mesh = two_components();
    let smoothed = |scale: f32, shift: f32| {
        let mut mesh = mesh.clone();
        for coordinate in mesh.positions.as_flattened_mut() {
            *coordinate = *coordinate * scale + shift;
        }
        let folder = folder_with_mesh("in.ply", &mesh);
        succeeds(&mut fragstream(&folder, "smooth in.ply out.ply --steps 2"));
        result(&folder, "out.ply").positions
    };
    let plain = smoothed(1.0, 0.0);
    // Far from the origin a coordinate itself has steps of 6e-5.
    for (scale, shift, tolerance) in [(1e-15, 0.0, 1e-4), (1e15, 0.0, 1e-4), (1.0, 1000.0, 1e-3)] {
        for (&plain, moved) in plain.iter().zip(smoothed(scale, shift)) {
            let expected = plain.map(|coordinate| coordinate * scale + shift);
            let error = distance(moved, expected) / f64::from(scale);
            assert!(
                error < tolerance,
                "{scale} {shift}: {moved:?} for {expected:?}"
            );
        }
    }
}

#[test]
fn a_free_vertex_at_the_origin_does_not_end_the_solve() {
    // Its right-hand side would be zero, and zero is no solution: the boundary pulls.
    let tetrahedron_without_base =
        "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n";
    let folder = folder_with("in.off", tetrahedron_without_base);
    succeeds(&mut fragstream(&folder, "smooth in.off out.off --steps 1"));
    let smooth = result(&folder, "out.off");
    let mesh = result(&folder, "in.off");
    assert_eq!(smooth.positions[1..], mesh.positions[1..]);
    let [x, y, z] = smooth.positions[0];
    assert!(
        x > 0.1 && (x - y).abs() < 1e-5 && (y - z).abs() < 1e-5,
        "{x} {y} {z}"
    );
}

#[test]
fn a_mesh_whose_vertices_all_stay_comes_out_as_it_is() {
    let folder = folder_with("in.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let text = succeeds(&mut fragstream(&folder, "smooth in.obj out.ply"));
    assert_says(&text, &["0 vertices are free, 3 stay"]);
    assert_eq!(result(&folder, "out.ply"), result(&folder, "in.obj"));
}

#[test]
fn noise_is_the_same_for_the_same_seed_and_no_steps_smooth_nothing() {
    let mesh = generate::cube(4);
    let folder = folder_with_mesh("in.ply", &mesh);
    let noisy = |seed: u64| {
        let arguments = format!("smooth in.ply out.ply --steps 0 --noise 0.01 --seed {seed}");
        succeeds(&mut fragstream(&folder, &arguments));
        result(&folder, "out.ply")
    };
    assert_eq!(noisy(1), noisy(1));
    assert_ne!(noisy(1), noisy(2));
    let mut expected = mesh.clone();
    generate::add_normal_noise(&mut expected, 0.01, 2);
    assert_eq!(noisy(2), expected);
    succeeds(&mut fragstream(&folder, "smooth in.ply out.ply --steps 0"));
    assert_eq!(result(&folder, "out.ply"), mesh);
}

#[test]
fn too_much_noise_is_exit_2() {
    let folder = folder_with_mesh("in.ply", &generate::cube(2));
    let arguments = "smooth in.ply out.ply --noise 1e39";
    let line = fails(&mut fragstream(&folder, arguments), 2);
    assert_says(&line, &["in.ply: with this noise, vertex "]);
    assert_eq!(names(&folder), ["in.ply"]);
}

#[test]
fn a_named_output_is_replaced_even_if_it_is_the_input() {
    let folder = folder_with_mesh("mesh.ply", &two_components());
    succeeds(&mut fragstream(
        &folder,
        "smooth mesh.ply mesh.ply --steps 1",
    ));
    assert_ne!(result(&folder, "mesh.ply"), two_components());
    assert_eq!(names(&folder), ["mesh.ply"]);
}

#[test]
fn a_step_that_does_not_converge_is_exit_3_and_nothing_is_written() {
    let folder = folder_with_mesh("in.ply", &two_components());
    let line = fails(
        &mut fragstream(&folder, "smooth in.ply out.ply --maxiter 1"),
        3,
    );
    assert_says(
        &line,
        &[
            "in.ply",
            "max-iterations",
            "step 1",
            "out.ply was not written",
        ],
    );
    let line = fails(
        &mut fragstream(&folder, "smooth in.ply out.ply --rtol 1e-30"),
        3,
    );
    assert_says(&line, &["stagnated"]);
    assert_eq!(names(&folder), ["in.ply"]);
}

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

/// A name, what is wrong with its contents, and what the message says beside the name. `{PLY}`
/// stands for the header of a triangle, nine lines.
const BAD_MESHES: [(&str, &str, &[&str]); 22] = [
    ("empty.ply", "", &["line 1"]),
    (
        "header.ply",
        "ply\nformat ascii 1.0\nelement vertex\nend_header\n",
        &["line 3"],
    ),
    ("cut.ply", "{PLY}0 0 0\n1 0 0\n", &["2 of 3"]),
    (
        "word.ply",
        "{PLY}0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n",
        &["line 11"],
    ),
    (
        "index.ply",
        "{PLY}0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
        &["line 13", "3"],
    ),
    (
        "nan.ply",
        "{PLY}0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n",
        &["line 11"],
    ),
    (
        "infinite.ply",
        "{PLY}0 0 0\n1 0 0\n0 -inf 0\n3 0 1 2\n",
        &["line 12"],
    ),
    ("none.obj", "# nothing\n", &["vertex"]),
    ("faceless.obj", "v 0 0 0\n", &["empty"]),
    (
        "short.obj",
        "v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n",
        &["line 2"],
    ),
    (
        "word.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 three\n",
        &["line 4"],
    ),
    (
        "index.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
        &["line 4", "4"],
    ),
    (
        "zero.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
        &["line 4", "0"],
    ),
    (
        "nan.obj",
        "v 0 0 0\nv NaN 0 0\nv 0 1 0\nf 1 2 3\n",
        &["line 2"],
    ),
    (
        "twice.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n",
        &["triangle 0", "vertex 1"],
    ),
    (
        "flat.obj",
        "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n",
        &["triangle 0", "no area"],
    ),
    (
        "point.obj",
        "v 5 5 5\nv 5 5 5\nv 5 5 5\nf 1 2 3\n",
        &["triangle 0", "no area"],
    ),
    (
        "word.off",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 one 0\n3 0 1 2\n",
        &["line 5"],
    ),
    (
        "cut.off",
        "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        &["1 of 2"],
    ),
    (
        "index.off",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n",
        &["line 6", "-1"],
    ),
    ("none.off", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", &["empty"]),
    (
        "crowded.off",
        "OFF\n5 3 0\n0 0 0\n1 0 0\n0 1 0\n0 -1 0\n0 0 1\n3 0 1 2\n3 1 0 3\n3 0 1 4\n",
        &["vertices 0 and 1", "3 triangles"],
    ),
];

#[test]
fn a_bad_mesh_is_one_line_with_its_place_and_nothing_is_written() {
    for (name, contents, parts) in BAD_MESHES {
        let folder = folder_with(name, contents.replace("{PLY}", PLY));
        let mut command = fragstream(&folder, &format!("smooth {name} out.ply"));
        let line = fails(&mut command, 2);
        command.assert().stdout("");
        assert_says(&line, &[&format!("{name}: ")]);
        assert_says(&line, parts);
        assert_eq!(names(&folder), [name]);
    }
}

#[test]
fn every_cut_of_a_file_is_refused() {
    let folder = folder_with_mesh("whole.ply", &generate::cube(1));
    let whole = fs::read(folder.path().join("whole.ply")).unwrap();
    for length in [
        1,
        whole.len() / 4,
        whole.len() / 2,
        whole.len() - 9,
        whole.len() - 1,
    ] {
        let folder = folder_with("cut.ply", &whole[..length]);
        let line = fails(&mut fragstream(&folder, "smooth cut.ply out.ply"), 2);
        assert_says(&line, &["cut.ply: "]);
        assert_eq!(names(&folder), ["cut.ply"]);
    }
}

#[test]
fn files_that_are_not_there_or_of_no_known_kind_are_named() {
    let folder = folder_with_mesh("in.ply", &generate::cube(1));
    let cases = [
        ("smooth nothing.ply out.ply", "nothing.ply: "),
        ("smooth in.stl out.ply", "in.stl: "),
        ("smooth in.ply out.stl", "out.stl: "),
        ("smooth in.ply out", "out: "),
        ("smooth in.ply no/such/out.ply", "no/such/out.ply: "),
    ];
    for (arguments, part) in cases {
        let line = fails(&mut fragstream(&folder, arguments), 2);
        assert_says(&line, &[part]);
    }
    assert_eq!(names(&folder), ["in.ply"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_exit_2_and_leaves_nothing() {
    let folder = folder_with_mesh("in.ply", &generate::cube(3));
    std::os::unix::fs::symlink(Path::new("/dev/full"), folder.path().join("full.ply")).unwrap();
    let line = fails(
        &mut fragstream(&folder, "smooth in.ply full.ply --steps 1"),
        2,
    );
    assert_says(&line, &["full.ply: ", "No space left"]);
    assert_eq!(names(&folder), ["full.ply", "in.ply"]);
}

#[test]
fn a_reader_that_leaves_does_not_stop_the_work() {
    let folder = folder_with_mesh("in.ply", &generate::cube(3));
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("fragstream"))
        .args(["smooth", "in.ply", "out.ply", "--steps", "2"])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(names(&folder), ["in.ply", "out.ply"]);
}

#[test]
fn the_bundled_scan_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "smooth bunny out.ply --steps 0"));
    assert_says(&text, &["out.ply: 35947 vertices, 69451 triangles"]);
    // A file of that name comes first, and is no mesh.
    fs::write(folder.path().join("bunny"), "").unwrap();
    fragstream(&folder, "smooth bunny out.ply").assert().code(2);
}
