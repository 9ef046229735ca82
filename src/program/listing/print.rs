//! `!!FP1.0`, as the papers print it.

use std::fmt::{Display, Formatter, Result, Write};

use super::{Base, Instruction, Listing, Opcode, Operand, Target, Test};

/// Names of channels.
pub(super) const CHANNELS: [char; 4] = ['x', 'y', 'z', 'w'];

/// A swizzle: empty for the identity, one letter for one channel.
pub(super) fn swizzle(channels: [usize; 4]) -> String {
    match channels {
        [0, 1, 2, 3] => String::new(),
        [a, b, c, d] if a == b && b == c && c == d => format!(".{}", CHANNELS[a]),
        _ => ".".chars().chain(channels.map(|c| CHANNELS[c])).collect(),
    }
}

/// A write mask.
pub(super) fn mask(written: [bool; 4]) -> String {
    let letters: String = (0..4).filter(|&c| written[c]).map(|c| CHANNELS[c]).collect();
    if letters == "xyzw" { String::new() } else { format!(".{letters}") }
}

/// A number; some assemblers cannot read long integers.
pub(super) fn number(number: f32) -> String {
    let is_short = number == 0.0 || (1e-4..1e7).contains(&number.abs());
    if is_short { number.to_string() } else { format!("{number:e}") }
}

/// A valid assembler name: elements of an array are constants of their own.
pub(super) fn name(name: &str) -> String {
    name.replace('[', "_").replace(']', "")
}

impl Listing {
    /// Name of a result.
    fn output(&self, number: usize) -> String {
        match self.outputs.get(number).map(String::as_str) {
            Some("result") => "o[COLR]".into(),
            Some("gl_Position") => "o[HPOS]".into(),
            other => format!("o[{}]", other.unwrap_or("?")),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        let base = match &operand.base {
            Base::Temporary(register) => format!("R{register}"),
            Base::Position => "f[WPOS]".into(),
            Base::Coordinate(number) => format!("f[TEX{number}]"),
            Base::Parameter(number) => match self.parameters.get(*number) {
                Some(parameter) => name(&parameter.name),
                None => format!("p[{number}]"),
            },
            Base::Literal(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|&one| self::number(one)).collect();
                format!("{{{}}}", numbers.join(", "))
            }
        };
        let bar = if operand.absolute { "|" } else { "" };
        let sign = if operand.negated { "-" } else { "" };
        format!("{sign}{bar}{base}{}{bar}", swizzle(operand.swizzle))
    }

    /// One instruction, without its line end.
    pub fn line(&self, instruction: &Instruction) -> String {
        let mut line = String::from(instruction.opcode.name());
        if !matches!(instruction.opcode, Opcode::Tex | Opcode::Kil) {
            line.push('R');
        }
        if instruction.sets_code {
            line.push('C');
        }
        if instruction.saturates {
            line += "_SAT";
        }
        let test = |test: Test| format!("{}{}", test.relation.name(), swizzle(test.swizzle));
        if instruction.opcode == Opcode::Kil {
            return line + " " + &instruction.test.map_or("TR".into(), test) + ";";
        }
        line += " ";
        line += &match instruction.target {
            Target::Temporary(register) => format!("R{register}"),
            Target::Output(number) => self.output(number),
            Target::Code => "RC".into(),
        };
        line += &mask(instruction.mask);
        if let Some(one) = instruction.test {
            line += &format!(" ({})", test(one));
        }
        for operand in &instruction.operands {
            line += ", ";
            line += &self.operand(operand);
        }
        if instruction.opcode == Opcode::Tex {
            _ = write!(line, ", TEX{}, RECT", instruction.unit);
        }
        line + ";"
    }
}

impl Display for Listing {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "!!FP1.0")?;
        for (unit, stream) in self.streams.iter().enumerate() {
            writeln!(f, "# TEX{unit} {stream}")?;
        }
        for (number, coordinate) in self.coordinates.iter().enumerate() {
            writeln!(f, "# f[TEX{number}] {}", coordinate.name)?;
        }
        for parameter in &self.parameters {
            writeln!(f, "DECLARE {};", name(&parameter.name))?;
        }
        for instruction in &self.instructions {
            writeln!(f, "{}", self.line(instruction))?;
        }
        writeln!(f, "END")
    }
}
