//! Where timings come from: machine, driver, program, date.

use serde::{Deserialize, Serialize};

use crate::base::memory::system_text;
use crate::stream::Machine;

use super::rig::{busy, cores, load};

/// Machine, driver and program of timings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// Processor with its number of cores.
    pub machine: String,
    /// Driver's renderer.
    pub renderer: String,
    /// Driver's version.
    pub driver: String,
    /// Commit from which the program was built.
    pub commit: String,
    /// Date and time, UTC, as in `2026-11-24 09:30`.
    pub date: String,
    /// True if other programs kept the machine busy when timing began.
    pub is_busy: bool,
}

impl Origin {
    /// Describes this machine, at this time.
    pub fn of(machine: &Machine) -> Self {
        let description = machine.description();
        let cpu = cpu();
        let name = if cpu.is_empty() { std::env::consts::ARCH } else { &cpu };
        Self {
            machine: format!("{name} ({} cores)", cores()),
            renderer: description.renderer.clone(),
            driver: description.version.clone(),
            commit: commit().to_owned(),
            date: date(),
            is_busy: busy(load(), cores()).is_some(),
        }
    }
}

/// Commit from which this program was built; `unknown` outside a checkout or a package.
pub fn commit() -> &'static str {
    env!("FRAGSTREAM_COMMIT")
}

/// The present time in UTC, to the minute.
pub(crate) fn date() -> String {
    let now = std::time::SystemTime::now();
    let seconds = now.duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_secs());
    let (days, minutes) = ((seconds / 86_400) as i64, seconds % 86_400 / 60);
    // Days to a date: Howard Hinnant, "chrono-compatible low-level date algorithms".
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// The text after a name in a file of a Linux system; empty elsewhere.
pub(crate) fn line_of(file: &str, name: &str, separator: char) -> String {
    let text = system_text(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let value = line.and_then(|line| line.split_once(separator));
    value.map_or_else(String::new, |(_, value)| value.trim().trim_matches('"').to_owned())
}

/// Name of the processor; empty where the system does not give it.
pub(crate) fn cpu() -> String {
    line_of("/proc/cpuinfo", "model name", ':')
}
