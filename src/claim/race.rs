//! Works that are timed together: six rounds in each of several processes, the works of a round in random order.

use std::rc::Rc;

use super::{BoxedError, Run, criterion};
use crate::card::cost::Card;
use crate::card::limits::Inspector;
use crate::stream::{Ledger, Machine};
use crate::timing::cost::ledger;
use crate::timing::laps::{Lap, Laps};
use crate::timing::rig::{awaken, rounds as measured};
use crate::timing::{Effort, Samples, Work};

type Switches = fn(&Ledger) -> u64;

/// Works by name, with their seconds.
pub struct Race<'w> {
    names: Rc<[String]>,
    works: Vec<Work<'w>>,
    /// Runs of each work per round.
    chain: usize,
    /// Units of a run of each work, such as iterations; seconds and counts are per unit.
    units: Vec<f64>,
    /// One run of each work, if they are counted.
    ledgers: Vec<Ledger>,
    /// A card, and the number of target switches that it takes time for.
    card: Option<(Card, Switches)>,
}

impl<'w> Race<'w> {
    /// A race of works by name.
    ///
    /// # Panics
    /// If two works have the same name.
    pub fn new<N: Into<String>>(works: impl IntoIterator<Item = (N, Work<'w>)>) -> Self {
        let works = works.into_iter().map(|(name, work)| (name.into(), work));
        let (names, works): (Vec<String>, Vec<_>) = works.unzip();
        let twice = (1..names.len()).find(|&one| names[..one].contains(&names[one]));
        assert!(twice.is_none(), "two works have the same name: {names:?}");
        Self {
            units: vec![1.0; names.len()],
            names: names.into(),
            works,
            chain: 1,
            ledgers: Vec::new(),
            card: None,
        }
    }

    /// Runs each work once, which compiles its programs, and once more for its ledger.
    pub fn counted(mut self, machine: &Machine) -> Result<Self, BoxedError> {
        let ledgers = self.works.iter_mut().map(|work| ledger(machine, work));
        Ok(Self { ledgers: ledgers.collect::<Result<_, _>>()?, ..self })
    }

    /// Sets the number of runs of each work per round.
    pub fn chained(self, chain: usize) -> Self {
        Self { chain, ..self }
    }

    /// Sets the units of a run of a work.
    ///
    /// # Panics
    /// If no work has this name.
    pub fn per(mut self, name: &str, units: f64) -> Self {
        let place = self.names.iter().position(|known| known == name);
        self.units[place.unwrap_or_else(|| panic!("no work “{name}”: {:?}", self.names))] = units;
        self
    }

    /// Puts the model of this card next to what is measured, with the time of this number of target switches.
    pub fn on(
        self,
        machine: &Machine,
        card: Card,
        switches: fn(&Ledger) -> u64,
    ) -> Result<Self, BoxedError> {
        Ok(Self { card: Some((card, switches)), ..self.counted(machine)? })
    }

    /// Seconds of the works in all processes that have raced them; if none has, in rounds of this one.
    pub fn laps(&mut self, run: &Run<'_>) -> Result<Laps, BoxedError> {
        let name = run.next_race();
        let mut runs = run.brought(&name, &self.names);
        if runs.is_empty() {
            let (rounds, programs) = self.race(run, &name)?;
            let samples = Samples::of(name, programs, &self.names, &rounds);
            run.sampled.borrow_mut().push(samples);
            runs.push(vec![rounds]);
        }
        Ok(Laps::of_runs(runs, self.model()))
    }

    /// The ledgers of the works; none if they are not [counted](Self::counted).
    pub fn ledgers(&self) -> &[Ledger] {
        &self.ledgers
    }

    /// A count of each work, per unit.
    ///
    /// # Panics
    /// If the works are not [counted](Self::counted).
    pub fn counts(&self, count: impl Fn(&Ledger) -> f64) -> Lap {
        assert!(!self.ledgers.is_empty(), "works that are not counted: {:?}", self.names);
        let counts = self.ledgers.iter().zip(&self.units);
        Lap::new(&self.names, counts.map(|(ledger, units)| count(ledger) / units))
    }

    /// The rounds of this process, and the hash of the programs that ran. Before the first round, each work runs once, which
    /// compiles its programs.
    fn race(&mut self, run: &Run<'_>, name: &str) -> Result<(Vec<Lap>, String), BoxedError> {
        let seen = Rc::new(Inspector::default());
        let observation = run.machine.observe(Rc::clone(&seen) as _)?;
        self.works.iter_mut().try_for_each(|work| work(0))?;
        drop(observation);
        if let Some(recorder) = &run.recorder {
            for ((at, work), units) in self.works.iter_mut().enumerate().zip(&self.units) {
                let round = &mut || (0..self.chain).try_for_each(&mut *work);
                recorder([name, &self.names[at]], self.chain as f64 * units, round)?;
            }
            return Ok((
                vec![Lap::new(&self.names, self.units.iter().map(|_| 1.0))],
                String::new(),
            ));
        }
        let programs = criterion::of_programs(&seen.programs());
        awaken(run.machine, &mut self.works)?;
        let effort = Effort { rounds: run.rounds(), chain: self.chain };
        let mut random = run.random.borrow_mut();
        let mut seconds = measured(run.machine, effort, &mut random, &mut self.works)?;
        for (own, units) in seconds.iter_mut().zip(&self.units) {
            own.iter_mut().for_each(|seconds| *seconds /= units);
        }
        Ok((Lap::rounds(&self.names, &seconds), programs))
    }

    /// Seconds per unit in the model, unless a program cannot be counted; works without programs take none.
    pub fn model(&self) -> Option<Lap> {
        let (card, switches) = self.card?;
        let seconds = self.ledgers.iter().zip(&self.units).map(|(ledger, units)| {
            let switching = switches(ledger) as f64 * card.driver.switch;
            let seconds = card.seconds(ledger).ok()? - card.switching_seconds(ledger);
            Some((seconds + switching) / units)
        });
        Some(Lap::new(&self.names, seconds.collect::<Option<Vec<_>>>()?))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::base::random::SplitMix64;
    use crate::timing::laps::ratio;
    use crate::timing::rig::program;

    /// The works of two rounds and of the run before them in their order.
    fn turns(seed: u64) -> String {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let mut run = Run::new(&machine);
        run.random = RefCell::new(SplitMix64::new(seed));
        let turns = RefCell::new(String::new());
        let note = |name: char| {
            let turns = &turns;
            program(move |_| turns.borrow_mut().push(name))
        };
        let mut race = Race::new("abcdef".chars().map(|name| (name, note(name)))).chained(2);
        let laps = race.laps(&run).unwrap();
        assert_eq!((laps.seconds("a").rounds, laps.seconds("a").processes), (6, 1));
        let race = race.per("b", 1e3).counted(&machine).unwrap();
        assert_eq!(race.counts(|_| 2.0).values()[..2], [2.0, 2e-3]);
        drop(race);
        turns.into_inner()
    }

    #[test]
    fn the_works_of_a_round_are_in_an_order_that_the_seed_determines() {
        let [first, again, other] = [1, 1, 2].map(turns);
        assert_eq!(first, again);
        assert_ne!(first, other);
        let sorted = |round: &str| {
            let mut all: Vec<char> = round.chars().collect();
            all.sort_unstable();
            String::from_iter(all)
        };
        assert_eq!(first[..6], *"abcdef");
        for round in 0..6 {
            assert_eq!(sorted(&first[6 + 12 * round..][..12]), "aabbccddeeff");
        }
        // And two runs each for the ledgers.
        assert_eq!(first.len(), 6 + 6 * 12 + 12);
    }

    #[test]
    fn what_processes_brought_is_not_raced_again() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let mut run = Run::new(&machine);
        let samples = |row: &str, names: [&str; 2], ratio: f64| {
            let names = names.map(String::from);
            let lap = Lap::new(&names.clone().into(), [ratio, 1.0]);
            Samples::of(row.to_owned(), String::new(), &names, &[lap])
        };
        run.brought = vec![
            samples("p/row", ["slow", "fast"], 2.0),
            samples("p/row", ["slow", "fast"], 8.0),
            samples("p/row", ["slow", "other"], 100.0),
            samples("p/other", ["slow", "fast"], 100.0),
        ];
        run.measuring("p/row".to_owned());
        let works = || {
            ["slow", "fast"]
                .map(|name| -> (_, Work<'_>) { (name, Box::new(|_| Err("raced".into()))) })
        };
        let gain = Race::new(works()).laps(&run).unwrap().of(ratio("slow", "fast"));
        assert!((gain.median - 4.0).abs() < 1e-12 && gain.processes == 2);
        assert!(run.sampled.borrow().is_empty());
        // The second race of the row.
        assert!(Race::new(works()).laps(&run).is_err());
    }

    #[test]
    #[should_panic(expected = "two works have the same name")]
    fn works_have_names_of_their_own() {
        Race::new(["its fetches"; 2].map(|name| (name, program(|_| ()))));
    }
}
