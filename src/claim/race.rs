//! Works that are timed together. Claims share a race: each adds rounds until its own verdict is decided.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::judge::{Verdict, judge};
use super::{BoxedError, Claim, Found, Interval, Run, Table};
use crate::card::cost::Card;
use crate::stream::{Ledger, Machine};
use crate::timing::Work;
use crate::timing::cost::ledger;
use crate::timing::interval::FEWEST;
use crate::timing::laps::{Lap, Laps};
use crate::timing::reference;

type Switches = fn(&Ledger) -> u64;

/// Works by name, with their seconds so far.
pub struct Race<'w> {
    names: Rc<[String]>,
    works: RefCell<Vec<Work<'w>>>,
    /// Runs of each work per round.
    chain: usize,
    /// Units of a run of each work, such as iterations; seconds and counts are per unit.
    units: Vec<f64>,
    /// One run of each work, if they are counted.
    ledgers: Vec<Ledger>,
    /// A card, and the number of target switches that it takes time for.
    card: Option<(Card, Switches)>,
    rounds: RefCell<Vec<Round>>,
    /// The reference pass, from the first round on, and its last seconds.
    reference: RefCell<Option<(Work<'w>, f64)>>,
}

/// Seconds per unit of each work, seconds of the reference pass next to it, and seconds of the race up to the end of the
/// round.
struct Round {
    seconds: Lap,
    reference: f64,
    end: f64,
}

/// Pace of a device during a race.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Shortest time of the reference pass in milliseconds.
    pub best: f64,
    /// Rounds that count.
    pub rounds: usize,
    /// Rounds that were dropped, because the reference pass was slow ([`reference::counting`]).
    pub dropped: usize,
    /// Rounds that were as slow and count, because too few others did.
    pub slow: usize,
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
            works: RefCell::new(works),
            chain: 1,
            ledgers: Vec::new(),
            card: None,
            rounds: RefCell::default(),
            reference: RefCell::default(),
        }
    }

    /// Runs each work once, which compiles its programs, and once more for its ledger.
    pub fn counted(mut self, machine: &Machine) -> Result<Self, BoxedError> {
        let ledgers = self.works.get_mut().iter_mut().map(|work| ledger(machine, work));
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

    /// Judges what was found by the rounds at 6, 12, 24, 48, … rounds and once when the time is spent, and adds rounds
    /// until it is decided. Rounds of other claims have no influence.
    pub fn decide(
        &self,
        run: &Run<'_>,
        claim: &Claim,
        found: impl Fn(&Laps) -> Found,
    ) -> Result<Found, BoxedError> {
        self.decided(run, claim, &found)
    }

    fn decided(
        &self,
        run: &Run<'_>,
        claim: &Claim,
        found: &dyn Fn(&Laps) -> Found,
    ) -> Result<Found, BoxedError> {
        // A name that no work has shall not be met only after the first rounds.
        let ones = Lap::new(&self.names, self.units.iter().map(|_| 1.0));
        found(&Laps::new(vec![ones.clone()], self.card.map(|_| ones)));
        let found_after = |rounds| found(&self.first(rounds));
        let is_decided = |rounds| judge(claim, &found_after(rounds), false) != Verdict::Undecided;
        let rounds = self.look(run, &is_decided)?;
        Ok(Found { pace: Some(self.pace(rounds)), ..found_after(rounds) })
    }

    /// Seconds of six rounds, for something that is shown and not judged.
    pub fn laps(&self, run: &Run<'_>) -> Result<Laps, BoxedError> {
        self.laps_of(run, FEWEST)
    }

    /// Seconds of this number of rounds, 6, 12, 24, …, or of fewer if the time is spent.
    pub fn laps_of(&self, run: &Run<'_>, rounds: usize) -> Result<Laps, BoxedError> {
        Ok(self.first(self.look(run, &|done| done >= rounds)?))
    }

    /// The ledgers of the works, by name; none if they are not [counted](Self::counted).
    pub fn ledgers(&self) -> impl Iterator<Item = (&str, &Ledger)> {
        self.names.iter().map(|name| &**name).zip(&self.ledgers)
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

    /// The number of rounds after which `decides` holds, or the time is spent.
    fn look(&self, run: &Run<'_>, decides: &dyn Fn(usize) -> bool) -> Result<usize, BoxedError> {
        let mut rounds = 0;
        loop {
            while self.rounds.borrow().len() <= rounds {
                self.round(run)?;
            }
            rounds += 1;
            let end = self.rounds.borrow()[rounds - 1].end;
            let budget = run.budget().as_secs_f64();
            let counting = self.counting(rounds).into_iter().filter(|counts| *counts).count();
            let is_enough = counting >= FEWEST || end > LONGER * budget && rounds >= FEWEST;
            let is_spent = end > budget && is_enough || end > 5.0 * budget && rounds >= 2;
            if is_spent || is_look(rounds) && decides(rounds) {
                return Ok(rounds);
            }
        }
    }

    /// Adds a round. Before the first one, works that have not been counted run once, which compiles their programs.
    fn round(&self, run: &Run<'_>) -> Result<(), BoxedError> {
        let mut works = self.works.borrow_mut();
        let is_first = self.rounds.borrow().is_empty();
        if self.ledgers.is_empty() && is_first {
            works.iter_mut().try_for_each(|work| work(0))?;
        }
        let mut reference = self.reference.borrow_mut();
        if is_first && run.machine.interpreter().is_none() {
            let mut pass = run.aside(reference::pass(run.machine)?);
            pass(0)?;
            // Quick runs are too short for a CPU to fall asleep.
            if !(run.quick && run.machine.description().software) {
                reference::wake(run.machine, &mut pass)?;
            }
            let before = reference::seconds(run.machine, &mut pass)?;
            *reference = Some((pass, before));
        }
        let begin = Instant::now();
        let mut seconds = Vec::new();
        for (work, units) in works.iter_mut().zip(&self.units) {
            run.machine.finish();
            let start = Instant::now();
            (0..self.chain).try_for_each(&mut *work)?;
            run.machine.finish();
            seconds.push(start.elapsed().as_secs_f64() / self.chain as f64 / units);
        }
        // Only a device that is slow before and after a round is slow during it.
        let pace = match reference.as_mut() {
            Some((pass, before)) => {
                let after = reference::seconds(run.machine, pass)?;
                after.min(std::mem::replace(before, after))
            }
            None => 1.0,
        };
        let mut rounds = self.rounds.borrow_mut();
        let end = rounds.last().map_or(0.0, |last| last.end) + begin.elapsed().as_secs_f64();
        rounds.push(Round { seconds: Lap::new(&self.names, seconds), reference: pace, end });
        Ok(())
    }

    /// Those of the first rounds that count.
    fn first(&self, rounds: usize) -> Laps {
        let all = self.rounds.borrow();
        let counting = all.iter().zip(self.counting(rounds)).filter(|(_, counts)| *counts);
        Laps::new(counting.map(|(round, _)| round.seconds.clone()).collect(), self.model())
    }

    /// Tests for each of the first rounds whether it counts.
    fn counting(&self, rounds: usize) -> Vec<bool> {
        reference::counting(&self.references(rounds))
    }

    fn references(&self, rounds: usize) -> Vec<f64> {
        self.rounds.borrow()[..rounds].iter().map(|round| round.reference).collect()
    }

    /// Pace of the device during the first rounds.
    fn pace(&self, rounds: usize) -> Pace {
        let times = self.references(rounds);
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        let counting = reference::counting(&times).into_iter().filter(|counts| *counts).count();
        let slow = times.iter().filter(|&&time| reference::is_slow(time, best)).count();
        let dropped = rounds - counting;
        Pace { best: 1e3 * best, rounds: counting, dropped, slow: slow - dropped }
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

/// Share of its time that a race may take if too few of its rounds count.
const LONGER: f64 = 1.5;

/// Tests whether a claim is judged after this number of rounds before its time is spent.
pub(super) fn is_look(rounds: usize) -> bool {
    rounds.is_multiple_of(FEWEST) && (rounds / FEWEST).is_power_of_two()
}

/// A ratio to be drawn: its name, its value in a round, and the printed one.
pub type Drawn<'a> = (&'a str, &'a dyn Fn(&Lap) -> f64, Option<f64>);

/// Races on grids of several sizes, of which one is judged.
pub struct Races<'w> {
    races: Vec<(u32, Race<'w>)>,
    judged: usize,
}

impl<'w> Races<'w> {
    /// A race for each size; the one at the place `judged` is judged.
    pub fn new(
        sizes: &[u32],
        judged: usize,
        race: impl Fn(u32) -> Result<Race<'w>, BoxedError>,
    ) -> Result<Self, BoxedError> {
        let races = sizes.iter().map(|&size| Ok((size, race(size)?)));
        Ok(Self { races: races.collect::<Result<_, BoxedError>>()?, judged })
    }

    /// The race of the smallest size.
    pub fn first(&self) -> &Race<'w> {
        &self.races[0].1
    }

    /// All sizes with their races.
    pub fn each(&self) -> impl Iterator<Item = (u32, &Race<'w>)> {
        self.races.iter().map(|(size, race)| (*size, race))
    }

    /// The judged race and its size.
    pub fn judged(&self) -> (u32, &Race<'w>) {
        let (size, race) = &self.races[self.judged];
        (*size, race)
    }

    /// The seconds of all works, to be drawn over the size, as columns `work`, `size` and `seconds`.
    pub fn curves(&self, run: &Run<'_>, size: &str) -> Result<Table, BoxedError> {
        let mut table = Table::new("", ["work", size, "seconds"]);
        for (n, race) in &self.races {
            let laps = race.laps(run)?;
            for name in race.names.iter() {
                table.point(name, *n as usize, [laps.seconds(name)]);
            }
        }
        Ok(table)
    }

    /// Ratios of the works over the size as columns `ratio`, `size` and `times`: here, in the model, and printed.
    pub fn ratios(
        &self,
        run: &Run<'_>,
        size: &str,
        ratios: &[Drawn<'_>],
    ) -> Result<Table, BoxedError> {
        let mut table = Table::new("", ["ratio", size, "times"]);
        for (n, race) in &self.races {
            let laps = race.laps(run)?;
            for (name, ratio, printed) in ratios {
                let model = laps.in_model(ratio).map(Interval::from);
                let cells = [("here", Some(laps.of(ratio))), ("model", model)];
                for (of, value) in cells.into_iter().chain([("paper", printed.map(Interval::from))])
                {
                    if let Some(value) = value {
                        table.point(&format!("{name}, {of}"), *n as usize, [value]);
                    }
                }
            }
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Printed, shape};
    use super::*;
    use crate::timing::laps::ratio;
    use crate::timing::rig::program;

    const ROW: Claim = shape("row", "", "", Printed::Faster, |_, _| Err("judged only".into()));

    fn found(laps: &Laps) -> Found {
        Found::new().raced(laps, "gain", ratio("slow", "fast"))
    }

    /// A race whose rounds are given: their ratios, a tenth of a second each.
    fn stored(ratios: impl Iterator<Item = f64>) -> Race<'static> {
        let works = [("slow", program(|_| ())), ("fast", program(|_| ()))];
        let race = Race::new(works);
        for (k, ratio) in (1..).zip(ratios) {
            let seconds = Lap::new(&race.names, [ratio, 1.0]);
            let round = Round { seconds, reference: 1.0, end: 0.1 * f64::from(k) };
            race.rounds.borrow_mut().push(round);
        }
        race
    }

    #[test]
    fn rounds_of_other_claims_change_no_verdict() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let mut run = Run::new(&machine);
        run.quick = true;
        // Faster and slower alternately up to the 24th round, and then faster only.
        let ratio = |k: usize| if k < 24 && k % 2 == 1 { 0.5 } else { 2.0 };
        let decided = |rounds: usize| {
            let race = stored((0..rounds).map(ratio));
            race.decide(&run, &ROW, found).unwrap()
        };
        // The time of a quick run is spent in the seventh round.
        let first = decided(7);
        assert_eq!(judge(&ROW, &first, false), Verdict::Undecided);
        assert_eq!(first.printed().next().unwrap().rounds, 7);
        for more in [12, 48, 200] {
            assert_eq!(decided(more), first);
        }
        // A race that is decided at a look is not judged again by the rounds after it.
        let steady = |rounds: usize| {
            let race = stored((0..rounds).map(|k| if k < 12 { 2.0 } else { 0.1 }));
            race.decide(&run, &ROW, found).unwrap().printed().next().unwrap().rounds
        };
        assert_eq!([6, 7, 20, 100].map(steady), [6; 4]);
    }

    #[test]
    fn looks_are_at_six_rounds_and_at_twice_as_many_each_time() {
        assert_eq!((1..100).filter(|&n| is_look(n)).collect::<Vec<_>>(), [6, 12, 24, 48, 96]);
    }

    #[test]
    fn seconds_are_per_unit_and_works_take_turns() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let (run, turns) = (Run::new(&machine), RefCell::new(String::new()));
        let note = |name: char| {
            let turns = &turns;
            program(move |_| turns.borrow_mut().push(name))
        };
        let race = Race::new([("a", note('a')), ("b", note('b'))]).chained(2);
        let laps = race.laps(&run).unwrap();
        assert_eq!(turns.borrow().as_str(), format!("ab{}", "aabb".repeat(FEWEST)));
        // Slow rounds do not count, unless most are slow.
        let kept = laps.seconds("a").rounds;
        assert!(kept <= FEWEST && 2 * kept >= FEWEST, "{kept}");
        let race = race.per("b", 1e3).counted(&machine).unwrap();
        assert_eq!(race.counts(|_| 2.0).values(), [2.0, 2e-3]);
    }

    #[test]
    #[should_panic(expected = "no work “quick”: [\"slow\", \"fast\"]")]
    fn a_name_that_no_work_has_is_found_before_the_race() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let work = |_| -> Work<'_> { Box::new(|_| Err("it has begun".into())) };
        let race = Race::new(["slow", "fast"].map(|name| (name, work(name))));
        let _ = race.decide(&Run::new(&machine), &ROW, |laps| {
            Found::new().raced(laps, "gain", ratio("slow", "quick"))
        });
    }

    #[test]
    #[should_panic(expected = "two works have the same name")]
    fn works_have_names_of_their_own() {
        Race::new(["its fetches"; 2].map(|name| (name, program(|_| ()))));
    }
}
