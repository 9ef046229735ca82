//! Counts the instructions of a graph that a result needs.

use super::graph::{Graph, Source, Value};
use super::needs::{Needs, operand_instructions};
use super::registers::registers;
use super::{Count, StreamFetches};
use crate::card::arithmetic::Operation;
use crate::card::dialect::Access;

/// Counts what `outputs` and the effects of `graph` need. `accesses` tells of each stream how it is read.
pub(super) fn tally(graph: &Graph, outputs: &[Value], accesses: &[Access]) -> Count {
    let needs = Needs::of(graph, outputs);
    let mut count = Count::default();
    let mut chain = vec![0u32; graph.instructions.len()];
    let mut order = vec![0u32; graph.instructions.len()];
    for (number, instruction) in graph.instructions.iter().enumerate() {
        let before = operand_instructions(instruction).map(|operand| chain[operand]);
        chain[number] = before.max().unwrap_or(0);
        let before = operand_instructions(instruction).map(|operand| order[operand]);
        order[number] = before.max().unwrap_or(0);
        if !needs.is_kept(number) {
            continue;
        }
        if let Operation::Fetch(stream) = instruction.operation {
            let is = |wanted: fn(Source) -> bool| {
                let position = instruction.operands[0].iter();
                position.map(|channel| channel.source).all(wanted)
            };
            let is_input = is(|source| matches!(source, Source::Input(..)));
            // The first input is the fragment's own position. Another one is where a vertex leads to.
            let is_here = is(|source| matches!(source, Source::Input(1, _)));
            let streams = count.by_stream.len().max(stream);
            count.by_stream.resize(streams, StreamFetches::default());
            let fetches = &mut count.by_stream[stream - 1];
            let access = accesses.get(stream - 1);
            fetches.all += 1;
            fetches.strided += u32::from(access == Some(&Access::Strided));
            fetches.random += u32::from(access == Some(&Access::Random) && !is_here);
            order[number] += u32::from(!is_input);
            count.read_order = count.read_order.max(order[number]);
            chain[number] += 1;
            count.dependent_levels = count.dependent_levels.max(chain[number] - 1);
        }
        *count.by_kind.entry(mnemonic(&needs, number)).or_default() += 1;
    }
    let moves = (0..outputs.len()).map(|output| needs.copies(output).len());
    let moves: usize = moves.sum();
    if moves > 0 {
        *count.by_kind.entry("MOV").or_default() += moves as u32;
    }
    count.instructions = count.by_kind.values().sum();
    count.fetches = count.by_kind.get("TEX").copied().unwrap_or(0);
    count.arithmetic = count.instructions - count.fetches;
    count.registers = registers(&needs);
    count
}

/// The name of an instruction in `NV_fragment_program`.
fn mnemonic(needs: &Needs, number: usize) -> &'static str {
    use Operation as O;
    match needs.instruction(number).operation {
        O::Fetch(_) => "TEX",
        O::Add if needs.is_fused(number) => "MAD",
        O::Add => "ADD",
        O::Multiply | O::And => "MUL",
        O::Dot if needs.instruction(number).operands[0].len() == 3 => "DP3",
        O::Dot => "DP4",
        O::Minimum => "MIN",
        O::Maximum | O::Or => "MAX",
        O::Floor => "FLR",
        O::Fraction => "FRC",
        O::Saturate => "MOV",
        O::Interpolate => "LRP",
        O::Reciprocal | O::Divide | O::SquareRoot => "RCP",
        O::InverseRoot => "RSQ",
        O::Exponential => "EX2",
        O::Logarithm => "LG2",
        O::Power => "POW",
        O::Sine => "SIN",
        O::Cosine => "COS",
        O::Less => "SLT",
        O::GreaterEqual => "SGE",
        O::Equal => "SEQ",
        O::NotEqual => "SNE",
        O::Select => "CMP",
        O::DerivativeX => "DDX",
        O::DerivativeY => "DDY",
        O::Kill => "KIL",
    }
}
