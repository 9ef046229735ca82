//! The timed operations as passes of programs.

use crate::card::cost::theory::reduction_levels;
use crate::card::cost::{Area, Card, Demand, Halving};
use crate::card::count::{CountError, count};
use crate::stream::{STREAMS, Size, Source, source};

/// Identical passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    demand: Demand,
    area: Area,
    times: f64,
    switches: bool,
}

/// Bytes of a record of four channels of 32 bits.
const RECORD: u8 = 16;

const VECTOR_OP: Source = source!("stream/vector_op");
const REDUCE: Source = source!("stream/reduce");
const REDUCE_PRODUCT: Source = source!("stream/reduce_product");
const SUM: (&str, &str) = ("COMBINE(a, b)", "((a) + (b))");

/// Demand of one of fragstream's programs, on records of four channels.
pub(super) fn own(program: &Source, defines: &[(&str, &str)]) -> Result<Demand, CountError> {
    let count = count(&program.assemble(defines))?;
    Ok(Demand::of(&count, &[RECORD; STREAMS], RECORD.into()))
}

/// The same with the number of instructions that a paper prints.
pub(super) fn with_instructions(demand: Demand, printed: u32) -> Demand {
    Demand {
        arithmetic: printed - demand.fetches,
        ..demand
    }
}

/// x + α y, entry by entry.
pub(super) fn scaled_sum() -> Result<Demand, CountError> {
    own(&VECTOR_OP, &[SUM])
}

/// x times y, entry by entry.
pub(super) fn product() -> Result<Demand, CountError> {
    own(&VECTOR_OP, &[("COMBINE(a, b)", "((a) * (b))")])
}

/// Sum of 2 × 2 records.
pub(super) fn sum_of_four() -> Result<Demand, CountError> {
    own(&REDUCE, &[SUM])
}

/// Sum of the products of 2 × 2 pairs of records.
pub(super) fn product_of_four() -> Result<Demand, CountError> {
    own(&REDUCE_PRODUCT, &[SUM])
}

/// One pass over a rectangle.
pub(super) fn pass(demand: Demand, (width, height): Size) -> Passes {
    over(demand, Area::rectangle(width, height))
}

/// One pass over any area.
pub(super) fn over(demand: Demand, area: Area) -> Passes {
    Passes {
        demand,
        area,
        times: 1.0,
        switches: false,
    }
}

/// A reduction of a square to one record: `first` reads the square, `rest` the partial results.
pub(super) fn reduction(first: Demand, rest: Demand, side: u32) -> Vec<Passes> {
    let levels = reduction_levels(side, side, Halving::Up).into_iter();
    let demands = std::iter::once(first).chain(std::iter::repeat(rest));
    demands
        .zip(levels)
        .map(|(demand, size)| pass(demand, size))
        .collect()
}

/// The passes, repeated this number of times.
pub(super) fn repeated(times: f64, passes: &[Passes]) -> Vec<Passes> {
    let passes = passes.iter();
    passes
        .map(|&one| Passes {
            times: times * one.times,
            ..one
        })
        .collect()
}

/// The passes with a target switch before each.
pub(super) fn switching(passes: &[Passes]) -> Vec<Passes> {
    let passes = passes.iter();
    passes
        .map(|&one| Passes {
            switches: true,
            ..one
        })
        .collect()
}

/// Seconds of passes on a GPU.
pub(super) fn seconds(card: &Card, passes: &[Passes]) -> f64 {
    let passes = passes.iter().map(|one| {
        let switch = if one.switches {
            card.driver.switch
        } else {
            0.0
        };
        one.times * (card.pass_seconds(&one.demand, one.area) + switch)
    });
    passes.sum()
}
