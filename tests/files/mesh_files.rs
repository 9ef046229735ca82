//! Readers and writers: ugly files, bad files, and that nothing is lost on the way.

use std::time::{Duration, Instant};

use fragstream::io::MeshFormat::{Obj, Off, Ply, Stl};
use fragstream::io::matrix_market::{parse_matrix, parse_vector};
use fragstream::io::{MeshFile, Place, read_valid_mesh, write_mesh};
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
    assert_eq!(MeshFile::read(&data("big_endian.ply")).unwrap().mesh(), &expected);
    assert_eq!(MeshFile::read(&data("little_endian.ply")).unwrap().mesh(), &expected);
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
        assert_eq!(Ply.parse(&file).unwrap().positions, [position.map(f64::from)], "{line_end:?}");
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
    let one_line = Off.parse(b"STCN" as &[u8]).unwrap_err();
    assert!(one_line.what.contains("STCN"), "{one_line}");
    let counts_beside = b"NOFF 3 1\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n";
    assert_eq!(Off.parse(counts_beside).unwrap().triangles, [[0, 1, 2]]);
}

// ---- Bad files ----

#[test]
fn a_file_that_cannot_be_read_is_named_with_what_to_do() {
    for (name, what) in [
        ("no_such_file.ply", "there is no such file"),
        ("README.md", "Use .ply, .obj, .off or .stl"),
    ] {
        let message = read_valid_mesh(&data(name)).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(what), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn a_binary_file_that_ends_early_is_refused_at_its_end() {
    let bytes = std::fs::read(data("little_endian.ply")).unwrap();
    let cut = &bytes[..bytes.len() - "trailing".len() - 1];
    let fault = Ply.parse(cut).unwrap_err();
    assert_eq!(fault.place, Place::Byte(cut.len()), "{fault}");
    assert!(fault.remedy.contains("fetch it again"), "{fault}");
    assert!(fault.what.contains("face 1 of 2") && fault.what.contains("ends"), "{fault}");
}

#[test]
fn ply_headers_that_cannot_be_meant_are_refused_at_their_line() {
    let parse = |header: &str| Ply.parse(header.replace('|', "\n").as_bytes());
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
    refused(&format!("{face}0 1e309 0|3 0 0 0|"), 10, "y is");
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
            assert!(Ply.parse(&file).is_err());
        }
    }
    assert!(Off.parse(b"OFF\n4294967295 4294967295 0\n0 0 0\n").is_err());
    assert!(Off.parse(b"OFF\n1 1 0\n0 0 0\n4294967295 0 0\n").is_err());
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
        assert_fault(Obj.parse(text.as_bytes()), Place::Line(line), what);
    };
    fault("v 0 0\n", 1, "z is missing");
    fault("v 0 0 inf\n", 1, "z is NaN, infinite");
    fault("v 0 0 0\nf 1 1\n", 2, "2 corners");
    fault("v 0 0 0\nf 1 0 1\n", 2, "vertex 0");
    fault("v 0 0 0\nf 1 -2 1\n", 2, "vertex -2");
    fault("v 0 0 0\nf 1 /1 1\n", 2, "`/1`");
    fault("v 0 0 0\nf 1 1 \\\n", 2, "2 corners");
    fault("v 0 0 0\nf 1 1 2\nf 1 1 1\n", 2, "vertex 2");
    assert_fault(Obj.parse(b"something else\n"), Place::File, "no vertex (a line `v`)");
    let fault = |text: &str, line, what| {
        assert_fault(Off.parse(text.as_bytes()), Place::Line(line), what);
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
    fault("OFF 2 1 0 0 0 0 1 0\n", 1, "vertex 1: z is missing");
    fault("OFF 3 1 0 0 0 0 1 0 0\n0 1 0 3 0 1\n", 2, "face 0: a corner is missing");
    fault("OFF 3 1 0 0 0 0 1 0 0 0 1 0 3 0 1 2\n3 0 1 2\n", 2, "more than the announced");
    // The colours do not hide which line ends early.
    fault("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n3 0 1\n", 7, "a corner is missing");
}

#[test]
fn a_mesh_that_could_not_be_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = generate::cube(1);
    mesh.positions[3][1] = f64::NAN;
    for extension in ["ply", "obj", "off"] {
        let path = folder.path().join("mesh").with_extension(extension);
        let message = write_mesh(&path, &mesh).unwrap_err().to_string();
        assert!(message.contains("vertex 3") && !message.contains('\n'), "{message}");
        assert!(!path.exists());
    }
    let message = write_mesh(&folder.path().join("mesh.step"), &mesh).unwrap_err().to_string();
    assert!(message.contains("mesh.step") && message.contains("Use .ply"), "{message}");
}

#[test]
fn a_file_is_damaged_only_if_a_length_in_it_contradicts_its_length() {
    let stl = |triangle: [f32; 12]| {
        let head = [&[0; 80][..], &1_u32.to_le_bytes()].concat();
        [head, triangle.iter().flat_map(|x| x.to_le_bytes()).collect(), vec![0; 2]].concat()
    };
    let ply = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
               property float z\nelement face 1\nproperty list uchar uchar vertex_indices\nend_header\n";
    let ply = |corner: u8| [ply.as_bytes(), &[0; 12], &[3, 0, 0, corner]].concat();
    let faults = [
        Stl.parse(b"<html>not found</html>"),
        Stl.parse(b"solid a\nendsolid a\n"),
        Stl.parse(b"solid a\nfacet normal 0 0 1\nvertex 0 0 0\n"),
        Stl.parse(&stl([f32::NAN; 12])),
        Ply.parse(&ply(1)),
        Ply.parse(b"ply\nformat ascii 1.0\n"),
        Off.parse(b"OFF\n"),
        Obj.parse(b"\n"),
    ];
    for fault in faults.map(Result::unwrap_err) {
        assert!(!fault.to_string().contains("fetch"), "{fault}");
    }
}

// ---- What is written reads back ----

fn any_mesh() -> impl Strategy<Value = TriangleMesh> {
    let single = any::<u32>().prop_map(|bits| f64::from(f32::from_bits(bits)));
    let finite = single.prop_filter("finite", |x| x.is_finite());
    let positions = prop::collection::vec([finite.clone(), finite.clone(), finite], 1..20);
    (positions, prop::collection::vec(any::<[u32; 3]>(), 0..20)).prop_map(
        |(positions, triangles)| {
            let n = positions.len() as u32;
            let triangles = triangles.into_iter().map(|t| t.map(|index| index % n)).collect();
            TriangleMesh { positions, triangles }
        },
    )
}

fn bits(mesh: &TriangleMesh) -> (Vec<[u64; 3]>, &[[u32; 3]]) {
    (mesh.positions.iter().map(|p| p.map(f64::to_bits)).collect(), &mesh.triangles)
}

proptest! {
    #[test]
    fn every_format_reads_back_bit_for_bit_what_it_wrote(mesh in any_mesh()) {
        for format in [Ply, Obj, Off] {
            let mut file = Vec::new();
            format.write(&mut file, &mesh).unwrap();
            let back = format.parse(&file).unwrap();
            prop_assert_eq!(bits(&back), bits(&mesh));
        }
    }

    #[test]
    fn text_keeps_all_digits_and_so_do_the_others_far_from_the_origin(
        offsets in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0], 3..20), far in 1e2..1e9
    ) {
        let positions = offsets.iter().map(|p: &[f64; 3]| p.map(|x| x + far)).collect();
        let mesh = TriangleMesh { positions, triangles: vec![[0, 1, 2]] };
        for format in [Ply, Obj, Off] {
            let mut file = Vec::new();
            format.write(&mut file, &mesh).unwrap();
            let back = format.parse(&file).unwrap();
            prop_assert_eq!(bits(&back), bits(&mesh));
        }
        let mut file = Vec::new();
        Stl.write(&mut file, &mesh).unwrap();
        prop_assert_eq!(&Stl.parse(&file).unwrap().positions[..], &mesh.positions[..3]);
    }
}

#[test]
fn extensions_choose_the_format_in_either_case() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = generate::cube(2);
    for name in ["a.ply", "b.OBJ", "c.Off", "d.tar.PLY"] {
        let path = folder.path().join(name);
        write_mesh(&path, &mesh).unwrap();
        assert_eq!(MeshFile::read(&path).unwrap().mesh(), &mesh, "{name}");
    }
    let begins = |name: &str, with: &[u8]| {
        assert!(std::fs::read(folder.path().join(name)).unwrap().starts_with(with), "{name}");
    };
    begins("a.ply", b"ply\nformat binary_little_endian 1.0\n");
    begins("b.OBJ", b"# ");
    begins("c.Off", b"OFF\n");
}

#[test]
fn a_file_written_again_differs_in_its_coordinates_alone() {
    let texts = [
        (
            "a.obj",
            "# c\nmtllib m\nv 0 0 1e0 0.5 0.5 1 # red\nv 1 \\\n 0.0 0\nv 0 1 0\nvt 0 1\nusemtl a\nf 1/1 2/1 3/1\n",
        ),
        (
            "a.off",
            "COFF3 1\n0 0 1e0 255 0 0 1\n1 0.0\n0 9 9 9 1\n0 1 0 1 2 3 1\n3 0 1 2 0.5 0.5 0.5\n",
        ),
        (
            "a.ply",
            "ply\nformat ascii 1.0\ncomment x\nelement vertex 3\nproperty uchar red\nproperty float z\n\
                   property double x\nproperty float y\nelement face 1\nproperty list uchar int vertex_indices\n\
                   end_header\n7 1e0 0 0\n8 0 1 0.0\n9 0 0 1\n3 0 1 2\n",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in texts {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let file = MeshFile::read(&path).unwrap();
        assert_eq!(file.mesh().positions, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let again = folder.path().join(format!("again-{name}"));
        assert_eq!(file.write(&again, file.mesh()).unwrap(), [""; 0]);
        assert_eq!(std::fs::read_to_string(&again).unwrap(), text);
        // The second vertex moves in y, which is 0.0 in each of the texts.
        let mut moved = file.mesh().clone();
        moved.positions[1][1] = 0.25;
        file.write(&again, &moved).unwrap();
        assert_eq!(std::fs::read_to_string(&again).unwrap(), text.replace("0.0", "0.25"));
        // In another format what it does not hold is named.
        let lost = file.write(&folder.path().join("b.stl"), &moved).unwrap();
        assert!(!lost.is_empty(), "{name}");
        assert_eq!(MeshFile::read(&folder.path().join("b.stl")).unwrap().mesh(), &moved);
    }
}

#[test]
fn binary_coordinates_are_replaced_in_place() {
    for (kind, big) in [("float", false), ("double", true)] {
        let endian = if big { "big" } else { "little" };
        let mut file = format!(
            "ply\nformat binary_{endian}_endian 1.0\nelement vertex 3\nproperty {kind} y\nproperty uchar red\n\
             property {kind} x\nproperty {kind} z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        )
        .into_bytes();
        let number = |value: f64| match (kind, big) {
            ("float", _) => (value as f32).to_le_bytes().to_vec(),
            _ => value.to_be_bytes().to_vec(),
        };
        let body = |heights: [f64; 3]| -> Vec<u8> {
            let vertices =
                [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].into_iter().zip(heights).zip([7, 8, 9]);
            let vertex = |(([x, y], z), red): (([f64; 2], f64), u8)| {
                [number(y), vec![red], number(x), number(z)].concat()
            };
            let index = |i: i32| if big { i.to_be_bytes() } else { i.to_le_bytes() };
            let face = [vec![3], index(0).into(), index(1).into(), index(2).into()].concat();
            vertices.map(vertex).chain([face]).flatten().collect()
        };
        let head = file.clone();
        file.extend(body([0.0; 3]));
        let folder = tempfile::tempdir().unwrap();
        let [path, again] = ["a.ply", "b.ply"].map(|name| folder.path().join(name));
        std::fs::write(&path, &file).unwrap();
        let read = MeshFile::read(&path).unwrap();
        let mut moved = read.mesh().clone();
        for (position, z) in moved.positions.iter_mut().zip([0.5, -1.25, 3.0]) {
            position[2] = z;
        }
        read.write(&again, &moved).unwrap();
        assert_eq!(std::fs::read(&again).unwrap(), [head, body([0.5, -1.25, 3.0])].concat());
    }
}

#[test]
fn stl_is_read_as_text_and_in_binary_and_its_corners_are_joined() {
    let facet = |[a, b, c]: [[i32; 3]; 3]| {
        let corner = |[x, y, z]: [i32; 3]| format!("vertex {x} {y} {z}.0e0\n");
        format!(
            "facet normal 0 0 1\nouter loop\n{}{}{}endloop\nendfacet\n",
            corner(a),
            corner(b),
            corner(c)
        )
    };
    let [o, x, y, z] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let facets = [[o, y, x], [o, x, z], [o, z, y], [x, y, z]].map(facet).concat();
    let text = format!("solid a b\n{facets}endsolid a b\n");
    let mesh = Stl.parse(text.as_bytes()).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (4, 4));
    assert_eq!(mesh.validate(), Ok(()));
    let mut binary = Vec::new();
    Stl.write(&mut binary, &mesh).unwrap();
    assert_eq!(Stl.parse(&binary).unwrap(), mesh);
    // Some programs begin binary files like texts.
    binary[..5].copy_from_slice(b"solid");
    assert_eq!(Stl.parse(&binary).unwrap(), mesh);
    binary.truncate(200);
    let cut = Stl.parse(&binary).unwrap_err();
    assert!(cut.to_string().contains("4 triangles have 284 bytes, but the file has 200"), "{cut}");
    assert!(cut.remedy.contains("fetch it again"), "{cut}");
    assert_fault(Stl.parse(b"solid a\nvertex 0 0\n"), Place::Line(2), "z is missing");
    assert_fault(Stl.parse(b"solid a\nvertex 0 0 0\nendfacet\n"), Place::Line(3), "1 corners");
}
