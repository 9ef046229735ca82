//! Files that are damaged at random: no reader may panic, take long, or accept what it should not.
//!
//! Every reader has a corpus of files that it reads; they are damaged in one to five places, and what
//! comes out is what a user may compute with, or an error of one line.

use std::fmt::Display;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use fragstream::base::random::SplitMix64;
use fragstream::goodnight2003::scenes::heat::{Plate, parse_scene};
use fragstream::goodnight2003::wing::coordinates_of_text;
use fragstream::io::Fault;
use fragstream::io::MeshFormat::{Obj, Off, Ply, Stl};
use fragstream::io::grey::parse_grey;
use fragstream::io::hdr::parse_hdr;
use fragstream::io::matrix_market::{parse_matrix, parse_vector};
use fragstream::io::plane_mesh::{FeatCurves, PlaneMesh, parse_feat, parse_gmsh};
use fragstream::mesh::TriangleMesh;
use image::{DynamicImage, ImageFormat, Rgb32FImage};

use crate::common::nightly::{seed, share};
use crate::files::damage::damage;
use crate::files::independent;
use crate::files::support::data;

/// What is done with a file: an error's message, if it is one.
type Reader = fn(&[u8]) -> Option<String>;

/// A reader and files that it reads.
type Corpus = (Reader, Vec<Vec<u8>>);

/// A triangle as STL.
const FACET: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
                     endfacet\nendsolid a\n";

/// Cases in the suite, over all readers, and in the long run.
const CASES: usize = 10_000;
const MANY: usize = 1_000_000;
/// No case takes longer than this, however busy the machine is.
const LONGEST: Duration = Duration::from_secs(20);

/// Files whose numbers were held against an independent reading, and all that were accepted of these formats.
static COMPARED: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Compares what a reader gives with an independent reading, where that one understands the file.
fn compare<T: PartialEq + std::fmt::Debug>(read: impl FnOnce() -> T, independent: Option<T>) {
    let [compared, all] = &COMPARED;
    all.fetch_add(1, Relaxed);
    if let Some(independent) = independent {
        compared.fetch_add(1, Relaxed);
        assert_eq!(read(), independent);
    }
}

fn ply(bytes: &[u8]) -> Option<String> {
    compared(Ply.parse(bytes), independent::ply(bytes))
}

fn off(bytes: &[u8]) -> Option<String> {
    compared(Off.parse(bytes), independent::off(bytes))
}

/// Compares a mesh with an independent reading.
fn compared(
    read: Result<TriangleMesh, Fault>,
    again: Option<independent::Polygons>,
) -> Option<String> {
    if let Ok(mesh) = &read {
        // By their bits, for a zero has a sign.
        let bits = |positions: &[[f64; 3]]| -> Vec<u64> {
            let numbers = positions.as_flattened().iter();
            numbers.map(|x| x.to_bits()).collect()
        };
        let again = again.map(|(positions, faces)| (bits(&positions), faces));
        compare(|| (bits(&mesh.positions), faces_of(mesh, again.as_ref())), again.clone());
    }
    mesh(read)
}

/// The faces that the triangles of a mesh are made of, if those are n − 2 triangles of its n corners each.
fn faces_of(mesh: &TriangleMesh, faces: Option<&(Vec<u64>, Vec<Vec<u32>>)>) -> Vec<Vec<u32>> {
    let mut triangles = mesh.triangles.iter();
    let faces = faces.into_iter().flat_map(|(_, faces)| faces);
    let of_face = |face: &Vec<u32>| {
        let own: Vec<[u32; 3]> = triangles.by_ref().take(face.len() - 2).copied().collect();
        let corners = own.as_flattened();
        let is_whole = face.iter().all(|corner| corners.contains(corner))
            && corners.iter().all(|corner| face.contains(corner));
        if is_whole && own.len() == face.len() - 2 { face.clone() } else { corners.to_vec() }
    };
    let mut made: Vec<Vec<u32>> = faces.map(of_face).collect();
    made.extend(triangles.map(|triangle| triangle.to_vec()));
    made
}

/// An error's message, or that of what is read, once it is checked.
fn read<T, E: Display>(
    result: Result<T, E>,
    check: impl FnOnce(T) -> Option<String>,
) -> Option<String> {
    result.map_or_else(|fault| Some(fault.to_string()), check)
}

fn mesh(result: Result<TriangleMesh, Fault>) -> Option<String> {
    read(result, |mesh| {
        let n = mesh.positions.len() as u32;
        assert!(mesh.triangles.as_flattened().iter().all(|&index| index < n));
        assert!(mesh.positions.as_flattened().iter().all(|x| x.is_finite()));
        // Nor may what comes next stumble over it.
        mesh.validate().err().map(|error| error.to_string())
    })
}

fn plane_mesh(result: Result<PlaneMesh, Fault>) -> Option<String> {
    read(result, |mesh| {
        let n = mesh.vertices.len() as u32;
        assert!(mesh.cells.iter().flat_map(|cell| &cell.corners).all(|&corner| corner < n));
        assert!(mesh.edges.iter().flat_map(|edge| edge.ends).all(|end| end < n));
        None
    })
}

fn matrix(text: &[u8]) -> Option<String> {
    let vector = parse_vector(text);
    if let Ok(values) = &vector {
        assert!(values.iter().all(|value| value.is_finite()));
        let again = independent::matrix_market(text).filter(|(rows, ..)| *rows < 1 << 20);
        // Entries of coordinates are summed.
        let again = again.map(|(rows, _, entries)| {
            let mut sums = vec![0.0; rows as usize];
            for (row, _, value) in entries {
                sums[row as usize] += value;
            }
            sums
        });
        compare(|| values.clone(), again);
    }
    match parse_matrix(text) {
        Ok(matrix) => {
            let (rows, columns) = (matrix.rows, matrix.columns);
            let fits =
                |&(i, j, value): &(u32, u32, f64)| i < rows && j < columns && value.is_finite();
            assert!(matrix.entries.iter().all(fits));
            let again = independent::matrix_market(text);
            compare(|| (rows, columns, matrix.entries.clone()), again);
            None
        }
        Err(fault) => vector.err().map(|_| fault.to_string()),
    }
}

fn npz(bytes: &[u8]) -> Option<String> {
    read(parse_matrix(bytes), |matrix| {
        let (rows, columns) = (matrix.rows, matrix.columns);
        assert!(
            matrix
                .entries
                .iter()
                .all(|&(i, j, value)| i < rows && j < columns && value.is_finite())
        );
        None
    })
}

fn feat(text: &[u8]) -> Option<String> {
    let curves = FeatCurves::parse(include_bytes!("../data/disc.prm"));
    plane_mesh(parse_feat(text, &curves.unwrap_or_else(|fault| panic!("{fault}"))))
}

fn scene(text: &[u8]) -> Option<String> {
    read(parse_scene(&String::from_utf8_lossy(text)), |scene| {
        let (columns, rows) = scene.nodes();
        // Larger ones are held against the driver's limit first.
        if u64::from(columns) * u64::from(rows) > 1 << 12 {
            return None;
        }
        read(Plate::new(&scene), |plate| {
            assert!(plate.problem.source.iter().all(|s| s.is_finite()));
            None
        })
    })
}

fn grey(bytes: &[u8]) -> Option<String> {
    read(parse_grey(bytes), |picture| {
        assert!(picture.iter().all(|value| value.is_finite()));
        None
    })
}

fn hdr(bytes: &[u8]) -> Option<String> {
    read(parse_hdr(bytes), |picture| {
        assert_eq!(picture.pixels().len(), picture.width() * picture.height());
        if bytes.starts_with(b"#?") {
            let size = (picture.width(), picture.height());
            let again = independent::radiance(bytes);
            compare(|| (size.0, size.1, picture.pixels().to_vec()), again);
        }
        None
    })
}

const SCENE: &str = "size = [9, 7]\nextent = [4.0, 3.0]\nconductivity = 2\nperiodic = \"x\"\n[north]\nvalue = 5\n\
                     [south]\nalpha = 1\nbeta = 2.0\ngamma = 3\n[[source]]\nfrom = [1, 1]\n\
                     to = [2, 1.5]\npower = 10\n";

/// A small picture in a format.
fn picture(format: ImageFormat) -> Vec<u8> {
    let colour = |x, y| image::Rgb([x as f32 / 5.0, y as f32 / 4.0, 0.5]);
    // Radiance packs rows of eight pixels and more.
    let width = if format == ImageFormat::Hdr { 12 } else { 5 };
    let picture = DynamicImage::from(Rgb32FImage::from_fn(width, 4, colour));
    let picture = match format {
        ImageFormat::Png => DynamicImage::from(picture.to_rgb8()),
        ImageFormat::Gif => DynamicImage::from(picture.to_rgba8()),
        _ => picture,
    };
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// All readers with their files.
fn all() -> Vec<Corpus> {
    let of = |reader: Reader, names: &[&str]| {
        (reader, names.iter().map(|name| std::fs::read(data(name)).unwrap()).collect())
    };
    let text = |reader: Reader, texts: &[&str]| {
        (reader, texts.iter().map(|text| text.as_bytes().to_vec()).collect())
    };
    let pictures = |reader: Reader, formats: &[ImageFormat]| {
        (reader, formats.iter().map(|&format| picture(format)).collect())
    };
    use ImageFormat::{Gif, Hdr, OpenExr, Png};
    let binary = "ply\nformat binary_little_endian 1.0\nelement face 2\nproperty list char short \
                  vertex_index\nelement vertex 9\nproperty float x\nproperty char y\nproperty double z\n\
                  end_header\n0123456789012345678901234567890123456789";
    let mut binary_stl = Vec::new();
    let triangle = Stl.parse(FACET.as_bytes()).unwrap();
    Stl.write(&mut binary_stl, &triangle).unwrap();
    vec![
        text(
            matrix,
            &[
                "%%MatrixMarket matrix coordinate real general\n3 1 2\n1 1 -2.5e0\n3 1 7\n",
                "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 1\n",
                "%%MatrixMarket matrix array integer general\n% c\n3 1\n1\n2\n-3\n",
            ],
        ),
        of(matrix, &["pattern.mtx"]),
        of(npz, &["../cases/csr_stored.npz", "../cases/csc.npz", "../cases/coo_duplicates.npz"]),
        of(ply, &["scanner.ply", "big_endian.ply", "little_endian.ply"]),
        text(ply, &[binary]),
        of(|bytes| mesh(Obj.parse(bytes)), &["corners.obj"]),
        of(off, &["coloured.off", "pinched.off"]),
        text(off, &["OFF 3 1 3 0 0 0 1 0 0\n0 1 0 3 0 1 2\n"]),
        text(|bytes| mesh(Stl.parse(bytes)), &[FACET, &FACET.to_uppercase()]),
        (|bytes| mesh(Stl.parse(bytes)), vec![binary_stl]),
        of(|bytes| plane_mesh(parse_gmsh(bytes)), &["squares_2.msh", "squares_4.msh"]),
        of(feat, &["disc.tri"]),
        of(|text| read(FeatCurves::parse(text), |_| None), &["disc.prm"]),
        text(scene, &[SCENE]),
        text(
            |text| read(coordinates_of_text("a.glsl", &String::from_utf8_lossy(text)), |_| None),
            &["vec3 metric(vec2 p) {} vec2 place(vec2 p) {} vec2 coordinates(vec2 p) {}"],
        ),
        pictures(grey, &[Png, Gif, Hdr, OpenExr]),
        pictures(hdr, &[Hdr, OpenExr]),
    ]
}

/// Damages so many files, over all readers, and reads them. What is accepted as Matrix Market, PLY or Radiance has
/// the numbers that are in the file.
fn damaged(cases: usize, seed: u64) {
    let corpora = all();
    for case in 0..cases {
        let mut random = SplitMix64::new(seed).skip(1000 * case as u64);
        let (reader, files) = &corpora[case % corpora.len()];
        let mut file = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(5) {
            damage(&mut file, &mut random);
        }
        let start = Instant::now();
        let read = std::panic::catch_unwind(|| reader(&file));
        let shown = || String::from_utf8_lossy(&file).into_owned();
        let Ok(message) = read else {
            panic!("case {case} of seed {seed}: {}", shown());
        };
        assert!(start.elapsed() < LONGEST, "case {case} of seed {seed}: {}", shown());
        if let Some(message) = message {
            let is_line = !message.contains(['\n', '\r']) && message.len() < 2000;
            assert!(is_line, "case {case} of seed {seed}: {message}");
        }
    }
    let [compared, all] = COMPARED.each_ref().map(|count| count.load(Relaxed));
    println!("damaged files | {cases} | {compared} of {all} accepted ones compared");
    assert!(compared > all / 2, "{compared} of {all}");
}

#[test]
fn the_corpus_is_read() {
    for (reader, files) in all() {
        for file in &files {
            // One of them has a body of noise.
            if file.starts_with(b"ply\nformat binary_little_endian 1.0\nelement face 2\n") {
                continue;
            }
            assert_eq!(reader(file), None, "{}", String::from_utf8_lossy(file));
        }
    }
}

#[test]
fn ten_thousand_damaged_files_are_read_or_refused_in_a_line() {
    damaged(CASES, 1);
}

#[test]
#[ignore = "minutes: tests/nightly.sh"]
fn many_damaged_files_are_read_or_refused_in_a_line() {
    damaged(share(MANY), seed());
}
