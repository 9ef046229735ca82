//! Time of a pass by a model with five numbers, fitted to 18 printed timings.
//!
//! ```text
//! seconds = t_pass or [t_switch] + n max(T, W, I) / (pipelines clock) + n g t_gather
//! ```
//!
//! | term | what | value |
//! |---|---|---|
//! | n | fragments; on NV30 in whole batches of 512 | |
//! | T | fetches: 4 cycles per texel of 16 bytes; strided ones k times as long | k = 2.2, fitted |
//! | W | the result: 4 cycles per texel of 16 bytes | 4: goodnight2003's 8 GB/s, kruger2003's 2048² product; if
//! it were free, the fit would give 4.05 |
//! | I | NV30: instructions, each 1 + κ (⌈R / 2⌉ - 1) cycles with R live registers; R300: arithmetic or fetches, whichever are more | κ = 0.78, fitted |
//! | g | random fetches | t_gather = 30 ns, fitted to one witness, bolz2003's product |
//! | t_pass, t_switch | the driver ([`Driver`]) | in OpenGL 0.33 ms per target switch; in Direct3D 9 59 µs per pass, which include the switch; fitted |
//!
//! The memory bus does not appear, because the texture units deliver half of the bandwidth of NV30's bus. The
//! form was chosen after the timings were known. Use the model to find the binding term, for ratios above 1.7
//! between programs with coherent or strided fetches, and for rates composed of these. Do not use it for
//! products with scattered fetches, for seconds of a V-cycle, or for other cards.
//!
//! `fragstream card` compares it with every timing in the papers, and refits show which of its numbers
//! these determine: all, and t_gather by one timing only. A time per pass in OpenGL is not among them, because its 95 %
//! interval holds zero.

#[cfg(doc)]
use super::device::Driver;
use super::device::{Architecture, Card, Numbers};
use crate::card::count::{Count, CountError, count};
use crate::stream::{Account, Ledger, PassCounts, rasterise};

/// Cycles of a pipeline for a texel of 16 bytes, fetched or written.
const TEXEL: f64 = 4.0;
/// κ with the largest and with the smallest grid that batty2003's table may have been measured on.
const REGISTERS_RANGE: [f64; 2] = [0.49, 1.07];
/// Tuples of 2 x 2 fragments in a batch of NV30.
const BATCH: u64 = 128;

/// Demands of a program per fragment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Instructions other than fetches.
    pub arithmetic: u32,
    /// Fetches.
    pub fetches: u32,
    /// Fetches among them from arbitrary positions.
    pub random: u32,
    /// Live 32-bit registers; a 16-bit register counts as half.
    pub registers: u32,
    /// Bytes fetched from neighbouring or arbitrary positions.
    pub bytes: f64,
    /// Bytes fetched from every other record.
    pub bytes_strided: f64,
    /// Bytes of the result.
    pub bytes_written: f64,
}

/// Time of a fragment in a pipeline, in cycles: the longer of instructions and bytes, and then the random fetches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cycles {
    /// Instructions, fetches included.
    pub instructions: f64,
    /// Bytes fetched or written, whichever take longer.
    pub bytes: f64,
    /// Random fetches, in addition.
    pub random: f64,
}

/// Fragments of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Number of fragments.
    pub fragments: u64,
    /// Number of tuples of 2 x 2 in which they are rasterised.
    pub tuples: u64,
}

impl Demand {
    /// Demands of a counted program that reads records of `record_bytes` from the stream of a name.
    pub fn of(count: &Count, record_bytes: impl Fn(&str) -> u8, bytes_written: f64) -> Self {
        let mut demand = Self {
            arithmetic: count.arithmetic,
            fetches: count.fetches,
            random: count.by_stream.iter().map(|stream| stream.random).sum(),
            registers: count.registers,
            bytes_written,
            ..Self::default()
        };
        for stream in &count.by_stream {
            let bytes = record_bytes(&stream.name);
            demand.bytes += f64::from(stream.all - stream.strided) * f64::from(bytes);
            demand.bytes_strided += f64::from(stream.strided) * f64::from(bytes);
        }
        demand
    }

    /// Demands of one pass of the ledger by a program with these streams.
    pub fn of_run(run: &PassCounts, streams: &[String], count: &Count) -> Self {
        let bytes_written = run.bytes_written as f64 / run.fragments.max(1) as f64;
        Self::of(count, |name| run.bytes_of(name, streams), bytes_written)
    }
}

impl Area {
    /// Area of a rectangle.
    pub fn rectangle(width: u32, height: u32) -> Self {
        Self {
            fragments: u64::from(width) * u64::from(height),
            tuples: rasterise(width, height, 2).total(),
        }
    }
}

impl Card {
    /// Cycles of a fragment.
    pub fn cycles(&self, demand: &Demand) -> Cycles {
        let Numbers { strided, registers, gather } = self.numbers;
        let texels = |bytes: f64| TEXEL * bytes / 16.0;
        let fetched = texels(demand.bytes + strided * demand.bytes_strided);
        let [arithmetic, fetches] = [demand.arithmetic, demand.fetches].map(f64::from);
        let instructions = match self.device.architecture {
            Architecture::Nv30 => {
                let pairs = f64::from(demand.registers.div_ceil(2).max(1));
                (arithmetic + fetches) * (1.0 + registers * (pairs - 1.0))
            }
            Architecture::R300 => arithmetic.max(fetches),
        };
        let random = f64::from(demand.random) * gather * self.device.pipelines * self.device.clock;
        Cycles { instructions, bytes: fetched.max(texels(demand.bytes_written)), random }
    }

    /// Cycles of a fragment with the smallest and with the largest plausible cost of registers.
    pub fn range_of_cycles(&self, demand: &Demand) -> [Cycles; 2] {
        REGISTERS_RANGE.map(|registers| {
            let numbers = Numbers { registers, ..self.numbers };
            Self { numbers, ..*self }.cycles(demand)
        })
    }

    /// Seconds of a pass without a target switch.
    pub fn pass_seconds(&self, demand: &Demand, area: Area) -> f64 {
        let Cycles { instructions, bytes, .. } = self.cycles(demand);
        let fragments = match self.device.architecture {
            Architecture::Nv30 => 4 * BATCH * area.tuples.div_ceil(BATCH),
            Architecture::R300 => area.fragments,
        };
        let gathers = area.fragments as f64 * f64::from(demand.random);
        self.driver.pass
            + fragments as f64 * instructions.max(bytes)
                / (self.device.pipelines * self.device.clock)
            + gathers * self.numbers.gather
    }

    /// Seconds of the passes of one kernel, without target switches.
    pub fn account_seconds(&self, account: &Account, count: &Count) -> f64 {
        let runs = account.runs.iter();
        runs.map(|(run, &times)| times as f64 * self.run_seconds(run, &account.streams, count))
            .sum()
    }

    /// Seconds of one pass of the ledger by a program with these streams, without target switches.
    pub fn run_seconds(&self, run: &PassCounts, streams: &[String], count: &Count) -> f64 {
        let area = Area { fragments: run.fragments, tuples: run.tuples };
        self.pass_seconds(&Demand::of_run(run, streams, count), area)
    }

    /// Seconds of the target switches.
    pub fn switching_seconds(&self, ledger: &Ledger) -> f64 {
        ledger.target_switches as f64 * self.driver.switch
    }

    /// Seconds of the whole ledger without transfers.
    pub fn seconds(&self, ledger: &Ledger) -> Result<f64, CountError> {
        let mut seconds = self.switching_seconds(ledger);
        for (text, account) in &ledger.kernels {
            seconds += self.account_seconds(account, &*count(&text.fragment)?);
        }
        Ok(seconds)
    }
}
