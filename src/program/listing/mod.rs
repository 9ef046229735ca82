//! Listings: programs in the assembly of `NV_fragment_program`, `!!FP1.0`.
//!
//! A [`Listing`] is a list of instructions, each of which reads up to three operands and writes some
//! channels of one register. Operands are negated, made absolute and swizzled for nothing. A
//! comparison or any other instruction can set the condition code (suffix `C`), and any instruction
//! can be written only where that holds (`(LT.x)`). An instruction reads at most one attribute and
//! one constant; numbers of the text count as one constant as long as they are four at most.
//!
//! | form | what for |
//! |---|---|
//! | [`std::fmt::Display`] | `!!FP1.0`, as the papers print it |
//! | [`Listing::arb`] | `!!ARBfp1.0`, which a driver runs |
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
mod parse;
mod print;
mod shape;

pub use arb::{ArbError, Driver};
pub use parse::ListingError;
pub use shape::{Shape, Slots};

use super::emit;
use super::error::CountError;
use super::execute::{DataLoops, Executed, execute};

/// Mnemonics of `NV_fragment_program`, without the precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names of the specification
pub enum Opcode {
    Add,
    Cos,
    Ddx,
    Ddy,
    Dp3,
    Dp4,
    Ex2,
    Flr,
    Frc,
    Kil,
    Lg2,
    Lrp,
    Mad,
    Max,
    Min,
    Mov,
    Mul,
    Pow,
    Rcp,
    Rsq,
    Seq,
    Sge,
    Sgt,
    Sin,
    Sle,
    Slt,
    Sne,
    Tex,
}

impl Opcode {
    /// All of them, with their mnemonics and numbers of operands.
    const ALL: [(Opcode, &'static str, usize); 28] = {
        use Opcode::*;
        [
            (Add, "ADD", 2),
            (Cos, "COS", 1),
            (Ddx, "DDX", 1),
            (Ddy, "DDY", 1),
            (Dp3, "DP3", 2),
            (Dp4, "DP4", 2),
            (Ex2, "EX2", 1),
            (Flr, "FLR", 1),
            (Frc, "FRC", 1),
            (Kil, "KIL", 0),
            (Lg2, "LG2", 1),
            (Lrp, "LRP", 3),
            (Mad, "MAD", 3),
            (Max, "MAX", 2),
            (Min, "MIN", 2),
            (Mov, "MOV", 1),
            (Mul, "MUL", 2),
            (Pow, "POW", 2),
            (Rcp, "RCP", 1),
            (Rsq, "RSQ", 1),
            (Seq, "SEQ", 2),
            (Sge, "SGE", 2),
            (Sgt, "SGT", 2),
            (Sin, "SIN", 1),
            (Sle, "SLE", 2),
            (Slt, "SLT", 2),
            (Sne, "SNE", 2),
            (Tex, "TEX", 1),
        ]
    };

    /// Its mnemonic.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Number of operands.
    pub fn operands(self) -> usize {
        Self::ALL[self as usize].2
    }

    /// Tests whether the operands are one channel each, and the result goes to all that are written.
    pub fn is_scalar(self) -> bool {
        use Opcode::*;
        matches!(self, Cos | Ex2 | Lg2 | Pow | Rcp | Rsq | Sin)
    }

    /// Tests whether each channel of the result depends on the same channel of the operands.
    pub fn is_channelwise(self) -> bool {
        use Opcode::*;
        !self.is_scalar() && !matches!(self, Dp3 | Dp4 | Kil | Tex)
    }

    /// Channels of its operands that it reads, if they are not those that it writes.
    pub fn channels_read(self) -> Option<usize> {
        match self {
            Opcode::Tex => Some(2),
            Opcode::Dp3 => Some(3),
            Opcode::Dp4 => Some(4),
            _ if self.is_scalar() => Some(1),
            _ => None,
        }
    }
}

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
    /// One to four numbers of the text. A single one stands for all channels where it is not in braces.
    Literal(Vec<f32>),
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// What it reads.
    pub base: Base,
    /// For each channel, the channel of the base.
    pub swizzle: [usize; 4],
    /// True if its absolute value is taken, before it is negated.
    pub absolute: bool,
    /// True if it is negated.
    pub negated: bool,
}

/// What an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A temporary register.
    Temporary(usize),
    /// A result, by its number in [`Listing::outputs`].
    Output(usize),
    /// Nothing but the condition code: `RC`.
    Code,
}

/// A relation to zero that the condition code is tested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names of the specification
pub enum Relation {
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Ne,
}

impl Relation {
    const ALL: [(Relation, &'static str); 6] = {
        use Relation::*;
        [
            (Eq, "EQ"),
            (Ge, "GE"),
            (Gt, "GT"),
            (Le, "LE"),
            (Lt, "LT"),
            (Ne, "NE"),
        ]
    };

    fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The one that holds where this one does not.
    pub fn inverse(self) -> Relation {
        use Relation::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Lt => Ge,
            Ge => Lt,
            Gt => Le,
            Le => Gt,
        }
    }

    /// The same of the negated number.
    pub fn mirrored(self) -> Relation {
        use Relation::*;
        match self {
            Lt => Gt,
            Gt => Lt,
            Le => Ge,
            Ge => Le,
            other => other,
        }
    }
}

/// A test of the condition code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// What has to hold.
    pub relation: Relation,
    /// For each channel that is written, the channel of the code.
    pub swizzle: [usize; 4],
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// What it does.
    pub opcode: Opcode,
    /// True if its result is clamped to [0, 1].
    pub saturates: bool,
    /// True if it sets the condition code of the channels that it writes.
    pub sets_code: bool,
    /// What it writes.
    pub target: Target,
    /// Which channels.
    pub mask: [bool; 4],
    /// Where it writes, or kills.
    pub test: Option<Test>,
    /// What it reads.
    pub operands: Vec<Operand>,
    /// The texture unit of a TEX.
    pub unit: usize,
    /// The line of the text that it comes from; 0 if none.
    pub line: u32,
}

/// A constant or an interpolated coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Channels that the program declares.
    pub channels: usize,
}

/// A program in assembly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// Names of the streams, by texture unit.
    pub streams: Vec<String>,
    /// The constants, in the order of their first use.
    pub parameters: Vec<Input>,
    /// The interpolated coordinates.
    pub coordinates: Vec<Input>,
    /// Names of the results; `result` is `o[COLR]`.
    pub outputs: Vec<String>,
}

impl Listing {
    /// The listing of an assembled program: `#define` lines, prelude and text of a kernel. A vertex
    /// program has one by the same rules: `gl_Position` and each `out` are its results.
    ///
    /// # Errors
    /// If the text cannot be parsed, has no `main`, or says something that did not exist in 2003.
    pub fn of(assembled: &str) -> Result<Self, CountError> {
        Ok(Self::emit(&execute(assembled, true, DataLoops::Guarded)?))
    }

    /// The listing of what a program amounts to.
    pub(crate) fn emit(executed: &Executed) -> Self {
        emit::listing(executed)
    }

    /// Number of temporary registers.
    pub fn registers(&self) -> usize {
        let written = self.instructions.iter().map(|one| match one.target {
            Target::Temporary(register) => register + 1,
            _ => 0,
        });
        written.max().unwrap_or(0)
    }

    /// Number of texture fetches.
    pub fn fetches(&self) -> usize {
        let fetches = self.instructions.iter();
        fetches.filter(|one| one.opcode == Opcode::Tex).count()
    }
}

impl Instruction {
    /// The channels of an operand that matter: channel of the instruction, channel of the base.
    pub fn channels_of<'a>(&'a self, operand: &'a Operand) -> impl Iterator<Item = usize> + 'a {
        let read = self.opcode.channels_read();
        let matters = move |channel: &usize| match read {
            Some(channels) => *channel < channels,
            None => self.mask[*channel],
        };
        (0..4)
            .filter(matters)
            .map(|channel| operand.swizzle[channel])
    }

    /// The channels that it writes.
    pub fn written(&self) -> impl Iterator<Item = usize> + '_ {
        (0..4).filter(|&channel| self.mask[channel])
    }
}
