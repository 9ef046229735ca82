//! The instructions of `NV_fragment_program`, and the relations of its tests.

use crate::program::arithmetic::Operation as O;

macro_rules! opcodes {
    ($($opcode:ident $name:literal $operands:literal $read:literal $slots:literal $operation:expr;)*) => {
        /// Mnemonics of `NV_fragment_program`, without the precision.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)] // the names of the specification
        pub enum Opcode { $($opcode,)* }

        impl Opcode {
            const ALL: &[(Opcode, Row)] = &[$((Opcode::$opcode, Row {
                name: $name,
                operands: $operands,
                read: $read,
                slots: $slots,
                operation: $operation,
            }),)*];
        }
    };
}

/// Properties of an opcode.
pub(crate) struct Row {
    pub name: &'static str,
    pub operands: usize,
    /// Number of channels that it reads of each operand; 0 if these are the written ones. If it is 1, the result is
    /// written to all channels of the mask.
    pub read: usize,
    /// Arithmetic slots of pixel shader 2.0, which has no derivatives.
    pub slots: usize,
    /// The operation of the graph that it computes alone.
    pub operation: Option<O>,
}

opcodes! {
    // mnemonic, operands, channels read, slots, operation
    Add "ADD" 2 0 1 Some(O::Add);
    Cos "COS" 1 1 8 Some(O::Cosine);
    Ddx "DDX" 1 0 0 Some(O::DerivativeX);
    Ddy "DDY" 1 0 0 Some(O::DerivativeY);
    Dp3 "DP3" 2 3 1 None;
    Dp4 "DP4" 2 4 1 None;
    Ex2 "EX2" 1 1 1 Some(O::Exponential);
    Flr "FLR" 1 0 2 Some(O::Floor);
    Frc "FRC" 1 0 1 Some(O::Fraction);
    Kil "KIL" 0 4 0 None;
    Lg2 "LG2" 1 1 1 Some(O::Logarithm);
    Lrp "LRP" 3 0 2 Some(O::Interpolate);
    Mad "MAD" 3 0 1 None;
    Max "MAX" 2 0 1 Some(O::Maximum);
    Min "MIN" 2 0 1 Some(O::Minimum);
    Mov "MOV" 1 0 1 None;
    Mul "MUL" 2 0 1 Some(O::Multiply);
    Pow "POW" 2 1 3 Some(O::Power);
    Rcp "RCP" 1 1 1 Some(O::Reciprocal);
    Rsq "RSQ" 1 1 1 Some(O::InverseRoot);
    Seq "SEQ" 2 0 3 Some(O::Equal);
    Sge "SGE" 2 0 2 Some(O::GreaterEqual);
    Sgt "SGT" 2 0 2 None;
    Sin "SIN" 1 1 8 Some(O::Sine);
    Sle "SLE" 2 0 2 None;
    Slt "SLT" 2 0 2 Some(O::Less);
    Sne "SNE" 2 0 3 Some(O::NotEqual);
    Tex "TEX" 1 2 0 None;
}

impl Opcode {
    pub(crate) fn row(self) -> &'static Row {
        &Self::ALL[self as usize].1
    }

    /// Its mnemonic.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The first opcode with some property.
    pub(crate) fn find(has: impl Fn(&Row) -> bool) -> Option<Opcode> {
        Self::ALL.iter().find(|(_, row)| has(row)).map(|(opcode, _)| *opcode)
    }
}

/// A relation to zero, which a test of the condition code uses.
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
    /// Each with its name, its inverse, the mirrored one, and the operation that compares a number with zero so.
    const ALL: [(Relation, &'static str, Relation, Relation, Option<O>); 6] = {
        use Relation::*;
        [
            (Eq, "EQ", Ne, Eq, Some(O::Equal)),
            (Ge, "GE", Lt, Le, Some(O::GreaterEqual)),
            (Gt, "GT", Le, Lt, None),
            (Le, "LE", Gt, Ge, None),
            (Lt, "LT", Ge, Gt, Some(O::Less)),
            (Ne, "NE", Eq, Ne, Some(O::NotEqual)),
        ]
    };

    pub(super) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The relation with some name or operation.
    pub(crate) fn find(has: impl Fn(&str, Option<O>) -> bool) -> Option<Relation> {
        Self::ALL.iter().find(|one| has(one.1, one.4)).map(|one| one.0)
    }

    /// The relation that holds where this one fails.
    pub fn inverse(self) -> Relation {
        Self::ALL[self as usize].2
    }

    /// The equivalent relation for the negated number.
    pub fn mirrored(self) -> Relation {
        Self::ALL[self as usize].3
    }

    /// The operation that compares a number with zero; without one, its sides are exchanged.
    pub(crate) fn operation(self) -> Option<O> {
        Self::ALL[self as usize].4
    }
}
