//! Orders of a program's instructions that keep few values alive at once.
//!
//! Finding the smallest number of registers over all orders is NP-hard (Sethi, *Complete register allocation
//! problems*, 1975). A few orders are tried in addition to that of the text.

use std::cmp::Reverse;

use crate::base::order::ShortSort;

use super::lower::distinct;
use super::unordered::Unordered;

/// Depth first: a value is computed shortly before it is used. Of several operands, the one comes first whose
/// computation needs the most additional channels (Sethi and Ullman, *The generation of optimal code for
/// arithmetic expressions*, 1970; for values of different widths Appel and Supowit, *Generalizations of the
/// Sethi–Ullman algorithm for register allocation*, 1987). If no value is used twice and all have the same
/// width, no order needs fewer registers. Of equal operands, the first or the last in the program comes first.
pub(super) fn depth_first(program: &Unordered, last_first: bool) -> Vec<usize> {
    let length = program.reads.len();
    // Channels occupied while an instruction and everything before it is executed.
    let mut room = vec![0; length];
    let mut is_read = vec![false; length];
    let mut operands = vec![Vec::new(); length];
    for &number in &program.order {
        let mut of_this = distinct(program.reads[number].iter().map(|&(maker, _)| maker));
        of_this.iter().for_each(|&operand| is_read[operand] = true);
        if last_first {
            of_this.reverse();
        }
        of_this.order_by_key(|&operand| Reverse(room[operand] - program.width(operand)));
        let mut made_before = 0;
        room[number] = program.width(number);
        for &operand in &of_this {
            room[number] = room[number].max(made_before + room[operand]);
            made_before += program.width(operand);
        }
        operands[number] = of_this;
    }
    let mut ends = program.order.clone();
    ends.retain(|&end| !is_read[end]);
    ends.order_by_key(|&end| Reverse(room[end] - program.width(end)));
    ends.reverse();
    operands_before_users(&operands, ends)
}

/// The instructions on `path` and their operands, each after its operands; the last on the path comes first.
/// The path replaces a recursion, which might be too deep.
fn operands_before_users(operands: &[Vec<usize>], mut path: Vec<usize>) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_done = vec![false; operands.len()];
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
    order
}

/// Greedy: of the instructions with available operands, always the one that adds the fewest occupied channels
/// (Goodman and Hsu, *Code scheduling and register allocation in large basic blocks*, 1988); of equal ones the
/// first in the program. Good if many instructions share their operands.
pub(super) fn greedy(program: &Unordered) -> Vec<usize> {
    let length = program.reads.len();
    // For each result the nodes that read it, for each of its channels the number of those that are left.
    let mut readers = vec![Vec::new(); length];
    let mut unread = vec![[0; 4]; length];
    let mut missing: Vec<usize> = program.reads.iter().map(Vec::len).collect();
    for &number in &program.order {
        for &(maker, channel) in &program.reads[number] {
            readers[maker].push(number);
            unread[maker][channel] += 1;
        }
    }
    let mut ready: Vec<usize> = program.order.clone();
    ready.retain(|&number| missing[number] == 0);
    let mut order = Vec::new();
    let growth = |number: usize, unread: &[[usize; 4]]| {
        let freed = program.reads[number].iter().filter(|(maker, at)| unread[*maker][*at] == 1);
        (program.width(number) as isize - freed.count() as isize, number)
    };
    // All are ordered in the end, because the graph has no cycles.
    while let Some(at) = (0..ready.len()).min_by_key(|&at| growth(ready[at], &unread)) {
        let number = ready.swap_remove(at);
        order.push(number);
        for &(maker, channel) in &program.reads[number] {
            unread[maker][channel] -= 1;
        }
        for &reader in &readers[number] {
            missing[reader] -= 1;
            if missing[reader] == 0 {
                ready.push(reader);
            }
        }
    }
    order
}
