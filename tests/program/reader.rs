//! The reader of listings, and the ones that batty2003 prints.

use fragstream::batty2003::study::printed;
use fragstream::program::Listing;

#[test]
fn the_printed_listings_are_read_and_written_as_they_are_printed() {
    let lengths = printed::all().map(|one| one.listing().expect("a listing").instructions.len());
    assert_eq!(lengths, [56, 12]);
    let sum = Listing::parse(include_str!("../../src/batty2003/study/printed/sumreduce.fp"))
        .expect("a listing");
    let text = sum.to_string();
    assert!(text.contains("MADR R0.xy, {2}.x, R0.xyxx, {0.5}.x;"), "{text}");
    assert_eq!(Listing::parse(&text).expect("a listing").instructions.len(), 12);
    assert_eq!(sum.registers(), 3);
}

#[test]
fn what_is_not_a_listing_is_refused_with_line_column_and_remedy() {
    let refused = |text: &str| Listing::parse(text).expect_err(text).to_string();
    let body = |line: &str| refused(&format!("!!FP1.0\n# a comment\n{line}\nEND\n"));
    assert!(refused("").starts_with("line 1, column 1: not a fragment program"));
    assert!(refused("!!FP1.0\nMOVR R0, R1;\n").contains("no end"));
    for (line, column, what) in [
        ("FOOR R0, R1;", 1, "not a supported instruction"),
        ("MOVR R32, R1;", 6, "not a register that can be written"),
        ("MOVR R0, R1.xy;", 13, "not a swizzle"),
        ("MOVR R0.yx, R1;", 9, "not a write mask"),
        ("MOVR R0, alpha;", 10, "an unknown register"),
        ("ADDR R0, R1;", 12, "`,` is missing"),
        ("TEX R0, R1, TEX16, RECT;", 13, "not a texture unit"),
        ("MOVR R0, {1, x};", 14, "not a number"),
        ("KIL R0;", 5, "not a test"),
        ("MOVR R0, R1; R2", 14, "text after an instruction"),
    ] {
        let found = body(line);
        let place = format!("line 3, column {column}: ");
        assert!(found.starts_with(&place) && found.contains(what), "{line}: {found}");
    }
}
