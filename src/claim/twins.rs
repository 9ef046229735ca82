//! Twins: a program compared with the same program, compiled and allocated apart. Their ratios show what a machine cannot
//! distinguish.

use std::rc::Rc;
use std::time::Instant;

use super::{BoxedError, Interval, Race, Run};
use crate::stream::{Format, Limits, Machine, Pass, Rect, Source, Stream, StreamError};
use crate::timing::laps::Laps;
use crate::timing::rig::work;
use crate::timing::{Samples, Work};

/// Name of their races in the samples.
const NAME: &str = "twins";

/// The twins, of which the first is compared with the others.
const TWINS: [&str; 3] = ["first", "second", "third"];

/// Durations in seconds, each with the side of the square that is drawn.
const DURATIONS: [(f64, u32); 3] = [(1e-4, 32), (1e-3, 128), (1e-2, 512)];

/// A mean of neighbours in two streams, and of the last result.
const PROGRAM: &str = "uniform stream x;\nuniform stream y;\nuniform stream last;\n\nvoid main() {\n    \
                       vec4 sum = fetch(x, here) + fetch(x, here + vec2(1.0, 0.0)) + fetch(x, here + vec2(0.0, 1.0));\n    \
                       sum += fetch(y, here) + fetch(y, here + vec2(1.0, 0.0)) + fetch(y, here + vec2(0.0, 1.0));\n    \
                       result = 0.1 * (sum + fetch(last, here));\n}\n";

/// Passes of a twin with textures of its own.
fn twin(machine: &Machine, name: &str, side: u32) -> Result<Work<'static>, StreamError> {
    let limits = Limits::none("it finds what this machine cannot distinguish");
    let source = Source::checked(format!("twin {name}, {side}"), PROGRAM.to_owned(), limits);
    let kernel = machine.kernel(&source, &[])?;
    let stream = |label| Stream::zeros(machine, label, (side, side), Format::Rgba32F);
    let (x, y, targets) = (stream("x")?, stream("y")?, [stream("even")?, stream("odd")?]);
    let rect = machine.rect(Rect::of_size(side, side))?;
    Ok(work(move |run| {
        let [target, last] = [&targets[run % 2], &targets[(run + 1) % 2]];
        Pass::new(&kernel).read("x", &x).read("y", &y).read("last", last).draw(target, &rect)
    }))
}

/// Races all twins in this process.
pub fn race(run: &Run<'_>) -> Result<(), BoxedError> {
    run.measuring(NAME.to_owned(), 0);
    for (seconds, side) in DURATIONS {
        let works = TWINS.map(|name| twin(run.machine, name, side));
        let mut works: Vec<_> = works.into_iter().collect::<Result<_, _>>()?;
        works[0](0)?;
        run.machine.finish();
        let start = Instant::now();
        (0..4).try_for_each(&mut works[0])?;
        run.machine.finish();
        let chain = (seconds / (start.elapsed().as_secs_f64() / 4.0)).round().clamp(1.0, 1e4);
        Race::new(TWINS.into_iter().zip(works)).chained(chain as usize).laps(run)?;
    }
    Ok(())
}

/// Ratios of twins by the samples of several processes.
pub fn ratios(samples: &[Samples]) -> Vec<Interval> {
    let names: Rc<[String]> = TWINS.map(String::from).into();
    let races = (1..=DURATIONS.len()).map(|race| match race {
        1 => NAME.to_owned(),
        _ => format!("{NAME} {race}"),
    });
    let laps = races.map(|race| {
        let its = samples.iter().filter(|samples| samples.row == race);
        Laps::of_runs(vec![its.filter_map(|samples| samples.laps(&names)).collect()], None)
    });
    let laps = laps.filter(|laps| laps.processes() > 1);
    laps.flat_map(|laps| {
        TWINS[1..].iter().map(|twin| laps.ratio(twin, TWINS[0])).collect::<Vec<_>>()
    })
    .collect()
}

/// The share that a machine cannot distinguish: the root mean square of the logarithms of these ratios; none without any.
pub fn floor(ratios: &[Interval]) -> Option<f64> {
    let squares = ratios.iter().map(|ratio| ratio.median.ln().powi(2)).sum::<f64>();
    (!ratios.is_empty()).then(|| (squares / ratios.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::SplitMix64;

    #[test]
    fn twins_are_programs_of_their_own_and_give_a_floor() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let run = Run::new(&machine);
        race(&run).unwrap();
        let samples = run.sampled.take();
        assert_eq!(
            samples.iter().map(|one| &*one.row).collect::<Vec<_>>(),
            ["twins", "twins 2", "twins 3"]
        );
        assert!(samples.iter().all(|one| one.works.iter().all(|(_, seconds)| seconds.len() == 6)));
        // One process has no floor, and two equal ones have.
        assert_eq!(floor(&ratios(&samples)), None);
        assert_eq!(ratios(&[samples.clone(), samples].concat()).len(), 6);
    }

    #[test]
    fn the_floor_is_the_deviation_of_a_process_over_the_root_of_their_number() {
        let mut random = SplitMix64::new(3);
        let names = TWINS.map(String::from);
        let mut process = |row: &str| {
            let lap = crate::timing::laps::Lap::new(
                &names.clone().into(),
                TWINS.map(|_| (0.05 * random.normal()).exp()),
            );
            Samples::of(row.to_owned(), String::new(), &names, &[lap])
        };
        let mut squares = 0.0;
        for _ in 0..200 {
            let all = (0..6).flat_map(|_| ["twins", "twins 2", "twins 3"].map(&mut process));
            squares += floor(&ratios(&all.collect::<Vec<_>>())).unwrap().powi(2) / 200.0;
        }
        // A ratio of two works of six processes: √(2/6) of 5 %.
        let expected = 0.05 * (2.0_f64 / 6.0).sqrt();
        assert!((squares.sqrt() / expected - 1.0).abs() < 0.1, "{squares}");
    }
}
