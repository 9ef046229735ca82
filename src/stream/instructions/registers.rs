//! The temporary registers of a program: an order of its instructions, and a place for each value.
//!
//! **The order** is depth first: every value is computed shortly before it is used. Of several
//! operands, the one comes first whose computation takes the most room beyond what it leaves behind
//! (Sethi and Ullman, *The generation of optimal code for arithmetic expressions*, 1970; for values
//! of different widths Appel and Supowit, *Generalizations of the Sethi–Ullman algorithm for
//! register allocation*, 1987). If no value is used twice and all have the same width, no order
//! needs fewer registers. With values that are used more than once, the least number is NP-hard to
//! find (Sethi, *Complete register allocation problems*, 1975): what is counted is an upper bound.
//!
//! **The place** of a value is the first register with as many free channels as the value has, and
//! that is where it stays: nothing is moved to make room.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::needs::{Copied, Needs};

/// Channels of a register.
const CHANNELS: usize = 4;

/// How many registers of four channels hold all values from their making to their last use.
pub(super) fn registers(needs: &Needs) -> u32 {
    let values = Values::of(needs);
    let order = values.order(needs);
    values.place(&order) as u32
}

/// What instructions hand on to each other, and to the moves that fill the outputs.
struct Values {
    /// For each instruction, the results that it reads: number of the instruction, channel.
    reads: Vec<BTreeSet<(usize, usize)>>,
    /// For each instruction, the channels of its result that stand in a temporary register: those
    /// that are read or copied, but not those that it writes to an output itself.
    held: Vec<BTreeSet<usize>>,
}

impl Values {
    fn of(needs: &Needs) -> Values {
        let length = needs.graph.instructions.len();
        let mut reads = vec![BTreeSet::new(); length];
        for number in (0..length).filter(|&number| needs.is_kept(number)) {
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
        Values { reads, held }
    }

    /// For each instruction, those whose results it reads, in the order in which to compute them.
    fn operands(&self) -> Vec<Vec<usize>> {
        let width = |number: usize| self.held[number].len();
        // Channels that are taken at once while an instruction and all before it are computed.
        let mut room = vec![0; self.reads.len()];
        let mut operands = Vec::new();
        for (number, reads) in self.reads.iter().enumerate() {
            let mut sorted: Vec<usize> = reads.iter().map(|&(operand, _)| operand).collect();
            sorted.dedup();
            sorted.sort_by_key(|&operand| Reverse(room[operand] - width(operand)));
            let mut waiting = 0;
            room[number] = width(number);
            for &operand in &sorted {
                room[number] = room[number].max(waiting + room[operand]);
                waiting += width(operand);
            }
            operands.push(sorted);
        }
        operands
    }

    /// All instructions of the program, each after those whose results it reads.
    fn order(&self, needs: &Needs) -> Vec<usize> {
        let operands = self.operands();
        let mut roots = BTreeSet::new();
        for channel in needs.outputs.iter().flatten() {
            needs.resolve(channel.source, &mut roots);
        }
        let roots = roots.into_iter().map(|(number, _)| number);
        let mut order = Vec::new();
        let mut is_done = vec![false; operands.len()];
        for root in needs.graph.effects.iter().copied().chain(roots) {
            let mut path = vec![root];
            while let Some(&number) = path.last() {
                match operands[number].iter().find(|&&operand| !is_done[operand]) {
                    Some(&operand) => path.push(operand),
                    None => {
                        path.pop();
                        if !is_done[number] {
                            is_done[number] = true;
                            order.push(number);
                        }
                    }
                }
            }
        }
        order
    }

    /// The registers that are taken when each value stands in the first one with room for it.
    fn place(&self, order: &[usize]) -> usize {
        // Before which instruction a channel becomes free: its last reader, which may overwrite
        // what it reads. A copy to an output follows at once.
        let mut last = BTreeMap::new();
        for (time, &number) in order.iter().enumerate() {
            last.extend(self.reads[number].iter().map(|&result| (result, time)));
            let held = self.held[number].iter();
            last.extend(held.map(|&channel| ((number, channel), time + 1)));
        }
        let mut released = vec![Vec::new(); order.len() + 1];
        for ((number, _), time) in last {
            released[time].push(number);
        }
        let mut free: Vec<usize> = Vec::new();
        let mut register = vec![0; self.held.len()];
        for (&number, released) in order.iter().zip(&released) {
            released
                .iter()
                .for_each(|&value| free[register[value]] += 1);
            let width = self.held[number].len();
            if width > 0 {
                let roomy = free.iter().position(|&free| free >= width);
                register[number] = roomy.unwrap_or(free.len());
                if roomy.is_none() {
                    free.push(CHANNELS);
                }
                free[register[number]] -= width;
            }
        }
        free.len()
    }
}
