//! The instruction counter: what a program would have cost on a fragment processor of 2003.
//!
//! [`count`] parses an assembled program, executes it symbolically (loops unrolled, functions
//! inlined) into a graph of four-wide instructions, and counts those that the result needs. The
//! instructions are those of `NV_fragment_program`, the machine of Bolz et al. 2003, whose numbers
//! are instructions too (sections 3.3 and 4.3). Since equal instructions are one node of the graph,
//! common subexpressions count once and what nobody uses does not count.
//!
//! | GLSL | instructions |
//! |---|---|
//! | `fetch` | 1 TEX |
//! | `+`, `-`, `*`, `min`, `max`, `floor`, `ceil`, `fract`, `step`, `dFdx` | 1, up to four channels wide |
//! | `a * b + c`, `x += a * b` | 1 MAD, where the product is used in sums only |
//! | `dot` | 1 (DP3, DP4) for three and four channels, MUL and MAD for two |
//! | `mix` | 1 LRP |
//! | `a / b` | RCP for each channel of `b`, and MUL; a division by a constant is 1 MUL |
//! | `inversesqrt`, `exp2`, `log2`, `pow`, `sin`, `cos` | 1 for each channel |
//! | `sqrt`, `length`, `normalize`, `cross`, … | written out: RSQ and RCP; DP3, RSQ, RCP; DP3, RSQ, MUL; MUL, MAD; … |
//! | `a < b` and the like | 1 (SLT, SGE, SEQ, SNE), which also sets a condition code |
//! | `a && b`, `a \|\| b` | 1 (MUL, MAX of ones and zeros) |
//! | `c ? a : b` | 1, see below |
//! | negation, `abs`, swizzles, constructors of existing channels, constants, uniforms | 0: operand modifiers and names |
//! | `clamp(x, 0.0, 1.0)` | 0: the modifier `_SAT` of the instruction that makes `x` |
//! | a result that is a copy of an input or a constant | 1 MOV |
//! | `if (c) discard` | 1 KIL |
//!
//! **Conditions.** There were no branches: both sides are computed and one is selected. A selection
//! is one move under a condition code, after the comparison (one instruction). A comparison with
//! zero that only selections use costs nothing, for `CMP` selects by the sign of its first operand.
//! A selection between zero and something that is added to a sum, `sum += c ? x : 0.0`, costs
//! nothing beside the comparison: it is the addition under a condition code. And if that comparison
//! is of a computed value with zero, it costs nothing either, since every arithmetic instruction
//! can set a condition code. That is how section 3.1.3 can test bounds with three comparisons and
//! nothing else.
//!
//! **Registers.** A temporary register has four channels, and instructions write any of them (write
//! masks). So a value takes as many channels as are read of it later, and values share a register
//! as far as they fit, each of them whole in one:
//!
//! | what | channels of temporary registers |
//! |---|---|
//! | uniforms, constants, `here`, interpolated coordinates | 0: registers of their own |
//! | a result written by the instruction that computes it | 0: the output register |
//! | a result that is copied | its channels, until the move that follows at once |
//! | any other value | its channels that are read, until the last instruction that reads them |
//! | a comparison, unless it costs nothing | as any other value |
//! | what another instruction does along with its own work | 0; its operands are read there |
//!
//! An instruction may overwrite what it is the last to read. The number depends on the order of the
//! instructions: an upper bound of the least, see `registers.rs`. Registers of 16-bit numbers are
//! not told apart, since programs here do not ask for them.
//!
//! **Loops whose trip count is data** (by an exception from the era's rules) are unrolled to the
//! bound that they name, `k < min(data, CONSTANT)`, as if each ran as long as it can. A ledger that
//! knows how often they ran has the true number of fetches ([`Count::fetches_of`]).
//!
//! **Double precision** (another exception) counts like single.
//!
//! **Not modelled.** Independent scalar operations are not gathered into one wide instruction.
//! Constructors never cost a move, since a value can be made in the register where it is needed; so
//! an operand may gather channels of several registers. The limits on registers, and on constants
//! in one instruction, are left out.

mod builtin;
pub(in crate::card) mod execute;
pub(in crate::card) mod graph;
mod needs;
mod registers;
mod tally;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::dialect::{SyntaxError, access};
use execute::{DataLoops, execute};

/// The instructions of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All instructions.
    pub instructions: u32,
    /// Texture fetches among them.
    pub fetches: u32,
    /// Of these fetches, those from each stream, in the order in which the program declares them;
    /// streams after the last one that is fetched from may be left out.
    pub by_stream: Vec<StreamFetches>,
    /// The others.
    pub arithmetic: u32,
    /// How many of each, by the mnemonic of `NV_fragment_program`.
    pub by_kind: BTreeMap<&'static str, u32>,
    /// Temporary registers of four channels that hold what is computed and needed later: an upper
    /// bound of the least number.
    pub registers: u32,
    /// Dependent texture reads: the most fetches in a chain in which each position depends on the
    /// fetch before, not counting the first.
    pub dependent_levels: u32,
    /// The same as pixel shader 2.0 counts it, which goes on from a coordinate: the order of a read is
    /// 0 at an input, 1 at a computed position, and one more for each fetch that this depends on.
    pub read_order: u32,
    /// The loop whose trip count is data, in programs that have one (by an exception from the era's
    /// rules). All else that is counted is so as if it always ran as long as it can.
    pub data_loop: Option<DataLoop>,
}

/// Fetches from one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamFetches {
    /// All of them.
    pub all: u32,
    /// Those from every other record, by the program's own word ([`super::dialect::Access`]).
    pub strided: u32,
    /// And those from anywhere.
    pub random: u32,
}

/// A loop whose trip count is data: `for (float k = 0.0; k < min(data, CONSTANT); k += 1.0)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLoop {
    /// How often it runs at most.
    pub iterations: u32,
    /// Fetches from each stream that are not in it.
    pub outside: Vec<StreamFetches>,
}

impl Count {
    /// Fetches from each stream by so many fragments, whose data loops ran so often all together.
    pub fn fetches_of(&self, fragments: u64, iterations: Option<u64>) -> impl Iterator<Item = u64> {
        let streams = self.by_stream.iter().map(|stream| stream.all).enumerate();
        streams.map(move |(stream, all)| match (&self.data_loop, iterations) {
            (Some(data_loop), Some(iterations)) => {
                let outside = data_loop.outside.get(stream).map_or(0, |stream| stream.all);
                let inside = u64::from(all - outside) * iterations;
                fragments * u64::from(outside) + inside / u64::from(data_loop.iterations)
            }
            _ => fragments * u64::from(all),
        })
    }
}

/// Why a program cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The text is no GLSL.
    #[error("{0}; correct the program")]
    Syntax(#[from] SyntaxError),
    /// There is no `void main()`.
    #[error("no function main; count a whole program")]
    NoMain,
    /// Something that the counter has no instruction for.
    #[error("line {line}: cannot count {what}; keep to the era's rules (card::dialect)")]
    Unsupported {
        /// Line in the program, from 1.
        line: u32,
        /// What stands there.
        what: String,
    },
}

/// Counts the instructions of an assembled fragment program: `#define` lines, prelude and program
/// in one text. The prelude may be left out. A vertex program is counted by the same rules:
/// `gl_Position` and each `out` are its results. A text is counted once, then known.
///
/// # Errors
/// If the text cannot be parsed, has no `main`, or says something that did not exist in 2003.
pub fn count(assembled_source: &str) -> Result<Arc<Count>, CountError> {
    type Counted = Result<Arc<Count>, CountError>;
    static KNOWN: Mutex<BTreeMap<String, Counted>> = Mutex::new(BTreeMap::new());
    // Whoever panics does so before anything is put in.
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(counted) = known().get(assembled_source) {
        return counted.clone();
    }
    let counted = tallied(assembled_source).map(Arc::new);
    known().insert(assembled_source.to_owned(), counted.clone());
    counted
}

fn tallied(source: &str) -> Result<Count, CountError> {
    let tally = |data_loops| {
        let program = execute(source, true, data_loops)?;
        let accesses: Vec<_> = (program.streams.iter().map(|name| access(source, name))).collect();
        let outputs: Vec<_> = (program.outputs.into_iter().map(|(_, value)| value)).collect();
        let count = tally::tally(&program.graph, &outputs, &accesses);
        Ok::<_, CountError>((count, program.data_iterations))
    };
    let (mut count, iterations) = tally(DataLoops::Longest)?;
    if iterations > 0 {
        let (outside, _) = tally(DataLoops::Skipped)?;
        count.data_loop = Some(DataLoop {
            iterations: iterations as u32,
            outside: outside.by_stream,
        });
    }
    Ok(count)
}
