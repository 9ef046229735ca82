//! Listings: programs in the assembly of `NV_fragment_program`, `!!FP1.0`.
//!
//! A [`Listing`] is a list of instructions, each of which reads up to three operands and writes some channels
//! of one register. Negation, absolute value and swizzle of operands are free. A comparison or any other
//! instruction can set the condition code (suffix `C`), and any instruction can write conditionally (`(LT.x)`).
//! An instruction reads at most one attribute and one constant; up to four literal numbers count as one
//! constant.
//!
//! | form | purpose |
//! |---|---|
//! | [`std::fmt::Display`] | `!!FP1.0`, as the papers print it |
//! | [`Listing::arb`] | `!!ARBfp1.0`, which drivers run |
//! | [`Listing::slots`] | pixel shader 2.0, whose limits are those of R300 |
//! | [`Listing::parse`] | reads `!!FP1.0` |
//!
//! ```
//! use fragstream::program::Listing;
//!
//! let text = "uniform stream x; void main() { result = 2.0 * fetch(x, here) + 1.0; }";
//! let listing = Listing::of(text)?;
//! assert_eq!(listing.instructions.len(), 2);
//! assert!(listing.to_string().contains("MADR o[COLR], {2}.x, R0, {1}.x;"));
//! # Ok::<(), fragstream::program::CountError>(())
//! ```

mod arb;
mod meaning;
mod opcode;
mod parse;
mod print;
mod shape;

pub use arb::{ArbError, Driver};
pub use opcode::{Opcode, Relation};
pub use parse::ListingError;
pub use shape::{Shape, Slots};

/// A register or constant that an operand reads.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// A temporary register.
    Temporary(usize),
    /// The position of the fragment's centre, `f[WPOS]`.
    Position,
    /// An interpolated coordinate, `f[TEX0]` and so on, by its number in [`Listing::coordinates`].
    Coordinate(usize),
    /// A constant that each pass sets, by its number in [`Listing::parameters`].
    Parameter(usize),
    /// One to four literal numbers. A single number without braces applies to all channels.
    Literal(Vec<f32>),
}

impl Base {
    /// Number of a temporary register.
    pub(crate) fn register(&self) -> Option<usize> {
        if let Base::Temporary(register) = self { Some(*register) } else { None }
    }
}

/// The four numbers of a literal. Unnamed channels are 0, 0 and 1.
fn four(numbers: &[f32]) -> [f32; 4] {
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(f32::from(at == 3)))
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Register or constant.
    pub base: Base,
    /// For each channel, the channel of the base.
    pub swizzle: [usize; 4],
    /// True for the absolute value, taken before negation.
    pub absolute: bool,
    /// True for negation.
    pub negated: bool,
}

/// Target of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A temporary register.
    Temporary(usize),
    /// A result, by its number in [`Listing::outputs`].
    Output(usize),
    /// Only the condition code: `RC`.
    Code,
}

impl Target {
    /// Number of a temporary register.
    pub(crate) fn register(self) -> Option<usize> {
        if let Target::Temporary(register) = self { Some(register) } else { None }
    }
}

/// A test of the condition code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// Relation that must hold.
    pub relation: Relation,
    /// Channel of the code for each written channel.
    pub swizzle: [usize; 4],
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Opcode.
    pub opcode: Opcode,
    /// True if the result is clamped to [0, 1].
    pub saturates: bool,
    /// True if it sets the condition code of the channels that it writes.
    pub sets_code: bool,
    /// Target.
    pub target: Target,
    /// Written channels.
    pub mask: [bool; 4],
    /// Condition of the write, or of a KIL.
    pub test: Option<Test>,
    /// Operands.
    pub operands: Vec<Operand>,
    /// The texture unit of a TEX.
    pub unit: usize,
    /// Line of the text; 0 if there is none.
    pub line: u32,
}

/// A constant or an interpolated coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name.
    pub name: String,
    /// Number of declared channels.
    pub channels: usize,
}

/// A program in assembly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Instructions.
    pub instructions: Vec<Instruction>,
    /// Names of the streams, by texture unit.
    pub streams: Vec<String>,
    /// Constants, in the order of their first use.
    pub parameters: Vec<Input>,
    /// Interpolated coordinates.
    pub coordinates: Vec<Input>,
    /// Names of the results; `result` is `o[COLR]`.
    pub outputs: Vec<String>,
}

impl Listing {
    /// Checks that assemblers can read all numbers.
    pub fn check(&self) -> Result<(), ArbError> {
        let mut operands = self.instructions.iter().flat_map(|one| &one.operands);
        let is_readable = |operand: &Operand| match &operand.base {
            Base::Literal(numbers) => numbers.iter().all(|number| number.is_finite()),
            _ => true,
        };
        if operands.all(is_readable) { Ok(()) } else { Err(ArbError::Infinite) }
    }

    /// Number of temporary registers.
    pub fn registers(&self) -> usize {
        let registers = self.instructions.iter().filter_map(|one| one.target.register());
        registers.max().map_or(0, |last| last + 1)
    }

    /// Number of texture fetches.
    pub fn fetches(&self) -> usize {
        self.instructions.iter().filter(|one| one.opcode == Opcode::Tex).count()
    }
}

impl Instruction {
    /// An instruction that sets nothing yet.
    pub(crate) fn new(opcode: Opcode, line: u32) -> Self {
        let (saturates, sets_code, test, unit) = (false, false, None, 0);
        let (target, mask, operands) = (Target::Code, [true; 4], Vec::new());
        Self { opcode, saturates, sets_code, target, mask, test, operands, unit, line }
    }

    /// The used channels of an operand: channel of the instruction, channel of the base.
    pub fn channels_of<'a>(&'a self, operand: &'a Operand) -> impl Iterator<Item = usize> + 'a {
        let matters = move |channel: &usize| match self.opcode.row().read {
            0 => self.mask[*channel],
            channels => *channel < channels,
        };
        (0..4).filter(matters).map(|channel| operand.swizzle[channel])
    }

    /// The written channels.
    pub fn written(&self) -> impl Iterator<Item = usize> + '_ {
        (0..4).filter(|&channel| self.mask[channel])
    }
}
