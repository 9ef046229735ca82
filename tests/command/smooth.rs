//! `fragstream smooth`.

use crate::command::support::*;
use fragstream::io::{read_valid_mesh, write_mesh};
use fragstream::mesh::{Connectivity, TriangleMesh, VertexKind, generate};
use tempfile::TempDir;

/// A noisy sheet and a noisy cube beside it: two components, one with a boundary, and a vertex
/// between them that no triangle uses.
fn two_components() -> TriangleMesh {
    let mut mesh = generate::sheet(9, 7);
    mesh.positions.push([-7.25, 0.1, 3.5]);
    let cube = generate::cube(5);
    let first = mesh.positions.len() as u32;
    mesh.positions.extend(cube.positions.iter().map(|&[x, y, z]| [x + 30.0, y, z]));
    let moved = cube.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first));
    mesh.triangles.extend(moved);
    generate::add_normal_noise(&mut mesh, 0.05, 5);
    mesh
}

fn folder_with_mesh(name: &str, mesh: &TriangleMesh) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_mesh(&folder.path().join(name), mesh).unwrap();
    folder
}

/// Standard error of a command that succeeded.
fn notes(folder: &TempDir, line: &str) -> String {
    let run = fragstream(folder, line).assert().code(0);
    String::from_utf8(run.get_output().stderr.clone()).unwrap()
}

fn smoothed(folder: &TempDir, name: &str) -> TriangleMesh {
    read_valid_mesh(&folder.path().join(name)).unwrap()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
    squares.sum::<f64>().sqrt()
}

#[test]
fn where_a_mesh_lies_and_how_large_it_is_does_not_matter() {
    let mesh = two_components();
    let after = |scale: f64, shift: f64| {
        let mut mesh = mesh.clone();
        for coordinate in mesh.positions.as_flattened_mut() {
            *coordinate = *coordinate * scale + shift;
        }
        let folder = folder_with_mesh("in.ply", &mesh);
        succeeds(&mut fragstream(&folder, "smooth in.ply out.ply --steps 2"));
        smoothed(&folder, "out.ply").positions
    };
    let plain = after(1.0, 0.0);
    // Far from the origin a coordinate itself has steps of 6e-5.
    for (scale, shift, tolerance) in [(1e-15, 0.0, 1e-4), (1e15, 0.0, 1e-4), (1.0, 1000.0, 1e-3)] {
        for (&plain, moved) in plain.iter().zip(after(scale, shift)) {
            let expected = plain.map(|coordinate| coordinate * scale + shift);
            let error = distance(moved, expected) / scale;
            assert!(error < tolerance, "{scale} {shift}: {moved:?} for {expected:?}");
        }
    }
}

#[test]
fn a_step_of_a_moved_or_scaled_mesh_is_the_same_step() {
    // Coordinates of 20 bits, so that they move and scale exactly.
    let mut mesh = two_components();
    for x in mesh.positions.as_flattened_mut() {
        *x = (*x * 4096.0).round() / 4096.0;
    }
    let displacements = |scale: f64, shift: f64| {
        let mut moved = mesh.clone();
        moved.positions.as_flattened_mut().iter_mut().for_each(|x| *x = scale * *x + shift);
        let folder = folder_with_mesh("in.obj", &moved);
        succeeds(&mut fragstream(&folder, "smooth in.obj out.obj --steps 1"));
        let new = smoothed(&folder, "out.obj").positions;
        let pairs = new.into_iter().flatten().zip(moved.positions.into_iter().flatten());
        pairs.map(|(new, old)| (new - old) / scale).collect::<Vec<f64>>()
    };
    let here = displacements(1.0, 0.0);
    for k in [-120, -60, -8, 8, 60, 120] {
        assert_eq!(displacements(2_f64.powi(k), 0.0), here, "2^{k}");
    }
    // The mesh has an extent of 38: a million of them. A new coordinate is rounded once, by at most half of 2^-27.
    for shift in [38e6, -38e6] {
        for (there, here) in displacements(1.0, shift).into_iter().zip(&here) {
            assert!((there - here).abs() <= 2_f64.powi(-27), "{there} for {here}");
        }
    }
}

#[test]
fn a_free_vertex_at_the_origin_does_not_end_the_solve() {
    // Its right-hand side would be zero, and zero is no solution: the boundary pulls.
    let tetrahedron_without_base =
        "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n";
    let folder = folder_with("in.off", tetrahedron_without_base);
    let mesh = smoothed(&folder, "in.off");
    for method in ["cg", "pcg"] {
        let line = format!("smooth in.off out.off --steps 1 --lambda-dt 0.5 --method {method}");
        succeeds(&mut fragstream(&folder, &line));
        let smooth = smoothed(&folder, "out.off");
        assert_eq!(smooth.positions[1..], mesh.positions[1..]);
        // The area is 3/2, and each edge has two angles of 45°: (6 + 6 λΔt) x = 2 λΔt.
        let off = distance(smooth.positions[0], [1.0 / 9.0; 3]);
        assert!(off < 1e-6, "{method}: {off:e}");
    }
}

#[test]
fn a_run_prints_a_table_and_draws_before_and_after() {
    let mesh = two_components();
    let kinds = Connectivity::new(&mesh).unwrap();
    let folder = folder_with_mesh("in.off", &mesh);
    let line = "smooth in.off out.obj --steps 3 --noise 0.01 --seed 2 --png p.png";
    let result = object(&folder, line, 0);
    let steps = result["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 4);
    for pair in steps.windows(2) {
        assert!(number(&pair[1], "/area") < number(&pair[0], "/area"));
        assert!(number(&pair[1], "/residual") <= 1e-5);
        assert!(number(&pair[1], "/displacement") > 0.0);
    }
    let smooth = smoothed(&folder, "out.obj");
    assert_eq!(smooth.triangles, mesh.triangles);
    assert_eq!(smooth.positions.len(), mesh.positions.len());
    assert!(image::open(folder.path().join("p.png")).is_ok());
    // Without noise, vertices on a boundary stay exactly in place.
    succeeds(&mut fragstream(&folder, "smooth in.off in.off --force --steps 1"));
    let vertices = smoothed(&folder, "in.off").positions.into_iter().zip(&mesh.positions);
    for ((new, old), kind) in vertices.zip(kinds.kind()) {
        assert_eq!(new != *old, *kind == VertexKind::Interior);
    }
    let bunny = object(&folder, "smooth bunny b.ply --steps 0", 0);
    assert_eq!(number(&bunny, "/vertices"), 35947.0);
}

#[test]
fn a_step_that_does_not_converge_is_exit_3_and_nothing_is_written() {
    let folder = folder_with_mesh("in.ply", &two_components());
    for (options, reason, remedy) in [
        ("--maxiter 1", "max-iterations", "Allow more with --maxiter"),
        ("--rtol 1e-30", "stagnated", "choose a larger --rtol"),
    ] {
        let line = format!("smooth in.ply out.ply {options}");
        let message = fails(&mut fragstream(&folder, &line), 3);
        assert_says(&message, &["in.ply: cg in step 1", reason, remedy]);
    }
    assert_eq!(names(&folder), ["in.ply"]);
}

#[test]
fn polygons_are_split_where_they_are_not_folded() {
    // A dart as the base of a pyramid: the shoelace formula gives 4 for it, the cross products of the sides the rest.
    let dart = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nv 1 1 3\n\
                f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 2 1 4 3\n";
    // Two quadrilaterals that share two opposite corners.
    let two = "v 0 0 0\nv 1 -1 0\nv 2 0 0\nv 1 0 0.3\nv 1 1 0\nf 1 2 3 4\nf 1 4 3 5\n";
    for (text, area) in [(dart, 26.135944), (two, 2.386278)] {
        let folder = folder_with("in.obj", text);
        let result = object(&folder, "smooth in.obj out.obj --steps 1", 0);
        let first = number(&result, "/steps/0/area");
        assert!((first - area).abs() < 1e-5, "{first} for {area}");
    }
}

#[test]
fn colours_and_polygons_are_in_the_smoothed_file_or_named_as_lost() {
    let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
                property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n\
                0 0 0 1\n1 0 0 2\n1 1 0 3\n0 1 0 4\n0.5 0.5 1 5\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";
    let folder = folder_with("in.ply", text);
    succeeds(&mut fragstream(&folder, "smooth in.ply out.ply --steps 1"));
    let out = std::fs::read_to_string(folder.path().join("out.ply")).unwrap();
    let changed: Vec<(&str, &str)> =
        text.lines().zip(out.lines()).filter(|(a, b)| a != b).collect();
    // The apex moves, straight down, and keeps its colour.
    assert!(
        matches!(changed[..], [("0.5 0.5 1 5", new)] if new.starts_with("0.5 0.5 0.") && new.ends_with(" 5"))
    );
    assert_says(&notes(&folder, "smooth in.ply out.obj --steps 1"), &["out.obj is without: red"]);
}

#[test]
fn a_scan_with_faults_is_refused_with_their_number_and_repaired_on_request() {
    // A tetrahedron without common vertices, as many programs write it.
    let text = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nv 0 0 1\nv 0 1 0\nv 1 0 0\nv 0 1 0\n\
                v 0 0 1\nf 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n";
    let folder = folder_with("in.obj", text);
    let unwelded = notes(&folder, "smooth in.obj out.obj --steps 1");
    assert_says(&unwelded, &["no vertex can move", "--repair"]);
    let repaired = notes(&folder, "smooth in.obj out.obj --steps 1 --repair");
    assert_says(&repaired, &["vertices joined: 8;"]);
    assert_eq!(smoothed(&folder, "out.obj").positions.len(), 4);
    let flat = text.to_owned() + "f 1 4 2\nf 3 5 2\n";
    std::fs::write(folder.path().join("flat.obj"), flat).unwrap();
    let message = fails(&mut fragstream(&folder, "smooth flat.obj out.obj"), 2);
    assert_says(&message, &["flat.obj: line 17, face 4: ", "no area (2 in all)", "--repair"]);
    assert_says(&notes(&folder, "smooth flat.obj out.obj --repair --steps 1"), &["dropped: 2;"]);
}
