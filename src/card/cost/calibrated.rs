//! What a pass took: a model with six numbers that were fitted to 18 printed timings.
//!
//! ```text
//! seconds = t_pass + [t_switch] + n max(T, W, I) / (pipelines clock) + n g t_gather
//! ```
//!
//! | term | what | value |
//! |---|---|---|
//! | n | fragments, on NV30 in whole batches of 512 | |
//! | T | fetches: 4 cycles a texel of 16 bytes, strided ones k times as long | k = 2.2, fitted |
//! | W | the result: 4 cycles likewise | 4: goodnight2003's 8 GB/s, kruger2003's 2048² product; free, it fits 4.05 |
//! | I | NV30: instructions, each 1 + κ (⌈R / 2⌉ - 1) cycles with R live registers; R300: arithmetic or fetches, whichever are more | κ = 0.78, fitted |
//! | g | random fetches | t_gather = 30 ns, fitted to one witness, bolz2003's product |
//! | t_pass, t_switch | the driver ([`Driver`]) | 1.5 µs in OpenGL, 59 µs in Direct3D 9; 0.33 ms; fitted |
//!
//! The memory's bus does not appear: the texture units deliver half of what NV30's could. The form was
//! chosen after the timings were seen. What it may be used for: which term binds; factors above 1.7
//! between programs of coherent or strided fetches; rates of what is composed of these. What not:
//! products of scattered fetches, seconds of a V-cycle, other cards.
//!
//! [`retrodiction`](crate::retrodiction) holds it against everything that the papers print.

#[cfg(doc)]
use super::device::Driver;
use super::device::{Architecture, Card};
use crate::card::count::{Count, CountError, count};
use crate::stream::{Account, Ledger, Run, rasterise};

/// Cycles of a pipeline for a texel of 16 bytes, fetched or written.
const TEXEL: f64 = 4.0;
/// k
const STRIDED: f64 = 2.2;
/// κ
const REGISTERS: f64 = 0.78;
/// t_gather, in seconds.
const GATHER: f64 = 30e-9;
/// Tuples of 2 x 2 fragments that NV30 processes in turn.
const BATCH: u64 = 128;

/// What a program asks for, for one fragment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Instructions that are no fetches.
    pub arithmetic: u32,
    /// Fetches.
    pub fetches: u32,
    /// Those among them that lead anywhere.
    pub random: u32,
    /// Live registers of 32-bit numbers; one of 16-bit numbers counts half.
    pub registers: u32,
    /// Bytes fetched side by side or anywhere.
    pub bytes: f64,
    /// Bytes fetched from every other record.
    pub bytes_strided: f64,
    /// Bytes of the result.
    pub bytes_written: f64,
}

/// Fragments that a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Those asked for.
    pub fragments: u64,
    /// Tuples of 2 x 2 that they are rasterised in.
    pub tuples: u64,
}

impl Demand {
    /// What a counted program asks for that reads records of so many bytes from each of its streams.
    pub fn of(count: &Count, record_bytes: &[u8], bytes_written: f64) -> Self {
        let mut demand = Self {
            arithmetic: count.arithmetic,
            fetches: count.fetches,
            random: count.by_stream.iter().map(|stream| stream.random).sum(),
            registers: count.registers,
            bytes_written,
            ..Self::default()
        };
        for (stream, &bytes) in count.by_stream.iter().zip(record_bytes) {
            demand.bytes += f64::from(stream.all - stream.strided) * f64::from(bytes);
            demand.bytes_strided += f64::from(stream.strided) * f64::from(bytes);
        }
        demand
    }
}

impl Area {
    /// That of a rectangle.
    pub fn rectangle(width: u32, height: u32) -> Self {
        Self {
            fragments: u64::from(width) * u64::from(height),
            tuples: rasterise(width, height, 2).total(),
        }
    }
}

impl Card {
    /// Seconds of a pass, without a change of the surface.
    pub fn pass_seconds(&self, demand: &Demand, area: Area) -> f64 {
        let texels = |bytes: f64| TEXEL * bytes / 16.0;
        let fetched = texels(demand.bytes + STRIDED * demand.bytes_strided);
        let [arithmetic, fetches] = [demand.arithmetic, demand.fetches].map(f64::from);
        let (issued, fragments) = match self.device.architecture {
            Architecture::Nv30 => {
                let pairs = f64::from(demand.registers.div_ceil(2).max(1));
                let batches = area.tuples.div_ceil(BATCH);
                let cycles = 1.0 + REGISTERS * (pairs - 1.0);
                ((arithmetic + fetches) * cycles, 4 * BATCH * batches)
            }
            Architecture::R300 => (arithmetic.max(fetches), area.fragments),
        };
        let cycles = issued.max(fetched).max(texels(demand.bytes_written));
        let gathers = area.fragments as f64 * f64::from(demand.random);
        self.driver.pass
            + fragments as f64 * cycles / (self.device.pipelines * self.device.clock)
            + gathers * GATHER
    }

    /// Seconds of the passes of one kernel, likewise.
    pub fn account_seconds(&self, account: &Account, count: &Count) -> f64 {
        let runs = account.runs.iter();
        runs.map(|(run, &times)| times as f64 * self.run_seconds(run, count))
            .sum()
    }

    /// Seconds of one pass as it stands in the ledger, likewise.
    pub fn run_seconds(&self, run: &Run, count: &Count) -> f64 {
        let (fragments, tuples) = (run.fragments, run.tuples);
        let bytes_written = run.bytes_written as f64 / fragments.max(1) as f64;
        let demand = Demand::of(count, &run.record_bytes, bytes_written);
        self.pass_seconds(&demand, Area { fragments, tuples })
    }

    /// Seconds of the changes of the surface.
    pub fn switching_seconds(&self, ledger: &Ledger) -> f64 {
        ledger.target_switches as f64 * self.driver.switch
    }

    /// Seconds of all that a machine has done, transfers not counted.
    ///
    /// # Errors
    /// A program that cannot be counted.
    pub fn seconds(&self, ledger: &Ledger) -> Result<f64, CountError> {
        let mut seconds = self.switching_seconds(ledger);
        for account in ledger.kernels.values() {
            seconds += self.account_seconds(account, &*count(&account.text.fragment)?);
        }
        Ok(seconds)
    }
}
