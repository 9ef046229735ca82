//! The listings and Appendix A: lengths of programs, memory, theoretical rates.

use std::sync::Arc;

use crate::batty2003::pressure::Settings;
use crate::batty2003::pressure::gpu::Placement;
use crate::batty2003::pressure::gpu::matrix::product_source;
use crate::card::count::{Count, CountError, count};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::stream::{Machine, Source, source};
use crate::timing::rig::agrees;

const INSTRUCTIONS: Claim = Claim {
    id: "batty2003/instructions",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "GPU Algorithm Implementation, Appendix B",
    statement: "The product takes 56 instructions: 14 TEX, 7 ADD, 7 MUL, 9 MAD, 6 FRC, 13 MOV. \
                SumReduce takes 12: 4 TEX, 7 ADD, 1 MAD.",
    paper: "product 56 (43 without moves), SumReduce 12",
};
const REGISTERS: Claim = Claim {
    id: "batty2003/registers",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "GPU Algorithm Implementation, Appendix B",
    statement: "The product takes 6 registers, SumReduce 3.",
    paper: "product 6, SumReduce 3",
};
const MEMORY: Claim = Claim {
    id: "batty2003/memory",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "Pressure Projection Step, Appendix C",
    statement: "The non-zeros of the matrix take at least 28 MB for a million voxels; with large ones, \
                one texture of 2048² cannot hold them.",
    paper: "28 MB",
};
const APPENDIX_A: Claim = Claim {
    id: "batty2003/appendix-a",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "Appendix A",
    statement: "In theory an Athlon 1800+, a Quadro FX 1000 and a Quadro FX 2000 reach 1.5, 9.6 and \
                12.8 GFlop/s.",
    paper: "1.5, 9.6, 12.8 GFlop/s",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/programs",
    section: "GPU Algorithm Implementation, Appendices A, B",
    title: "Instructions, registers, memory, and what the cards could do in theory",
    claims: &[INSTRUCTIONS, REGISTERS, MEMORY, APPENDIX_A],
    run,
};

/// How far a count may be from the paper's.
const TOLERANCE: f64 = 0.35;

/// What the listing of the product takes but for its moves.
const SPLIT: [(&str, u32); 5] = [("ADD", 7), ("FRC", 6), ("MAD", 9), ("MUL", 7), ("TEX", 14)];

const SUM: Source = source!("stream/reduce");

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let [product, sum] = counted()?;
    Ok(vec![
        instructions(&product, &sum),
        registers(&product, &sum),
        memory(machine)?,
        appendix_a(),
    ])
}

/// The product of the final configuration, and SumReduce.
fn counted() -> Result<[Arc<Count>; 2], CountError> {
    let product = product_source(&Settings::paper_2003()).assemble(&[]);
    let sum = SUM.assemble(&[("COMBINE(a, b)", "((a) + (b))")]);
    Ok([count(&product)?, count(&sum)?])
}

fn instructions(product: &Count, sum: &Count) -> Finding {
    let near = |count: &Count, paper: f64| {
        (f64::from(count.instructions) / paper - 1.0).abs() <= TOLERANCE
    };
    let split: Vec<(&str, u32)> = product.by_kind.iter().map(|(&k, &n)| (k, n)).collect();
    let written = |count: &Count| {
        let kinds = count.by_kind.iter().map(|(kind, n)| format!("{n} {kind}"));
        kinds.collect::<Vec<_>>().join(", ")
    };
    let measured = format!(
        "product {}, SumReduce {}",
        product.instructions, sum.instructions
    );
    let why = format!(
        "Counted from our programs' texts as instructions of NV_fragment_program, without moves, which \
         the counter does not charge. Product: {}; SumReduce: {}, one fewer because an addition of a \
         half is folded into its constant.",
        written(product),
        written(sum)
    );
    let holds = near(product, 56.0) && near(sum, 12.0) && split == SPLIT;
    INSTRUCTIONS.judge(holds, measured, why)
}

fn registers(product: &Count, sum: &Count) -> Finding {
    let [ours, least] = [product, sum].map(|count| f64::from(count.registers));
    let measured = format!("product {ours}, SumReduce {least}");
    let why = "Counted is how many registers of four channels hold all values, in the better of two \
               orders of the instructions; Cg assigned the paper's. Agreement is within a factor of 2.";
    REGISTERS.judge(agrees(ours, 6.0) && agrees(least, 3.0), measured, why)
}

fn memory(machine: &Machine) -> Result<Finding, BoxedError> {
    let layout = Placement::new(machine, [100; 3], &Settings::paper_2003())?.layout();
    let bytes = 7 * layout.capacity() * size_of::<f32>();
    // Texels of 2048² hold four entries, and a cell has seven.
    let most = 4 * 2048 * 2048 / 7;
    let (width, height) = layout.size();
    let measured = format!(
        "{} MB; one 2048² texture holds the matrix of {most} cells",
        bytes / 1_000_000
    );
    let why = format!(
        "100³ cells in seven textures of {width}x{height} texels, without padding. A megabyte is 10⁶ \
         bytes here."
    );
    Ok(MEMORY.judge(bytes == 28_000_000 && most == 2_396_745, measured, why))
}

fn appendix_a() -> Finding {
    let channels = 4.0;
    let rates = [1.5, 0.3 * 8.0 * channels, 0.4 * 8.0 * channels];
    let shown = rates.map(|rate| format!("{rate:.1}"));
    // Seven products and six sums a cell.
    let reached = 13.0 * 1e6 / 33.56e-3 / 1e9;
    let why = format!(
        "One operation a cycle is meant where one a second is printed. Eight pipelines are assumed \
         where bolz2003 has four for the same family. If the grid has 10⁶ cells, the printed 33.56 ms \
         for a product are {reached:.2} GFlop/s, {:.0} % of the FX 1000's theory.",
        100.0 * reached / rates[1]
    );
    APPENDIX_A.judge(
        shown == ["1.5", "9.6", "12.8"],
        format!("{} GFlop/s", shown.join(", ")),
        why,
    )
}
