//! Properties that cards limit: phases, the order of dependent reads, and the slots of pixel shader 2.0.

use std::collections::BTreeSet;

use super::{Base, Instruction, Listing, Opcode, Target};

/// Structure of the fetches, and numbers of constants and coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Phases: a fetch or KIL begins another one if its position or condition was computed in this one, or its
    /// register was used in this one (`ARB_fragment_program`, section 3.11.6).
    pub phases: usize,
    /// The longest chain of fetches in which each position depends on the fetch before, without the first
    /// fetch.
    pub dependent_levels: usize,
    /// Order of reads as in pixel shader 2.0: 0 for a read at an input, 1 at a computed position, and one more
    /// for each fetch that the position depends on.
    pub read_order: usize,
    /// Constants that are set, and different literal constants.
    pub constants: usize,
    /// Interpolated coordinates, including the fragment's position.
    pub coordinates: usize,
}

/// Instruction slots of pixel shader 2.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// Arithmetic slots, at most 64.
    pub arithmetic: usize,
    /// Texture slots, at most 32.
    pub texture: usize,
}

/// The condition code, which is a register in `ARB_fragment_program`, among the temporaries.
const CODE: usize = usize::MAX;

/// Dependence of a number on fetches: length of the chain, and order of its position.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    chain: usize,
    order: usize,
}

impl Depth {
    fn most(all: impl Iterator<Item = Depth>) -> Depth {
        all.fold(Depth::default(), |most, one| Depth {
            chain: most.chain.max(one.chain),
            order: most.order.max(one.order),
        })
    }
}

impl Listing {
    /// Its shape.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape {
            phases: self.phases(),
            constants: self.parameters.len(),
            coordinates: self.coordinates.len(),
            ..Shape::default()
        };
        let bases = || self.instructions.iter().flat_map(|one| &one.operands).map(|one| &one.base);
        shape.coordinates += usize::from(bases().any(|base| *base == Base::Position));
        let literals = bases().filter(|base| matches!(base, Base::Literal(_)));
        shape.constants += literals.map(|base| format!("{base:?}")).collect::<BTreeSet<_>>().len();
        let mut registers = vec![[Depth::default(); 4]; self.registers()];
        let mut code = [Depth::default(); 4];
        for instruction in &self.instructions {
            let read = |channel: usize| {
                Depth::most(instruction.operands.iter().filter_map(|operand| {
                    Some(registers[operand.base.register()?][operand.swizzle[channel]])
                }))
            };
            let read_by = |channels: usize| Depth::most((0..channels).map(read));
            let mut new = match instruction.opcode.row().read {
                0 => [0, 1, 2, 3].map(read),
                channels => [read_by(channels); 4],
            };
            if instruction.opcode == Opcode::Tex {
                let position = &instruction.operands[0].base;
                let is_input = !matches!(position, Base::Temporary(_) | Base::Literal(_));
                let more = usize::from(!is_input);
                let deeper =
                    |Depth { chain, order }| Depth { chain: chain + 1, order: order + more };
                new = new.map(deeper);
                shape.dependent_levels = shape.dependent_levels.max(new[0].chain - 1);
                shape.read_order = shape.read_order.max(new[0].order);
            }
            let target = instruction.target.register();
            for channel in instruction.written() {
                let mut depth = new[channel];
                if let Some(test) = instruction.test {
                    let old = target.map_or(Depth::default(), |at| registers[at][channel]);
                    depth = Depth::most([depth, old, code[test.swizzle[channel]]].into_iter());
                }
                if let Some(register) = target {
                    registers[register][channel] = depth;
                }
                if instruction.sets_code {
                    code[channel] = depth;
                }
            }
        }
        shape
    }

    fn phases(&self) -> usize {
        let (mut phases, mut touched, mut written) = (1, BTreeSet::new(), BTreeSet::new());
        for instruction in &self.instructions {
            let read = instruction.operands.iter().filter_map(|operand| operand.base.register());
            let read = read.chain(instruction.test.map(|_| CODE));
            let is_code = instruction.sets_code || instruction.target == Target::Code;
            let target = instruction.target.register().into_iter().chain(is_code.then_some(CODE));
            let is_texture = matches!(instruction.opcode, Opcode::Tex | Opcode::Kil);
            if !is_texture {
                touched.extend(read.chain(target.clone()));
            } else if read.clone().any(|register| written.contains(&register))
                || target.clone().any(|register| touched.contains(&register))
            {
                phases += 1;
                touched.clear();
                written.clear();
            }
            written.extend(target);
        }
        phases
    }

    /// Slots of pixel shader 2.0; `None` if it lacks an instruction.
    pub fn slots(&self) -> Option<Slots> {
        self.instructions.iter().try_fold(Slots::default(), |sum, instruction| {
            let Slots { arithmetic, texture } = instruction.slots()?;
            Some(Slots { arithmetic: sum.arithmetic + arithmetic, texture: sum.texture + texture })
        })
    }
}

impl Instruction {
    /// Slots of pixel shader 2.0, whose selections test a sign (`cmp`) and whose operands are never absolute;
    /// `None` if it lacks an instruction. Moves for missing swizzles are not counted.
    pub fn slots(&self) -> Option<Slots> {
        // A selection by a sign is one instruction, without a comparison.
        let is_test = self.target == Target::Code || self.test.is_some();
        let is_free = self.opcode == Opcode::Mov && is_test;
        if matches!(self.opcode, Opcode::Ddx | Opcode::Ddy) {
            return None;
        }
        let arithmetic = if is_free { 0 } else { self.opcode.row().slots };
        let selections = usize::from(self.test.is_some() && self.opcode != Opcode::Kil);
        let absolute = self.operands.iter().filter(|operand| operand.absolute);
        Some(Slots {
            arithmetic: arithmetic + selections + absolute.count(),
            texture: usize::from(matches!(self.opcode, Opcode::Tex | Opcode::Kil)),
        })
    }
}
