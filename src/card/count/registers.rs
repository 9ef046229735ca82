//! The temporary registers of a program: an order of its instructions, and a place for each value.
//!
//! The least number over all orders is NP-hard to find (Sethi, *Complete register allocation
//! problems*, 1975). Two orders are tried, and the one that needs fewer registers counts: the
//! number is an upper bound of the least.
//!
//! A value stands in the first register that has as many free channels as the value needs, and
//! stays there until its last use: nothing is moved to make room.

mod order;
use std::collections::{BTreeMap, BTreeSet};

use super::needs::{Copied, Needs};

/// Channels of a register.
const CHANNELS: usize = 4;

/// How many registers of four channels hold all values from their making to their last use.
pub(super) fn registers(needs: &Needs) -> u32 {
    let values = Values::of(needs);
    let orders = [order::depth_first(&values), order::greedy(&values)];
    let registers = orders.map(|order| values.place(&order));
    registers.into_iter().min().unwrap_or(0) as u32
}

/// What instructions hand on to each other, and to the moves that fill the outputs.
struct Values {
    /// The instructions of the program.
    program: Vec<usize>,
    /// For each instruction, the results that it reads: number of the instruction, channel.
    reads: Vec<BTreeSet<(usize, usize)>>,
    /// For each instruction, the channels of its result that stand in a temporary register: those
    /// that are read or copied, but not those that it writes to an output itself.
    held: Vec<BTreeSet<usize>>,
}

impl Values {
    fn of(needs: &Needs) -> Values {
        let length = needs.graph.instructions.len();
        let program: Vec<usize> = (0..length).filter(|&n| needs.is_kept(n)).collect();
        let mut reads = vec![BTreeSet::new(); length];
        for &number in &program {
            for channel in needs.instruction(number).operands.iter().flatten() {
                needs.resolve(channel.source, &mut reads[number]);
            }
        }
        let mut results: BTreeSet<(usize, usize)> = reads.iter().flatten().copied().collect();
        for (output, value) in needs.outputs.iter().enumerate() {
            let copies = needs.copies(output);
            let is_copied = |number| copies.contains(&Copied::Result(number));
            for source in value.iter().map(|channel| channel.source) {
                if source.instruction().is_some_and(is_copied) {
                    needs.resolve(source, &mut results);
                }
            }
        }
        let mut held = vec![BTreeSet::new(); length];
        for (number, channel) in results {
            held[number].insert(channel);
        }
        Values {
            program,
            reads,
            held,
        }
    }

    /// Channels that a result takes in a temporary register.
    fn width(&self, number: usize) -> usize {
        self.held[number].len()
    }

    /// The instructions whose results another one reads.
    fn operands(&self, number: usize) -> Vec<usize> {
        let reads = self.reads[number].iter();
        let mut operands: Vec<usize> = reads.map(|&(operand, _)| operand).collect();
        operands.dedup();
        operands
    }

    /// The registers that are taken in this order.
    fn place(&self, order: &[usize]) -> usize {
        // When a channel is free again: where its last reader executes, which may overwrite what it
        // reads. A copy to an output follows at once.
        let mut last = BTreeMap::new();
        for (time, &number) in order.iter().enumerate() {
            last.extend(self.reads[number].iter().map(|&result| (result, time)));
            let held = self.held[number].iter();
            last.extend(held.map(|&channel| ((number, channel), time + 1)));
        }
        let mut freed = vec![Vec::new(); order.len() + 1];
        for ((number, _), time) in last {
            freed[time].push(number);
        }
        let mut free: Vec<usize> = Vec::new(); // channels of each register
        let mut register = vec![0; self.held.len()];
        for (&number, freed) in order.iter().zip(&freed) {
            for &value in freed {
                free[register[value]] += 1;
            }
            let width = self.width(number);
            if width == 0 {
                continue;
            }
            let first = free.iter().position(|&free| free >= width);
            register[number] = first.unwrap_or(free.len());
            if first.is_none() {
                free.push(CHANNELS);
            }
            free[register[number]] -= width;
        }
        free.len()
    }
}
