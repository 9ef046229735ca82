//! The ratios that a machine's limits let one expect: a pass takes as long as the slowest of what it writes, its fragments
//! and its fetches, and so much more per draw, switch and wait.
//!
//! The work of each sentence is from its row's ledger and program; the times of whole solves, in which a few switches are
//! exchanged, are the H100's (`fragstream bench`).

use super::AgedError;

/// Limits of a machine, per second, and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes that fragments write per second.
    pub written: f64,
    /// Fragments per second.
    pub fragments: f64,
    /// Fetches of R32F and of RGBA32F per second.
    pub fetches: [f64; 2],
    /// Seconds per draw into the same target.
    pub draw: f64,
    /// Seconds per target switch: least and most.
    pub switch: [f64; 2],
}

impl Limits {
    /// Reads what `fragstream info --limits --csv` writes: name, value, low and high end per line, below a heading. Other
    /// limits may be there too.
    ///
    /// # Errors
    /// [`AgedError::Limit`].
    pub fn read(text: &str) -> Result<Self, AgedError> {
        let mut limits = Self {
            written: f64::NAN,
            fragments: f64::NAN,
            fetches: [f64::NAN; 2],
            draw: f64::NAN,
            switch: [f64::NAN; 2],
        };
        for (at, line) in text.lines().enumerate().skip(1) {
            let wrong = || AgedError::Limit { line: at + 1, text: line.to_owned() };
            let mut cells = line.split(',');
            let name = cells.next().unwrap_or_default();
            let numbers = cells.map(|cell| cell.trim().parse::<f64>().ok().filter(|&n| n >= 0.0));
            let numbers: Vec<f64> = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
            let &[value, low, high] = &numbers[..] else { return Err(wrong()) };
            match name {
                "bytes written per second" => limits.written = value,
                "fragments per second" => limits.fragments = value,
                "fetches of R32F per second" => limits.fetches[0] = value,
                "fetches of RGBA32F per second" => limits.fetches[1] = value,
                "seconds per draw" => limits.draw = value,
                "seconds per switch" => limits.switch = [low, high],
                _ => {}
            }
        }
        Ok(limits)
    }

    /// Seconds of a pass over this number of fragments, with bytes written and fetches of R32F and RGBA32F per fragment.
    fn pass(&self, fragments: f64, bytes: f64, fetches: [f64; 2]) -> f64 {
        let fetched = fetches[0] / self.fetches[0] + fetches[1] / self.fetches[1];
        let bound = (bytes / self.written).max(1.0 / self.fragments).max(fetched);
        fragments * bound
    }

    /// The range of a ratio over the range of a switch.
    fn over(&self, ratio: impl Fn(f64) -> f64) -> [f64; 2] {
        let [a, b] = self.switch.map(ratio);
        [a.min(b), a.max(b)]
    }

    /// The ratio that these limits let one expect for a sentence; `None` where they do not say.
    pub fn expected(&self, key: &str) -> Option<[f64; 2]> {
        const WAIT: f64 = 23.2e-6;
        const CYCLE: f64 = 2.403e-3;
        const SOLVE: f64 = 2.119e-3;
        let both = |ratio: f64| [ratio, ratio];
        let million = 1024.0 * 1024.0;
        Some(match key {
            // An iteration of 579 µs has 20.2 switches.
            "sw" => self.over(|s| 579e-6 / (579e-6 - 20.18 * s)),
            // At most as fetches: a part of a cycle is something else.
            "four" => [1.0, 4.0 * self.fetches[1] / self.fetches[0]],
            "coher" | "tex1d" | "rbmap" | "c2" | "c3" | "c5" | "c6" => both(1.0),
            "rgba" => both(
                self.pass(million, 4.0, [2.0, 0.0]) / self.pass(million / 4.0, 16.0, [0.0, 2.0]),
            ),
            // 512² rows: ten passes with three fetches each, or one with twenty.
            "dpp" => {
                let [one, ten] = [3.0, 20.0].map(|n| self.pass(million / 4.0, 4.0, [n, 0.0]));
                [0.0, 3.6e-6]
                    .map(|more| (10.0 * (one + more) + 10.0 * self.draw) / (ten + self.draw))
            }
            "place" => {
                let ten = 10.0 * self.pass(million / 4.0, 4.0, [3.0, 0.0]);
                [1.0, (ten + 9.0 * self.switch[1]) / ten]
            }
            // Ten passes instead of 512.
            "rej" => [
                (18e-6 + 10.0 * 6e-6) / (512.0 * 4.6 * self.draw),
                (18e-6 + 10.0 * 12e-6) / (512.0 * self.draw),
            ],
            "half16" => {
                let [whole, half] =
                    [16.0, 8.0].map(|bytes| self.pass(million / 4.0, bytes, [0.0; 2]));
                self.over(|s| (whole + s) / (half + s))
            }
            "half16b" => {
                both(self.pass(million, 4.0, [0.0; 2]) / self.pass(million, 2.0, [0.0; 2]))
            }
            // 18.3 half sweeps per level, 374 passes, 178 switches.
            "half" => {
                let written = 18.3 * 4.0 / 3.0 * 1025.0 * 1025.0 * 16.0 / self.written;
                self.over(|s| {
                    let passes = 374.0 * self.draw + 178.0 * s;
                    (written + passes) / (written / 2.0 + passes)
                })
            }
            // 187 more passes in a cycle of 8.4 ms.
            "fast" => [4.9, 1.0].map(|draws| 8.439e-3 / (8.439e-3 + 187.0 * draws * self.draw)),
            "two" => self.over(|s| 1.0 + 147.0 * s / 2.548e-3),
            "one" => self.over(|s| 1.0 + 2.0 * s / 2.548e-3),
            // The wait is batty2003's, c7: 149 of them per cycle.
            "fin" => both(1.0 + 149.0 * WAIT / CYCLE),
            // The wait is goodnight2003's, finish: 7.6 of them per iteration.
            "c7" => both(1.0 + 7.615 * 20.8e-6 / SOLVE),
            "copy" => self.over(|s| 1.0 + (7.0 * self.draw + 14.0 * s) / CYCLE),
            // The product, a sixth of the solve, reads bytes instead of floats.
            "c1" => {
                let floats = self.pass(250_000.0, 16.0, [0.0, 14.0]);
                let bytes = self.pass(250_000.0, 16.0, [7.0, 7.0]);
                both(1.0 - 0.166 * (1.0 - bytes / floats))
            }
            "c10" => self.over(|s| 1.0 + 0.194 * (25.0 * self.draw + 23.8 * s) / SOLVE),
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
        let pass =
            |bytes, fetches| Limits::read(text).map(|limits| limits.pass(3.0, bytes, fetches)).ok();
        assert_eq!(pass(4.0, [4.0, 0.0]), Some(12.0));
        assert_eq!(pass(2.0, [4.0, 0.0]), Some(6.0));
        assert_eq!(pass(1.0, [4.0, 1.0]), Some(9.0));
        assert_eq!(pass(2.0, [4.0, 1.0]), Some(9.0));
    }

    #[test]
    fn a_line_without_its_numbers_is_named() {
        let error = Limits::read("h\nseconds per draw,1\n").err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| {
            error.starts_with("line 2 of limits.csv: \"seconds per draw,1\"")
        }));
    }
}
