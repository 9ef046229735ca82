//! Damaged files and random bytes: no reader may panic, or accept what is not a mesh or a matrix.

use fragstream::io::matrix_market::{parse_matrix, parse_vector};
use fragstream::io::{Fault, obj, off, ply};
use fragstream::mesh::TriangleMesh;
use proptest::prelude::*;

use crate::support::data;

type Parser = fn(&[u8]) -> Result<TriangleMesh, Fault>;

/// One way of spoiling a file.
#[derive(Clone, Debug)]
enum Damage {
    Replace(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Repeat(usize, usize),
    Truncate(usize),
}

impl Damage {
    fn apply(&self, file: &mut Vec<u8>) {
        let length = file.len().max(1);
        let range = |from: usize, size: usize| {
            let from = from % length;
            from..(from + size % 40).min(length)
        };
        if file.is_empty() {
            return;
        }
        match self {
            Self::Replace(at, byte) => file[at % length] = *byte,
            Self::Insert(at, bytes) => drop(file.splice(range(*at, 0), bytes.iter().copied())),
            Self::Remove(from, size) => drop(file.drain(range(*from, *size))),
            Self::Repeat(from, size) => {
                let piece = file[range(*from, *size)].to_vec();
                drop(file.splice(range(*from, 0), piece));
            }
            Self::Truncate(at) => file.truncate(at % length),
        }
    }
}

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    // Bytes that mean something to the formats are worth more tries than others.
    let byte = prop_oneof![
        any::<u8>(),
        prop::sample::select(b"0123456789-.e+/ \n\r#%\\".to_vec())
    ];
    let one = prop_oneof![
        4 => (any::<usize>(), byte.clone()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        2 => (any::<usize>(), prop::collection::vec(byte, 1..8)).prop_map(|(at, b)| Damage::Insert(at, b)),
        2 => any::<(usize, usize)>().prop_map(|(from, size)| Damage::Remove(from, size)),
        2 => any::<(usize, usize)>().prop_map(|(from, size)| Damage::Repeat(from, size)),
        1 => any::<usize>().prop_map(Damage::Truncate),
    ];
    prop::collection::vec(one, 1..6)
}

/// Whatever a reader accepts must be a mesh, and whatever it refuses one line.
fn assert_mesh_or_line(result: Result<TriangleMesh, Fault>) {
    match result {
        Ok(mesh) => {
            let n = mesh.positions.len() as u32;
            assert!(mesh.triangles.as_flattened().iter().all(|&index| index < n));
            assert!(mesh.positions.as_flattened().iter().all(|x| x.is_finite()));
            // Nor may what comes next stumble over it.
            let _ = mesh.validate();
        }
        Err(fault) => assert!(!fault.to_string().contains(['\n', '\r']), "{fault:?}"),
    }
}

fn assert_matrix_or_line(text: &[u8]) {
    match parse_matrix(text) {
        Ok(matrix) => {
            assert!(matrix.entries.iter().all(|&(i, j, value)| {
                i < matrix.rows && j < matrix.columns && value.is_finite()
            }))
        }
        Err(fault) => assert!(!fault.to_string().contains(['\n', '\r']), "{fault:?}"),
    }
    match parse_vector(text) {
        Ok(values) => assert!(values.iter().all(|value| value.is_finite())),
        Err(fault) => assert!(!fault.to_string().contains(['\n', '\r']), "{fault:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damaged_mesh_files_give_a_mesh_or_one_line(damages in damage()) {
        let files: [(&str, Parser); 6] = [
            ("scanner.ply", ply::parse),
            ("big_endian.ply", ply::parse),
            ("little_endian.ply", ply::parse),
            ("corners.obj", obj::parse),
            ("coloured.off", off::parse),
            ("pinched.off", off::parse),
        ];
        for (name, parse) in files {
            let mut file = std::fs::read(data(name)).unwrap();
            damages.iter().for_each(|damage| damage.apply(&mut file));
            assert_mesh_or_line(parse(&file));
        }
    }

    #[test]
    fn damaged_matrix_files_give_numbers_or_one_line(damages in damage()) {
        let files = [
            std::fs::read(data("pattern.mtx")).unwrap(),
            b"%%MatrixMarket matrix coordinate real general\n3 1 2\n1 1 -2.5e0\n3 1 7\n".to_vec(),
            b"%%MatrixMarket matrix array integer general\n% c\n3 1\n1\n2\n-3\n".to_vec(),
        ];
        for mut file in files {
            damages.iter().for_each(|damage| damage.apply(&mut file));
            assert_matrix_or_line(&file);
        }
    }

    #[test]
    fn random_bytes_give_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let heads: [&[u8]; 6] = [
            b"",
            b"ply\n",
            b"ply\nformat binary_little_endian 1.0\nelement face 2\nproperty list char short vertex_index\n\
              element vertex 9\nproperty float x\nproperty char y\nproperty double z\nend_header\n",
            b"OFF\n",
            b"%%MatrixMarket matrix coordinate pattern general\n",
            b"%%MatrixMarket matrix array real general\n",
        ];
        for head in heads {
            let file = [head, &bytes].concat();
            assert_mesh_or_line(ply::parse(&file));
            assert_mesh_or_line(obj::parse(&file));
            assert_mesh_or_line(off::parse(&file));
            assert_matrix_or_line(&file);
        }
    }
}
