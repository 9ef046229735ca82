//! Readers and writers: ugly files, bad files, and that nothing is lost on the way.

use std::time::{Duration, Instant};

use fragstream::io::matrix_market::{parse_matrix, parse_vector};
use fragstream::io::mesh::{obj, off, ply};
use fragstream::io::{Fault, Place, read_mesh, read_valid_mesh, write_mesh};
use fragstream::mesh::{TriangleMesh, generate};
use proptest::prelude::*;

use crate::files::support::{assert_fault, data};

// ---- Meshes that are well formed, in their ways ----

#[test]
fn ply_skips_what_a_scanner_adds_and_keeps_unused_vertices() {
    let mesh = read_valid_mesh(&data("scanner.ply")).unwrap();
    let expected = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [-7.0, 7.5, 7.25],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [2.0, 0.5, 1.5],
    ];
    assert_eq!(mesh.positions, expected);
    assert_eq!(mesh.triangles, [[0, 1, 3], [0, 3, 4], [0, 1, 5], [1, 3, 5]]);
}

#[test]
fn binary_ply_of_either_byte_order_gives_the_same_mesh() {
    let expected = TriangleMesh {
        positions: vec![[0.0; 3], [1.0, 0.0, -1.0], [0.25, -1.5, 300.0], [1.0; 3]],
        triangles: vec![[0, 1, 3], [0, 3, 2], [0, 1, 2]],
    };
    assert_eq!(read_mesh(&data("big_endian.ply")).unwrap(), expected);
    assert_eq!(read_mesh(&data("little_endian.ply")).unwrap(), expected);
}

#[test]
fn binary_ply_keeps_its_first_byte_whatever_ends_the_lines_of_its_header() {
    // The first coordinate begins with the byte of a line feed.
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\n\
                  property float y\nproperty float z\nelement face 0\n\
                  property list uchar int vertex_indices\nend_header\n";
    let position = [f32::from_le_bytes([b'\n', 0, 0x80, 0x3F]), 2.0, 3.0];
    for line_end in ["\n", "\r\n", "\r"] {
        let mut file = header.replace('\n', line_end).into_bytes();
        position.iter().for_each(|x| file.extend(x.to_le_bytes()));
        assert_eq!(ply::parse(&file).unwrap().positions, [position], "{line_end:?}");
    }
}

#[test]
fn obj_understands_all_corners_and_vertices_that_come_later() {
    let mesh = read_valid_mesh(&data("corners.obj")).unwrap();
    let expected = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1e-3], [-1.0, 1.0, 0.5]];
    assert_eq!(mesh.positions, expected);
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 3, 2], [3, 2, 4]]);
    let mesh = read_valid_mesh(&data("classic_mac.obj")).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles), (3, vec![[0, 1, 2]]));
}

#[test]
fn off_ignores_colours_and_comments_and_keeps_pinched_vertices() {
    let mesh = read_valid_mesh(&data("coloured.off")).unwrap();
    assert_eq!(mesh.positions[4], [0.5, 0.5, 1.0]);
    assert_eq!(mesh.triangles, [[0, 1, 3], [0, 3, 2], [0, 1, 4]]);
    let mesh = read_valid_mesh(&data("pinched.off")).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (6, 2));
    let one_line = off::parse(b"STCN" as &[u8]).unwrap_err();
    assert!(one_line.what.contains("STCN"), "{one_line}");
    let counts_beside = b"NOFF 3 1\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n";
    assert_eq!(off::parse(counts_beside).unwrap().triangles, [[0, 1, 2]]);
}

// ---- Bad files ----

#[test]
fn a_file_that_cannot_be_read_is_named_with_what_to_do() {
    for (name, what) in
        [("no_such_file.ply", "cannot read"), ("README.md", "Use .ply, .obj or .off")]
    {
        let message = read_valid_mesh(&data(name)).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(what), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn a_binary_file_that_ends_early_is_refused_at_its_end() {
    let bytes = std::fs::read(data("little_endian.ply")).unwrap();
    let cut = &bytes[..bytes.len() - "trailing".len() - 1];
    let fault = ply::parse(cut).unwrap_err();
    assert_eq!(fault.place, Place::Byte(cut.len()), "{fault}");
    assert!(fault.what.contains("face 1 of 2") && fault.what.contains("ends"), "{fault}");
}

#[test]
fn ply_headers_that_cannot_be_meant_are_refused_at_their_line() {
    let parse = |header: &str| ply::parse(header.replace('|', "\n").as_bytes());
    let xyz = "property float x|property float y|property float z|";
    let vertices = format!("ply|format ascii 1.0|element vertex 1|{xyz}");
    let refused = |header: &str, line, what| assert_fault(parse(header), Place::Line(line), what);
    let points = parse(&format!("{vertices}end_header|0 0 0|"));
    assert_fault(points, Place::File, "no element `face`");
    refused("", 1, "ply");
    refused("plywood|", 1, "ply");
    refused("ply|", 1, "end_header");
    refused("ply|format ebcdic 1.0|", 2, "ebcdic");
    refused("ply|format ascii 2.0|", 2, "2.0");
    refused("ply|end_header|", 2, "format");
    refused("ply|property float x|", 2, "precedes the first element");
    refused("ply|element vertex|", 2, "missing");
    refused("ply|element vertex -1|", 2, "-1");
    refused("ply|element vertex 1|element vertex 1|", 3, "twice");
    refused("ply|element vertex 1|property float x|property int x|", 4, "twice");
    refused("ply|element vertex 1|property quaternion x|", 3, "quaternion");
    refused("ply|element face 1|property list float int vertex_index|", 3, "integer type");
    refused("ply|flavour ascii|", 2, "flavour");
    let no_z = "ply|format ascii 1.0|element vertex 1|property float x|property float y|\
                element face 0|property list uchar int vertex_index|end_header|";
    refused(no_z, 3, "no property z");
    refused(&format!("{vertices}element face 0|end_header|"), 7, "vertex_indices");
    let floats =
        format!("{vertices}element face 0|property list uchar float vertex_index|end_header|");
    refused(&floats, 7, "list of integers");
    let face = format!("{vertices}element face 1|property list char int vertex_index|end_header|");
    refused(&format!("{face}0 0|"), 10, "vertex 0 of 1: the line ends");
    refused(&format!("{face}0 0 0 0|"), 10, "too many");
    refused(&format!("{face}0 0 zero|"), 10, "`zero`");
    refused(&format!("{face}0 1e39 0|"), 10, "y is");
    refused(&format!("{face}0 0 0|2 0 0|"), 11, "2 corners");
    refused(&format!("{face}0 0 0|-3 0 0|"), 11, "-3 corners");
    refused(&format!("{face}0 0 0|3 0 0 1|"), 11, "vertex 1 is out of range");
    refused(&format!("{face}0 0 0|3 0 0 -1|"), 11, "vertex -1 is out of range");
    refused(&format!("{face}0 0 0|4 0 0 0|"), 11, "line ends");
    refused(&format!("{face}0 0 0|"), 10, "face 0 of 1: the file ends");
}

#[test]
fn false_counts_claim_neither_memory_nor_time() {
    let start = Instant::now();
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        for (vertices, faces, others) in
            [(4_294_967_294_u64, 1, 0), (1, u64::MAX, 0), (1, 1, u64::MAX), (u64::MAX, 0, 0)]
        {
            let file = format!(
                "ply\nformat {format} 1.0\nelement nothing {others}\nelement other {others}\n\
                 property list uint double d\nelement vertex {vertices}\nproperty float x\n\
                 property float y\nproperty float z\nelement face {faces}\n\
                 property list uint int vertex_index\nend_header\n"
            );
            // Followed by lists that claim to be as long as can be.
            let file = [file.as_bytes(), &[0xFF; 64]].concat();
            assert!(ply::parse(&file).is_err());
        }
    }
    assert!(off::parse(b"OFF\n4294967295 4294967295 0\n0 0 0\n").is_err());
    assert!(off::parse(b"OFF\n1 1 0\n0 0 0\n4294967295 0 0\n").is_err());
    let banner = "%%MatrixMarket matrix coordinate real general\n";
    assert!(parse_matrix(format!("{banner}3 3 {}\n1 1 1\n", u64::MAX).as_bytes()).is_err());
    assert!(parse_vector(format!("{banner}4294967295 1 1\n1 1 1\n").as_bytes()).is_err());
    let banner = "%%MatrixMarket matrix array real general\n";
    assert!(parse_vector(format!("{banner}4294967295 1\n1\n").as_bytes()).is_err());
    // Following any of these counts would take minutes.
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn obj_and_off_faults_name_their_lines() {
    let fault = |text: &str, line, what| {
        assert_fault(obj::parse(text.as_bytes()), Place::Line(line), what);
    };
    fault("v 0 0\n", 1, "z is missing");
    fault("v 0 0 inf\n", 1, "z is NaN, infinite");
    fault("v 0 0 0\nf 1 1\n", 2, "2 corners");
    fault("v 0 0 0\nf 1 0 1\n", 2, "vertex 0");
    fault("v 0 0 0\nf 1 -2 1\n", 2, "vertex -2");
    fault("v 0 0 0\nf 1 /1 1\n", 2, "`/1`");
    fault("v 0 0 0\nf 1 1 \\\n", 2, "not complete");
    fault("v 0 0 0\nf 1 1 2\nf 1 1 1\n", 2, "vertex 2");
    assert_fault(obj::parse(b"something else\n"), Place::File, "no vertex (a line `v`)");
    let fault = |text: &str, line, what| {
        assert_fault(off::parse(text.as_bytes()), Place::Line(line), what);
    };
    fault("", 1, "empty");
    fault("PLY\n", 1, "`PLY`");
    fault("4OFF\n", 1, "`4OFF`");
    fault("OFF BINARY\n", 1, "binary");
    fault("OFF\n1 0 0\n", 2, "0 of 1 vertices");
    fault("OFF\n1 x 0\n", 2, "number of faces is `x`");
    fault("OFF\n1 1 0\n0 0 0\n3 0 0 1\n", 4, "vertex 1 is out of range");
    fault("OFF\n1 1 0\n0 0 0\n3 0 0\n", 4, "a corner is missing");
    fault("OFF\n1 1 0\n0 0 0\n2 0 0\n", 4, "2 corners");
    fault("OFF\n1 1 0\n0 0 0\n", 3, "0 of 1 faces");
}

#[test]
fn a_mesh_that_could_not_be_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = generate::cube(1);
    mesh.positions[3][1] = f32::NAN;
    for extension in ["ply", "obj", "off"] {
        let path = folder.path().join("mesh").with_extension(extension);
        let message = write_mesh(&path, &mesh).unwrap_err().to_string();
        assert!(message.contains("vertex 3") && !message.contains('\n'), "{message}");
        assert!(!path.exists());
    }
    let message = write_mesh(&folder.path().join("mesh.stl"), &mesh).unwrap_err().to_string();
    assert!(message.contains("mesh.stl") && message.contains("Use .ply"), "{message}");
}

// ---- What is written reads back ----

fn any_mesh() -> impl Strategy<Value = TriangleMesh> {
    let finite = any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite());
    let positions = prop::collection::vec([finite.clone(), finite.clone(), finite], 1..20);
    (positions, prop::collection::vec(any::<[u32; 3]>(), 0..20)).prop_map(
        |(positions, triangles)| {
            let n = positions.len() as u32;
            let triangles = triangles.into_iter().map(|t| t.map(|index| index % n)).collect();
            TriangleMesh { positions, triangles }
        },
    )
}

fn bits(mesh: &TriangleMesh) -> (Vec<[u32; 3]>, &[[u32; 3]]) {
    (mesh.positions.iter().map(|p| p.map(f32::to_bits)).collect(), &mesh.triangles)
}

/// The contents of a file of each format, with the parser of the format.
type Parser = fn(&[u8]) -> Result<TriangleMesh, Fault>;
fn written(mesh: &TriangleMesh) -> [(Vec<u8>, Parser); 3] {
    let (mut as_ply, mut as_obj, mut as_off) = (Vec::new(), Vec::new(), Vec::new());
    ply::write_to(&mut as_ply, mesh).unwrap();
    obj::write_to(&mut as_obj, mesh).unwrap();
    off::write_to(&mut as_off, mesh).unwrap();
    [(as_ply, ply::parse), (as_obj, obj::parse), (as_off, off::parse)]
}

proptest! {
    #[test]
    fn every_format_reads_back_bit_for_bit_what_it_wrote(mesh in any_mesh()) {
        for (file, parse) in written(&mesh) {
            let back = parse(&file).unwrap();
            prop_assert_eq!(bits(&back), bits(&mesh));
        }
    }
}

#[test]
fn extensions_choose_the_format_in_either_case() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = generate::cube(2);
    for name in ["a.ply", "b.OBJ", "c.Off", "d.tar.PLY"] {
        let path = folder.path().join(name);
        write_mesh(&path, &mesh).unwrap();
        assert_eq!(read_mesh(&path).unwrap(), mesh, "{name}");
    }
    let begins = |name: &str, with: &[u8]| {
        assert!(std::fs::read(folder.path().join(name)).unwrap().starts_with(with), "{name}");
    };
    begins("a.ply", b"ply\nformat binary_little_endian 1.0\n");
    begins("b.OBJ", b"# ");
    begins("c.Off", b"OFF\n");
}
