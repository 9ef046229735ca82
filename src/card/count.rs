//! Instruction counts: the cost of a program on a fragment processor of 2003.
//!
//! [`count`] makes the listing of a program ([`crate::program::listing`]) and reads it: its length is the
//! number of instructions, its temporaries are the registers. The instructions are those of
//! `NV_fragment_program`, which Bolz et al. 2003 count too (sections 3.3 and 4.3).
//!
//! | GLSL | instructions |
//! |---|---|
//! | `fetch` | 1 TEX |
//! | `+`, `-`, `*`, `min`, `max`, `floor`, `ceil`, `fract`, `step`, `dFdx` | 1, up to four channels wide |
//! | `a * b + c`, `x += a * b` | 1 MAD, if the product is used only in sums |
//! | `dot` | 1 (DP3, DP4) for three and four channels, MUL and MAD for two |
//! | `mix` | 1 LRP |
//! | `a / b` | RCP for each channel of `b`, and MUL; a division by a constant is 1 MUL |
//! | `inversesqrt`, `exp2`, `log2`, `pow`, `sin`, `cos` | 1 for each channel |
//! | `sqrt`, `length`, `normalize`, `cross`, … | expanded: RSQ and RCP; DP3, RSQ, RCP; DP3, RSQ, MUL; MUL, MAD;
//! … |
//! | `a < b` and the like | 1 (SLT, SGE, SEQ, SNE); 0 for a comparison with zero, if the instruction that
//! computes `a` sets the condition code |
//! | `a && b`, `a \|\| b` | 1 (MUL, MAX of ones and zeros) |
//! | `!c` | 1 ADD, because of NaN neither `a < b` nor `a >= b` holds; 0 for `==` and `!=` |
//! | `c ? a : b` | 1 or 2 moves; 0 for values computed under the condition |
//! | negation, `abs`, swizzles, constants, uniforms | 0: operand modifiers and names |
//! | constructors | 0 if the channels can be computed in one instruction, else one MOV per register |
//! | a second attribute or uniform in one instruction | 1 MOV |
//! | `clamp(x, 0.0, 1.0)` | 0: the modifier `_SAT` of the instruction that makes `x` |
//! | `if (c) discard` | 1 KIL |
//!
//! There were no branches: both sides are computed and one is selected. `sum += c ? x : 0.0` is a conditional
//! addition; with it, section 3.1.3 can test bounds by three comparisons alone.
//!
//! **Loops whose trip count is data** (by an exception from the era's rules) are unrolled to the bound that
//! they name, `k < min(data, CONSTANT)`, as if each ran to it. A ledger that has the trip counts gives the true
//! number of fetches ([`Count::fetches_of`]).
//!
//! **Double precision** (another exception) counts like single, although no card of 2003 had it: such a program
//! has no listing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::dialect::{Access, access};
use crate::program::emit::listing;
use crate::program::execute::{DataLoops, execute};
use crate::program::front::Stage;
use crate::program::listing::{Base, Listing, Opcode, Slots};

pub use crate::program::CountError;

/// The instructions of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All instructions.
    pub instructions: u32,
    /// Texture fetches among them.
    pub fetches: u32,
    /// Fetches from each stream that is read.
    pub by_stream: Vec<StreamFetches>,
    /// Instructions other than fetches.
    pub arithmetic: u32,
    /// Number of instructions by mnemonic of `NV_fragment_program`.
    pub by_kind: BTreeMap<&'static str, u32>,
    /// Temporary registers with four channels. An upper bound of the smallest possible number.
    pub registers: u32,
    /// Levels of dependent texture reads: the longest chain of fetches in which each position depends on the
    /// fetch before, without the first fetch.
    pub dependent_levels: u32,
    /// Order of reads as in pixel shader 2.0, which also counts computed coordinates: 0 for a read at an input,
    /// 1 at a computed position, and one more for each fetch that the position depends on.
    pub read_order: u32,
    /// Phases of `ARB_fragment_program`: a fetch that depends on the present phase begins another one.
    pub phases: u32,
    /// Constants that are set, and constants in the text.
    pub constants: u32,
    /// Interpolated coordinates, including the fragment's position.
    pub coordinates: u32,
    /// Slots of pixel shader 2.0; absent if the program cannot be expressed in it.
    pub slots: Option<Slots>,
    /// Loop whose trip count is data, if the program has one (by an exception from the era's rules). All other
    /// counts assume that it runs to its bound.
    pub data_loop: Option<DataLoop>,
}

/// Fetches from one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamFetches {
    /// Name of the stream.
    pub name: String,
    /// All fetches.
    pub all: u32,
    /// Fetches from every other record, as the program declares ([`super::dialect::Access`]).
    pub strided: u32,
    /// Fetches from arbitrary positions.
    pub random: u32,
}

/// A loop whose trip count is data: `for (float k = 0.0; k < min(data, CONSTANT); k += 1.0)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLoop {
    /// Maximum number of iterations.
    pub iterations: u32,
    /// Fetches from each stream outside of the loop.
    pub outside: Vec<StreamFetches>,
}

impl Count {
    /// Name of each stream that is read, and fetches from it by `fragments` fragments, whose data loops ran
    /// `iterations` times in total.
    pub fn fetches_of(
        &self,
        fragments: u64,
        iterations: Option<u64>,
    ) -> impl Iterator<Item = (&str, u64)> {
        self.by_stream.iter().map(move |StreamFetches { name, all, .. }| {
            let fetches = match (&self.data_loop, iterations) {
                (Some(data_loop), Some(iterations)) => {
                    let mut outside = data_loop.outside.iter();
                    let outside = outside.find(|stream| stream.name == *name);
                    let outside = outside.map_or(0, |stream| stream.all);
                    let inside = u64::from(all - outside) * iterations;
                    fragments * u64::from(outside) + inside / u64::from(data_loop.iterations)
                }
                _ => fragments * u64::from(*all),
            };
            (name.as_str(), fetches)
        })
    }

    /// Reads a listing of an assembled program.
    pub fn of(listing: &Listing, source: &str) -> Self {
        let shape = listing.shape();
        let mut count = Self {
            instructions: listing.instructions.len() as u32,
            fetches: listing.fetches() as u32,
            registers: listing.registers() as u32,
            dependent_levels: shape.dependent_levels as u32,
            read_order: shape.read_order as u32,
            phases: shape.phases as u32,
            constants: shape.constants as u32,
            coordinates: shape.coordinates as u32,
            slots: listing.slots(),
            ..Self::default()
        };
        count.arithmetic = count.instructions - count.fetches;
        let fetches = |name: &String| StreamFetches { name: name.clone(), ..Default::default() };
        count.by_stream = listing.streams.iter().map(fetches).collect();
        for instruction in &listing.instructions {
            *count.by_kind.entry(instruction.opcode.name()).or_default() += 1;
            if instruction.opcode != Opcode::Tex {
                continue;
            }
            let fetches = &mut count.by_stream[instruction.unit];
            let access = access(source, &fetches.name);
            // A fetch at the fragment's own position is always coherent.
            let is_here = instruction.operands[0].base == Base::Position;
            fetches.all += 1;
            fetches.strided += u32::from(access == Access::Strided);
            fetches.random += u32::from(access == Access::Random && !is_here);
        }
        count
    }
}

/// Counts the instructions of an assembled fragment program: `#define` lines, prelude and program in one text.
/// The prelude is optional. Counts are cached by text.
///
/// # Errors
/// The text cannot be parsed, has no `main`, or uses something that did not exist in 2003.
pub fn count(assembled: &str) -> Result<Arc<Count>, CountError> {
    type Counted = Result<Arc<Count>, CountError>;
    static KNOWN: Mutex<BTreeMap<String, Counted>> = Mutex::new(BTreeMap::new());
    // A panic happens before anything is inserted.
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(counted) = known().get(assembled) {
        return counted.clone();
    }
    let counted = tallied(assembled, Stage::Fragment).map(Arc::new);
    known().insert(assembled.to_owned(), counted.clone());
    counted
}

/// Counts the instructions of a vertex program by the same rules: `gl_Position` and each `out` are its results.
pub fn count_vertex(assembled: &str) -> Result<Arc<Count>, CountError> {
    tallied(assembled, Stage::Vertex).map(Arc::new)
}

fn tallied(source: &str, stage: Stage) -> Result<Count, CountError> {
    let executed = execute(source, stage, true, DataLoops::Longest)?;
    let mut count = Count::of(&listing(&executed), source);
    if executed.data_iterations > 0 {
        let executed = execute(source, stage, true, DataLoops::Skipped)?;
        count.data_loop = Some(DataLoop {
            iterations: executed.data_iterations as u32,
            outside: Count::of(&listing(&executed), source).by_stream,
        });
    }
    Ok(count)
}
