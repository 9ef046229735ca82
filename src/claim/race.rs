//! Works that are timed together. Claims share a race: each adds rounds until its own verdict is decided.

use std::cell::RefCell;
use std::time::Instant;

use super::judge::{Verdict, judge};
use super::{BoxedError, Claim, Found, Interval, Run, Table};
use crate::card::cost::Card;
use crate::stream::{Ledger, Machine};
use crate::timing::Work;
use crate::timing::cost::ledger;
use crate::timing::interval::FEWEST;
use crate::timing::laps::{Lap, Laps, lap};

type Switches = fn(&Ledger) -> u64;

/// Works by name, with their seconds so far.
pub struct Race<'w, R> {
    names: Vec<String>,
    works: RefCell<Vec<Work<'w>>>,
    /// Runs of each work per round.
    chain: usize,
    /// Units of a run of each work, such as iterations; seconds and counts are per unit.
    units: R,
    /// One run of each work, if they are counted.
    ledgers: Vec<Ledger>,
    /// A card, and the number of target switches that it takes time for.
    card: Option<(Card, Switches)>,
    rounds: RefCell<Vec<Round<R>>>,
}

/// Seconds per unit of each work, and seconds of the race up to the end of the round.
#[derive(Clone)]
struct Round<R> {
    seconds: R,
    end: f64,
}

impl<'w, const N: usize> Race<'w, [f64; N]> {
    /// A race of works by name.
    pub fn new(works: [(&str, Work<'w>); N]) -> Self {
        let names = works.each_ref().map(|(name, _)| (*name).to_owned());
        Self { names: names.into(), ..Self::of(works.map(|(_, work)| work)) }
    }
}

impl<'w, R: Lap> Race<'w, R> {
    /// A race of works without names.
    pub fn of(works: impl IntoIterator<Item = Work<'w>>) -> Self {
        let works: Vec<_> = works.into_iter().collect();
        Self {
            names: Vec::new(),
            units: lap(works.iter().map(|_| 1.0)),
            works: RefCell::new(works),
            chain: 1,
            ledgers: Vec::new(),
            card: None,
            rounds: RefCell::default(),
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

    /// Sets the units of a run of each work.
    pub fn per(self, units: R) -> Self {
        Self { units, ..self }
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
        found: impl Fn(&Laps<R>) -> Found,
    ) -> Result<Found, BoxedError> {
        let found_after = |rounds| found(&self.first(rounds));
        let is_decided = |rounds| judge(claim, &found_after(rounds), false) != Verdict::Undecided;
        Ok(found_after(self.look(run, is_decided)?))
    }

    /// Seconds of six rounds, for something that is shown and not judged.
    pub fn laps(&self, run: &Run<'_>) -> Result<Laps<R>, BoxedError> {
        self.laps_of(run, FEWEST)
    }

    /// Seconds of this number of rounds, 6, 12, 24, …, or of fewer if the time is spent.
    pub fn laps_of(&self, run: &Run<'_>, rounds: usize) -> Result<Laps<R>, BoxedError> {
        Ok(self.first(self.look(run, |done| done >= rounds)?))
    }

    /// A count of each work, per unit.
    ///
    /// # Panics
    /// If the works are not [counted](Self::counted).
    pub fn counts(&self, count: impl Fn(&Ledger) -> f64) -> R {
        let counts = self.ledgers.iter().zip(self.units.as_ref());
        lap(counts.map(|(ledger, units)| count(ledger) / units))
    }

    /// The number of rounds after which `decides` holds, or the time is spent.
    fn look(&self, run: &Run<'_>, decides: impl Fn(usize) -> bool) -> Result<usize, BoxedError> {
        let mut rounds = 0;
        loop {
            while self.rounds.borrow().len() <= rounds {
                self.round(run)?;
            }
            rounds += 1;
            let end = self.rounds.borrow()[rounds - 1].end;
            let budget = run.budget().as_secs_f64();
            let is_spent = end > budget && rounds >= FEWEST || end > 5.0 * budget && rounds >= 2;
            if is_spent || is_look(rounds) && decides(rounds) {
                return Ok(rounds);
            }
        }
    }

    /// Adds a round. Before the first one, works that have not been counted run once, which compiles their programs.
    fn round(&self, run: &Run<'_>) -> Result<(), BoxedError> {
        let mut works = self.works.borrow_mut();
        if self.ledgers.is_empty() && self.rounds.borrow().is_empty() {
            works.iter_mut().try_for_each(|work| work(0))?;
        }
        let begin = Instant::now();
        let mut seconds = Vec::new();
        for (work, units) in works.iter_mut().zip(self.units.as_ref()) {
            run.machine.finish();
            let start = Instant::now();
            (0..self.chain).try_for_each(&mut *work)?;
            run.machine.finish();
            seconds.push(start.elapsed().as_secs_f64() / self.chain as f64 / units);
        }
        let mut rounds = self.rounds.borrow_mut();
        let end = rounds.last().map_or(0.0, |last| last.end) + begin.elapsed().as_secs_f64();
        rounds.push(Round { seconds: lap(seconds), end });
        Ok(())
    }

    /// The first rounds.
    fn first(&self, rounds: usize) -> Laps<R> {
        let all = self.rounds.borrow();
        let seconds = all[..rounds].iter().map(|round| round.seconds.clone()).collect();
        Laps::new(seconds, self.in_model())
    }

    /// Seconds per unit in the model, unless a program cannot be counted; works without programs take none.
    fn in_model(&self) -> Option<R> {
        let (card, switches) = self.card?;
        let seconds = self.ledgers.iter().zip(self.units.as_ref()).map(|(ledger, units)| {
            let switching = switches(ledger) as f64 * card.driver.switch;
            let seconds = card.seconds(ledger).ok()? - card.switching_seconds(ledger);
            Some((seconds + switching) / units)
        });
        Some(lap(seconds.collect::<Option<Vec<_>>>()?))
    }
}

/// Tests whether a claim is judged after this number of rounds before its time is spent.
pub(super) fn is_look(rounds: usize) -> bool {
    rounds.is_multiple_of(FEWEST) && (rounds / FEWEST).is_power_of_two()
}

/// A ratio to be drawn: its name, its value in a round, and the printed one.
pub type Drawn<R> = (&'static str, fn(R) -> f64, Option<f64>);

/// Races on grids of several sizes, of which one is judged.
pub struct Races<'w, R> {
    races: Vec<(u32, Race<'w, R>)>,
    judged: usize,
}

impl<'w, R: Lap> Races<'w, R> {
    /// A race for each size; the one at the place `judged` is judged.
    pub fn new(
        sizes: &[u32],
        judged: usize,
        race: impl Fn(u32) -> Result<Race<'w, R>, BoxedError>,
    ) -> Result<Self, BoxedError> {
        let races = sizes.iter().map(|&size| Ok((size, race(size)?)));
        Ok(Self { races: races.collect::<Result<_, BoxedError>>()?, judged })
    }

    /// The race of the smallest size.
    pub fn first(&self) -> &Race<'w, R> {
        &self.races[0].1
    }

    /// The judged race and its size.
    pub fn judged(&self) -> (u32, &Race<'w, R>) {
        let (size, race) = &self.races[self.judged];
        (*size, race)
    }

    /// The seconds of all works, to be drawn over the size, as columns `work`, `size` and `seconds`.
    pub fn curves(&self, run: &Run<'_>, size: &str) -> Result<Table, BoxedError> {
        let mut table = Table::new("", ["work", size, "seconds"]);
        for (n, race) in &self.races {
            for (name, seconds) in race.names.iter().zip(race.laps(run)?.intervals()) {
                table.point(name, *n as usize, [seconds]);
            }
        }
        Ok(table)
    }

    /// Ratios of the works over the size as columns `ratio`, `size` and `times`: here, in the model, and printed.
    pub fn ratios(
        &self,
        run: &Run<'_>,
        size: &str,
        ratios: &[Drawn<R>],
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
    use crate::timing::rig::program;

    const ROW: Claim = shape("row", "", "", Printed::Faster, |_, _| Err("judged only".into()));

    fn found(laps: &Laps<[f64; 2]>) -> Found {
        Found::new().raced(laps, "gain", |[slow, fast]| slow / fast)
    }

    /// A race whose rounds are given: their ratios, a tenth of a second each.
    fn stored(ratios: impl Iterator<Item = f64>) -> Race<'static, [f64; 2]> {
        let works = [("slow", program(|_| ())), ("fast", program(|_| ()))];
        let race = Race::new(works);
        for (k, ratio) in (1..).zip(ratios) {
            let round = Round { seconds: [ratio, 1.0], end: 0.1 * f64::from(k) };
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
        assert_eq!(laps.of(|[a, _]| a).rounds, FEWEST);
        let race = race.per([1.0, 1e3]).counted(&machine).unwrap();
        assert_eq!(race.counts(|_| 2.0), [2.0, 2e-3]);
    }
}
