//! One vector in every layout, with every method of summation.

use std::hint::black_box;

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::kruger2003::study::cases::vector_operation;
use crate::solver::Operation;
use crate::stream::{Edges, Format, Layout, Machine, Reduce, Reduction, Stream, StreamError};
use crate::timing::cpu::sum as cpu_sum;
use crate::timing::rig::{program, work};
use crate::timing::{Effort, Work};

use super::{Entrant, Line, Memory, Race, Section};

/// Ratio of height to width of an elongated vector.
const ELONGATED: usize = 64;

/// The CPU adds the records when at most this number is left (batty2003, Appendix C, step 10).
const STOP_AT: u64 = 16;

/// Method of summation: name, source, edges of the levels, and what differs from the usual reduction.
type Way = (&'static str, &'static str, Edges, fn(Reduction, &Machine) -> Summed);
type Summed = Result<Reduction, StreamError>;

const WAYS: [Way; 4] = [
    ("2 x 2 padded", "bolz2003 §3.1.3", Edges::Padded, |sum, _| Ok(sum)),
    ("bounds tested", "bolz2003 §3.1.3", Edges::Bounded, |sum, _| Ok(sum)),
    ("by quadrants", "batty2003 App. C", Edges::Padded, |sum, machine| sum.by_quadrants(machine)),
    ("stop early", "batty2003 App. C", Edges::Padded, |sum, _| Ok(sum.stopping_at(STOP_AT))),
];

/// Name, source and layout of a vector.
type Named = (&'static str, &'static str, Layout);

/// The layouts of a vector with `length` entries; those with a choice use the widest textures.
fn layouts(machine: &Machine, length: usize) -> Result<[Named; 4], StreamError> {
    let limit = machine.description().rectangle_limit;
    let narrow = ((length / ELONGATED) as f64).sqrt().ceil().max(1.0) as u32;
    Ok([
        ("single", "kruger2003 §2", Layout::square(length, Format::R32F)?),
        ("four per texel", "kruger2003 §6", Layout::square(length, Format::Rgba32F)?),
        ("one-dimensional", "kruger2003 §2", Layout::lines(length, Format::R32F, limit)?),
        ("elongated", "as batty2003 wraps rows", Layout::wrapped(length, Format::R32F, narrow)?),
    ])
}

/// The sections of a vector with `length` entries.
pub fn sections(
    machine: &Machine,
    length: usize,
    effort: Effort,
) -> Result<Vec<Section>, BoxedError> {
    let layouts = layouts(machine, length)?;
    Ok(vec![additions(machine, &layouts, effort)?, sums(machine, &layouts, effort)?])
}

/// A line of a vector, refused if the driver does not support the texture.
fn line(machine: &Machine, name: &str, from: &str, layout: Layout) -> Line {
    let (width, height) = layout.size();
    let padding = 1.0 - layout.length() as f64 / layout.capacity() as f64;
    Line {
        refused: layout.check(machine).err().map(|error| error.to_string()),
        memory: Memory {
            textures: format!("{width}x{height} {}", layout.format()),
            bytes: (4 * layout.capacity()) as u64,
            side: u64::from(width.max(height)),
            padding: Some(padding),
        },
        ..Line::new(name, from)
    }
}

fn additions(machine: &Machine, layouts: &[Named], effort: Effort) -> Result<Section, BoxedError> {
    let length = layouts.first().map_or(0, |(.., layout)| layout.length());
    let bytes = 4 * length as u64;
    let mut race = Race::new(machine, effort);
    while race.is_open() {
        let (mut entrants, mut cpu) = (Vec::new(), None);
        for &(name, from, layout) in layouts {
            let line = line(machine, name, from, layout);
            if line.refused.is_some() {
                entrants.push(Entrant::of(line));
                continue;
            }
            let case = vector_operation(machine, layout, Operation::Add)?;
            cpu = cpu.or(case.cpu);
            entrants.push(Entrant::on_machine(machine, line, case.kernel));
        }
        let on_cpu = |work| Entrant::on_cpu("array, all cores", bytes, 3 * bytes, None, work);
        entrants.extend(cpu.map(on_cpu));
        race.run(entrants)?;
    }
    let title = format!("z = x/2 + y/2 of {length} entries");
    Ok(Section::new(title, "sum of two", 8 * length, race.raced()))
}

fn sums(machine: &Machine, layouts: &[Named], effort: Effort) -> Result<Section, BoxedError> {
    let length = layouts.first().map_or(0, |(.., layout)| layout.length());
    let mut random = SplitMix64::new(1);
    let entries: Vec<f32> = (0..length).map(|_| random.signed() as f32).collect();
    let bytes = 4 * length as u64;
    let mut race = Race::new(machine, effort);
    while race.is_open() {
        let mut entrants = Vec::new();
        for &(name, _, layout) in layouts {
            let ways = match name {
                "single" | "four per texel" => &WAYS[..],
                // The others differ only in the number of passes.
                _ => &WAYS[..1],
            };
            for way in ways {
                let line = line(machine, &format!("{name}, {}", way.0), way.1, layout);
                if line.refused.is_some() {
                    entrants.push(Entrant::of(line));
                    continue;
                }
                let (work, error) = sum(machine, layout, way, &entries)?;
                let entrant = Entrant::on_machine(machine, line, work);
                entrants.push(Entrant { error: Some(error), ..entrant });
            }
        }
        let entries = entries.clone();
        let cpu = program(move |_| {
            black_box(cpu_sum(black_box(&entries)));
        });
        entrants.push(Entrant::on_cpu("array, all cores", bytes, bytes, None, cpu));
        race.run(entrants)?;
    }
    let title = format!("the sum of {length} entries, read back");
    Ok(Section::new(title, "sum", 4 * length, race.raced()))
}

/// A sum, with its distance from double precision divided by Σ |x|.
fn sum(
    machine: &Machine,
    layout: Layout,
    &(.., edges, differs): &Way,
    entries: &[f32],
) -> Result<(Work<'static>, f64), BoxedError> {
    let x = Stream::from_entries(machine, "x", layout, entries)?;
    let reduction = Reduction::new(machine, layout.size(), layout.format(), Reduce::Sum, edges)?;
    let reduction = differs(reduction, machine)?;
    let channels = reduction.of(&x)?.map(f64::from);
    let sum: f64 = channels[..layout.channels()].iter().sum();
    let wide = || entries.iter().map(|&entry| f64::from(entry));
    let (exact, magnitude) = (wide().sum::<f64>(), wide().map(f64::abs).sum::<f64>());
    let kernel: Work<'static> = work(move |_| {
        black_box(reduction.of(&x)?);
        Ok::<_, StreamError>(())
    });
    Ok((kernel, (sum - exact).abs() / magnitude.max(f64::MIN_POSITIVE)))
}
