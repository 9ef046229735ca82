//! Surfaces of one buffer, buffers that are contexts, and parts of streams (Goodnight et al. 2003,
//! sections 4.1.1 and 6).

use crate::common::{machine, random};
use fragstream::card::cost::bill;
use fragstream::stream::{
    Buffer, Edges, Format, Kernel, Limits, Machine, Pass, Rect, Reduce, Reduction, Source, Stream,
    StreamError,
};

const SMOOTH: Source = Source::new(
    "test/smooth",
    "uniform stream x;
void main() {
    vec4 beside = fetch(x, here - vec2(1.0, 0.0)) + fetch(x, here + vec2(1.0, 0.0));
    vec4 over = fetch(x, here - vec2(0.0, 1.0)) + fetch(x, here + vec2(0.0, 1.0));
    result = 0.375 * fetch(x, here) + 0.17 * beside + 0.13 * over;
}
",
    &[],
    Limits::R300,
);

const KEEP_LARGE: Source = Source::new(
    "test/keep_large",
    "uniform stream x;
uniform float least;
void main() {
    vec4 value = fetch(x, here);
    if (value.x < least) discard;
    result = value;
}
",
    &[],
    Limits::R300,
);

const SIZES: [(u32, u32); 6] = [(1, 1), (2, 1), (3, 5), (64, 64), (65, 33), (257, 129)];

/// Surfaces of a buffer that is a context.
fn own<const N: usize>(machine: &Machine, labels: [&str; N], size: (u32, u32)) -> [Stream; N] {
    Stream::surfaces(machine, Buffer::Context, labels, size, Format::R32F).unwrap()
}

fn smooth(kernel: &Kernel, from: &Stream, to: &Stream) {
    Pass::new(kernel).read("x", from).draw(to, to.full()).unwrap();
}

#[test]
fn a_read_back_leaves_the_target_as_it_is() {
    let machine = machine();
    let kernel = machine.kernel(&SMOOTH, &[]).unwrap();
    let size = (4, 4);
    let x = Stream::from_data(&machine, "x", size, Format::R32F, &random(16, 1)).unwrap();
    let y = Stream::zeros(&machine, "y", size, Format::R32F).unwrap();
    let z = Stream::zeros(&machine, "z", size, Format::R32F).unwrap();
    smooth(&kernel, &x, &y);
    let expected = y.read().unwrap();
    smooth(&kernel, &z, &y);
    z.read().unwrap();
    smooth(&kernel, &x, &y);
    assert_eq!(y.read().unwrap(), expected);
    assert!(z.read().unwrap().iter().all(|&v| v == 0.0));
}

#[test]
fn changes_of_surface_of_buffer_and_of_context_are_told_apart() {
    let machine = machine();
    let kernel = machine.kernel(&SMOOTH, &[]).unwrap();
    let size = (5, 3);
    let make = |label| Stream::zeros(&machine, label, size, Format::R32F).unwrap();
    let (plain, other) = (make("plain"), make("other"));
    let labels = ["front", "back"];
    let pair = Stream::surfaces(&machine, Buffer::Framebuffer, labels, size, Format::R32F);
    let [front, back] = pair.unwrap();
    let [a, b] = own(&machine, ["a", "b"], size);
    let [c, d] = own(&machine, ["c", "d"], size);
    // A target, what is read, and the changes of target, buffer and context until then.
    let steps = [
        (&front, &back, [1, 1, 0]),
        (&back, &front, [2, 1, 0]),
        (&back, &plain, [2, 1, 0]),
        (&plain, &back, [3, 2, 0]),
        (&other, &back, [4, 3, 0]),
        (&a, &plain, [5, 4, 1]),
        (&b, &a, [6, 4, 1]),
        (&c, &b, [7, 5, 2]),
        (&a, &d, [8, 6, 3]),
        (&plain, &b, [9, 7, 4]),
        (&plain, &c, [9, 7, 4]),
    ];
    smooth(&kernel, &a, &other);
    machine.take_ledger();
    for (target, source, expected) in steps {
        smooth(&kernel, source, target);
        let ledger = machine.ledger();
        let counts = [ledger.target_switches, ledger.buffer_switches, ledger.context_switches];
        assert_eq!(counts, expected, "into {}", target.label());
    }
    let ledger = machine.ledger();
    let printed = bill(&ledger).to_string();
    let switches = "target switches 9 (of buffers 7, of contexts 4)";
    assert!(printed.contains(switches), "{printed}");
    let json = serde_json::to_value(bill(&ledger)).unwrap();
    assert_eq!(json["buffer_switches"], 7);
    // Reading back enters the context too.
    c.read_record(0, 0).unwrap();
    smooth(&kernel, &a, &plain);
    assert_eq!(machine.ledger().context_switches, 6);
}

/// The state after some steps between two streams.
fn ping_pong(kernel: &Kernel, [a, b]: [&Stream; 2], data: &[f32], steps: usize) -> Vec<f32> {
    a.write(data).unwrap();
    for step in 0..steps {
        let (from, to) = if step % 2 == 0 { (a, b) } else { (b, a) };
        smooth(kernel, from, to);
    }
    [a, b][steps % 2].read().unwrap()
}

#[test]
fn a_chain_through_several_buffers_and_contexts_is_bit_identical_to_plain_streams() {
    let machine = machine();
    let kernel = machine.kernel(&SMOOTH, &[]).unwrap();
    let formats = [Format::R32F, Format::Rgba32F, Format::Rgba16F];
    for (size, format) in SIZES.into_iter().zip(formats.into_iter().cycle()) {
        let count = (size.0 * size.1) as usize * format.channels();
        let data = random(count, size.1.into());
        let make = |label| Stream::zeros(&machine, label, size, format).unwrap();
        let pair = |buffer| {
            let labels = ["front", "back"];
            Stream::surfaces(&machine, buffer, labels, size, format).unwrap()
        };
        let [[a, b], [c, _], [f, g]] =
            [Buffer::Context, Buffer::Context, Buffer::Framebuffer].map(pair);
        let (d, e) = (make("d"), make("e"));
        let mixed = [&a, &c, &d, &b, &f, &g, &e, &c, &a, &d, &c, &b];
        let plain: Vec<Stream> = (0..mixed.len()).map(|_| make("plain")).collect();
        let plain: Vec<&Stream> = plain.iter().collect();
        let chain = |streams: &[&Stream]| {
            streams[0].write(&data).unwrap();
            let mut seen = Vec::new();
            for round in 0..3 {
                for i in 0..streams.len() {
                    let to = streams[(i + 1) % streams.len()];
                    smooth(&kernel, streams[i], to);
                    if i % 3 == round {
                        seen.push(to.read_record(0, size.1 - 1).unwrap()[0]);
                    }
                }
            }
            seen.extend(streams[0].read().unwrap());
            seen
        };
        let expected = chain(&plain);
        machine.take_ledger();
        let got = chain(&mixed);
        let ledger = machine.take_ledger();
        assert_eq!(got, expected, "{size:?}");
        assert!(ledger.context_switches >= 3 * 7, "{ledger:?}");
    }
}

#[test]
fn occlusion_queries_count_in_any_context() {
    let machine = machine();
    let kernel = machine.kernel(&KEEP_LARGE, &[]).unwrap();
    for size in SIZES {
        let data = random((size.0 * size.1) as usize, 5);
        let x = Stream::from_data(&machine, "x", size, Format::R32F, &data).unwrap();
        let plain = Stream::zeros(&machine, "plain", size, Format::R32F).unwrap();
        let [a] = own(&machine, ["a"], size);
        let [b, c] = own(&machine, ["b", "c"], size);
        for least in [-2.0, -0.5, 0.0, 0.5, 2.0] {
            let expected = data.iter().filter(|&&v| v >= least).count() as u32;
            for target in [&a, &plain, &b, &a, &c, &plain] {
                let pass = Pass::new(&kernel).read("x", &x).set("least", least);
                let counted = pass.draw_counting(target, target.full()).unwrap();
                assert_eq!(counted, expected, "{size:?} {least} {}", target.label());
            }
        }
    }
}

#[test]
fn buffers_may_be_dropped_in_any_order() {
    let size = (7, 5);
    let data = random(35, 3);
    for order in 0..6 {
        let machine = machine();
        let kernel = machine.kernel(&SMOOTH, &[]).unwrap();
        let [a, b] = own(&machine, ["a", "b"], size);
        let [c, d] = own(&machine, ["c", "d"], size);
        let x = Stream::from_data(&machine, "x", size, Format::R32F, &data).unwrap();
        let y = Stream::zeros(&machine, "y", size, Format::R32F).unwrap();
        smooth(&kernel, &x, &y);
        let expected = y.read().unwrap();
        for to in [&a, &c, &b, &d] {
            smooth(&kernel, &x, to);
        }
        let mut streams = vec![a, b, c, d, y];
        streams.rotate_left(order % 5);
        if order == 5 {
            streams.reverse();
        }
        drop(machine);
        while let Some(gone) = streams.pop() {
            drop(gone);
            for to in &streams {
                to.fill([9.0; 4]);
                smooth(&kernel, &x, to);
            }
            for left in &streams {
                assert_eq!(left.read().unwrap(), expected, "{order}: {}", left.label());
            }
        }
        assert_eq!(x.read().unwrap(), data);
    }
}

#[test]
fn contexts_of_two_machines_do_not_disturb_each_other() {
    let size = (33, 17);
    let data = random(33 * 17, 11);
    let made = [machine(), machine()].map(|machine| {
        let kernel = machine.kernel(&SMOOTH, &[]).unwrap();
        let [a] = own(&machine, ["a"], size);
        let b = Stream::zeros(&machine, "b", size, Format::R32F).unwrap();
        a.write(&data).unwrap();
        (kernel, a, b)
    });
    for _ in 0..5 {
        for (kernel, a, b) in &made {
            smooth(kernel, a, b);
        }
        for (kernel, a, b) in &made {
            smooth(kernel, b, a);
        }
    }
    let [first, second] = made.each_ref().map(|(_, a, _)| a.read().unwrap());
    assert_eq!(first, second);
    let (kernel, _, b) = &made[0];
    let c = Stream::zeros(b.machine(), "c", size, Format::R32F).unwrap();
    assert_eq!(ping_pong(kernel, [b, &c], &data, 10), first);
}

#[test]
fn parts_are_written_and_read_where_they_lie() {
    let machine = machine();
    let (width, height) = (13, 7);
    for format in [Format::R32F, Format::Rg32F, Format::Rgba32F] {
        let channels = format.channels();
        let mut expected = random(13 * 7 * channels, 1);
        let x = Stream::from_data(&machine, "x", (width, height), format, &expected).unwrap();
        for part in [rect(0, 0, 13, 7), rect(5, 2, 3, 4), rect(12, 6, 1, 1), rect(0, 3, 13, 1)] {
            let data = random(part.area() as usize * channels, part.width.into());
            machine.take_ledger();
            x.write_rect(part, &data).unwrap();
            let got = x.read_rect(part).unwrap();
            let ledger = machine.take_ledger();
            assert_eq!(got, data);
            let bytes = part.area() * 4 * channels as u64;
            assert_eq!((ledger.uploads, ledger.bytes_uploaded), (1, bytes));
            assert_eq!((ledger.read_backs, ledger.bytes_read_back), (1, bytes));
            assert_eq!(ledger.texels_read_back, part.area());
            for (i, value) in data.into_iter().enumerate() {
                let (record, channel) = ((i / channels) as u32, i % channels);
                let column = part.x + record % part.width;
                let row = part.y + record / part.width;
                expected[(row * width + column) as usize * channels + channel] = value;
            }
            assert_eq!(x.read().unwrap(), expected);
        }
        for part in [rect(0, 0, 14, 1), rect(1, 0, 13, 1), rect(3, u32::MAX, 2, 2)] {
            let refused = [x.read_rect(part).err(), x.write_rect(part, &[]).err()];
            for error in refused.map(|error| error.expect("beyond the stream")) {
                assert!(matches!(error, StreamError::Part { .. }), "{error}");
            }
        }
        let error = x.write_rect(rect(0, 0, 2, 2), &[0.0]).unwrap_err();
        assert!(matches!(error, StreamError::Size { .. }), "{error}");
    }
    let error = Stream::zeros(&machine, "x", (3, 2), Format::R32F)
        .and_then(|x| x.read_rect(rect(2, 1, 4, 5)))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the 4x5 records from column 2, row 1 reach beyond x of 3x2. Clip them first."
    );
}

fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
    Rect { x, y, width, height }
}

#[test]
fn a_reduction_of_a_part_looks_at_nothing_else() {
    let machine = machine();
    let size = (61, 47);
    let whole = Rect::of_size(size.0, size.1);
    // What lies beyond the part would spoil any sum, maximum or minimum.
    let poison = vec![f32::INFINITY; whole.area() as usize];
    for part in [
        rect(0, 0, 1, 1),
        rect(60, 46, 1, 1),
        rect(3, 5, 2, 2),
        rect(1, 0, 1, 47),
        rect(7, 9, 17, 5),
        rect(8, 9, 16, 32),
        rect(0, 0, 61, 47),
    ] {
        let data: Vec<f32> = (0..part.area()).map(|i| ((i * 37 + 11) % 23) as f32 - 9.0).collect();
        for edges in [Edges::Padded, Edges::Bounded] {
            let x = Stream::from_data(&machine, "x", size, Format::R32F, &poison).unwrap();
            x.write_rect(part, &data).unwrap();
            for operator in [Reduce::Sum, Reduce::Maximum, Reduce::Minimum] {
                let format = Format::R32F;
                let reduction =
                    Reduction::of_part(&machine, size, part, format, operator, edges).unwrap();
                let expected = match operator {
                    Reduce::Maximum => data.iter().copied().fold(f32::MIN, f32::max),
                    Reduce::Minimum => data.iter().copied().fold(f32::MAX, f32::min),
                    _ => data.iter().sum(),
                };
                machine.take_ledger();
                let got = reduction.of(&x).unwrap()[0];
                let passes = machine.take_ledger().total().passes;
                assert_eq!(got, expected, "{part:?} {edges:?} {operator:?}");
                let side = part.width.max(part.height);
                assert_eq!(passes, u64::from(side.next_power_of_two().trailing_zeros()));
                if operator == Reduce::Sum {
                    let squares: f32 = data.iter().map(|v| v * v).sum();
                    assert_eq!(reduction.of_product(&x, &x).unwrap()[0], squares);
                }
            }
        }
    }
    for part in [rect(60, 0, 2, 1), rect(0, 0, 0, 3)] {
        let (format, edges) = (Format::R32F, Edges::Bounded);
        let refused = Reduction::of_part(&machine, size, part, format, Reduce::Sum, edges);
        assert!(matches!(refused.err(), Some(StreamError::Part { .. })));
    }
}

#[test]
fn rectangles_beyond_all_numbers_are_refused() {
    let machine = machine();
    let kernel = machine.kernel(&SMOOTH, &[]).unwrap();
    let x = Stream::zeros(&machine, "x", (4, 4), Format::R32F).unwrap();
    let y = Stream::zeros(&machine, "y", (4, 4), Format::R32F).unwrap();
    let far = machine.rects(&[rect(u32::MAX - 1, 0, 1, 1)]).unwrap();
    let refused = Pass::new(&kernel).read("x", &x).draw(&y, &far);
    assert!(matches!(refused, Err(StreamError::Outside { .. })));
}
