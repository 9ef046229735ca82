//! The recorder sees everything and changes nothing.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use fragstream::film::{Blob, Event, Film, FilmError, Limits, Recorder, Seen, hash};
use fragstream::stream::{Format, Ledger, Stream};

use crate::common::machine;
use crate::film::support::{ADD_ONE, about, count_up, recorded};

#[test]
fn ledger_and_results_are_the_same_with_a_recorder() {
    let ledger_of = |is_recorded: bool| -> (Ledger, Vec<f32>) {
        let machine = machine();
        machine.take_ledger();
        let mut result = Vec::new();
        let mut run = |machine: &_| result = count_up(machine, "x", ADD_ONE, 6);
        match is_recorded {
            true => drop(recorded(&machine, Limits::default(), run).expect("a film")),
            false => run(&machine),
        }
        (machine.take_ledger(), result)
    };
    let (with, without) = (ledger_of(true), ledger_of(false));
    assert_eq!(with, without);
    assert_eq!(with.1, [6.5; 15]);
    assert!(with.0.context_switches > 5, "the run has switched");
}

#[test]
fn what_a_film_tells_adds_up_to_the_ledger() {
    let machine = machine();
    machine.take_ledger();
    let run = |machine: &_| drop(count_up(machine, "x", ADD_ONE, 4));
    let Film { trace, blob } = recorded(&machine, Limits::default(), run).expect("a film");
    let ledger = machine.take_ledger();
    let mut told = Ledger {
        peak_bytes_allocated: ledger.peak_bytes_allocated,
        kernels: ledger.kernels.clone(),
        ..Ledger::default()
    };
    let (mut passes, mut written) = (0, 0);
    for event in &trace.events {
        match event {
            Event::Pass(pass) => {
                let cost = &trace.costs[trace.calls[pass.call].cost];
                passes += 1;
                written += cost.bytes_written;
                told.target_switches += u64::from(cost.target_switches);
                told.buffer_switches += u64::from(cost.buffer_switches);
                told.context_switches += u64::from(cost.context_switches);
                told.program_switches += u64::from(cost.program_switches);
            }
            Event::Upload { data, .. } => {
                told.uploads += 1;
                told.bytes_uploaded += 4 * blob.floats(*data).len() as u64;
            }
            Event::Geometry { bytes } => {
                told.uploads += 1;
                told.bytes_uploaded += bytes;
            }
            Event::Read {
                rectangle: [_, _, width, height],
                context_switches,
                ..
            } => {
                let texels = u64::from(width * height);
                told.read_backs += 1;
                told.texels_read_back += texels;
                told.bytes_read_back += 4 * texels;
                told.context_switches += u64::from(*context_switches);
            }
            Event::Count { survivors } => {
                assert_eq!(*survivors, 15);
                told.queries += 1;
            }
            _ => {}
        }
    }
    // Clearing, too, makes a context current, and is told as a fill.
    assert!((4..=ledger.context_switches).contains(&told.context_switches));
    told.context_switches = ledger.context_switches;
    assert_eq!(told, ledger);
    let total = ledger.total();
    assert_eq!((passes, written), (total.passes, total.bytes_written));
}

/// The hash of what a pass drew; the largest sizes, and the samples.
fn seen_of(blob: &Blob, seen: &Seen) -> (u64, Vec<f32>) {
    let mut values = blob.floats(seen.values).into_iter();
    let hash = values
        .by_ref()
        .take(2)
        .map(|word| u64::from(word.to_bits()));
    let hash = hash.collect::<Vec<_>>();
    (hash[0] | hash[1] << 32, values.collect())
}

#[test]
fn a_pass_is_told_with_its_numbers() {
    let machine = machine();
    let run = |machine: &_| drop(count_up(machine, "x", ADD_ONE, 3));
    let Film { trace, blob } = recorded(&machine, Limits::default(), run).expect("a film");
    let passes: Vec<_> = trace
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Pass(pass) => Some(pass),
            _ => None,
        })
        .collect();
    for (number, pass) in passes.iter().enumerate() {
        let value = 1.5 + number as f32;
        let (call, seen) = (&trace.calls[pass.call], &pass.seen);
        let (found, values) = seen_of(&blob, seen);
        assert_eq!(values[..4], [value, 0.0, 0.0, 0.0]);
        assert_eq!(call.constants, [("one".into(), 1)]);
        assert_eq!(blob.floats(pass.constants), [1.0]);
        assert_eq!(found, hash(Format::R32F, &[value; 15]));
        let samples = &values[4..];
        assert_eq!(samples.len(), 8 * 6);
        for sample in samples.chunks(6) {
            assert!(sample[0] < 5.0 && sample[1] < 3.0 && sample[2] == value);
        }
        assert_ne!(call.streams["x"], call.target);
        let extent = &trace.extents[call.extent];
        let rectangles = extent.rectangles.expect("a rectangle");
        assert_eq!(blob.floats(rectangles), [0.0, 0.0, 5.0, 3.0]);
        assert_eq!(blob.floats(extent.vertices).len(), 12);
    }
    assert_eq!(passes.len(), 3);
    let still = trace.still.expect("a last target");
    assert_eq!(
        (still.size, blob.floats(still.values)),
        ([5, 3], vec![3.5; 15])
    );
}

#[test]
fn of_every_pass_a_band_is_compared_and_another_one_of_the_next() {
    let machine = machine();
    let limits = Limits {
        compared: 9,
        ..Limits::default()
    };
    let run = |machine: &_| drop(count_up(machine, "x", ADD_ONE, 12));
    let Film { trace, blob } = recorded(&machine, limits, run).expect("a film");
    let passes = trace.events.iter().filter_map(|event| match event {
        Event::Pass(pass) => Some(&pass.seen),
        _ => None,
    });
    // Of three rows of five texels, one.
    for (number, seen) in (1..).zip(passes) {
        assert_eq!(seen.part, [0, number % 3, 5, 1]);
        let (found, values) = seen_of(&blob, seen);
        let expected = hash(Format::R32F, &[0.5 + number as f32; 5]);
        assert_eq!(found, expected, "pass {number}");
        assert_eq!(values[4..].len(), 5 * 6);
    }
    // To and fro, the first one counting.
    assert!(trace.calls.len() <= 4, "{:?}", trace.calls);
    let still = trace.still.expect("a last target");
    assert_eq!(blob.floats(still.values), [12.5; 15]);
}

#[test]
fn a_hash_knows_one_nan_and_one_zero_and_nothing_else_alike() {
    let nan = [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001)];
    for other in nan {
        assert_eq!(hash(Format::R32F, &nan[..1]), hash(Format::R32F, &[other]));
    }
    let of = |values: &[f32]| hash(Format::Rgba32F, values);
    assert_eq!(of(&[0.0, 1.0]), of(&[-0.0, 1.0]));
    let different = [
        [1.0, 2.0],
        [2.0, 1.0],
        [-1.0, -2.0],
        [1.0, -2.0],
        [1.0, 2.0000002],
    ];
    for (index, left) in different.iter().enumerate() {
        for right in &different[..index] {
            assert_ne!(of(left), of(right), "{left:?} and {right:?}");
        }
    }
    // FNV-1a in four chains of pairs, and of them.
    let fnv = |words: &mut dyn Iterator<Item = u64>| {
        words.fold(0xcbf2_9ce4_8422_2325u64, |hash, word| {
            (hash ^ word).wrapping_mul(0x100_0000_01b3)
        })
    };
    let data: Vec<f32> = (1..30).map(|k| 1.0 / k as f32).collect();
    let bits = |k: usize| data.get(k).map_or(0, |x| u64::from(x.to_bits()));
    let pairs: Vec<u64> = (0..15)
        .map(|k| bits(2 * k) + (bits(2 * k + 1) << 32))
        .collect();
    let chain = |first| fnv(&mut pairs.iter().copied().skip(first).step_by(4));
    assert_eq!(of(&data), fnv(&mut (0..4).map(chain)));
    assert_eq!(hash(Format::Rgba8, &[1.0]), hash(Format::Rgba8, &[0.9999]));
}

#[test]
fn what_is_too_much_for_a_film_names_what_to_lower() {
    let machine = machine();
    let limits = Limits {
        shorter: "lower --steps".into(),
        smaller: "lower --size".into(),
        ..Limits::default()
    };
    let run = |machine: &_| drop(count_up(machine, "x", ADD_ONE, 4));
    let failed = |limits: Limits| {
        recorded(&machine, limits, run)
            .expect_err("too much")
            .to_string()
    };
    let few = Limits {
        passes: 3,
        ..limits.clone()
    };
    assert_eq!(
        failed(few.clone()),
        "a film holds at most 3 passes: lower --steps"
    );
    let recorder = Recorder::start(&machine, about("told"), few.clone(), None).expect("a recorder");
    static TOLD: AtomicUsize = AtomicUsize::new(0);
    recorder.on_failure(|_| _ = TOLD.fetch_add(1, Relaxed));
    run(&machine);
    assert_eq!(TOLD.load(Relaxed), 1, "at once, and once");
    drop(recorder);
    let cut = Limits { cut: true, ..few };
    let events = recorded(&machine, cut, run).expect("a film").trace.events;
    let passes = events.iter().filter(|one| matches!(one, Event::Pass(_)));
    assert_eq!(passes.count(), 3);
    let small = Limits {
        texture_bytes: 100,
        ..limits.clone()
    };
    assert!(failed(small).ends_with("of textures at a time: lower --size"));
    let exact = Limits {
        passes: 4,
        texture_bytes: 120,
        ..limits
    };
    assert!(recorded(&machine, exact, run).is_ok());
    let nothing = recorded(&machine, Limits::default(), |_| ()).expect_err("nothing");
    assert!(matches!(nothing, FilmError::Empty(_)));
}

#[test]
fn a_recorder_that_comes_late_is_refused() {
    let machine = machine();
    let stream = Stream::zeros(&machine, "early", (2, 2), Format::R32F).expect("memory");
    let start = || Recorder::start(&machine, about("late"), Limits::default(), None);
    let refused = start().err().expect("a refusal").to_string();
    assert!(refused.contains("16 bytes"), "{refused}");
    drop(stream);
    assert!(start().is_ok());
}
