//! Registers for classes: the first one with free channels for the lifetime of the class.

use super::classes::{Assembly, Taken, permutations};

/// Returns for each class its register, and the register channel of each of its slots.
pub(super) fn allocate(assembly: &Assembly<'_>) -> Vec<(usize, [usize; 4])> {
    let classes = &assembly.classes;
    let first = |class: usize| classes[class].taken.iter().filter_map(Taken::first).min();
    let mut order: Vec<(usize, usize)> =
        (0..classes.len()).filter_map(|class| Some((first(class)?, class))).collect();
    order.sort_unstable();
    let mut registers: Vec<[Taken; 4]> = Vec::new();
    let mut places = vec![(0, [0, 1, 2, 3]); classes.len()];
    for (_, class) in order {
        let of = &classes[class];
        let frames = if of.is_fixed { std::slice::from_ref(&of.frame) } else { permutations() };
        let found = registers.iter().enumerate().find_map(|(register, taken)| {
            let is_free: [[bool; 4]; 4] = std::array::from_fn(|place| {
                std::array::from_fn(|channel| of.taken[place].is_disjoint(&taken[channel]))
            });
            let fits = |frame: &&[usize; 4]| (0..4).all(|place| is_free[place][frame[place]]);
            frames.iter().find(fits).map(|frame| (register, *frame))
        });
        let (register, frame) = found.unwrap_or_else(|| {
            registers.push(Default::default());
            (registers.len() - 1, frames[0])
        });
        for place in 0..4 {
            registers[register][frame[place]].extend(of.taken[place].clone());
        }
        places[class] = (register, frame);
    }
    places
}
