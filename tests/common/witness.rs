//! Compares every pass of a machine with its program.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use fragstream::program::interpret::{Arithmetic, InterpretError, Program, Texture};
use fragstream::stream::{Drawing, Observer, ProgramText, Stream, Switches};

use super::estimate::Estimate;

/// Distance between neighbouring half-precision numbers near 1, and near 0; some drivers truncate.
const HALF_PRECISION: [f64; 2] = [1.0 / (1u64 << 10) as f64, 1.0 / (1u64 << 24) as f64];

/// One of 255 levels of a channel from 0 to 1.
const SHADE: f64 = 1.0 / 255.0;

/// Observes a machine ([`fragstream::stream::Machine::observe`]), runs the program of every pass on the CPU from the
/// same streams, and keeps the findings. The bound of a difference is not chosen but follows from the
/// operations of the program ([`Estimate`]).
#[derive(Default)]
pub struct Witness {
    programs: RefCell<HashMap<Rc<ProgramText>, Rc<[Program; 2]>>>,
    /// State before the present pass: its streams, by name, and its target.
    before: RefCell<Option<Before>>,
    findings: RefCell<BTreeMap<String, Finding>>,
}

/// Numbers of a texture, by the size of a stream and its channels.
struct Contents {
    size: (u32, u32),
    channels: usize,
    data: Vec<f32>,
}

impl Contents {
    fn of(stream: &Stream) -> Option<Self> {
        let (size, channels) = (stream.size(), stream.format().channels());
        Some(Self { size, channels, data: stream.read_back().ok()? })
    }

    fn texture<T: Arithmetic>(&self) -> Texture<T> {
        Texture::of_singles(self.size, self.channels, &self.data)
    }
}

struct Before {
    streams: Vec<(String, Contents)>,
    target: Contents,
}

/// Finding about a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// Number of compared passes.
    pub passes: u64,
    /// Number of values in their targets.
    pub numbers: u64,
    /// Number of values without a useful bound: infinite, undefined, or with a bound above a hundredth of the
    /// largest value, as when rounding decides a comparison.
    pub undecided: u64,
    /// Number of values, bounded or not, that differ by more than one level of a picture (`SHADE`).
    pub visible: u64,
    /// Visible differences from the program in single precision, each operation rounded in the order of the text.
    pub visible_in_single: u64,
    /// Largest difference as a fraction of its bound.
    pub worst: f64,
    /// First contradiction of the program, if any.
    pub contradiction: Option<String>,
}

impl Witness {
    /// Findings by name of the kernel.
    pub fn findings(&self) -> BTreeMap<String, Finding> {
        self.findings.borrow().clone()
    }

    fn record(pass: Drawing<'_>) -> Option<Before> {
        let streams = pass.streams.iter();
        let streams = streams.map(|(name, stream)| Some((name.to_string(), Contents::of(stream)?)));
        Some(Before {
            streams: streams.collect::<Option<_>>()?,
            target: Contents::of(pass.target)?,
        })
    }

    /// The programs of a pass, parsed once.
    fn programs(&self, pass: Drawing<'_>) -> Result<Rc<[Program; 2]>, InterpretError> {
        let text = pass.kernel.text();
        if let Some(known) = self.programs.borrow().get(text) {
            return Ok(Rc::clone(known));
        }
        let programs = Rc::new([Program::new(&text.fragment)?, Program::vertex(&text.vertex)?]);
        self.programs.borrow_mut().insert(Rc::clone(text), Rc::clone(&programs));
        Ok(programs)
    }

    /// Expected contents of the target.
    fn expected<T: Arithmetic>(
        &self,
        pass: Drawing<'_>,
        before: &Before,
    ) -> Result<Texture<T::Stored>, InterpretError> {
        let programs = self.programs(pass)?;
        let streams = before.streams.iter();
        let streams: Vec<_> =
            streams.map(|(name, stream)| (name.as_str(), Box::new(stream.texture()))).collect();
        let mut target = before.target.texture();
        pass.interpret::<T>(&programs, &streams, &mut target)?;
        Ok(target)
    }
}

impl Observer for Witness {
    fn before(&self, pass: Drawing<'_>) {
        *self.before.borrow_mut() = Self::record(pass);
    }

    fn after(&self, pass: Drawing<'_>, _: Switches) {
        let mut findings = self.findings.borrow_mut();
        let finding = findings.entry(pass.kernel.name().to_owned()).or_default();
        let before = self.before.take();
        let compared = match (before, pass.target.read_back()) {
            (Some(before), Ok(found)) => {
                let expected = self.expected::<Estimate>(pass, &before);
                let both = expected.and_then(|one| Ok((one, self.expected::<f32>(pass, &before)?)));
                both.map(|both| finding.compare(pass.target, (&both.0, &both.1), &found))
            }
            _ => return finding.contradict(|| "its streams cannot be read back".into()),
        };
        if let Err(error) = compared {
            finding.contradict(|| error.to_string());
        }
    }
}

impl Finding {
    fn contradict(&mut self, what: impl FnOnce() -> String) {
        self.contradiction.get_or_insert_with(what);
    }

    fn compare(
        &mut self,
        target: &Stream,
        (expected, single): (&Texture<Estimate>, &Texture<f32>),
        found: &[f32],
    ) {
        self.passes += 1;
        let channels = target.format().channels();
        let ([relative, least], largest) = match target.format().channel_bytes() {
            2 => (HALF_PRECISION, 65_504.0),
            // Drivers flush numbers below the smallest normal one.
            _ => ([0.0, 1e-37], f64::from(f32::MAX)),
        };
        let sizes = expected.data().iter().map(|one| one.value.abs());
        let most = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
        let is_visible = |expected: f64, found: f32| {
            let light = [f64::from(found), expected].map(|light| light.clamp(0.0, 1.0));
            (light[0] - light[1]).abs() > SHADE
        };
        let singles = single.data().iter().zip(found);
        let visible = singles.filter(|&(&one, &found)| is_visible(one.into(), found));
        self.visible_in_single += visible.count() as u64;
        for (place, (expected, &found)) in expected.data().iter().zip(found).enumerate() {
            self.numbers += 1;
            let bound = expected.error + relative * expected.value.abs() + least;
            if expected.value.is_nan() && found.is_nan() {
                continue;
            }
            self.visible += u64::from(is_visible(expected.value, found));
            if !bound.is_finite() || expected.value.is_nan() || expected.value.abs() > largest {
                self.undecided += 1;
                continue;
            }
            let ratio = (f64::from(found) - expected.value).abs() / bound;
            if ratio <= 1.0 {
                self.undecided += u64::from(bound > 0.01 * most + least);
                self.worst = self.worst.max(ratio);
                continue;
            }
            self.contradict(|| {
                let width = target.size().0 as usize;
                let (record, channel) = (place / channels, place % channels);
                let (x, y) = (record % width, record / width);
                format!(
                    "{} at ({x}, {y}), channel {channel}: {found} for {}, bound {bound:.1e}",
                    target.label(),
                    expected.value
                )
            });
        }
    }
}
