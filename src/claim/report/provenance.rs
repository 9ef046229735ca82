//! Date and system of a run, and the reliability of its timings.

use serde::{Deserialize, Serialize};

use super::json::Entry;
use crate::base::memory::system_text;
use crate::claim::{Interval, Measured};
use crate::io::reading::words;
use crate::timing::interval::short;
use crate::timing::origin::{commit, cpu, date, line_of};
use crate::timing::rig::{busy, cores, load};

/// A run: date, program, system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// Date and time, UTC, as in `2026-11-24 09:30`.
    pub date: String,
    /// Command line.
    pub command: String,
    /// Commit from which the program was built.
    pub commit: String,
    /// `quick` or `full`.
    pub mode: String,
    /// Driver's renderer.
    pub renderer: String,
    /// Back end: `glsl`, `arb` or `interpreter`; empty in older reports.
    pub backend: String,
    /// Driver's version.
    pub version: String,
    /// Operating system.
    pub system: String,
    /// Processor.
    pub cpu: String,
    /// Processor cores.
    pub cores: usize,
    /// Memory in GiB.
    pub memory: f64,
    /// Average load of the last minute, before the run and after it.
    pub load: [f64; 2],
    /// Seconds of the run.
    pub seconds: f64,
    /// Reasons to distrust its timings.
    pub warnings: Vec<String>,
    /// Governor of the processor's frequency; empty if it has none, as in a virtual machine.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub governor: String,
    /// Virtual machine, as its firmware names it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub virtual_machine: String,
    /// Compiler of the program.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub compiler: String,
    /// The variable LP_NUM_THREADS, with which llvmpipe draws on fewer cores.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lp_num_threads: String,
    /// Number of processes for timed rows; 0 in older reports and in quick runs.
    #[serde(skip_serializing_if = "is_zero")]
    pub processes: usize,
    /// Seed of the orders in its processes.
    #[serde(skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// Ratios of twins: a program compared with the same program, compiled and allocated apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<Interval>,
    /// Share that cannot be distinguished, by the twins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
}

fn is_zero<T: Default + PartialEq>(count: &T) -> bool {
    *count == T::default()
}

/// Median relative width of the intervals above which a run's timings count as scattered.
const SCATTER: f64 = 0.5;

impl Provenance {
    /// Describes this system and the present time.
    pub fn now() -> Self {
        Self {
            date: date(),
            command: command(words()),
            commit: commit().to_owned(),
            system: system(),
            cpu: cpu(),
            cores: cores(),
            memory: memory(),
            load: [load(); 2],
            governor: first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            virtual_machine: virtual_machine(),
            compiler: env!("FRAGSTREAM_COMPILER").to_owned(),
            lp_num_threads: std::env::var("LP_NUM_THREADS").unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Describes the run up to now: reads the load again, and warns if load or scatter make the timings unreliable.
    pub fn update(&mut self, seconds: f64, claims: &[Entry]) {
        self.warnings.clear();
        self.seconds = (10.0 * seconds).round() / 10.0;
        self.load[1] = load();
        self.warnings.extend(busy(self.load[0], self.cores));
        let mut widths: Vec<f64> = claims.iter().flat_map(widths).collect();
        widths.sort_by(f64::total_cmp);
        if let Some(&width) = widths.get(widths.len() / 2)
            && width > SCATTER
        {
            self.warnings.push(format!(
                "Timings scatter: half of the intervals are wider than {:.0} % of their median. Do not compare them.",
                100.0 * width
            ));
        }
    }

    /// Tests whether the interpreter drew.
    pub fn is_interpreted(&self) -> bool {
        self.backend == "interpreter"
    }

    /// Tests whether a CPU drew.
    pub fn draws_in_software(&self) -> bool {
        let names = ["llvmpipe", "softpipe", "SWR"];
        self.is_interpreted() || names.iter().any(|name| self.renderer.contains(name))
    }

    /// Tests whether a card of the papers' time has run a kit.
    pub fn is_of_a_card(&self) -> bool {
        let cards = ["GeForce FX", "Quadro FX 1000", "Quadro FX 2000", "RADEON 9", "Radeon 9"];
        self.backend == "kit" && cards.iter().any(|card| self.renderer.contains(card))
    }

    /// The renderer without its version, as in `NVIDIA H200`.
    pub fn machine(&self) -> &str {
        self.renderer.split(['/', '(']).next().unwrap_or_default().trim()
    }

    /// Tests whether the run was in quick mode.
    pub fn is_quick(&self) -> bool {
        self.mode == "quick"
    }

    /// The name by which claims refer to the run: commit, date, mode and renderer.
    pub fn name(&self) -> String {
        [&*self.commit, &self.date, &self.mode, &self.renderer].join(", ")
    }

    /// The run and its machine in words.
    pub fn entries(&self) -> [String; 2] {
        let [before, after] = self.load;
        let commit = format!("commit {}", self.commit);
        let seconds = format!("{:.0} s", self.seconds);
        let load = format!("load {before:.1} before and {after:.1} after");
        let cpu = format!("{} ({} cores)", self.cpu, self.cores);
        let memory = format!("{:.0} GiB", self.memory);
        let named = |what: &str, value: &String| match value.is_empty() {
            true => String::new(),
            false => format!("{what} {value}"),
        };
        let governor = named("governor", &self.governor);
        let host = named("virtual machine:", &self.virtual_machine);
        let threads = named("LP_NUM_THREADS", &self.lp_num_threads);
        let floor = self.floor.map_or_else(String::new, |floor| {
            format!("floor {} % by {} twins", short(100.0 * floor), self.twins.len())
        });
        let run = [&self.mode, &self.date, &seconds, &commit, &self.command];
        let machine = [
            &self.renderer,
            &self.backend,
            &self.version,
            &cpu,
            &memory,
            &self.system,
            &load,
            &governor,
            &host,
            &self.compiler,
            &threads,
            &floor,
        ];
        let text = |parts: &[&String]| {
            let known = parts.iter().filter(|part| !part.is_empty()).map(|part| part.as_str());
            known.collect::<Vec<_>>().join("; ")
        };
        [text(&run), text(&machine)]
    }
}

/// Relative widths of a claim's intervals.
fn widths(claim: &Entry) -> Vec<f64> {
    let intervals = claim.values.iter().filter_map(|value| match value.measured {
        Measured::Number(interval) if interval.rounds > 0 => Some(interval),
        _ => None,
    });
    intervals.map(|i| (i.high - i.low) / i.median.abs().max(f64::MIN_POSITIVE)).collect()
}

/// A command line as it can be given on any machine: without the folders of this one.
fn command(words: impl Iterator<Item = String>) -> String {
    let name = |word: String| match word.strip_prefix('/') {
        Some(path) => path.rsplit('/').next().unwrap_or_default().to_owned(),
        None => word,
    };
    let words = ["fragstream".to_owned()].into_iter().chain(words.skip(1).map(name));
    words.collect::<Vec<_>>().join(" ")
}

/// The first line of a file of the system; empty without it.
fn first_line(file: &str) -> String {
    let text = system_text(file).unwrap_or_default();
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// Vendor and product of a machine whose processor names a hypervisor; else empty.
fn virtual_machine() -> String {
    let flags = line_of("/proc/cpuinfo", "flags", ':');
    if !flags.split(' ').any(|flag| flag == "hypervisor") {
        return String::new();
    }
    let names = ["sys_vendor", "product_name"];
    let names = names.map(|name| first_line(&format!("/sys/class/dmi/id/{name}")));
    match names.join(" ").trim() {
        "" => "yes".to_owned(),
        name => name.to_owned(),
    }
}

fn system() -> String {
    let kernel = system_text("/proc/sys/kernel/osrelease").unwrap_or_default();
    let name = line_of("/etc/os-release", "PRETTY_NAME", '=');
    let kernel = kernel.trim();
    match (name.as_str(), kernel) {
        ("", "") => std::env::consts::OS.to_owned(),
        (name, kernel) => format!("{name}, Linux {kernel}"),
    }
}

fn memory() -> f64 {
    let kilobytes = line_of("/proc/meminfo", "MemTotal", ':');
    let kilobytes = kilobytes.trim_end_matches(" kB").parse().unwrap_or(0.0);
    kilobytes / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_no_folder_of_this_machine() {
        let words = ["target/debug/fragstream", "reproduce", "--out", "/tmp/full"];
        let command = command(words.iter().map(ToString::to_string));
        assert_eq!(command, "fragstream reproduce --out full");
    }

    #[test]
    fn a_run_knows_its_date_and_warns_of_a_busy_machine() {
        let mut run = Provenance::now();
        assert_eq!(run.date.len(), "2026-11-24 09:30".len(), "{}", run.date);
        assert!(run.date.as_str() > "2026");
        (run.cores, run.load) = (2, [0.2; 2]);
        run.update(1.0, &[]);
        assert!(run.warnings.is_empty());
        run.load = [3.0; 2];
        run.update(1.0, &[]);
        assert!(run.warnings[0].contains("busy"));
    }
}
