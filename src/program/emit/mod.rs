//! The emitter: from a graph to its listing.
//!
//! 1. `lower` translates operations into instructions. Products become part of sums (MAD), comparisons
//!    set the condition code where it is tested, and operations used only by a selection are executed
//!    under its condition.
//! 2. `widen` combines additions of numbers to positions: one addition serves two positions.
//! 3. `order` tries the order of the text and three that keep few values alive.
//! 4. `classes` places channels that one operand reads together in one register; values whose
//!    lifetimes do not overlap may share a channel. It finds a register for each class.
//! 5. `write` sets the condition code and prints.
//!
//! Operands spread over several registers are gathered by moves. Of all variants, the listing that NV30 runs
//! fastest is kept.

mod classes;
mod lower;
mod order;
mod unordered;
mod widen;
mod write;

use super::CountError;
use super::execute::{DataLoops, Executed, execute};
use super::front::Stage;
use super::graph::Channel;
use super::listing::{Listing, Opcode};

use classes::Assembly;
use lower::{Node, Output, distinct, lower};
use unordered::Unordered;
use widen::widen;
use write::write;

impl Listing {
    /// The listing of an assembled fragment program: `#define` lines, prelude and text of a kernel.
    pub fn of(assembled: &str) -> Result<Self, CountError> {
        Self::of_stage(assembled, Stage::Fragment)
    }

    /// The listing of a vertex program, whose results are `gl_Position` and each `out`.
    pub fn of_vertex(assembled: &str) -> Result<Self, CountError> {
        Self::of_stage(assembled, Stage::Vertex)
    }

    fn of_stage(assembled: &str, stage: Stage) -> Result<Self, CountError> {
        let executed = execute(assembled, stage, true, DataLoops::Guarded)?;
        if executed.has_double { Err(CountError::Double) } else { Ok(listing(&executed)) }
    }
}

/// Longer programs are emitted only in the order of their text.
const LONG: usize = 4000;

/// Returns the listing of an executed program.
pub(crate) fn listing(executed: &Executed) -> Listing {
    let (mut nodes, outputs, units) = lower(executed);
    steal(&mut nodes, &outputs);
    let is_varying: Vec<bool> =
        executed.inputs.iter().map(|(.., is_varying)| *is_varying).collect();
    let mut listings = Vec::new();
    for (of_any, in_pairs) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut widened = nodes.clone();
        if !widen(&mut widened, of_any, in_pairs) {
            continue;
        }
        let program = Unordered::new(widened, nodes.len(), &outputs, is_varying.clone());
        let mut orders = vec![program.order.clone()];
        let is_long = program.order.len() >= LONG;
        if !is_long {
            orders.push(order::depth_first(&program, false));
            orders.push(order::depth_first(&program, true));
            orders.push(order::greedy(&program));
        }
        let assemblies = orders.iter().map(|order| Assembly::new(&program, order));
        listings.extend(assemblies.map(|assembly| write(&assembly, executed, &units)));
        if is_long {
            break;
        }
    }
    listings.into_iter().min_by_key(cost).unwrap_or_default()
}

/// Cost of a listing on NV30: instructions take longer the more pairs of registers are in use. The weight fits
/// the papers' timings (the calibrated cost model).
fn cost(listing: &Listing) -> [usize; 3] {
    let (instructions, registers) = (listing.instructions.len(), listing.registers());
    let pairs = registers.div_ceil(2).max(1);
    [instructions * (100 + 78 * (pairs - 1)), instructions, registers]
}

/// Executes operations used by only one side of a selection in its place, under its condition.
fn steal(nodes: &mut [Node], outputs: &[Output]) {
    // Number of values that read each node, or are outputs.
    let mut uses = vec![0; nodes.len()];
    let values = nodes.iter().flat_map(|node| &node.reads);
    for value in values.chain(outputs.iter().map(|(_, value)| value)) {
        let makers = distinct(value.iter().filter_map(|channel| channel.maker()));
        makers.into_iter().for_each(|maker| uses[maker] += 1);
    }
    for number in 0..nodes.len() {
        let node = &nodes[number];
        if node.guard.is_none() || node.opcode != Opcode::Mov || node.saturates {
            continue;
        }
        let side = [0, 1].into_iter().find_map(|side| {
            let value = &node.reads[side];
            let first = value.first()?.maker()?;
            let maker = &nodes[first];
            let can = maker.opcode.row().read == 0 && maker.guard.is_none() && !maker.acts;
            let is_whole = *value == Channel::results(first, maker.width);
            (uses[first] == 1 && is_whole && can).then_some((side, first))
        });
        let Some((side, maker)) = side else { continue };
        let Node { opcode, saturates, reads, .. } = nodes[maker].clone();
        nodes[maker].reads.clear();
        let node = &mut nodes[number];
        if side == 1 {
            node.swap();
        }
        (node.opcode, node.saturates) = (opcode, saturates);
        node.reads.splice(..1, reads);
    }
}
