//! One-rings against a slow and obvious computation, and against the facts of the bundled scan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fragstream::io::read_valid_mesh;
use fragstream::mesh::connectivity::NONE;
use fragstream::mesh::{Connectivity, MeshError, TriangleMesh, VertexKind, generate};
use proptest::prelude::*;

type Edge = (u32, u32);

/// The third vertices of the triangles at every edge (smaller vertex first), by search trees.
fn thirds_of_edges(triangles: &[[u32; 3]]) -> BTreeMap<Edge, Vec<u32>> {
    let mut thirds: BTreeMap<Edge, Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for (i, j, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            thirds.entry((i.min(j), i.max(j))).or_default().push(third);
        }
    }
    thirds.values_mut().for_each(|list| list.sort_unstable());
    thirds
}

/// Checks all that [`Connectivity`] promises.
fn assert_describes(connectivity: &Connectivity, mesh: &TriangleMesh) {
    let thirds = thirds_of_edges(&mesh.triangles);
    assert_eq!(connectivity.vertices(), mesh.positions.len());
    assert_eq!(connectivity.edges(), thirds.len());
    let mut triangles_at: Vec<Vec<[u32; 3]>> = vec![Vec::new(); mesh.positions.len()];
    for &triangle in &mesh.triangles {
        let mut sorted = triangle;
        sorted.sort_unstable();
        triangle.iter().for_each(|&i| triangles_at[i as usize].push(sorted));
    }
    for (i, mut triangles) in triangles_at.into_iter().enumerate() {
        let (mut by_previous, mut by_next) = (Vec::new(), Vec::new());
        let mut on_boundary = false;
        let mut seen = BTreeSet::new();
        for k in connectivity.ring(i) {
            let (i, j) = (i as u32, connectivity.neighbours()[k]);
            assert!(seen.insert(j), "the edge from {i} to {j} is there twice");
            let (previous, next) = (connectivity.previous()[k], connectivity.next()[k]);
            let mut found = vec![previous, next];
            found.retain(|&third| third != NONE);
            found.sort_unstable();
            assert_eq!(found, thirds[&(i.min(j), i.max(j))], "thirds at the edge from {i} to {j}");
            on_boundary |= found.len() == 1;
            for (third, list) in [(previous, &mut by_previous), (next, &mut by_next)] {
                if third != NONE {
                    let mut triangle = [i, j, third];
                    triangle.sort_unstable();
                    list.push(triangle);
                }
            }
        }
        // What the paper's diagonal kernel relies on: each triangle of the vertex exactly once.
        triangles.sort_unstable();
        by_previous.sort_unstable();
        by_next.sort_unstable();
        assert_eq!(by_previous, triangles, "triangles by `previous` at {i}");
        assert_eq!(by_next, triangles, "triangles by `next` at {i}");
        let kind = match (seen.is_empty(), on_boundary) {
            (true, _) => VertexKind::Unreferenced,
            (_, true) => VertexKind::Boundary,
            _ => VertexKind::Interior,
        };
        assert_eq!(connectivity.kind()[i], kind, "kind of {i}");
    }
    let boundary: BTreeSet<Edge> =
        thirds.iter().filter(|(_, list)| list.len() == 1).map(|(&edge, _)| edge).collect();
    let mut along_loops = Vec::new();
    for one in connectivity.boundary_loops() {
        for (k, &i) in one.iter().enumerate() {
            let j = one[(k + 1) % one.len()];
            along_loops.push((i.min(j), i.max(j)));
        }
    }
    along_loops.sort_unstable();
    assert!(along_loops.iter().eq(boundary.iter()), "the loops pass each boundary edge once");
}

fn mesh(vertices: u32, triangles: Vec<[u32; 3]>) -> TriangleMesh {
    // Connectivity does not look at positions.
    TriangleMesh { positions: vec![[0.0; 3]; vertices as usize], triangles }
}

fn loop_lengths(connectivity: &Connectivity) -> Vec<usize> {
    let mut lengths: Vec<_> = connectivity.boundary_loops().iter().map(Vec::len).collect();
    lengths.sort_unstable();
    lengths
}

#[test]
fn the_bundled_scan_has_the_facts_that_are_known_of_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("figures/input/bunny.ply");
    let mesh = read_valid_mesh(&path).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (35_947, 69_451));
    let connectivity = Connectivity::new(&mesh).unwrap();
    assert_describes(&connectivity, &mesh);
    let unused = connectivity.kind().iter().filter(|&&kind| kind == VertexKind::Unreferenced);
    assert_eq!(mesh.positions.len() - unused.count(), 34_834);
    assert_eq!(connectivity.boundary_loops().len(), 5);
    let valences = (0..mesh.positions.len()).map(|i| connectivity.valence(i));
    assert_eq!(valences.max(), Some(11));
    // A sphere with five holes: V − E + F = 2 − 5.
    assert_eq!(34_834 - connectivity.edges() as i64 + 69_451, -3);
}

#[test]
fn rings_turn_as_the_triangles_do() {
    for mesh in [generate::cube(4), generate::torus(500, 1), generate::sheet(4, 5)] {
        let connectivity = Connectivity::new(&mesh).unwrap();
        assert_describes(&connectivity, &mesh);
        let oriented: BTreeSet<[u32; 3]> = mesh
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]])
            .collect();
        for i in 0..connectivity.vertices() {
            for k in connectivity.ring(i) {
                let (previous, j) = (connectivity.previous()[k], connectivity.neighbours()[k]);
                assert!(previous == NONE || oriented.contains(&[i as u32, previous, j]));
            }
        }
    }
}

#[test]
fn unusual_meshes_have_the_kinds_valences_and_loops_that_they_should() {
    let tetrahedron =
        |v: [u32; 4]| [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]].map(|t| t.map(|i: usize| v[i]));
    let two_tetrahedra = [tetrahedron([0, 1, 2, 3]), tetrahedron([0, 4, 5, 6])].concat();
    // Seven quadrilaterals in a ring, joined with a half turn.
    let rung = |k: u32| if k < 7 { [2 * k, 2 * k + 1] } else { [1, 0] };
    let moebius = (0..7).flat_map(|k| {
        let ([a, b], [c, d]) = (rung(k), rung(k + 1));
        [[a, b, c], [b, d, c]]
    });
    use VertexKind::{Boundary, Interior, Unreferenced};
    // Vertices and triangles; the kind and the valence of the first vertex, and the lengths of loops.
    type Case<'a> = (u32, Vec<[u32; 3]>, VertexKind, usize, &'a [usize]);
    let cases: [Case<'_>; 6] = [
        (3, vec![[0, 1, 2]], Boundary, 2, &[3]),
        // Fans, and closed fans, that touch in a vertex.
        (5, vec![[0, 1, 2], [0, 3, 4]], Boundary, 4, &[3, 3]),
        (7, two_tetrahedra, Interior, 6, &[]),
        (14, moebius.collect(), Boundary, 3, &[14]),
        // A pillow.
        (3, vec![[0, 1, 2], [0, 2, 1]], Interior, 2, &[]),
        (3, vec![], Unreferenced, 0, &[]),
    ];
    for (vertices, triangles, kind, valence, loops) in cases {
        let mesh = mesh(vertices, triangles);
        let connectivity = Connectivity::new(&mesh).unwrap();
        assert_describes(&connectivity, &mesh);
        assert_eq!(connectivity.kind(), vec![kind; vertices as usize]);
        assert_eq!(connectivity.valence(0), valence);
        assert_eq!(loop_lengths(&connectivity), loops);
    }
    let nothing = mesh(0, vec![]);
    assert_describes(&Connectivity::new(&nothing).unwrap(), &nothing);
    let one = Connectivity::new(&mesh(3, vec![[0, 1, 2]])).unwrap();
    assert_eq!(one.previous()[one.ring(0)], [NONE, 1]);
    assert_eq!(one.next()[one.ring(0)], [2, NONE]);
}

#[test]
fn a_fan_of_very_many_triangles_does_not_take_quadratic_time() {
    // A quadratic search of its ring would take 10¹⁰ steps.
    let n = 100_000;
    let triangles = (0..n).map(|k| [0, 1 + k, 1 + (k + 1) % n]).collect();
    let connectivity = Connectivity::new(&mesh(n + 1, triangles)).unwrap();
    assert_eq!(connectivity.valence(0), n as usize);
    assert_eq!(connectivity.kind()[0], VertexKind::Interior);
    assert_eq!(loop_lengths(&connectivity), [n as usize]);
}

#[test]
fn what_makes_a_mesh_unfit_is_named_with_its_element() {
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    let check = |positions: &[[f64; 3]], triangles: &[[u32; 3]]| {
        let mesh = TriangleMesh { positions: positions.to_vec(), triangles: triangles.to_vec() };
        mesh.validate()
    };
    assert_eq!(check(&corner, &[[0, 1, 2], [0, 2, 3]]), Ok(()));
    assert_eq!(check(&corner, &[]), Err(MeshError::Empty { vertices: 5, triangles: 0 }));
    assert_eq!(check(&[], &[]), Err(MeshError::Empty { vertices: 0, triangles: 0 }));
    let out = MeshError::IndexOutOfRange { triangle: 1, index: 5, vertices: 5 };
    assert_eq!(check(&corner, &[[0, 1, 2], [0, 2, 5]]), Err(out));
    let repeated = MeshError::RepeatedIndex { triangle: 1, vertex: 2 };
    assert_eq!(check(&corner, &[[0, 1, 2], [0, 2, 2]]), Err(repeated));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        // Of a vertex that no triangle uses, too.
        let mut positions = corner;
        positions[4][1] = bad;
        assert_eq!(check(&positions, &[[0, 1, 2]]), Err(MeshError::NotFinite { vertex: 4 }));
    }
    let crowded = MeshError::CrowdedEdge { vertices: [0, 1], triangles: 3, count: 1 };
    assert_eq!(check(&corner, &[[0, 1, 2], [1, 0, 3], [4, 0, 1]]), Err(crowded));
}

#[test]
fn a_triangle_has_no_area_where_single_precision_cannot_tell_it_from_a_line() {
    let with_height = |height: f64, size: f64| {
        let positions = vec![[0.0; 3], [size, 0.0, 0.0], [0.5 * size, height * size, 0.0]];
        TriangleMesh { positions, triangles: vec![[0, 1, 2]] }.validate()
    };
    // The threshold is relative: neither large nor small triangles are confused with flat ones.
    for size in [1e-12, 1.0, 1e12] {
        assert_eq!(with_height(1e-6, size), Ok(()));
        for height in [1e-9, 0.0] {
            assert_eq!(
                with_height(height, size),
                Err(MeshError::ZeroArea { triangle: 0, count: 1 })
            );
        }
    }
    let point = TriangleMesh { positions: vec![[2.5; 3]; 3], triangles: vec![[0, 1, 2]] };
    assert_eq!(point.validate(), Err(MeshError::ZeroArea { triangle: 0, count: 1 }));
}

/// A closed mesh with holes torn in, triangles turned over, vertices glued and renumbered.
fn torn_mesh() -> impl Strategy<Value = TriangleMesh> {
    let sources = prop_oneof![
        (1_u32..4).prop_map(generate::cube),
        (9_usize..60, any::<u64>()).prop_map(|(n, seed)| generate::torus(n, seed)),
    ];
    let glue = prop::collection::vec((any::<u32>(), any::<u32>()), 0..3);
    (sources, 0.0..0.6, glue, any::<u64>()).prop_map(|(mut mesh, holes, glue, seed)| {
        let mut random = fragstream::base::random::SplitMix64::new(seed);
        mesh.triangles.retain(|_| random.uniform() > holes);
        let n = mesh.positions.len() as u32;
        let mut name: Vec<u32> = (0..n).collect();
        for i in (1..name.len()).rev() {
            name.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
        }
        for (a, b) in glue {
            name[(a % n) as usize] = name[(b % n) as usize];
        }
        for triangle in &mut mesh.triangles {
            *triangle = triangle.map(|i| name[i as usize]);
            if random.uniform() < 0.3 {
                triangle.swap(0, 1);
            }
        }
        mesh
    })
}

proptest! {
    #[test]
    fn torn_turned_and_pinched_meshes_agree_with_the_slow_computation(mesh in torn_mesh()) {
        match Connectivity::new(&mesh) {
            Ok(connectivity) => assert_describes(&connectivity, &mesh),
            // Glueing may make triangles and edges that are refused, but only then.
            Err(MeshError::RepeatedIndex { triangle, vertex }) => {
                let same = mesh.triangles[triangle].iter().filter(|&&i| i == vertex).count();
                prop_assert!(same > 1);
            }
            Err(MeshError::CrowdedEdge { vertices: [i, j], triangles, .. }) => {
                let thirds = thirds_of_edges(&mesh.triangles);
                let crowded = thirds.iter().find(|(_, list)| list.len() > 2);
                prop_assert_eq!(crowded.map(|(&edge, list)| (edge, list.len())), Some(((i, j), triangles)));
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
