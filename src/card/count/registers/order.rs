//! Two orders of a program's instructions that keep few values alive at once.

use std::cmp::Reverse;

use super::{CHANNELS, Values};

/// Depth first: a value is made shortly before it is used, and of several operands the one first
/// whose making takes the most room beyond what it leaves behind (Sethi and Ullman, *The generation
/// of optimal code for arithmetic expressions*, 1970; for values of different widths Appel and
/// Supowit, *Generalizations of the Sethi–Ullman algorithm for register allocation*, 1987). If no
/// value is used twice and all have the same width, no order needs fewer registers.
pub(super) fn depth_first(values: &Values) -> Vec<usize> {
    let length = values.reads.len();
    // Channels that are taken at once while an instruction and all before it are executed.
    let mut room = vec![0; length];
    let mut is_read = vec![false; length];
    let mut operands = Vec::new();
    for number in 0..length {
        let mut of_this = values.operands(number);
        of_this.iter().for_each(|&operand| is_read[operand] = true);
        of_this.sort_by_key(|&operand| Reverse(room[operand] - values.width(operand)));
        let mut made_before = 0;
        room[number] = values.width(number);
        for &operand in &of_this {
            room[number] = room[number].max(made_before + room[operand]);
            made_before += values.width(operand);
        }
        operands.push(of_this);
    }
    let ends = values.program.iter().copied().filter(|&end| !is_read[end]);
    let mut ends: Vec<usize> = ends.collect();
    ends.sort_by_key(|&end| Reverse(room[end] - values.width(end)));
    ends.reverse();
    operands_before_users(&operands, ends)
}

/// The instructions on `path` and what they need, each after its operands; the last on the path
/// comes first. A program can be too long for a recursion.
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

/// Greedy: of the instructions whose operands are there, always the one that makes the room taken
/// grow least (Goodman and Hsu, *Code scheduling and register allocation in large basic blocks*,
/// 1988). Good where many instructions share their operands.
pub(super) fn greedy(values: &Values) -> Vec<usize> {
    let mut unread = vec![[0; CHANNELS]; values.reads.len()];
    for &(number, channel) in values.reads.iter().flatten() {
        unread[number][channel] += 1;
    }
    let mut waiting = values.program.clone();
    let mut is_done = vec![false; values.reads.len()];
    let mut order = Vec::new();
    loop {
        let growth = |number: usize| {
            let reads = values.reads[number].iter();
            let freed = reads.filter(|&&(operand, channel)| unread[operand][channel] == 1);
            values.width(number) as isize - freed.count() as isize
        };
        let is_ready = |number: usize| values.reads[number].iter().all(|&(n, _)| is_done[n]);
        let ready = (0..waiting.len()).filter(|&place| is_ready(waiting[place]));
        let Some(place) = ready.min_by_key(|&place| growth(waiting[place])) else {
            return order; // All are ordered, since the graph has no circles.
        };
        let number = waiting.remove(place);
        for &(operand, channel) in &values.reads[number] {
            unread[operand][channel] -= 1;
        }
        is_done[number] = true;
        order.push(number);
    }
}
