//! Runs the steps of a program for a block of fragments at once.

use std::cell::Cell;

use super::program::{Operand, Program, Step};
use super::{Arithmetic, Operation, Texture};

/// The registers of a block of fragments: for each register the values of all fragments, row by row.
pub(super) struct Lanes<'a, T> {
    program: &'a Program,
    /// Columns of the block, and number of its fragments.
    columns: usize,
    count: usize,
    values: Vec<Cell<T>>,
}

impl<'a, T: Arithmetic> Lanes<'a, T> {
    pub(super) fn new(program: &'a Program, columns: usize, rows: usize) -> Self {
        let count = columns * rows;
        let mut lanes = Self {
            program,
            columns,
            count,
            values: vec![Cell::new(T::from_f64(0.0)); program.registers * count],
        };
        for &(register, value) in &program.constants {
            lanes.fill(register, f64::from(value));
        }
        lanes
    }

    /// Sets a register of all fragments.
    pub(super) fn fill(&mut self, register: usize, value: f64) {
        let value = T::given(value);
        self.register(register).iter().for_each(|lane| lane.set(value));
    }

    /// Sets a register of one fragment.
    pub(super) fn set(&mut self, register: usize, lane: usize, value: T) {
        self.register(register)[lane].set(value);
    }

    /// Values of a register in all fragments.
    #[inline]
    fn register(&self, register: usize) -> &[Cell<T>] {
        &self.values[register * self.count..][..self.count]
    }

    /// Value of an operand in one fragment.
    #[inline]
    pub(super) fn get(&self, operand: Operand, lane: usize) -> T {
        let value = self.values[operand.register * self.count + lane].get();
        if operand.absolute || operand.negated {
            value.modified(operand.absolute, operand.negated)
        } else {
            value
        }
    }

    /// Tests whether a fragment is discarded.
    pub(super) fn is_killed(&self, lane: usize) -> bool {
        let mut conditions = self.program.kills.iter();
        conditions.any(|&condition| self.get(condition, lane).to_f64() != 0.0)
    }

    /// Runs all steps. `streams` are in the order in which the program declares them.
    pub(super) fn run(&mut self, streams: &[Option<&Texture<T::Stored>>]) {
        self.run_watched(streams, &mut |_, _, _| ());
    }

    /// Runs all steps. `watch` gets the number of the stream from 0, the lane and the texel of each fetch, instruction
    /// by instruction.
    pub(super) fn run_watched(
        &mut self,
        streams: &[Option<&Texture<T::Stored>>],
        watch: &mut impl FnMut(usize, usize, usize),
    ) {
        let program = self.program;
        for step in &program.steps {
            match step.operation {
                Operation::Fetch(number) => {
                    if let Some(texture) = streams[number - 1] {
                        self.fetch(step, texture, &mut |lane, texel| {
                            watch(number - 1, lane, texel)
                        });
                    }
                }
                Operation::DerivativeX => self.derivative(step, 1),
                Operation::DerivativeY => self.derivative(step, self.columns),
                // Common operations are named, so that the compiler specialises the loop over fragments for
                // each.
                Operation::Add => self.compute(step, Operation::Add),
                Operation::Multiply => self.compute(step, Operation::Multiply),
                operation => self.compute(step, operation),
            }
        }
    }

    #[inline(always)]
    fn compute(&self, step: &Step, operation: Operation) {
        if step.locates {
            self.apply(step, |operands| T::locate(operation, operands));
        } else {
            self.apply(step, |operands| T::compute(operation, operands));
        }
    }

    #[inline(always)]
    fn apply(&self, step: &Step, compute: impl Fn([T; 3]) -> T) {
        let target = self.register(step.target);
        let [a, b, c] = step.operands;
        if step.operands.iter().any(|one| one.absolute || one.negated) {
            for (lane, target) in target.iter().enumerate() {
                let operands = [self.get(a, lane), self.get(b, lane), self.get(c, lane)];
                target.set(compute(operands));
            }
            return;
        }
        let (a, b) = (self.register(a.register), self.register(b.register));
        let c = self.register(c.register);
        for (((a, b), c), target) in a.iter().zip(b).zip(c).zip(target) {
            target.set(compute([a.get(), b.get(), c.get()]));
        }
    }

    fn fetch(
        &self,
        step: &Step,
        texture: &Texture<T::Stored>,
        watch: &mut impl FnMut(usize, usize),
    ) {
        let [x, y, _] = step.operands;
        for lane in 0..self.count {
            let place = [self.get(x, lane), self.get(y, lane)];
            if step.guards.iter().all(|&guard| self.get(guard, lane).to_f64() != 0.0) {
                watch(lane, texture.texel(place[0].to_f64(), place[1].to_f64()));
            }
            let record = T::fetch(|x, y| texture.fetch(x, y).map(T::load), place);
            for (channel, value) in record.into_iter().enumerate() {
                self.register(step.target + channel)[lane].set(value);
            }
        }
    }

    /// Difference between two fragments of a block of 2 x 2, `distance` lanes from each other.
    fn derivative(&self, step: &Step, distance: usize) {
        let zero = T::from_f64(0.0);
        for lane in 0..self.count {
            let first = lane - (lane / distance % 2) * distance;
            let from = self.get(step.operands[0], first).modified(false, true);
            let difference = [self.get(step.operands[0], first + distance), from, zero];
            self.register(step.target)[lane].set(T::compute(Operation::Add, difference));
        }
    }
}
