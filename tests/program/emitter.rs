//! A listing computes what its text does: both are interpreted in double precision.

use std::cell::RefCell;
use std::rc::Rc;

use fragstream::card::interpret::{Program, Run, Texture};
use fragstream::program::Listing;
use fragstream::program::listing::{Opcode, Operand, Relation, Target};
use fragstream::stream::{Drawing, Extent, Machine, Observer, Surface, Switches};

use crate::card::programs::assembled;

/// Looks on while a machine works, and runs the text and the listing of every pass.
#[derive(Default)]
struct Emitted {
    programs: RefCell<usize>,
    wrong: RefCell<Vec<String>>,
}

fn texture(stream: &dyn Surface) -> Texture<f64> {
    let data = stream.read_back().expect("a stream that can be read");
    Texture::of_singles(stream.size(), stream.format().channels(), &data)
}

/// What a program makes of a pass.
fn drawn(program: &Program, vertex: &Program, pass: Drawing<'_>) -> Vec<u64> {
    let streams: Vec<(&str, Texture<f64>)> = (pass.streams.iter())
        .map(|(name, stream)| (&**name, texture(*stream)))
        .collect();
    let mut run = Run::new(program).vertices(vertex);
    let declares = |name: &str| program.declares(name) || vertex.declares(name);
    for (name, stream) in streams.iter().filter(|(name, _)| declares(name)) {
        run = run.read(name, stream);
    }
    for (name, value) in pass.constants.iter().filter(|(name, _)| declares(name)) {
        run = run.set(name, value.iter().map(|&value| f64::from(value)));
    }
    let mut target = texture(pass.target);
    match pass.extent {
        Extent::Rects(rects) => run.draw(&mut target, rects.list()),
        Extent::Points(points) => run.draw_points(&mut target, points.list(), points.moved()),
    }
    .expect("a program that can be run");
    // Zeros of both signs are equal, and all that is not a number.
    let bits = |value: &f64| match value.is_nan() {
        true => u64::MAX,
        false => (value + 0.0).to_bits(),
    };
    target.data().iter().map(bits).collect()
}

/// How many numbers a listing makes otherwise than the text.
fn differences(listing: &Listing, pass: Drawing<'_>) -> usize {
    let text = pass.kernel.text();
    let vertex = Program::new(&text.vertex).expect("a vertex program");
    let program = Program::folded(&text.fragment).expect("a fragment program");
    let expected = drawn(&program, &vertex, pass);
    let found = drawn(&Program::of_listing(listing), &vertex, pass);
    expected.iter().zip(&found).filter(|(a, b)| a != b).count()
}

impl Observer for Emitted {
    fn before(&self, pass: Drawing<'_>) {
        *self.programs.borrow_mut() += 1;
        let name = pass.kernel.name();
        let listing = Listing::of(&pass.kernel.text().fragment).expect("a listing");
        let found = differences(&listing, pass);
        if found > 0 {
            self.wrong
                .borrow_mut()
                .push(format!("{name}: {found}\n{listing}"));
        }
    }

    fn after(&self, _: Drawing<'_>, _: Switches) {}
}

#[test]
fn every_listing_computes_what_its_text_says() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let emitted = Rc::new(Emitted::default());
    let observation = machine
        .observe(Rc::clone(&emitted) as _)
        .expect("no streams");
    for line in assembled() {
        line.finding(&machine);
    }
    drop(observation);
    let wrong = emitted.wrong.take();
    assert!(*emitted.programs.borrow() > 150);
    assert!(
        wrong.is_empty(),
        "{} programs\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A slip that an emitter could make, if the listing has a place for it.
type Slip = fn(&mut Listing) -> bool;

fn operand(listing: &mut Listing, opcode: Opcode) -> Option<&mut Operand> {
    let mut all = listing.instructions.iter_mut();
    all.find(|one| one.opcode == opcode)?.operands.first_mut()
}

const SLIPS: [(&str, Slip); 6] = [
    ("a sign", |listing| {
        let operand = operand(listing, Opcode::Mul);
        operand.map(|one| one.negated = !one.negated).is_some()
    }),
    ("a swizzle", |listing| {
        let operand = operand(listing, Opcode::Tex);
        operand.map(|one| one.swizzle = [1, 0, 0, 0]).is_some()
    }),
    ("a texture unit", |listing| {
        let units = listing.streams.len();
        let mut all = listing.instructions.iter_mut();
        let fetch = all.find(|one| one.opcode == Opcode::Tex);
        units > 1 && fetch.map(|one| one.unit = (one.unit + 1) % units).is_some()
    }),
    ("a relation", |listing| {
        let mut tests = listing
            .instructions
            .iter_mut()
            .filter_map(|one| one.test.as_mut());
        let test = tests.next();
        test.map(|one| one.relation = Relation::inverse(one.relation))
            .is_some()
    }),
    ("a register that is overwritten too early", |listing| {
        let mut all = listing.instructions.iter_mut().rev();
        let last = all.find(|one| matches!(one.target, Target::Temporary(1)));
        last.map(|one| one.target = Target::Temporary(0)).is_some()
    }),
    ("an instruction that is left out", |listing| {
        listing.instructions.remove(0);
        true
    }),
];

/// Spoils the listing of every pass in one way.
struct Spoiled {
    slip: Slip,
    /// Listings with that slip, and those of them that compute something else.
    found: RefCell<[usize; 2]>,
}

impl Observer for Spoiled {
    fn before(&self, pass: Drawing<'_>) {
        let mut listing = Listing::of(&pass.kernel.text().fragment).expect("a listing");
        if (self.slip)(&mut listing) {
            let mut found = self.found.borrow_mut();
            found[0] += 1;
            found[1] += usize::from(differences(&listing, pass) > 0);
        }
    }

    fn after(&self, _: Drawing<'_>, _: Switches) {}
}

#[test]
fn slips_of_the_emitter_would_be_noticed() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    for (name, slip) in SLIPS {
        let found = RefCell::default();
        let spoiled = Rc::new(Spoiled { slip, found });
        let observation = machine
            .observe(Rc::clone(&spoiled) as _)
            .expect("no streams");
        for line in assembled().iter().step_by(5) {
            line.finding(&machine);
        }
        drop(observation);
        let [all, noticed] = spoiled.found.take();
        assert!(all >= 3, "{name}: {all} programs");
        assert!(
            noticed * 4 >= all * 3,
            "{name}: {noticed} of {all} are noticed"
        );
    }
}
