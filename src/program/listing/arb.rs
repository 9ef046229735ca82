//! `!!ARBfp1.0`, which drivers run: a translation instruction by instruction, with the same registers.
//!
//! There is no condition code: a register `CC` replaces it, and `CMP` selects by its sign. Absolute values take
//! an instruction (`ABS`), and `SEQ` and the like take three. A test of a number that may be NaN becomes a comparison.

use std::fmt::Write;

use super::print::{mask, name, number, swizzle};
use super::{Base, Instruction, Listing, Opcode, Operand, Relation, Target, Test, four};
use crate::base::error::WithKind;

/// The reason why a listing cannot be written as `!!ARBfp1.0`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArbError {
    /// `DDX` and `DDY` were introduced later.
    #[error("ARB_fragment_program has no derivatives. Use the GLSL back end.")]
    Derivatives,
    /// Its numbers must be finite.
    #[error("assembly has no infinite constants. Write a finite number, or use the GLSL back end.")]
    Infinite,
    /// It has only one result, a colour.
    #[error("ARB_fragment_program writes one colour. Write only `result`.")]
    Results,
}

impl WithKind for ArbError {}

/// A program in the driver's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// `!!ARBfp1.0`.
    pub text: String,
    /// Number of instructions.
    pub instructions: usize,
}

struct Lowering<'a> {
    listing: &'a Listing,
    text: String,
    instructions: usize,
    /// Name of the result: a register if it is written under conditions.
    result: &'static str,
    /// The channels of the condition code that hold 0 or 1.
    is_truth: [bool; 4],
}

impl Listing {
    /// The listing as `!!ARBfp1.0`: stream `n` is `texture[n]`, constant `n` is `program.local[n]`,
    /// and coordinate `n` is `fragment.texcoord[n]`.
    pub fn arb(&self) -> Result<Driver, ArbError> {
        self.check()?;
        let of_output = |one: &&Instruction| matches!(one.target, Target::Output(_));
        let outputs = self.instructions.iter().filter(of_output);
        let is_result = |name: &String| name == "result";
        let result = self.outputs.iter().position(is_result).map(Target::Output);
        if outputs.clone().any(|one| Some(one.target) != result) {
            return Err(ArbError::Results);
        }
        let is_kept = outputs.clone().any(|one| one.test.is_some() || one.sets_code);
        let mut lowering = Lowering {
            listing: self,
            text: "!!ARBfp1.0\n".into(),
            instructions: 0,
            result: if is_kept { "OUT" } else { "result.color" },
            is_truth: [false; 4],
        };
        let temporaries: String = (0..self.registers()).map(|at| format!("R{at}, ")).collect();
        _ = writeln!(lowering.text, "TEMP {temporaries}CC, OUT, T, U, A0, A1, A2;");
        for (number, parameter) in self.parameters.iter().enumerate() {
            // A driver may not survive thousands of undeclared parameters.
            let name = name(&parameter.name);
            _ = writeln!(lowering.text, "PARAM c{number} = program.local[{number}]; # {name}");
        }
        for (unit, stream) in self.streams.iter().enumerate() {
            _ = writeln!(lowering.text, "# texture[{unit}] is stream {stream}");
        }
        let is_written = |channel: usize| outputs.clone().any(|one| one.mask[channel]);
        if !(0..4).all(is_written) {
            // Unwritten channels are undefined, and zero here.
            let result = lowering.result;
            lowering.push(&format!("MOV {result}, {{0, 0, 0, 0}}"));
        }
        for instruction in &self.instructions {
            lowering.instruction(instruction)?;
        }
        if is_kept {
            lowering.push("MOV result.color, OUT");
        }
        lowering.text += "END\n";
        Ok(Driver { text: lowering.text, instructions: lowering.instructions })
    }
}

impl Lowering<'_> {
    fn push(&mut self, line: &str) {
        _ = writeln!(self.text, "{line};");
        self.instructions += 1;
    }

    /// The base of an operand, in `A0` to `A2` if its absolute value is taken.
    fn operand(&mut self, at: usize, operand: &Operand) -> String {
        let mut base = match &operand.base {
            Base::Temporary(register) => format!("R{register}"),
            Base::Position => "fragment.position".into(),
            Base::Coordinate(number) => match self.listing.coordinates.get(*number) {
                Some(one) if one.name == "gl_FragCoord" => "fragment.position".into(),
                _ => format!("fragment.texcoord[{number}]"),
            },
            Base::Parameter(number) => format!("c{number}"),
            Base::Literal(numbers) => format!("{{{}}}", four(numbers).map(number).join(", ")),
        };
        if operand.absolute {
            self.push(&format!("ABS A{at}, {base}"));
            base = format!("A{at}");
        }
        let sign = if operand.negated { "-" } else { "" };
        format!("{sign}{base}{}", swizzle(operand.swizzle))
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), ArbError> {
        if matches!(instruction.opcode, Opcode::Ddx | Opcode::Ddy) {
            return Err(ArbError::Derivatives);
        }
        if instruction.opcode == Opcode::Kil {
            self.kill(instruction.test);
            return Ok(());
        }
        let operands = instruction.operands.iter().enumerate();
        let operands: Vec<String> = operands.map(|(at, one)| self.operand(at, one)).collect();
        let written = mask(instruction.mask);
        let target = match instruction.target {
            Target::Temporary(register) => format!("R{register}"),
            Target::Output(_) => self.result.to_owned(),
            Target::Code => "CC".to_owned(),
        };
        match instruction.test {
            None => self.compute(instruction, &target, &operands),
            Some(test) if instruction.opcode == Opcode::Mov && !instruction.saturates => {
                self.select(test, &target, &written, &operands[0]);
            }
            Some(test) => {
                self.compute(instruction, "T", &operands);
                self.select(test, &target, &written, "T");
            }
        }
        if instruction.sets_code && instruction.target != Target::Code {
            self.push(&format!("MOV CC{written}, {target}"));
        }
        if instruction.sets_code {
            use Opcode::{Seq, Sge, Sgt, Sle, Slt, Sne};
            let is_truth = matches!(instruction.opcode, Seq | Sge | Sgt | Sle | Slt | Sne);
            let is_whole = is_truth && instruction.test.is_none();
            instruction.written().for_each(|channel| self.is_truth[channel] = is_whole);
        }
        Ok(())
    }

    /// Computes without a condition.
    fn compute(&mut self, instruction: &Instruction, target: &str, operands: &[String]) {
        let saturation = if instruction.saturates { "_SAT" } else { "" };
        let written = mask(instruction.mask);
        let target = format!("{target}{written}");
        let [a, b] = [0, 1].map(|at| operands.get(at).map_or("", String::as_str));
        match instruction.opcode {
            Opcode::Tex => {
                let unit = instruction.unit;
                self.push(&format!("TEX{saturation} {target}, {a}, texture[{unit}], RECT"));
            }
            Opcode::Sgt => self.push(&format!("SLT{saturation} {target}, {b}, {a}")),
            Opcode::Sle => self.push(&format!("SGE{saturation} {target}, {b}, {a}")),
            opcode @ (Opcode::Seq | Opcode::Sne) => {
                self.push(&format!("SGE U{written}, {a}, {b}"));
                self.push(&format!("SGE A2{written}, {b}, {a}"));
                self.push(&match opcode {
                    Opcode::Seq => format!("MUL{saturation} {target}, U, A2"),
                    _ => format!("MAD{saturation} {target}, -U, A2, {{1, 1, 1, 1}}"),
                });
            }
            opcode => {
                let operands = operands.join(", ");
                self.push(&format!("{}{saturation} {target}, {operands}", opcode.name()));
            }
        }
    }

    /// An operand that is negative where a test of the condition code holds, or where it fails.
    fn sign(&mut self, test: Test) -> (String, bool) {
        let code = format!("CC{}", swizzle(test.swizzle));
        let is_truth = test.swizzle.iter().all(|&channel| self.is_truth[channel]);
        match test.relation {
            Relation::Lt => return (code, true),
            Relation::Gt => return (format!("-{code}"), true),
            Relation::Ge if is_truth => return (code, false),
            Relation::Le | Relation::Eq if is_truth => return (format!("-{code}"), false),
            Relation::Ne if is_truth => return (format!("-{code}"), true),
            // NaN is neither at least zero, nor at most, nor equal.
            Relation::Ge => self.push(&format!("SGE U, {code}, {{0, 0, 0, 0}}")),
            Relation::Le => self.push(&format!("SGE U, -{code}, {{0, 0, 0, 0}}")),
            Relation::Ne | Relation::Eq => {
                self.push(&format!("ABS U, {code}"));
                self.push("SGE U, -U, {0, 0, 0, 0}");
            }
        }
        ("-U".into(), test.relation != Relation::Ne)
    }

    fn select(&mut self, test: Test, target: &str, written: &str, new: &str) {
        let (sign, is_negative) = self.sign(test);
        let [first, second] = if is_negative { [new, target] } else { [target, new] };
        self.push(&format!("CMP {target}{written}, {sign}, {first}, {second}"));
    }

    fn kill(&mut self, test: Option<Test>) {
        match test.map(|test| self.sign(test)) {
            None => self.push("KIL {-1, -1, -1, -1}"),
            Some((sign, true)) => self.push(&format!("KIL {sign}")),
            Some((sign, false)) => {
                // -1 where the operand is not negative.
                self.push(&format!("SGE U, {sign}, {{0, 0, 0, 0}}"));
                self.push("KIL -U");
            }
        }
    }
}
