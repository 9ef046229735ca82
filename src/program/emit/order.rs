//! Orders of a program's instructions that keep few values alive at once.
//!
//! Finding the smallest number of registers over all orders is NP-hard (Sethi, *Complete register allocation
//! problems*, 1975). A few orders are tried in addition to that of the text.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Channels of a register.
const CHANNELS: usize = 4;

/// Data flow between instructions.
pub(super) struct Values {
    /// The instructions of the program, each after those that it reads.
    pub program: Vec<usize>,
    /// For each instruction, the results that it reads, in order: number of the instruction, channel.
    pub reads: Vec<Vec<(usize, usize)>>,
    /// For each instruction, the result channels that occupy a temporary register.
    pub held: Vec<[bool; CHANNELS]>,
}

impl Values {
    /// Number of channels that a result occupies in a temporary register.
    fn width(&self, number: usize) -> usize {
        self.held[number].iter().filter(|&&is_held| is_held).count()
    }

    /// The instructions whose results an instruction reads.
    fn operands(&self, number: usize) -> Vec<usize> {
        let reads = self.reads[number].iter();
        let mut operands: Vec<usize> = reads.map(|&(operand, _)| operand).collect();
        operands.dedup();
        operands
    }
}

/// Depth first: a value is computed shortly before it is used. Of several operands, the one comes first whose
/// computation needs the most additional channels (Sethi and Ullman, *The generation of optimal code for
/// arithmetic expressions*, 1970; for values of different widths Appel and Supowit, *Generalizations of the
/// Sethi–Ullman algorithm for register allocation*, 1987). If no value is used twice and all have the same
/// width, no order needs fewer registers. Of equal operands, the first or the last in the program comes first.
pub(super) fn depth_first(values: &Values, last_first: bool) -> Vec<usize> {
    let length = values.reads.len();
    // Channels occupied while an instruction and everything before it is executed.
    let mut room = vec![0; length];
    let mut is_read = vec![false; length];
    let mut operands = vec![Vec::new(); length];
    for &number in &values.program {
        let mut of_this = values.operands(number);
        of_this.iter().for_each(|&operand| is_read[operand] = true);
        if last_first {
            of_this.reverse();
        }
        of_this.sort_by_key(|&operand| Reverse(room[operand] - values.width(operand)));
        let mut made_before = 0;
        room[number] = values.width(number);
        for &operand in &of_this {
            room[number] = room[number].max(made_before + room[operand]);
            made_before += values.width(operand);
        }
        operands[number] = of_this;
    }
    let ends = values.program.iter().copied().filter(|&end| !is_read[end]);
    let mut ends: Vec<usize> = ends.collect();
    ends.sort_by_key(|&end| Reverse(room[end] - values.width(end)));
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
pub(super) fn greedy(values: &Values) -> Vec<usize> {
    let mut state = Greedy::new(values);
    let mut order = Vec::new();
    // All are ordered in the end, because the graph has no cycles.
    while let Some((_, number)) = state.ready.pop_first() {
        state.execute(number);
        order.push(number);
    }
    order
}

/// Ready instructions, by the number of channels that executing them occupies minus those that it frees.
struct Greedy<'a> {
    values: &'a Values,
    ready: BTreeSet<(isize, usize)>,
    growth: Vec<isize>,
    /// Number of missing operands of each instruction.
    missing: Vec<usize>,
    /// Readers of each channel of each result, with the number of those not yet executed.
    readers: Vec<[Vec<usize>; CHANNELS]>,
    unread: Vec<[usize; CHANNELS]>,
    is_done: Vec<bool>,
}

impl<'a> Greedy<'a> {
    fn new(values: &'a Values) -> Self {
        let length = values.reads.len();
        let mut readers: Vec<[Vec<usize>; CHANNELS]> = vec![Default::default(); length];
        for &number in &values.program {
            for &(operand, channel) in &values.reads[number] {
                readers[operand][channel].push(number);
            }
        }
        let unread: Vec<[usize; CHANNELS]> =
            readers.iter().map(|channels| channels.each_ref().map(Vec::len)).collect();
        let growth = |number: usize| {
            let reads = values.reads[number].iter();
            let freed = reads.filter(|&&(operand, channel)| unread[operand][channel] == 1);
            values.width(number) as isize - freed.count() as isize
        };
        let growth: Vec<isize> = (0..length).map(growth).collect();
        let missing: Vec<usize> = values.reads.iter().map(Vec::len).collect();
        let program = values.program.iter().copied();
        let ready = program.filter(|&number| missing[number] == 0);
        Self {
            ready: ready.map(|number| (growth[number], number)).collect(),
            is_done: vec![false; length],
            values,
            growth,
            missing,
            readers,
            unread,
        }
    }

    /// Executes a ready instruction: others become ready, or free more channels.
    fn execute(&mut self, number: usize) {
        self.is_done[number] = true;
        for channel in 0..CHANNELS {
            for place in 0..self.readers[number][channel].len() {
                let reader = self.readers[number][channel][place];
                self.missing[reader] -= 1;
                if self.missing[reader] == 0 {
                    self.ready.insert((self.growth[reader], reader));
                }
            }
        }
        for &(operand, channel) in &self.values.reads[number] {
            let unread = &mut self.unread[operand][channel];
            *unread -= 1;
            if *unread == 1 {
                let mut readers = self.readers[operand][channel].iter();
                if let Some(&last) = readers.find(|&&reader| !self.is_done[reader]) {
                    let was_ready = self.ready.remove(&(self.growth[last], last));
                    self.growth[last] -= 1;
                    if was_ready {
                        self.ready.insert((self.growth[last], last));
                    }
                }
            }
        }
    }
}
