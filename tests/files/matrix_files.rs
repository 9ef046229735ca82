//! Matrices and vectors in Matrix Market files.

use std::path::Path;

use fragstream::io::matrix_market::{
    Coordinates, parse_matrix, parse_vector, read_matrix, read_vector, write_vector,
};
use fragstream::io::{Fault, Place};
use proptest::prelude::*;

use crate::files::support::{assert_fault, data};

fn matrix(banner: &str, body: &str) -> Result<Coordinates, Fault> {
    parse_matrix(format!("%%MatrixMarket matrix {banner}\n{body}").as_bytes())
}

#[test]
fn a_general_matrix_comes_as_it_is_and_a_symmetric_one_expanded() {
    let general = matrix("coordinate real general", "% c\n2 3 3\n1 3 -1.5e3\n\n2 1 4\n2 1 0.5\n");
    let expected = Coordinates {
        rows: 2,
        columns: 3,
        entries: vec![(0, 2, -1500.0), (1, 0, 4.0), (1, 0, 0.5)],
        symmetric: false,
    };
    assert_eq!(general.unwrap(), expected);
    let symmetric = matrix("coordinate integer symmetric", "2 2 2\n1 1 3\n2 1 -7\n").unwrap();
    assert_eq!(symmetric.entries, [(0, 0, 3.0), (1, 0, -7.0), (0, 1, -7.0)]);
    assert!(symmetric.symmetric);
    let pattern = read_matrix(&data("pattern.mtx")).unwrap();
    assert_eq!(pattern.entries.len(), 10);
    assert!(pattern.entries.iter().all(|entry| entry.2 == 1.0));
}

#[test]
fn matrix_faults_name_their_lines() {
    let real = "coordinate real general";
    let fault = |banner: &str, body: &str, line, what: &str| {
        assert_fault(matrix(banner, body), Place::Line(line), what);
    };
    fault("coordinate complex general", "1 1 1\n1 1 1 0\n", 1, "`complex`");
    fault("coordinate real antisymmetric", "1 1 0\n", 1, "`antisymmetric`");
    fault("list real general", "1 1 0\n", 1, "`list`");
    assert_fault(parse_matrix(b""), Place::Line(1), "%%MatrixMarket");
    assert_fault(parse_matrix(b"1 1 1\n"), Place::Line(1), "%%MatrixMarket");
    fault(real, "", 1, "sizes");
    fault(real, "2 2\n", 2, "number of entries is missing");
    fault(real, "2 -2 1\n", 2, "`-2`");
    fault(real, "2 2 1 9\n", 2, "too many");
    fault(real, "2 2 1\n1 1\n", 3, "value is missing");
    fault(real, "2 2 1\n1 1 1,5\n", 3, "`1,5`");
    fault(real, "2 2 1\n1.0 1 1\n", 3, "row is `1.0`");
    fault(real, "2 2 1\n0 1 1\n", 3, "row 0 is not in 1..2");
    fault(real, "2 2 1\n1 3 1\n", 3, "column 3 is not in 1..2");
    fault(real, "2 2 1\n1 1 NaN\n", 3, "NaN");
    fault(real, "2 2 1\n1 1 -inf\n", 3, "infinite");
    fault(real, "2 2 1\n1 1 1e999\n", 3, "too large");
    fault(real, "2 2 1\n1 1 1 1\n", 3, "too many");
    fault(real, "2 2 2\n1 1 1\n%\n", 4, "after 1 of 2 entries");
    fault(real, "2 2 1\n1 1 1\n2 2 1\n", 4, "more entries than the announced 1");
    fault("coordinate integer general", "1 1 1\n1 1 1.5\n", 3, "`1.5`");
    fault("coordinate real symmetric", "2 3 0\n", 2, "2 × 3");
    fault("coordinate real symmetric", "2 2 1\n1 2 1\n", 3, "above the diagonal");
}

#[test]
fn vectors_are_read_as_arrays_and_as_coordinates() {
    let vector = |banner: &str, body: &str| {
        parse_vector(format!("%%MatrixMarket matrix {banner}\n{body}").as_bytes())
    };
    assert_eq!(vector("array real general", "3 1\n1\n-2.5\n1e-3\n").unwrap(), [1.0, -2.5, 1e-3]);
    assert_eq!(vector("array integer general", "1 1\n7\n").unwrap(), [7.0]);
    let sparse = vector("coordinate real general", "4 1 3\n2 1 5\n4 1 1\n4 1 2\n");
    assert_eq!(sparse.unwrap(), [0.0, 5.0, 0.0, 3.0]);
    let fault = |banner: &str, body: &str, place, what: &str| {
        assert_fault(vector(banner, body), place, what);
    };
    fault("array real general", "1 3\n1\n2\n3\n", Place::Line(2), "one column");
    fault("array real general", "2 1\n1\n", Place::Line(3), "after 1 of 2");
    fault("array real general", "1 1\n1\n2\n", Place::Line(4), "more entries than the announced 1");
    fault("array real general", "1 1\nnan\n", Place::Line(3), "NaN");
    fault("array real symmetric", "1 1\n1\n", Place::Line(1), "symmetric");
    fault("array complex general", "1 1\n1 0\n", Place::Line(1), "`complex`");
    fault("coordinate real general", "2 2 0\n", Place::File, "one column");
}

proptest! {
    // Every file is synced to the disk, which takes its time.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn vectors_read_back_bit_for_bit(raw in prop::collection::vec(any::<u64>(), 0..20)) {
        let values: Vec<f64> = raw.into_iter().map(f64::from_bits).filter(|x| x.is_finite()).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.mtx");
        write_vector(&path, &values).unwrap();
        let back = read_vector(&path).unwrap();
        prop_assert!(back.iter().map(|x| x.to_bits()).eq(values.iter().map(|x| x.to_bits())));
    }
}

#[test]
fn variants_of_the_banner_are_read() {
    let dense = [(0, 0, 2.0), (1, 0, 1.0), (0, 1, 1.0), (1, 1, 3.0)];
    let skew = [(1, 0, -2.0), (0, 1, 2.0)];
    let diagonal = [(0, 0, 2.0), (1, 1, 4.0)];
    type Variant<'a> = (&'a str, &'a [(u32, u32, f64)]);
    let variants: [Variant; 10] = [
        ("%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n3\n", &dense),
        ("%%MatrixMarket matrix array real symmetric\n2 2\n2\n1\n3\n", &dense),
        ("%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n", &dense),
        ("%%MatrixMarket matrix coordinate real hermitian\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n", &dense),
        ("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -2\n", &skew),
        ("%%MatrixMarket matrix array real skew-symmetric\n2 2\n-2\n", &skew),
        (
            "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 2\n1 1 2\n2 2 4\n",
            &diagonal,
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.0d0\n2 2 0.4D+1\n",
            &diagonal,
        ),
        ("\u{feff}%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 4\n", &diagonal),
        ("%%MatrixMarket matrix array real general\n2 2\n2\n0\n0\n4\n", &diagonal),
    ];
    for (text, expected) in variants {
        let read = parse_matrix(text.as_bytes()).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let mut entries = read.entries;
        entries.sort_by_key(|&(row, column, _)| (column, row));
        assert_eq!(entries, expected, "{text}");
    }
    // An integer beyond 64 bits is read as the double that it is nearest to.
    let big = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9223372036854775808\n";
    assert_eq!(parse_matrix(big.as_bytes()).unwrap().entries, [(0, 0, 2.0_f64.powi(63))]);
}

#[test]
fn what_is_almost_a_matrix_is_named_for_what_it_is() {
    let fault = |text: &[u8], line, what| assert_fault(parse_matrix(text), Place::Line(line), what);
    let mut archive = b"bcsstk01/bcsstk01.mtx".to_vec();
    archive.resize(257, 0);
    archive.extend(b"ustar\x0000");
    fault(&archive, 1, "tar archive");
    fault(
        b"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
        3,
        "which is zero",
    );
    fault(
        b"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.0+100\n",
        3,
        "not a number",
    );
    fault(
        b"%%MatrixMarket matrix coordinate real general\n4294967296 1 1\n1 1 1\n",
        2,
        "too large",
    );
    fault(b"%%MatrixMarket matrix array real general\n2 2\n1\n", 3, "ends before the value (2, 1)");
}

#[test]
fn a_matrix_of_scipy_is_the_one_of_its_twin_in_matrix_market() {
    let entries = "1 1 4\n1 2 -1\n1 4 .5\n2 2 3\n3 1 -1\n3 3 5\n3 4 -1\n4 2 .25\n4 3 -2\n4 4 6\n";
    let twin = matrix("coordinate real general", &format!("4 4 10\n{entries}")).unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for name in ["csr", "csr_stored", "csc", "big_endian", "unpruned"] {
        let mut read = read_matrix(&cases.join(format!("{name}.npz"))).expect(name);
        // Entries of csc are in the order of columns.
        read.entries.sort_by_key(|&(row, column, _)| (row, column));
        assert_eq!(read, twin, "{name}");
    }
}
