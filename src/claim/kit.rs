//! What a card has done with a kit: the times of its works, and their errors.

use std::collections::BTreeSet;

use super::report::provenance::Provenance;
use crate::base::table::read_csv;
use crate::timing::Samples;

/// The contents of a file kit.csv.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kit {
    /// Mode of the kit: `quick` or `full`.
    pub mode: String,
    /// Renderer, driver and clock.
    pub machine: [String; 3],
    /// Times of the races in which all works are right.
    pub samples: Vec<Samples>,
    /// The other works, with the reasons.
    pub refused: BTreeSet<String>,
}

impl Kit {
    /// Reads the file.
    ///
    /// # Errors
    /// The line that is not one of such a file.
    pub fn of_csv(text: &str) -> Result<Self, String> {
        let (rows, mut kit, mut wrong) = (read_csv(text), Self::default(), BTreeSet::new());
        let second = |(at, name): (usize, &str)| match rows.get(at).map(Vec::as_slice) {
            Some([first, second, ..]) if first == name => Ok(second.clone()),
            _ => {
                Err(format!("line {}: {name} is missing. Give kit.csv as the kit wrote it", at + 1))
            }
        };
        kit.mode = second((0, "kit"))?;
        let [card, driver, clock] = [(1, "card"), (2, "driver"), (3, "clock")].map(second);
        kit.machine = [card?, driver?, clock?];
        for (line, row) in (1..).zip(&rows).skip(5) {
            let [process, race, work, why, error, bound, _, _, times @ ..] = &row[..] else {
                return Err(format!("line {line}: it ends too early. Run the kit again"));
            };
            let number = |text: &String| {
                let wrong = |_| format!("line {line}: “{text}” is not a number. Run the kit again");
                text.parse::<f64>().map_err(wrong)
            };
            let (process, error, bound) = (number(process)?, number(error)?, number(bound)?);
            if !why.is_empty() || error > bound || times.is_empty() {
                let off =
                    format!("its error is {error:.1e}, and that of 24 bits at most {bound:.1e}");
                let why = if why.is_empty() { &off } else { why };
                kit.refused.insert(format!("{race}, {work}: {why}"));
                wrong.insert(race);
            }
            let seconds = times.iter().map(|time| Ok(1e-3 * number(time)?));
            let own = (work.clone(), seconds.collect::<Result<Vec<f64>, String>>()?);
            match kit
                .samples
                .last_mut()
                .filter(|one| one.row == *race && one.process == process as usize)
            {
                Some(samples) => samples.works.push(own),
                None => kit.samples.push(Samples {
                    row: race.clone(),
                    process: process as usize,
                    works: vec![own],
                    ..Samples::default()
                }),
            }
        }
        kit.samples.retain(|samples| !wrong.contains(&samples.row));
        Ok(kit)
    }

    /// Makes a run that of the card.
    pub fn describe(&self, run: &mut Provenance) {
        let [card, driver, clock] = &self.machine;
        (run.renderer, run.version) = (card.clone(), format!("{driver}, clock {clock}"));
        (run.backend, run.cpu, run.load) = ("kit".to_owned(), String::new(), [0.0; 2]);
        run.processes = self.samples.iter().map(|samples| samples.process).max().unwrap_or(0);
    }
}
