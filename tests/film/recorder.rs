//! The recorder sees everything and changes nothing.

use std::cell::RefCell;
use std::rc::Rc;

use fragstream::base::random::SplitMix64;
use fragstream::card::dialect::user_source;
use fragstream::film::{
    Event, Film, FilmError, PAGE_BYTES, PASSES, Pass as Drawn, Recorder, hash, page,
};
use fragstream::stream::{Format, Ledger, Limits, Machine, Pass, Point, Rect, Stream, StreamError};

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
            true => drop(recorded(&machine, PAGE_BYTES, run).expect("a film")),
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
    let trace = recorded(&machine, PAGE_BYTES, run).expect("a film").trace;
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
                told.bytes_uploaded += 4 * u64::from(data.1);
            }
            Event::Geometry { bytes } => {
                told.uploads += 1;
                told.bytes_uploaded += bytes;
            }
            Event::Read { rectangle: [_, _, width, height], context_switches, .. } => {
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

/// The events that are passes.
fn passes(film: &Film) -> Vec<&Drawn> {
    let events = film.trace.events.iter();
    let passes = events.filter_map(|event| match event {
        Event::Pass(pass) => Some(pass),
        _ => None,
    });
    passes.collect()
}

/// Of a pass with one constant: that, the hash of what was drawn, and the peaks and samples.
fn values_of<'a>(floats: &'a [f32], pass: &Drawn) -> (f32, u64, &'a [f32]) {
    let values = pass.values.of(floats);
    let [low, high] = [1, 2].map(|at: usize| u64::from(values[at].to_bits()));
    (values[0], low | high << 32, &values[3..])
}

#[test]
fn a_pass_is_recorded_with_its_numbers() {
    let machine = machine();
    let run = |machine: &_| drop(count_up(machine, "x", ADD_ONE, 12));
    let film = recorded(&machine, PAGE_BYTES, run).expect("a film");
    let (trace, floats) = (&film.trace, film.floats().expect("floats"));
    let passes = passes(&film);
    for (number, pass) in passes.iter().enumerate() {
        let value = 1.5 + number as f32;
        let call = &trace.calls[pass.call];
        assert_eq!(call.constants, [("one".into(), 1)]);
        let (one, found, values) = values_of(&floats, pass);
        assert_eq!((one, found), (1.0, hash(Format::R32F, &[value; 15])));
        // The peak and eight samples.
        assert_eq!(values, [value; 9]);
        assert_ne!(call.streams["x"], call.target);
        let extent = &trace.extents[call.extent];
        let rectangles = extent.rectangles.expect("a rectangle");
        assert_eq!(rectangles.of(&floats), [0.0, 0.0, 5.0, 3.0]);
        assert_eq!(extent.vertices.of(&floats).len(), 12);
    }
    assert_eq!(passes.len(), 12);
    // To and fro, the first one counting.
    assert!(trace.calls.len() <= 4, "{:?}", trace.calls);
    let still = trace.still.as_ref().expect("a last target");
    assert_eq!(still.size, [5, 3]);
    assert_eq!(still.values.of(&floats), [12.5; 15]);
}

/// Writes its column and ten times its row.
const PLACES: &str = "void main() { result = vec4(dot(floor(here), vec2(1.0, 10.0))); }\n";

#[test]
fn of_what_a_pass_draws_the_rectangle_around_it_and_texels_in_it_are_kept() {
    let machine = machine();
    let corner = |x, y| Rect::at([x, y], (2, 1));
    let point = |x, y| Point { target: [x, y], value: 0.0, source: [0, 0] };
    let run = |machine: &Machine| -> Result<(), StreamError> {
        let source = user_source("places", PLACES, Limits::NV30)?;
        let target = Stream::zeros(machine, "y", (6, 5), Format::R32F)?;
        let rects = machine.rects(&[corner(1, 1), corner(3, 3)])?;
        let kernel = machine.kernel(&source, &[])?;
        Pass::new(&kernel).draw(&target, &rects)?;
        // Five columns further the second one is in the next row.
        let points = machine.points(&[point(0, 0), point(4, 0)])?.moved_by([5, 0]);
        let kernel = machine.kernel(&source.for_points(), &[])?;
        Pass::new(&kernel).draw(&target, &points)
    };
    let run = |machine: &_| run(machine).expect("two passes");
    let film = recorded(&machine, PAGE_BYTES, run).expect("a film");
    let floats = film.floats().expect("floats");
    let recorded: Vec<(u64, &[f32])> = passes(&film)
        .into_iter()
        .map(|pass| {
            let values = pass.values.of(&floats);
            let [low, high] = [0, 1].map(|at: usize| u64::from(values[at].to_bits()));
            (low | high << 32, &values[2..])
        })
        .collect();
    let around = [[11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 33.0, 34.0]];
    let expected = hash(Format::R32F, around.as_flattened());
    assert_eq!(recorded[0], (expected, &[34.0, 11.0, 12.0, 33.0, 34.0][..]));
    let around = [0.0, 0.0, 5.0, 13.0, 0.0, 0.0];
    let expected = hash(Format::R32F, &around);
    assert_eq!(recorded[1], (expected, &[13.0, 5.0, 13.0][..]));
}

#[test]
fn a_hash_knows_one_nan_and_one_zero_and_nothing_else_alike() {
    let nan = [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001)];
    for other in nan {
        assert_eq!(hash(Format::R32F, &nan[..1]), hash(Format::R32F, &[other]));
    }
    let of = |values: &[f32]| hash(Format::Rgba32F, values);
    assert_eq!(of(&[0.0, 1.0]), of(&[-0.0, 1.0]));
    let different = [[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [1.0, -2.0], [1.0, 2.0000002]];
    for (index, left) in different.iter().enumerate() {
        for right in &different[..index] {
            assert_ne!(of(left), of(right), "{left:?} and {right:?}");
        }
    }
    let data: Vec<f32> = (1..30).map(|k| 1.0 / k as f32).collect();
    let fnv = data.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, x| {
        (hash ^ u64::from(x.to_bits())).wrapping_mul(0x100_0000_01b3)
    });
    assert_eq!(of(&data), fnv);
    // A sign is not lost where there are as many of them again.
    assert_ne!(of(&[1.0; 16]), of(&[[1.0, -1.0]; 8].concat()));
    assert_eq!(hash(Format::Rgba8, &[1.0]), hash(Format::Rgba8, &[0.9999]));
}

#[test]
fn a_film_that_is_full_ends_once_and_keeps_what_it_has() {
    let machine = machine();
    let told = Rc::new(RefCell::new(Vec::new()));
    let ends = Rc::clone(&told);
    let on_end = move |end: &FilmError| ends.borrow_mut().push(end.clone());
    let recorder = Recorder::start(&machine, about("full"), PAGE_BYTES, on_end);
    let recorder = recorder.expect("a recorder");
    let result = count_up(&machine, "x", ADD_ONE, PASSES + 3);
    assert_eq!(result, [PASSES as f32 + 3.5; 15], "the run goes on");
    let film = recorder.finish().expect("a film");
    assert_eq!(passes(&film).len(), PASSES);
    assert_eq!(told.take(), [FilmError::Passes]);
    let nothing = recorded(&machine, PAGE_BYTES, |_| ()).expect_err("nothing");
    assert!(matches!(nothing, FilmError::Empty(_)));
}

#[test]
fn a_film_never_outgrows_its_page() {
    let machine = machine();
    let page_bytes = 200_000;
    // Uploads that can hardly be packed, of four kilobytes and of one megabyte.
    let run = |machine: &Machine| {
        let mut random = SplitMix64::new(3);
        for side in [32, 32, 512, 32] {
            let data = random.vector((side * side) as usize);
            let stream = Stream::from_data(machine, "noise", (side, side), Format::R32F, &data);
            drop(stream.expect("a stream"));
            count_up(machine, "x", ADD_ONE, 2);
        }
    };
    let films = [recorded(&machine, page_bytes, run).expect("a film")];
    assert_eq!(passes(&films[0]).len(), 4);
    assert!(page("noise", &films, "", page_bytes).is_ok());
}

#[test]
fn a_recorder_that_comes_late_is_refused_or_begins_with_what_is_there() {
    let machine = machine();
    let early = Stream::zeros(&machine, "early", (2, 2), Format::R32F).expect("memory");
    let target = Stream::zeros(&machine, "target", (2, 2), Format::R32F).expect("memory");
    let start = || Recorder::start(&machine, about("late"), PAGE_BYTES, |_| ());
    let refused = start().err().expect("a refusal").to_string();
    assert!(refused.contains("32 bytes"), "{refused}");
    early.fill([3.0; 4]);
    let source = user_source("add one", ADD_ONE, Limits::NV30).expect("a program");
    let kernel = machine.kernel(&source, &[]).expect("a kernel");
    let joined = Recorder::join(&machine, about("late"), PAGE_BYTES, |_| ()).expect("a recorder");
    for _ in 0..2 {
        let pass = Pass::new(&kernel).read("x", &early).set("one", 1.0);
        pass.draw(&target, target.full()).expect("a pass");
    }
    let film = joined.finish().expect("a film");
    let floats = film.floats().expect("floats");
    let uploads = film.trace.events.iter().filter_map(|event| match event {
        Event::Upload { stream, data, .. } => Some((*stream, data.of(&floats))),
        _ => None,
    });
    assert_eq!(uploads.collect::<Vec<_>>(), [(0, &[3.0; 4][..]), (1, &[0.0; 4])]);
    assert_eq!(passes(&film).len(), 2);
    drop((early, target));
    assert!(start().is_ok());
}
