//! The stream processor does what its rules say, and refuses what they forbid.

use crate::common::machine;
use fragstream::base::random::SplitMix64;
use fragstream::program::formats::Registers;
use fragstream::stream::{
    Drawable, Edges, Format, Kernel, Limits, Machine, Pair, Pass, Rect, Reduce, Reduction, Source,
    Stream, StreamError,
};

const TWICE: Source = Source::new(
    "test/twice",
    "uniform stream x;\nuniform float factor;\nvoid main() {\n    result = factor * fetch(x, here);\n}\n",
    &[],
    Limits::R300,
);

/// Small integers, so that sums are exact in any order.
fn integers(count: usize, seed: u32) -> Vec<f32> {
    let mut random = SplitMix64::new(seed.into());
    (0..count).map(|_| random.below(16) as f32 - 8.0).collect()
}

#[test]
fn a_pass_writes_its_rectangles_and_nothing_else_and_uploads_them_when_it_must() {
    let machine = machine();
    let x = Stream::from_data(&machine, "x", (5, 3), Format::R32F, &integers(15, 1)).unwrap();
    let y = Stream::zeros(&machine, "y", (5, 3), Format::R32F).unwrap();
    let kernel = machine.kernel(&TWICE, &[]).unwrap();
    let list = [Rect::at([1, 0], (2, 3)), Rect::at([4, 2], (1, 1))];
    let ahead = machine.rects(&list).unwrap();
    // What is drawn twice, the uploads that it takes, and the records that it writes.
    type Case<'a> = (&'a dyn Drawable, u64, fn(usize, usize) -> bool);
    let both = |column, row| column == 1 || column == 2 || (column == 4 && row == 2);
    let cases: [Case; 3] = [
        (&list[0], 1, |column, _| column == 1 || column == 2),
        (&&list[..], 2, both),
        (&ahead, 0, both),
    ];
    for (extent, uploads, is_drawn) in cases {
        y.fill([7.0; 4]);
        machine.take_ledger();
        for _ in 0..2 {
            let pass = kernel.pass().read("x", &x).set("factor", 2.0);
            pass.draw(&y, extent).unwrap();
        }
        assert_eq!(machine.take_ledger().uploads, uploads);
        let (x, y) = (x.read().unwrap(), y.read().unwrap());
        for (i, (x, y)) in x.iter().zip(&y).enumerate() {
            let expected = if is_drawn(i % 5, i / 5) { 2.0 * x } else { 7.0 };
            assert_eq!(*y, expected, "record {i}");
        }
    }
}

#[test]
fn reading_the_target_is_a_hazard_unless_it_is_declared() {
    let machine = machine();
    let x = Stream::from_data(&machine, "x", (4, 4), Format::R32F, &integers(16, 2)).unwrap();
    let kernel = machine.kernel(&TWICE, &[]).unwrap();
    let pass = || Pass::new(&kernel).read("x", &x).set("factor", 3.0);
    let before = x.read().unwrap();
    let error = pass().draw(&x, x.full()).unwrap_err();
    assert!(matches!(error, StreamError::Hazard { .. }), "{error}");
    assert_eq!(x.read().unwrap(), before, "a refused pass draws nothing");
    machine.take_ledger();
    pass().feedback().draw(&x, x.full()).unwrap();
    let tripled: Vec<f32> = before.iter().map(|v| 3.0 * v).collect();
    assert_eq!(x.read().unwrap(), tripled);
    assert_eq!(machine.ledger().total().feedback, 1);
}

#[test]
fn what_the_program_does_not_declare_is_refused() {
    let machine = machine();
    let x = Stream::zeros(&machine, "x", (4, 4), Format::R32F).unwrap();
    let y = Stream::zeros(&machine, "y", (4, 4), Format::R32F).unwrap();
    let large = machine.rect(Rect::of_size(5, 4)).unwrap();
    let kernel = machine.kernel(&TWICE, &[]).unwrap();
    let pass = || Pass::new(&kernel).read("x", &x);
    let error = pass().draw(&y, y.full()).unwrap_err();
    assert!(matches!(error, StreamError::Missing { .. }), "{error}");
    let error = pass().set("factor", [1.0, 2.0]).draw(&y, y.full()).unwrap_err();
    assert!(matches!(error, StreamError::Unknown { .. }), "{error}");
    let error = pass().read("z", &x).draw(&y, y.full()).unwrap_err();
    assert!(matches!(error, StreamError::Unknown { .. }), "{error}");
    let error = pass().set("factor", 1.0).draw(&y, &large).unwrap_err();
    assert!(matches!(error, StreamError::Outside { .. }), "{error}");
}

#[test]
fn reductions_of_ugly_sizes_agree_with_the_cpu_and_take_log2_passes() {
    let machine = machine();
    for (width, height) in
        [(1, 1), (2, 1), (1, 3), (3, 5), (64, 64), (65, 33), (127, 1), (200, 200)]
    {
        for format in [Format::R32F, Format::Rgba32F] {
            let channels = format.channels();
            let x = integers((width * height) as usize * channels, width * 31 + height);
            let stream = Stream::from_data(&machine, "x", (width, height), format, &x).unwrap();
            // A product of many integers is too large to be exact, one of signs is not.
            let signs: Vec<f32> = x.iter().map(|v| v.signum()).collect();
            let sign_stream =
                Stream::from_data(&machine, "signs", (width, height), format, &signs).unwrap();
            for edges in [Edges::Padded, Edges::Bounded] {
                for operator in [
                    Reduce::Sum,
                    Reduce::AbsoluteSum,
                    Reduce::Maximum,
                    Reduce::Minimum,
                    Reduce::Product,
                ] {
                    let (x, stream) = match operator {
                        Reduce::Product => (&signs, &sign_stream),
                        _ => (&x, &stream),
                    };
                    let reduction =
                        Reduction::new(&machine, stream.size(), format, operator, edges).unwrap();
                    machine.take_ledger();
                    let got = reduction.of(stream).unwrap();
                    let ledger = machine.take_ledger();
                    let passes = u64::from(width.max(height).next_power_of_two().trailing_zeros());
                    assert_eq!(ledger.total().passes, passes, "{width}x{height}");
                    assert_eq!((ledger.uploads, ledger.texels_read_back), (0, 1));
                    for (channel, got) in got.iter().enumerate().take(channels) {
                        let values = x.iter().skip(channel).step_by(channels);
                        let expected: f32 = match operator {
                            Reduce::Sum => values.sum(),
                            Reduce::AbsoluteSum => values.map(|v| v.abs()).sum(),
                            Reduce::Maximum => values.copied().fold(f32::MIN, f32::max),
                            Reduce::Minimum => values.copied().fold(f32::MAX, f32::min),
                            Reduce::Product => values.product(),
                        };
                        assert_eq!(
                            *got, expected,
                            "{width}x{height} {format} {edges:?} {operator:?}"
                        );
                    }
                }
                let sum =
                    Reduction::new(&machine, stream.size(), format, Reduce::Sum, edges).unwrap();
                let got = sum.of_product(&stream, &stream).unwrap();
                let expected: f32 = x.iter().step_by(channels).map(|v| v * v).sum();
                assert_eq!(got[0], expected, "{width}x{height} {format} {edges:?} product");
            }
        }
    }
}

#[test]
fn what_belongs_to_another_machine_is_refused_by_name() {
    let here = machine();
    let drawn = here.kernel(&TWICE, &[]).unwrap();
    let of =
        |machine: &Machine, label| Stream::zeros(machine, label, (2, 2), Format::R32F).unwrap();
    let (x, y) = (of(&here, "x"), of(&here, "y"));
    let others = [machine(), Machine::interpreted(Registers::Single).unwrap()];
    for (other, is_interpreted) in others.into_iter().zip([false, true]) {
        let (far_x, far_y) = (of(&other, "far x"), of(&other, "far y"));
        let (kernel, geometry) =
            (other.kernel(&TWICE, &[]).unwrap(), other.rects(&[Rect::of_size(2, 2)]).unwrap());
        let all = Rect::of_size(2, 2);
        let draw = |kernel: &Kernel, x: &Stream, y: &Stream, at: &dyn Drawable| {
            kernel.pass().read("x", x).set("factor", 2.0).draw(y, at)
        };
        draw(&kernel, &far_x, &far_y, &geometry).unwrap();
        let mut pair = Pair::zeros(&other, "pair", (2, 2), Format::R32F).unwrap();
        let sum = Reduction::new(&here, (2, 2), Format::R32F, Reduce::Sum, Edges::Padded).unwrap();
        for (refused, named) in [
            (draw(&drawn, &far_x, &y, &all), "far x belongs to another machine than y"),
            // Of a driver it is the kernel, of the interpreter the stream.
            (draw(&drawn, &x, &far_y, &all), "belongs to another machine than far y"),
            (draw(&kernel, &x, &y, &all), "test/twice belongs to another machine than y"),
            (draw(&drawn, &x, &y, &geometry), "geometry of a pass of test/twice"),
            (
                pair.draw(|front, _| draw(&drawn, front, &y, &all)),
                "pair belongs to another machine",
            ),
            (sum.of(&far_x).map(drop), "far x belongs to another machine than its reduction"),
            (sum.of_product(&x, &far_x).map(drop), "far x belongs to another machine"),
        ] {
            // Between two interpreters kernels and geometry are texts and numbers, which belong to no machine.
            let is_text = named.starts_with("test/twice") || named.starts_with("geometry");
            if is_text && here.interpreter().is_some() {
                continue;
            }
            let message = refused.unwrap_err().to_string();
            assert!(message.contains(named), "{is_interpreted}: {message}");
        }
    }
}

#[test]
fn a_stream_without_records_is_called_empty() {
    for (size, text) in [((0, 3), "p of 0x3 records is empty"), ((3, 0), "p of 3x0")] {
        let refused = Pair::zeros(&machine(), "p", size, Format::R32F).map(drop).unwrap_err();
        assert!(refused.to_string().contains(text), "{refused}");
    }
}
