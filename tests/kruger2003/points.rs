//! Points as a primitive: placed, moved, counted, and refused where they do not belong.

use fragstream::stream::{Format, Limits, Machine, Pass, Point, Rect, Source, Stream, StreamError};

use crate::common::machine;

/// value + x[at]
const PROGRAM: Source = Source::new(
    "test/points",
    "uniform stream x;\nin float value;\nin vec2 at;\n\
           void main() { result = value + fetch(x, at); }\n",
    &[],
    Limits::R300,
);

fn point(target: [i32; 2], value: f32, source: [i32; 2]) -> Point {
    Point { target, value, source }
}

/// A source with x[column, row] = 10 row + column, and an empty target of the same size.
fn streams(machine: &Machine) -> (Stream, Stream) {
    let size = (4, 3);
    let data: Vec<f32> = (0..12).map(|k| (10 * (k / 4) + k % 4) as f32).collect();
    (
        Stream::from_data(machine, "x", size, Format::R32F, &data).unwrap(),
        Stream::zeros(machine, "y", size, Format::R32F).unwrap(),
    )
}

#[test]
fn a_point_writes_its_record_and_no_other() {
    let machine = machine();
    let (x, y) = streams(&machine);
    let kernel = machine.kernel(&PROGRAM.for_points(), &[]).unwrap();
    let list = [point([0, 0], 100.0, [3, 2]), point([3, 2], 200.0, [1, 0])];
    let points = machine.points(&list).unwrap();
    machine.take_ledger();
    let pass = || Pass::new(&kernel).read("x", &x);
    assert_eq!(pass().draw_counting(&y, &points).unwrap(), 2);
    let ledger = machine.take_ledger();
    let mut expected = [0.0; 12];
    (expected[0], expected[11]) = (123.0, 201.0);
    assert_eq!(y.read().unwrap(), expected);
    let total = ledger.total();
    assert_eq!((total.points, total.fragments, total.rectangles), (2, 2, 0));
    assert_eq!((total.fetches, total.bytes_written), (2, 8));
    assert_eq!((ledger.uploads, ledger.queries), (0, 1));
}

#[test]
fn moved_points_go_on_in_the_next_row_and_nothing_is_uploaded() {
    let machine = machine();
    let (x, y) = streams(&machine);
    let kernel = machine.kernel(&PROGRAM.for_points(), &[]).unwrap();
    // One before and one after the record that they are moved to.
    let list = [point([-1, 0], 100.0, [0, 0]), point([1, 0], 200.0, [0, 0])];
    let points = machine.points(&list).unwrap();
    let pass = || Pass::new(&kernel).read("x", &x);
    machine.take_ledger();
    // Record (0, 1): what comes before lies at the end of the row below.
    pass().draw(&y, points.moved_by([0, 1])).unwrap();
    // Record (3, 1): what comes after lies at the beginning of the row above.
    pass().draw(&y, points.moved_by([3, 1])).unwrap();
    assert_eq!(machine.take_ledger().uploads, 0);
    let mut expected = [0.0; 12];
    (expected[3], expected[5]) = (110.0, 210.0);
    (expected[6], expected[8]) = (113.0, 213.0);
    assert_eq!(y.read().unwrap(), expected);
}

#[test]
fn points_outside_and_kernels_for_the_other_primitive_are_refused() {
    let machine = machine();
    let (x, y) = streams(&machine);
    let kernel = machine.kernel(&PROGRAM.for_points(), &[]).unwrap();
    let pass = || Pass::new(&kernel).read("x", &x);
    for (target, offset) in [
        ([4, 0], [0, 0]),
        ([-1, 0], [0, 0]),
        ([0, 3], [0, 0]),
        ([-1, 0], [0, -1]),
        ([1, 0], [3, 2]),
    ] {
        let points = machine.points(&[point(target, 0.0, [0, 0])]).unwrap();
        let refused = pass().draw(&y, points.moved_by(offset));
        assert!(matches!(refused, Err(StreamError::Outside { .. })), "{target:?} {offset:?}");
    }
    let rect = machine.rect(Rect::of_size(1, 1)).unwrap();
    let refused = pass().draw(&y, &rect);
    assert!(matches!(refused, Err(StreamError::Primitive { .. })));
    let copy = Source::new(
        "test/copy",
        "uniform stream x;\nvoid main() { result = fetch(x, here); }\n",
        &[],
        Limits::R300,
    );
    let copy = machine.kernel(&copy, &[]).unwrap();
    let points = machine.points(&[point([0, 0], 0.0, [0, 0])]).unwrap();
    let refused = Pass::new(&copy).read("x", &x).draw(&y, &points);
    assert!(matches!(refused, Err(StreamError::Primitive { .. })));
    // No points at all are drawn without complaint.
    let none = machine.points(&[]).unwrap();
    pass().draw(&y, &none).unwrap();
    assert!(y.read().unwrap().iter().all(|&v| v == 0.0));
}
