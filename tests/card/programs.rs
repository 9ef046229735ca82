//! Every program of `glsl/`, assembled: what its text leaves open is settled here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::LazyLock;

use fragstream::base::random::SplitMix64;
use fragstream::stream::{
    Constant, Format, Kernel, Limits, Machine, Part, Pass, Point, Source, Stream,
};

use crate::claim::readme;
use crate::common::witness::{Finding, Witness};

/// What a text leaves open, one program per line; one that leaves nothing open has none.
///
/// `program + parts in front @ vertex program: settings`; a file of the program's paper goes by its
/// name alone. A setting in capitals is a `#define`. Of the others numbers are a constant, `places` is
/// a stream of pointers to records, `positive` one of numbers from 1 to 2.
const OPEN: &str = include_str!("../../glsl/programs.txt");

/// A surface for the program of meshes.
const SHEET: &str = "out vec3 from_centre; out vec3 place; out vec3 outward; out vec3 colour;
    out vec2 straight; out float way; void main() { gl_Position = placed;
    from_centre = vec3(0.03 * corner, 0.01 * corner.x - 0.02 * corner.y);
    place = from_centre; outward = vec3(0.2) + from_centre; colour = place.yzx;
    straight = 0.7 * corner + 0.2 * corner.yx; way = 0.1 * corner.y; }";

/// Columns and rows of all streams and targets.
const SIZE: (u32, u32) = (23, 13);

/// Whether a setting goes in front of the text.
fn is_define(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A line of [`OPEN`].
#[derive(Debug)]
pub struct Open {
    pub program: &'static str,
    pub parts: Vec<&'static str>,
    vertex: Option<&'static str>,
    settings: Vec<(&'static str, &'static str)>,
}

/// All files below `glsl/`, with their paths relative to the repository.
pub fn files() -> &'static [(String, String)] {
    static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let mut files = readme::files(&readme::root().join("glsl"));
        files.retain(|path| !path.ends_with("README.md") && !path.ends_with("programs.txt"));
        files.sort();
        let read = |path: PathBuf| {
            let text = fs::read_to_string(&path).expect("a text");
            (readme::below_root(&path).display().to_string(), text)
        };
        files.into_iter().map(read).collect()
    });
    &FILES
}

/// Each line of [`OPEN`], and each file that none is for.
pub fn assembled() -> Vec<Open> {
    let lines = OPEN.lines().filter(|line| !line.is_empty());
    let mut lines: Vec<Open> = lines.map(Open::new).collect();
    let named: BTreeSet<&str> = lines.iter().map(|line| line.program).collect();
    let files = files().iter().filter_map(|(file, _)| {
        let name = file.strip_prefix("glsl/")?;
        name.strip_suffix(".frag")
    });
    lines.extend(files.filter(|file| !named.contains(file)).map(Open::new));
    lines
}

impl Open {
    fn new(line: &'static str) -> Self {
        let (head, settings) = line.split_once(": ").unwrap_or((line, ""));
        let (head, vertex) = match head.split_once(" @ ") {
            Some((head, vertex)) => (head, Some(vertex)),
            None => (head, None),
        };
        let (program, parts) = head.split_once(" + ").unwrap_or((head, ""));
        let settings = settings.split("; ").filter_map(|one| one.split_once('='));
        Self {
            program,
            parts: parts.split_whitespace().collect(),
            vertex,
            settings: settings.collect(),
        }
    }

    pub fn defines(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.settings.iter().copied().filter(|(name, _)| is_define(name))
    }

    fn setting(&self, name: &str) -> Option<&'static str> {
        let mut settings = self.settings.iter();
        settings.find_map(|&(known, value)| (known == name).then_some(value))
    }

    /// The text of a file: by its path below `glsl/`, or by its name alone below the folder of the
    /// program's paper.
    pub fn text(&self, name: &str) -> &'static str {
        let paper = self.program.split('/').next().expect("a folder");
        let is_named = |file: &str| match name.contains('/') {
            true => file == format!("glsl/{name}"),
            false => {
                file.starts_with(&format!("glsl/{paper}/")) && file.ends_with(&format!("/{name}"))
            }
        };
        let mut named = files().iter().filter(|(file, _)| is_named(file));
        let (Some((_, text)), None) = (named.next(), named.next()) else {
            panic!("{name} for {}: no such file, or several", self.program);
        };
        // That of meshes has a head of its own, and is put behind that of rectangles here.
        text.replace("#version 330 core", "").replace("out vec4 result;", "").leak()
    }

    /// The limits of its paper's card.
    fn limits(&self) -> Limits {
        match self.program.split('/').next() {
            Some("batty2003") => fragstream::batty2003::LIMITS,
            Some("bolz2003") => fragstream::bolz2003::LIMITS,
            Some("geveler2011") => fragstream::geveler2011::LIMITS,
            Some("goodnight2003") => fragstream::goodnight2003::LIMITS,
            Some("kruger2003") => fragstream::kruger2003::LIMITS,
            Some("layouts") => fragstream::layouts::LIMITS,
            Some("stream") => fragstream::stream::LIMITS,
            _ => Limits::none("a picture"),
        }
    }

    pub fn kernel(&self, machine: &Machine) -> Rc<Kernel> {
        let own = self.text(&format!("{}.frag", self.program));
        let part = |name: &&str| Part { name: "", text: self.text(&format!("{name}.glsl")) };
        let parts = self.parts.iter().map(part);
        let source = Source::new(format!("{self:?}").leak(), own, &[], self.limits()).with(parts);
        let defines: Vec<_> = self.defines().collect();
        let kernel = match self.vertex {
            Some(name) => {
                let text = match name {
                    "sheet" => SHEET,
                    _ => self.text(&format!("{name}.vert")),
                };
                machine.kernel(&source.with_vertices(Part { name, text }), &defines)
            }
            None if own.contains("in float value;") => {
                machine.kernel(&source.for_points(), &defines)
            }
            None => machine.kernel(&source, &defines),
        };
        kernel.unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// Random records.
    fn stream(&self, machine: &Machine, name: &str, random: &mut SplitMix64) -> Stream {
        let mut data = random.vector(4 * (SIZE.0 * SIZE.1) as usize);
        match self.setting(name) {
            Some("places") => {
                let place =
                    |number: f32, length: u32| ((number + 1.0) * 0.5 * length as f32).floor() + 0.5;
                for record in data.chunks_exact_mut(2) {
                    record[0] = place(record[0], SIZE.0);
                    record[1] = place(record[1], SIZE.1);
                }
            }
            Some("positive") => data.iter_mut().for_each(|number| *number = 1.5 + 0.5 * *number),
            _ => {}
        }
        Stream::from_data(machine, name, SIZE, Format::Rgba32F, &data).expect("memory")
    }

    /// The numbers of a constant: its own, or some of its kind.
    fn constant(&self, kind: &str, name: &str) -> Constant {
        let [columns, rows] = [SIZE.0, SIZE.1].map(|n| n as f32);
        let given = self.setting(name).map(|value| {
            let numbers = value.split(' ').map(|number| number.parse().expect("a number"));
            numbers.collect::<Vec<f32>>()
        });
        let numbers = given.unwrap_or_else(|| match (kind, name) {
            (_, "size" | "extent" | "fine_size" | "picture") => vec![columns, rows],
            (_, "last" | "end" | "cells") => vec![columns - 1.0, rows - 1.0],
            (_, "ends") => vec![0.0, columns - 1.0, 0.0, rows - 1.0],
            (_, "kept") => vec![1.0, columns - 2.0, 0.0, rows - 1.0],
            ("float", _) => vec![0.7],
            ("vec2", _) => vec![3.0, 2.0],
            ("vec3", _) => vec![0.3, 0.5, 0.8],
            _ => vec![0.2, 0.4, 0.6, 0.9],
        });
        match numbers[..] {
            [x] => x.into(),
            [x, y] => [x, y].into(),
            [x, y, z] => [x, y, z].into(),
            [x, y, z, w] => [x, y, z, w].into(),
            _ => panic!("{self:?}: {name}"),
        }
    }

    /// Runs the program while a witness looks on.
    pub fn finding(&self, machine: &Machine) -> Finding {
        let witness = Rc::new(Witness::default());
        let _observation = machine.observe(Rc::clone(&witness) as _).expect("no streams");
        self.drawn(machine);
        let findings = witness.findings();
        findings.into_values().next().expect("a pass was seen")
    }

    /// Runs the program. What it draws.
    pub fn drawn(&self, machine: &Machine) -> Vec<f32> {
        let kernel = self.kernel(machine);
        let mut constants = self.settings.iter().filter(|(name, _)| !is_define(name));
        assert!(constants.all(|(name, _)| kernel.declares(name)), "{self:?}");
        let random = &mut SplitMix64::new(1);
        let text = [&kernel.text().vertex, &kernel.text().fragment].map(String::as_str).join(";");
        let declared = text.split(';').filter_map(|one| one.rsplit_once("uniform "));
        let declared = declared.filter_map(|(_, one)| one.split_once(' '));
        let (mut streams, mut constants) = (Vec::new(), Vec::new());
        let declared: BTreeMap<&str, &str> = declared.map(|(kind, name)| (name, kind)).collect();
        for (name, kind) in declared.into_iter().filter(|(name, _)| kernel.declares(name)) {
            match kind {
                "stream" => streams.push((name, self.stream(machine, name, random))),
                _ => constants.push((name, self.constant(kind, name))),
            }
        }
        let mut pass = Pass::new(&kernel);
        for (name, stream) in &streams {
            pass = pass.read(name, stream);
        }
        for (name, constant) in constants {
            pass = pass.set(name, constant);
        }
        let target = Stream::zeros(machine, "target", SIZE, Format::Rgba32F).expect("memory");
        let drawn = match kernel.name().ends_with("for points") {
            true => {
                let point = |k: i32| Point {
                    target: [k % 23, k % 13],
                    value: random.signed() as f32,
                    source: [7 * k % 23, 5 * k % 13],
                };
                let points: Vec<Point> = (0..23 * 13).map(point).collect();
                pass.draw(&target, machine.points(&points).expect("memory"))
            }
            false => pass.draw(&target, target.full()),
        };
        drawn.unwrap_or_else(|error| panic!("{self:?}: {error}"));
        target.read().expect("a stream")
    }
}
