//! Meshes of the user: read, converted, followed along curves; and files that are refused.

use std::collections::BTreeSet;
use std::f64::consts::PI;

use fragstream::geveler2011::{Converted, QuadMesh, QuadMeshError, convert};
use fragstream::io::plane_mesh::{FeatCurves, PlaneMesh, parse_feat, parse_gmsh};

/// Two squares beside each other, the right one of two triangles; its left side is named. Node 9
/// belongs to nothing.
const GMSH_2: &str = include_str!("../data/squares_2.msh");

/// The mesh in version 4.1.
const GMSH_4: &str = include_str!("../data/squares_4.msh");

/// A disc of radius 1: a square, and four cells round it.
const TRI: &str = include_str!("../data/disc.tri");

/// Its boundary: two halves of a circle.
const PRM: &str = include_str!("../data/disc.prm");

fn feat(tri: &str, prm: &str) -> Result<PlaneMesh, String> {
    let curves = FeatCurves::parse(prm.as_bytes()).map_err(|fault| format!("prm: {fault}"))?;
    parse_feat(tri.as_bytes(), &curves).map_err(|fault| format!("tri: {fault}"))
}

fn converted(plane: PlaneMesh) -> Converted {
    convert(plane).unwrap_or_else(|(_, error)| panic!("{error}"))
}

fn names(mesh: &QuadMesh) -> BTreeSet<&str> {
    mesh.parts.iter().map(|part| part.name.as_str()).collect()
}

pub fn area(mesh: &QuadMesh) -> f64 {
    let of = |cell: &[u32; 4]| {
        let [a, b, c, d] = cell.map(|v| mesh.vertices[v as usize]);
        0.5 * ((c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1]))
    };
    mesh.cells.iter().map(of).sum()
}

#[test]
fn both_versions_of_gmsh_give_the_same_mesh() {
    let [two, four] = [GMSH_2, GMSH_4].map(|text| parse_gmsh(text.as_bytes()).expect("a mesh"));
    assert_eq!(two.vertices, four.vertices);
    assert_eq!((two.vertices.len(), two.cells.len()), (6, 3));
    assert_eq!((&two.edges, &two.parts), (&four.edges, &four.parts));
    let corners = |mesh: &PlaneMesh| -> Vec<Vec<u32>> {
        mesh.cells.iter().map(|cell| cell.corners.clone()).collect()
    };
    assert_eq!(corners(&two), corners(&four));
}

#[test]
fn clockwise_cells_are_reversed_and_a_cell_that_crosses_itself_is_refused() {
    let plane = || parse_gmsh(GMSH_2.as_bytes()).expect("a mesh");
    let cells = plane().cells.len();
    // All of them, as seen from behind, and every second one, as some programs list them.
    for step in [1, 2] {
        let mut mixed = plane();
        mixed.cells.iter_mut().step_by(step).for_each(|cell| cell.corners.reverse());
        let converted = converted(mixed);
        assert_eq!(converted.turned, cells.div_ceil(step));
        assert!((area(&converted.mesh) - 2.0).abs() < 1e-14);
    }
    let mut folded = plane();
    let quad =
        folded.cells.iter_mut().find(|cell| cell.corners.len() == 4).expect("a quadrilateral");
    let expected = quad.line;
    quad.corners.swap(1, 2);
    match convert(folded) {
        Err((line, QuadMeshError::Turned { .. })) => assert_eq!(line, Some(expected)),
        other => panic!("{:?}", other.map(|converted| converted.turned)),
    }
}

#[test]
fn triangles_become_three_quadrilaterals_and_keep_the_names_of_their_edges() {
    let plane = parse_gmsh(GMSH_2.as_bytes()).expect("a mesh");
    let Converted { mesh, turned, divided, .. } = converted(plane);
    assert_eq!((turned, divided, mesh.cells.len()), (0, true, 4 + 3 + 3));
    assert!((area(&mesh) - 2.0).abs() < 1e-14);
    assert_eq!(names(&mesh), ["boundary", "hot wall"].into());
    assert_eq!(mesh.boundary_edges(), 2 * 6);
    let hot = mesh.parts.iter().position(|part| part.name == "hot wall");
    let mut hot_edges = 0;
    for (ends, part) in mesh.edges.iter().zip(&mesh.edge_part) {
        let on_the_left = ends.iter().all(|&v| mesh.vertices[v as usize][0] == 0.0);
        assert_eq!(on_the_left, part.is_some() && *part == hot.map(|hot| hot as u32));
        hot_edges += usize::from(on_the_left);
    }
    assert_eq!(hot_edges, 2);
}

#[test]
fn curves_of_feat_are_followed_when_cells_are_divided() {
    let mesh = converted(feat(TRI, PRM).expect("a mesh")).mesh;
    assert_eq!(names(&mesh), ["1.1", "1.2"].into());
    let levels = mesh.checked_levels(5).expect("cells that stay");
    let errors: Vec<f64> = levels.iter().map(|mesh| PI - area(mesh)).collect();
    for pair in errors.windows(2).skip(1) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.9..2.1).contains(&order), "order {order}");
    }
    let finest = &levels[4];
    for (ends, part) in finest.edges.iter().zip(&finest.edge_part) {
        for &v in ends.iter().filter(|_| part.is_some()) {
            let [x, y] = finest.vertices[v as usize];
            assert!((x.hypot(y) - 1.0).abs() < 1e-14);
            let upper = part.is_some_and(|part| finest.parts[part as usize].name == "1.1");
            assert!(if upper { y > -1e-14 } else { y < 1e-14 });
        }
    }
}

#[test]
fn a_vertex_of_few_digits_at_a_curve_s_end_is_at_the_end() {
    for rounded in [" 0.999998 0.0", " 1.00005 0.0"] {
        let text = TRI.replacen(" 1.0 0.0", rounded, 1);
        let mesh = converted(feat(&text, PRM).expect("a mesh")).mesh;
        assert_eq!(names(&mesh), ["1.1", "1.2"].into());
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_with_their_line() {
    // What is replaced by what, the line, and what is said.
    for (from, to, line, says) in [
        ("2.2 0 8", "2.2 1 8", 2, "binary"),
        ("2.2 0 8", "4.0 0 8", 2, "version 4.0"),
        ("2.2 0 8", "3.0 0 8", 2, "`3.0`"),
        ("$MeshFormat", "$NOD", 1, "version 1"),
        ("$MeshFormat", "MeshFormat", 1, "section"),
        ("2 1 0 0\n", "2 1 x 0\n", 12, "y is `x`"),
        ("2 1 0 0\n", "2 1 nan 0\n", 12, "NaN"),
        ("2 1 0 0\n", "2 1 0 3\n", 23, "another z"),
        ("4 2 2 5 1 2 3 6", "4 9 2 5 1 2 3 6 1 1 1", 24, "triangles of second order"),
        ("4 2 2 5 1 2 3 6", "4 4 2 5 1 2 3 6 1", 24, "tetrahedra"),
        ("4 2 2 5 1 2 3 6", "4 2 2 5 1 2 3 8", 24, "no node 8"),
        ("$EndElements", "", 26, "no end"),
        ("$Nodes\n7", "$Nodes\n9", 18, "which is no"),
    ] {
        let text = GMSH_2.replacen(from, to, 1);
        assert_ne!(text, GMSH_2);
        let fault = parse_gmsh(text.as_bytes()).expect_err(says).to_string();
        assert!(fault.starts_with(&format!("line {line}: ")), "{fault}, not {line}");
        assert!(fault.contains(says), "{fault}");
    }
    for (from, to, says) in [
        (" 5 8 0", " 6 8 0", "tri: line 19: "),
        (" 1 2 6 5", " 1 2 6 9", "tri: line 15: there is no vertex 9"),
        (" 1 2 6 5", " 1 2", "tri: line 15: a cell needs three"),
        (" 1 1 1 1", " 1 1 1 2", "tri: line 20: the boundary component of vertex 4 is 2"),
        (" 1.5 0.0", " 2.5 0.0", "vertex 4 has the parameter 2.5, but component 1 has 2 curves"),
        (" 1.0 0.0", " 1.1 0.0", "crosses the end of a curve"),
    ] {
        let text = TRI.replacen(from, to, 1);
        let fault = feat(&text, PRM).expect_err(says);
        assert!(fault.contains(says), "{fault}");
    }
    for (from, to, says) in [
        ("2 1 3\n2", "3 4 5\n2", "prm: line 8: open splines are not supported"),
        ("\n1 0\n0 3", "\n-1 0\n0 3", "the radius -1"),
        ("PARAMETERS", "PARAM", "prm: line 10: PARAMETERS is expected here"),
        ("0 3.141592653589793", "0 5.9", "spans half a circle"),
    ] {
        let text = PRM.replacen(from, to, 1);
        assert_ne!(text, PRM);
        let fault = feat(TRI, &text).expect_err(says);
        assert!(fault.contains(says), "{fault}");
    }
}

#[test]
fn a_piece_without_a_held_boundary_is_found() {
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 2 \"held\"\n$EndPhysicalNames\n\
                $Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 3 0 0\n7 3 1 0\n8 2 1 0\n\
                $EndNodes\n$Elements\n3\n1 3 0 1 2 3 4\n2 3 0 5 6 7 8\n3 1 1 2 1 2\n$EndElements\n";
    let mesh = converted(parse_gmsh(text.as_bytes()).expect("a mesh")).mesh;
    let held: Vec<bool> = mesh.parts.iter().map(|part| part.name == "held").collect();
    assert_eq!(held.iter().filter(|held| **held).count(), 1);
    assert!(!mesh.every_piece_has(&held));
    assert!(mesh.every_piece_has(&[true, true]));
}

#[test]
fn an_edge_has_all_names_of_its_groups_in_any_order_and_in_both_versions() {
    let [two, four] =
        [include_str!("../cases/two_groups_22.msh"), include_str!("../cases/two_groups_41.msh")];
    // In 2.2 an edge is in the file once per group.
    let is_edge = |line: &str| line.split(' ').nth(1) == Some("1") && line.split(' ').count() > 6;
    let mut edges = two.lines().filter(|line| is_edge(line)).rev();
    let backwards: Vec<&str> = two
        .lines()
        .map(|line| if is_edge(line) { edges.next().expect("an edge") } else { line })
        .collect();
    let named = |text: &str| -> BTreeSet<(String, Vec<String>)> {
        let mesh = converted(parse_gmsh(text.as_bytes()).expect("a mesh")).mesh;
        assert_eq!((mesh.cells.len(), mesh.boundary_edges()), (16, 16));
        mesh.parts.iter().map(|part| (part.name.clone(), part.groups.clone())).collect()
    };
    let expected = ["floor", "wall", "lid", "hot_side"]
        .map(|name| (name.to_owned(), vec![name.to_owned(), "outer".to_owned()]));
    for text in [two, &backwards.join("\n"), four] {
        assert_eq!(named(text), expected.clone().into());
    }
}

#[test]
fn parts_of_partitions_keep_the_names_of_the_whole() {
    let text = include_str!("../cases/partitioned_41.msh");
    // Without groups of their own the parts have those of their parents.
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in lines.iter_mut().skip(27).take(6) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        *line = format!("{} 0 0", fields[..fields.len() - 3].join(" "));
    }
    let expected: BTreeSet<&str> = ["floor", "wall", "lid", "hot_side"].into();
    for text in [text, &lines.join("\n")] {
        let mesh = converted(parse_gmsh(text.as_bytes()).expect(text)).mesh;
        assert_eq!(names(&mesh), expected);
    }
}

#[test]
fn a_curve_inside_is_named_and_vertices_in_one_position_are_counted() {
    let read = |text: &str| converted(parse_gmsh(text.as_bytes()).expect("a mesh"));
    let wire = read(include_str!("../cases/interior_curve_22.msh"));
    assert_eq!((wire.elsewhere.get("wire"), wire.doubled), (Some(&true), 0));
    // Named in the file without an edge.
    assert_eq!(wire.elsewhere.get("plate"), Some(&false));
    let text = include_str!("../cases/doubled_interface_22.msh");
    assert_eq!(read(text).doubled, 5);
    // A slit is one wherever it is and however small the mesh.
    for (scale, shift) in [(1e-9, 0.0), (1e6, 0.0), (1.0, 5e6)] {
        let mut plane = parse_gmsh(text.as_bytes()).expect("a mesh");
        plane.vertices.iter_mut().flatten().for_each(|x| *x = *x * scale + shift);
        assert_eq!(converted(plane).doubled, 5, "times {scale} plus {shift}");
    }
}

#[test]
fn squares_that_touch_in_a_vertex_are_two_pieces() {
    let text = include_str!("../cases/corner_22.msh");
    let mesh = converted(parse_gmsh(text.as_bytes()).expect("a mesh")).mesh;
    let held: Vec<bool> = mesh.parts.iter().map(|part| part.name == "near").collect();
    assert!(!mesh.every_piece_has(&held));
    assert!(mesh.every_piece_has(&[true, true]));
}
