//! Ratios of [twins](crate::timing::twins), raced like the rows.

use std::rc::Rc;

use super::{BoxedError, Interval, Race, Run};
use crate::timing::Samples;
use crate::timing::laps::Laps;
use crate::timing::twins::{DURATIONS, twins};

/// Name of their races in the samples.
const NAME: &str = "twins";

/// The twins, of which the first is compared with the others.
const TWINS: [&str; 3] = ["first", "second", "third"];

/// Races all twins in this process.
pub fn race(run: &Run<'_>) -> Result<(), BoxedError> {
    run.measuring(NAME.to_owned());
    for (seconds, _) in DURATIONS {
        let (works, chain) = twins(run.machine, TWINS, seconds)?;
        Race::new(TWINS.into_iter().zip(works)).chained(chain).laps(run)?;
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
    use crate::stream::Machine;

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
