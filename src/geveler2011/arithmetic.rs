//! The three arithmetics of programs (geveler2011 §4.1): single, pairs of floats, and double precision.

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Part, Pass, Source, StreamError, source};

const SINGLE: &[Part] = &[source!(part "geveler2011/arithmetic/single")];
const PAIRS: &[Part] =
    &[source!(part "stream/error_free"), source!(part "geveler2011/arithmetic/pairs")];
const NATIVE: &[Part] = &[source!(part "geveler2011/arithmetic/native")];

/// Arithmetic of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Single precision: the high part of each number.
    Single,
    /// Pairs of floats: both parts, about 48 bits, by operations on floats; legal in 2003.
    Pairs,
    /// Double precision inside a program, and 48 bits between programs.
    Native,
}

impl Arithmetic {
    /// A program in this arithmetic, with these parts in front of it.
    pub(in crate::geveler2011) fn kernel(
        self,
        machine: &Machine,
        source: &Source,
        parts: &[Part],
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        if self == Self::Pairs && !machine.keeps_errors() {
            return Err(StreamError::NoPairs);
        }
        // §4.1: single, double, or here also emulated by pairs
        let own = match self {
            Self::Single => SINGLE,
            Self::Pairs => PAIRS,
            Self::Native => NATIVE,
        };
        machine.kernel(&source.with([own, parts].concat()), defines)
    }

    /// A pass of such a program.
    pub(in crate::geveler2011) fn pass(kernel: &Kernel) -> Pass<'_> {
        Pass::new(kernel).set_if_declared("one", 1.0)
    }
}
