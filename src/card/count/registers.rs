//! The temporary registers of a program: an order of its instructions, and a place for each value.
//!
//! The least number over all orders is NP-hard to find (Sethi, *Complete register allocation
//! problems*, 1975). Two orders are tried, and the one that needs fewer registers counts: the
//! number is an upper bound of the least.
//!
//! A value stands in the first register that has as many free channels as the value needs, and
//! stays there until its last use: nothing is moved to make room.

mod order;
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
    /// For each instruction, the results that it reads, in order: number of the instruction, channel.
    reads: Vec<Vec<(usize, usize)>>,
    /// For each instruction, the channels of its result that stand in a temporary register: those
    /// that are read or copied, but not those that it writes to an output itself.
    held: Vec<[bool; CHANNELS]>,
}

impl Values {
    fn of(needs: &Needs) -> Values {
        let length = needs.graph.instructions.len();
        let program: Vec<usize> = (0..length).filter(|&n| needs.is_kept(n)).collect();
        let mut reads = vec![Vec::new(); length];
        for &number in &program {
            for channel in needs.instruction(number).operands.iter().flatten() {
                needs.resolve(channel.source, &mut reads[number]);
            }
            reads[number].sort_unstable();
            reads[number].dedup();
        }
        let mut copied = Vec::new();
        for (output, value) in needs.outputs.iter().enumerate() {
            let copies = needs.copies(output);
            let is_copied = |number| copies.contains(&Copied::Result(number));
            for source in value.iter().map(|channel| channel.source) {
                if source.instruction().is_some_and(is_copied) {
                    needs.resolve(source, &mut copied);
                }
            }
        }
        let mut held = vec![[false; CHANNELS]; length];
        for &(number, channel) in reads.iter().flatten().chain(&copied) {
            held[number][channel] = true;
        }
        Values {
            program,
            reads,
            held,
        }
    }

    /// Channels that a result takes in a temporary register.
    fn width(&self, number: usize) -> usize {
        self.held[number].iter().filter(|&&is_held| is_held).count()
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
        let mut last = vec![[None; CHANNELS]; self.held.len()];
        for (time, &number) in order.iter().enumerate() {
            for &(read, channel) in &self.reads[number] {
                last[read][channel] = Some(time);
            }
            last[number] = self.held[number].map(|is_held| is_held.then_some(time + 1));
        }
        let mut freed = vec![Vec::new(); order.len() + 1];
        for (number, channels) in last.into_iter().enumerate() {
            for time in channels.into_iter().flatten() {
                freed[time].push(number);
            }
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
