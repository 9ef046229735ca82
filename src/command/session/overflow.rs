//! The first number that leaves the range of the registers that were chosen.

use std::cell::{Cell, RefCell};

use crate::program::formats::Registers;
use crate::stream::{Drawing, Observer, Switches};

use super::super::failure::{Failure, Status};

/// Observer of the passes of an interpreter with these registers.
pub struct Overflow {
    registers: Registers,
    passes: Cell<u64>,
    first: RefCell<Option<String>>,
}

impl Overflow {
    pub fn new(registers: Registers) -> Self {
        Self { registers, passes: Cell::new(0), first: RefCell::default() }
    }

    /// Names the pass in the failure of a run that did not converge, instead of a remedy for other registers.
    pub fn explain(&self, failure: Failure) -> Failure {
        match &*self.first.borrow() {
            Some(first) if failure.status == Status::Unconverged => {
                let what = failure.message.split(". ").next().unwrap_or_default();
                let remedy =
                    "Choose registers with a larger range (--arithmetic), or scale the input.";
                let message = format!("{what}: {first}. {remedy}");
                Failure { message, ..failure }
            }
            _ => failure,
        }
    }
}

impl Observer for Overflow {
    fn after(&self, pass: Drawing<'_>, _: Switches) {
        self.passes.set(self.passes.get() + 1);
        if self.first.borrow().is_some() {
            return;
        }
        let values = pass.target.read_back().unwrap_or_default();
        let beyond = values.into_iter().find(|&value| self.registers.overflows(value));
        *self.first.borrow_mut() = beyond.map(|value| {
            let (kernel, stream) = (pass.kernel.name(), pass.target.label());
            let (number, registers) = (self.passes.get(), self.registers);
            format!("pass {number}, {kernel}, first wrote {value} into {stream}, in {registers}")
        });
    }
}
