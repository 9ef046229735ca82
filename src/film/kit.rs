//! A kit: works as lists of passes and listings, which a C program runs on a card without OpenGL 3.3.
//!
//! A [`Tape`] observes a machine while a work runs. The contents of a texture are words if these are few, and else
//! numbers near those of one texel, from a seed. The tape writes the latter into the stream before its first pass, so
//! that the work and the C program compute the same. The first passes are computed in 24 bits, too, which bounds the
//! error of a card with such registers.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::card::interpreted::{Programs, texture};
use crate::gl::Format;
use crate::program::Listing;
use crate::program::formats::{Chopped24, Nearest24};
use crate::program::interpret::{Program, Texture};
use crate::stream::{Drawing, Extent, Machine, Observer, ProgramText, Rect, Stream, Switches};

/// Longest text of words.
const LONGEST: usize = 20_000;
/// Fewest equal words that a seed replaces.
const FEWEST: usize = 4096;
/// Instructions of all fragments up to which passes are computed in 24 bits. The first pass always is.
const BUDGET: u64 = 100_000_000;
/// Texels of a check.
const TEXELS: u64 = 32;
/// Smallest bound for 24 bits: the rounding error of a few operations.
const LEAST: f32 = 1.0 / 32_768.0;

/// Records works, and keeps their programs.
#[derive(Default)]
pub struct Tape(RefCell<State>);

#[derive(Default)]
struct State {
    /// Programs of all works.
    listings: Vec<(Rc<ProgramText>, Listing)>,
    programs: Programs,
    /// Numbers of the streams of this work, with their textures as text.
    textures: Vec<(u64, String)>,
    kernels: Vec<usize>,
    areas: Vec<Rc<[Rect]>>,
    /// Coordinates as forms in column and row.
    vertices: Vec<String>,
    steps: Vec<(char, String)>,
    /// Contents in 24 bits, truncated and rounded.
    shadows: [HashMap<u64, Rc<Texture<f32>>>; 2],
    computed: u64,
    /// Texels after the last pass that was computed in 24 bits, and after the last pass.
    checks: [String; 2],
    fault: Option<BoxedError>,
}

/// The place of a value in a list, at its end if it is new.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Numbers, each after a blank.
fn numbers<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|number| format!(" {}", number.to_string())).collect()
}

/// Floats as hexadecimal words, each after a blank.
fn words(all: impl IntoIterator<Item = impl Borrow<f32>>) -> String {
    all.into_iter().map(|number| format!(" {:x}", number.borrow().to_bits())).collect()
}

impl Tape {
    /// Records a work, as the C program reads it.
    ///
    /// # Errors
    /// Those of the work, and what a kit cannot have.
    pub fn record(
        self: &Rc<Self>,
        machine: &Machine,
        run: impl FnOnce() -> Result<(), BoxedError>,
    ) -> Result<String, BoxedError> {
        let State { listings, .. } = self.0.take();
        *self.0.borrow_mut() = State { listings, ..State::default() };
        let observation = machine.observe(Rc::clone(self) as _)?;
        let done = run();
        drop(observation);
        let state = &mut *self.0.borrow_mut();
        state.fault.take().map_or(done, Err)?;
        let State { textures, kernels, areas, vertices, steps, checks, .. } = &*state;
        let counts = [textures.len(), kernels.len(), areas.len(), vertices.len(), steps.len()];
        let mut text = numbers(counts) + "\n";
        text.extend(textures.iter().map(|(_, texture)| texture.as_str()));
        for &at in kernels {
            let Listing { streams, parameters, coordinates, .. } = &state.listings[at].1;
            let counts = [streams.len(), parameters.len(), coordinates.len()];
            text += &format!("f p{at:02}{}\n", numbers(counts));
        }
        for area in areas {
            let sides = area.iter().flat_map(|rect| [rect.x, rect.y, rect.width, rect.height]);
            text += &format!("a {}{}\n", area.len(), numbers(sides));
        }
        text.extend(vertices.iter().chain(checks).map(String::as_str));
        text.extend(steps.iter().map(|(kind, step)| format!("{kind}{step}\n")));
        Ok(text + ".\n")
    }

    /// The programs of all works: name of the file, and the texts for ARB_fragment_program and NV_fragment_program.
    pub fn programs(&self) -> Result<Vec<(String, [String; 2])>, BoxedError> {
        let texts = |(at, (_, listing)): (usize, &(_, Listing))| {
            let mut nv = listing.clone();
            let constants = nv.parameters.iter_mut().enumerate();
            constants.for_each(|(number, constant)| constant.name = format!("c{number}"));
            Ok((format!("p{at:02}"), [listing.arb()?.text, nv.to_string()]))
        };
        self.0.borrow().listings.iter().enumerate().map(texts).collect()
    }

    /// Keeps the first fault.
    fn note(&self, done: Result<(), BoxedError>) {
        if let Err(fault) = done {
            self.0.borrow_mut().fault.get_or_insert(fault);
        }
    }

    /// The place of a stream's texture. At the first use its contents are recorded, or replaced by those of a seed.
    fn meet(&self, stream: &Stream, is_overwritten: bool) -> Result<usize, BoxedError> {
        let known = |(number, _): &(u64, String)| *number == stream.number();
        if let Some(place) = self.0.borrow().textures.iter().position(known) {
            return Ok(place);
        }
        let ((width, height), format) = (stream.size(), stream.format());
        if format == Format::Rgba8 {
            return Err("a texture of bytes".into());
        }
        let (channels, bits) = (format.channels(), 8 * format.channel_bytes());
        let mut data = stream.read_back()?;
        if is_overwritten {
            data.fill(0.0);
        }
        let mut contents = packed(bytemuck::cast_slice(&data), channels);
        if contents.is_empty() {
            let at = channels * (height / 2 * width + width / 2) as usize;
            let texels = [&data[at..][..channels]].into_iter().chain(data.chunks(channels));
            let is_set = |texel: &&[f32]| texel.iter().any(|number| *number != 0.0);
            let base = { texels }.find(is_set).unwrap_or_default().to_vec();
            let seed = self.0.borrow().textures.len() as u32 + 1;
            contents = format!("s {seed:x}{}", words(&base));
            seeded(&mut data, &base, bits == 16, seed);
            stream.write_rect(stream.full(), &data)?;
        }
        let state = &mut *self.0.borrow_mut();
        let size = numbers([width as usize, height as usize, channels, bits]);
        state.textures.push((stream.number(), format!("t{size} {contents}\n")));
        let shadow = Rc::new(texture(stream)?);
        for all in &mut state.shadows {
            all.insert(stream.number(), Rc::clone(&shadow));
        }
        Ok(state.textures.len() - 1)
    }

    fn pass(&self, pass: Drawing<'_>) -> Result<(), BoxedError> {
        let Extent::Rects(rects) = pass.extent else { return Err("points".into()) };
        let target = self.meet(pass.target, false)?;
        let state = &mut *self.0.borrow_mut();
        let (text, programs) = (pass.kernel.text(), state.programs.of(pass, true)?);
        let known = state.listings.iter().position(|(known, _)| known == text);
        let at = known.unwrap_or(state.listings.len());
        if known.is_none() {
            state.listings.push((Rc::clone(text), Listing::of(&text.fragment)?));
        }
        let listing = &state.listings[at].1;
        listing.arb()?;
        let (width, height) = pass.target.size();
        let mut form = String::new();
        if !listing.coordinates.is_empty() {
            let run = pass.bound::<f32>(&programs, &[] as &[(&str, Rc<Texture<f32>>)]);
            let forms = run.forms((width as usize, height as usize))?;
            let forms = listing
                .coordinates
                .iter()
                .flat_map(|one| forms.get(&one.name).copied().unwrap_or_default());
            form = format!("v {}{}\n", listing.coordinates.len(), words(forms.flatten()));
        }
        let places = [
            place(&mut state.kernels, at),
            target,
            place(&mut state.areas, Rc::clone(rects.list())),
            usize::from(pass.run.feedback),
            if form.is_empty() { 0 } else { place(&mut state.vertices, form) },
        ];
        let number = |name: &String| {
            pass.streams.iter().find(|(given, _)| given == name).map(|(_, stream)| stream.number())
        };
        let streams = listing.streams.iter().map(number);
        let streams = streams.filter_map(|number| {
            state.textures.iter().position(|(known, _)| Some(*known) == number)
        });
        let constants = listing.parameters.iter().flat_map(|one| {
            let mut four = [width as f32, height as f32, 0.0, 0.0]; // of target_size, which no pass gives
            if let Some((_, value)) = pass.constants.iter().find(|(name, _)| *name == one.name) {
                four = [0.0; 4];
                four[..value.numbers().len()].copy_from_slice(value.numbers());
            }
            four
        });
        let constants: Vec<f32> = constants.collect();
        state.steps.push(('p', numbers(places) + &numbers(streams) + &words(&constants)));
        let data = pass.target.read_back()?;
        let cost = pass.run.fragments * listing.instructions.len() as u64;
        let is_within = state.computed > 0 && state.computed + cost <= BUDGET;
        let is_computed = is_within || state.checks[0].is_empty();
        state.computed = if is_computed { state.computed + cost } else { 0 };
        let bound = if is_computed { state.bound(pass, &programs, &data)? } else { 0.0 };
        let check = state.check(bound, (target, pass.target), rects.list(), &data);
        if is_computed {
            state.checks[0].clone_from(&check);
        }
        state.checks[1] = check;
        Ok(())
    }
}

impl State {
    /// Computes a pass in 24 bits, and returns a bound for the error, relative to the largest number.
    fn bound(
        &mut self,
        pass: Drawing<'_>,
        programs: &[Program; 2],
        data: &[f32],
    ) -> Result<f32, BoxedError> {
        let mut worst = 0.0_f32;
        for (at, shadow) in self.shadows.iter_mut().enumerate() {
            let inputs = pass.streams.iter().filter_map(|(name, stream)| {
                Some((*name, Rc::clone(shadow.get(&stream.number())?)))
            });
            let inputs: Vec<_> = inputs.collect();
            let Some(target) = shadow.get_mut(&pass.target.number()) else { continue };
            let drawn = Rc::make_mut(target);
            match at {
                0 => pass.interpret::<Chopped24>(programs, &inputs, drawn)?,
                _ => pass.interpret::<Nearest24>(programs, &inputs, drawn)?,
            };
            let errors = drawn.data().iter().zip(data).map(|(narrow, wide)| (narrow - wide).abs());
            worst = worst.max(
                errors
                    .map(|one| if one.is_nan() { f32::INFINITY } else { one })
                    .fold(0.0, f32::max),
            );
        }
        let largest = data.iter().fold(f32::MIN_POSITIVE, |most, number| most.max(number.abs()));
        match 2.0 * worst / largest {
            bound if bound.is_finite() => Ok(bound.max(LEAST)),
            _ => Err("numbers that are not finite".into()),
        }
    }

    /// A check: bound, hash of all texels, number of steps, texture, and some texels that were drawn.
    fn check(
        &self,
        bound: f32,
        (place, target): (usize, &Stream),
        rects: &[Rect],
        data: &[f32],
    ) -> String {
        let hash = |hash: u32, number: &f32| (hash ^ number.to_bits()).wrapping_mul(0x0100_0193);
        let hash = data.iter().fold(0x811c_9dc5, hash);
        let rect = rects.iter().max_by_key(|rect| rect.area()).copied().unwrap_or(target.full());
        let count = rect.area().min(TEXELS);
        let texel = |k| {
            let at = (2 * k + 1) * rect.area() / (2 * count);
            [
                rect.x + (at % u64::from(rect.width)) as u32,
                rect.y + (at / u64::from(rect.width)) as u32,
            ]
        };
        let texels: Vec<[u32; 2]> = (0..count).map(texel).collect();
        let channels = target.format().channels();
        let values = texels
            .iter()
            .flat_map(|[x, y]| &data[channels * (y * target.width() + x) as usize..][..channels]);
        let (steps, bound) = (self.steps.len(), words([&bound]));
        let places = numbers(texels.as_flattened());
        format!("k{bound} {hash:x} {steps} {place} {count}{places}{}\n", words(values))
    }
}

/// Words as zeros, or literally with copies of earlier ones. Empty if that is long, and for many equal ones that are
/// not zero.
fn packed(all: &[u32], channels: usize) -> String {
    if all.iter().all(|word| *word == 0) {
        return "z".into();
    }
    if all.len() >= FEWEST && all.chunks(channels).all(|texel| texel == &all[..channels]) {
        return String::new();
    }
    let (mut text, mut at, mut first, mut known) = (String::from("d"), 0, 0, HashMap::new());
    let literal = |all: &[u32]| match all.len() {
        0 => String::new(),
        count => all.iter().fold(format!(" l {count}"), |text, word| format!("{text} {word:x}")),
    };
    while at < all.len() {
        let from = all.get(at..at + 4).and_then(|key| known.insert(key, at));
        let equal =
            |from: usize| all[from..].iter().zip(&all[at..]).take_while(|(a, b)| a == b).count();
        match from.map(|from| (from, equal(from))) {
            Some((from, length)) => {
                text += &format!("{} c {} {length}", literal(&all[first..at]), at - from);
                (at, first) = (at + length, at + length);
            }
            None => at += 1,
        }
        if text.len() + 2 * (at - first) > LONGEST {
            return String::new();
        }
    }
    format!("{text}{} .", literal(&all[first..]))
}

/// Numbers within a sixteenth of some, from a seed, as the C program makes them.
fn seeded(data: &mut [f32], base: &[f32], is_half: bool, mut random: u32) {
    for (number, base) in data.iter_mut().zip(base.iter().cycle()) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        let factor = 1.0 + (f64::from(random >> 16) - 32_768.0) / 524_288.0;
        let bits = ((f64::from(*base) * factor) as f32).to_bits();
        *number = f32::from_bits(if is_half { bits & 0xFFFF_E000 } else { bits });
    }
}

impl Observer for Tape {
    fn before(&self, pass: Drawing<'_>) {
        let (full, extent) = (pass.target.full(), pass.extent);
        let is_whole = matches!(extent, Extent::Rects(rects) if rects.list().contains(&full));
        let inputs = pass.streams.iter().map(|(_, stream)| (*stream, false));
        let mut all = inputs.chain([(pass.target, is_whole)]);
        self.note(all.try_for_each(|(stream, is_whole)| self.meet(stream, is_whole).map(drop)));
    }

    fn after(&self, pass: Drawing<'_>, _: Switches) {
        self.note(self.pass(pass));
    }

    fn counted(&self, _: u32) {
        self.0.borrow_mut().steps.last_mut().into_iter().for_each(|(kind, _)| *kind = 'P');
    }

    fn read(&self, stream: &Stream, Rect { x, y, width, height }: Rect, _: bool) {
        self.note(self.meet(stream, false).map(|at| {
            let step = numbers([at as u32, x, y, width, height]);
            self.0.borrow_mut().steps.push(('r', step));
        }));
    }

    fn filled(&self, stream: &Stream, value: [f32; 4]) {
        self.note(self.meet(stream, true).map(|at| {
            let state = &mut *self.0.borrow_mut();
            state.steps.push(('x', format!(" {at}{}", words(value))));
            // The contents in 24 bits end here.
            state.computed = 0;
        }));
    }

    fn finished(&self) {
        self.0.borrow_mut().steps.push(('g', String::new()));
    }

    fn written(&self, stream: &Stream, _: Rect, _: &[f32]) {
        let state = &mut *self.0.borrow_mut();
        if state.textures.iter().any(|(number, _)| *number == stream.number()) {
            state.fault.get_or_insert("an upload in its run".into());
        }
    }

    fn drawn_outside(&self, _: &Stream) {
        self.note(Err("a picture".into()));
    }
}
