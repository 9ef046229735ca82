//! The ratios that a machine's limits let one expect: a pass takes as long as the slowest of what it writes, its fragments
//! and its fetches, and so much more per draw, switch and wait.
//!
//! The work of each sentence is from its row's ledger and program. Where a few passes, switches or waits of a whole solve
//! are exchanged, the seconds of that solve on this machine are among its limits.

use std::collections::BTreeMap;

use super::AgedError;

/// Sentences that save what does not bind, so that nothing is expected.
pub(super) const ARGUED: [&str; 7] = ["coher", "tex1d", "rbmap", "c2", "c3", "c5", "c6"];

/// Limits of a machine by their names, each with the ends of its interval: rates per second, and seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits(BTreeMap<String, [f64; 3]>);

impl Limits {
    /// Reads what `fragstream info --limits --csv` writes: name, value, low and high end per line, below a heading. Lines
    /// with the seconds of solves may follow.
    pub fn read(text: &str) -> Result<Self, AgedError> {
        let mut limits = Self::default();
        for (at, line) in text.lines().enumerate().skip(1) {
            let wrong = || AgedError::Limit { line: at + 1, text: line.to_owned() };
            let mut cells = line.split(',');
            let name = cells.next().unwrap_or_default();
            let numbers =
                cells.map(|cell| cell.trim().parse::<f64>().ok().filter(|n| n.is_finite()));
            let numbers: Vec<f64> = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
            let numbers = <[f64; 3]>::try_from(numbers).map_err(|_| wrong())?;
            if numbers[0] <= 0.0 || numbers[1] < 0.0 || numbers[2] < numbers[1] {
                return Err(wrong());
            }
            limits.0.insert(name.to_owned(), numbers);
        }
        Ok(limits)
    }

    /// The limits in the order of their names: value, low and high end.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&str, [f64; 3])> {
        self.0.iter().map(|(name, &numbers)| (&**name, numbers))
    }

    fn of(&self, name: &str) -> Option<f64> {
        self.0.get(name).map(|[value, ..]| *value)
    }

    fn ends(&self, name: &str) -> Option<[f64; 2]> {
        self.0.get(name).map(|&[_, low, high]| [low, high])
    }

    /// Seconds of a pass with this number of fragments, and of bytes written and fetches of R32F and RGBA32F per fragment.
    fn pass(&self, fragments: f64, bytes: f64, fetches: [f64; 2]) -> Option<f64> {
        let fetched = fetches[0] / self.of("fetches of R32F per second")?
            + fetches[1] / self.of("fetches of RGBA32F per second")?;
        let written = bytes / self.of("bytes written per second")?;
        let bound = written.max(1.0 / self.of("fragments per second")?).max(fetched);
        Some(fragments * bound)
    }

    /// The ratio that these limits let one expect for a sentence; `None` where they do not suffice.
    pub fn expected(&self, key: &str) -> Option<[f64; 2]> {
        let over = |ends: [f64; 2], ratio: &dyn Fn(f64) -> f64| {
            let [a, b] = ends.map(ratio);
            [a.min(b), a.max(b)]
        };
        let (draw, switch) = (self.of("seconds per draw")?, self.ends("seconds per switch")?);
        // A pass of a chain costs more than its draw.
        let chained = || self.ends("seconds per pass of a chain");
        let small = || self.of("seconds per cycle on 257²");
        let iteration = || self.of("seconds per iteration of batty2003");
        let million = 1024.0 * 1024.0;
        let of_rgba = |bytes| self.pass(million / 4.0, bytes, [0.0; 2]);
        let of_single = |bytes| self.pass(million, bytes, [0.0; 2]);
        Some(match key {
            // Switches per iteration.
            "sw" => {
                let whole = self.of("seconds per iteration of bolz2003")?;
                over(switch, &|s| whole / (whole - 20.18 * s))
            }
            // At most as fetches: a part of a cycle is something else.
            "four" => {
                let single = self.of("fetches of R32F per second")?;
                [1.0, 4.0 * self.of("fetches of RGBA32F per second")? / single]
            }
            key if ARGUED.contains(&key) => [1.0; 2],
            "rgba" => {
                let single = self.pass(million, 4.0, [2.0, 0.0])?;
                [single / self.pass(million / 4.0, 16.0, [0.0, 2.0])?; 2]
            }
            // 512² rows: ten passes with three fetches each, or one with twenty.
            "dpp" => {
                let one = self.pass(million / 4.0, 4.0, [3.0, 0.0])?;
                let ten = self.pass(million / 4.0, 4.0, [20.0, 0.0])?;
                over(chained()?, &|pass| 10.0 * (one + pass) / (ten + draw))
            }
            "place" => {
                let ten = 10.0 * self.pass(million / 4.0, 4.0, [3.0, 0.0])?;
                [1.0, (ten + 9.0 * switch[1]) / ten]
            }
            // Ten passes instead of 512.
            "rej" => {
                let (rows, [low, high]) = (self.of("seconds per product of 512 rows")?, chained()?);
                let [least, most] = switch.map(|s| rows + 10.0 * (draw + s));
                [least / (512.0 * high), most / (512.0 * low)]
            }
            "half16" => {
                let (whole, half) = (of_rgba(16.0)?, of_rgba(8.0)?);
                over(switch, &|s| (whole + s) / (half + s))
            }
            "half16b" => [of_single(4.0)? / of_single(2.0)?; 2],
            // 18.3 half sweeps per level, 374 passes, 178 switches.
            "half" => {
                let nodes = 18.3 * 4.0 / 3.0 * 1025.0 * 1025.0;
                let written = 16.0 * nodes / self.of("bytes written per second")?;
                let passes = |s: f64| 374.0 * draw + 178.0 * s;
                over(switch, &|s| (written + passes(s)) / (written / 2.0 + passes(s)))
            }
            // 187 more passes.
            "fast" => {
                let cycle = self.of("seconds per cycle on 1025²")?;
                over(chained()?, &|pass| cycle / (cycle + 187.0 * pass))
            }
            // 147 changes of 149 are saved, and the other two.
            "two" | "one" => {
                let cycle = self.of("seconds per cycle on 257² with two buffers")?;
                let changes = if key == "two" { 147.0 } else { 2.0 };
                over(switch, &|s| 1.0 + changes * s / cycle)
            }
            // 149 waits per cycle, each as long as in the other paper's solve, and 7.6 per iteration.
            "fin" => [1.0 + 149.0 * self.of("seconds per wait in batty2003")? / small()?; 2],
            "c7" => [1.0 + 7.615 * self.of("seconds per wait in goodnight2003")? / iteration()?; 2],
            "copy" => {
                let cycle = small()?;
                over(switch, &|s| 1.0 + (7.0 * draw + 14.0 * s) / cycle)
            }
            // The product reads bytes instead of floats.
            "c1" => {
                let floats = self.pass(250_000.0, 16.0, [0.0, 14.0])?;
                let bytes = self.pass(250_000.0, 16.0, [7.0, 7.0])?;
                let share = self.of("share of the product in batty2003")?;
                [1.0 - share * (1.0 - bytes / floats); 2]
            }
            // Passes and switches per iteration that a whole sum has beyond 16 records.
            "c10" => {
                let whole = iteration()?;
                over(switch, &|s| 1.0 + (4.85 * draw + 4.62 * s) / whole)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halved_bytes_halve_a_pass_that_writes_and_nothing_of_one_that_fetches() {
        let text = "limit,value,low,high\nbytes written per second,1,1,1\nfragments per second,8,8,8\n\
                    fetches of R32F per second,2,2,2\nfetches of RGBA32F per second,1,1,1\n";
        let limits = Limits::read(text).unwrap();
        assert_eq!(limits.pass(3.0, 4.0, [4.0, 0.0]), Some(12.0));
        assert_eq!(limits.pass(3.0, 2.0, [4.0, 0.0]), Some(6.0));
        assert_eq!(limits.pass(3.0, 1.0, [4.0, 1.0]), Some(9.0));
        assert_eq!(limits.pass(3.0, 2.0, [4.0, 1.0]), Some(9.0));
    }

    #[test]
    fn nothing_is_expected_from_limits_that_are_not_there() {
        let machine =
            Limits::read("h\nseconds per draw,1,1,1\nseconds per switch,1,1,1\n").unwrap();
        assert_eq!(machine.expected("two"), None);
        assert_eq!(Limits::default().expected("c6"), None);
    }

    #[test]
    fn a_line_without_its_numbers_is_named() {
        let error = Limits::read("h\nseconds per draw,1\n").err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| {
            error.starts_with("line 2 of limits.csv: \"seconds per draw,1\"")
        }));
    }
}
