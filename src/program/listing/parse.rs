//! A parser of `!!FP1.0`, for the papers' own listings.

use super::print::CHANNELS;
use super::{Base, Input, Instruction, Listing, Opcode, Operand, Relation, Target, Test};
use crate::error::WithKind;

/// A text that is not a listing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}. {remedy}.")]
pub struct ListingError {
    /// Line of the text, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Fault.
    pub what: String,
    /// Remedy.
    pub remedy: &'static str,
}

impl WithKind for ListingError {}

/// One line, read from left to right.
struct Line<'a> {
    number: usize,
    text: &'a str,
    at: usize,
}

type Parsed<T> = Result<T, ListingError>;

impl Listing {
    /// Parses `!!FP1.0`: comments from `#`, `DECLARE`, instructions, `END`. Texture unit `n` becomes stream
    /// `TEXn`, and coordinate `n` is called `TEXn`; both may be renamed.
    ///
    /// # Errors
    /// The first fault, with line, column and remedy.
    pub fn parse(text: &str) -> Result<Self, ListingError> {
        let mut listing = Listing { outputs: vec!["result".into()], ..Listing::default() };
        let mut lines = (1..).zip(text.lines()).map(|(number, text)| Line {
            number,
            text: text.split('#').next().unwrap_or("").trim_end(),
            at: 0,
        });
        let mut first = lines.next().unwrap_or(Line { number: 1, text: "", at: 0 });
        if !first.accept("!!FP1.0") {
            return first.fails("not a fragment program", "Begin with !!FP1.0");
        }
        let mut ends = false;
        for mut line in lines {
            line.space();
            if line.is_done() {
                continue;
            }
            if ends {
                return line.fails("text after END", "Remove it");
            }
            if line.accept("END") {
                ends = true;
            } else if line.accept("DECLARE") {
                line.space();
                let name = line.word()?;
                listing.parameters.push(Input { name, channels: 4 });
                line.expect(";")?;
            } else {
                let instruction = line.instruction(&mut listing)?;
                listing.instructions.push(instruction);
            }
            line.space();
            if !line.is_done() {
                return line.fails("text after an instruction", "Put it on a line of its own");
            }
        }
        if ends {
            Ok(listing)
        } else {
            Err(ListingError {
                line: text.lines().count(),
                column: 1,
                what: "the listing has no end".into(),
                remedy: "Write END in the last line",
            })
        }
    }
}

/// Adds the names up to `TEXn`.
fn number(inputs: &mut Vec<Input>, number: usize) {
    for next in inputs.len()..=number {
        inputs.push(Input { name: format!("TEX{next}"), channels: 4 });
    }
}

impl Line<'_> {
    fn fails<T>(&self, what: &str, remedy: &'static str) -> Parsed<T> {
        Err(ListingError {
            line: self.number,
            column: self.text[..self.at].chars().count() + 1,
            what: what.into(),
            remedy,
        })
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn accept(&mut self, word: &str) -> bool {
        let accept = self.rest().starts_with(word);
        if accept {
            self.at += word.len();
        }
        accept
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        self.space();
        if self.accept(word) {
            Ok(())
        } else {
            self.fails(
                &format!("`{word}` is missing"),
                "Write an instruction as `ADDR R0, R1, R2;`",
            )
        }
    }

    fn word(&mut self) -> Parsed<String> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_owned();
        if word.is_empty() {
            return self.fails("a name is missing", "Write an instruction as `ADDR R0, R1, R2;`");
        }
        self.at += end;
        Ok(word)
    }

    /// A number below a limit.
    fn number(&mut self, limit: usize) -> Parsed<usize> {
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        match self.rest()[..digits].parse() {
            Ok(number) if number < limit => {
                self.at += digits;
                Ok(number)
            }
            _ => self.fails(
                &format!("not a number below {limit}"),
                "There are 32 registers, 16 textures and 8 coordinates",
            ),
        }
    }

    /// Opcode, precision, `C` and `_SAT`.
    fn opcode(&mut self) -> Parsed<(Opcode, bool, bool)> {
        let Some(opcode) = Opcode::find(|row| self.rest().starts_with(row.name)) else {
            return self.fails(
                "not a supported instruction of NV_fragment_program",
                "Use ADD, MUL, MAD, TEX and the like",
            );
        };
        self.at += opcode.name().len();
        if !matches!(opcode, Opcode::Tex | Opcode::Kil) {
            _ = self.accept("R") || self.accept("H") || self.accept("X");
        }
        let sets_code = self.accept("C");
        Ok((opcode, sets_code, self.accept("_SAT")))
    }

    fn instruction(&mut self, listing: &mut Listing) -> Parsed<Instruction> {
        let (opcode, sets_code, saturates) = self.opcode()?;
        let mut instruction = Instruction {
            opcode,
            saturates,
            sets_code,
            target: Target::Code,
            mask: [true; 4],
            test: None,
            operands: Vec::new(),
            unit: 0,
            line: self.number as u32,
        };
        self.space();
        if opcode == Opcode::Kil {
            instruction.mask = [false; 4];
            instruction.test = Some(self.test()?);
            self.expect(";")?;
            return Ok(instruction);
        }
        instruction.target = if self.accept("o[COLR]") {
            Target::Output(0)
        } else if self.accept("RC") {
            Target::Code
        } else if self.accept("R") {
            Target::Temporary(self.number(32)?)
        } else {
            return self
                .fails("not a register that can be written", "Write R0 to R31, RC or o[COLR]");
        };
        if let Some(channels) = self.channels()? {
            if !channels.is_sorted_by(|a, b| a < b) {
                return self.fails("not a write mask", "Name channels once, in the order xyzw");
            }
            instruction.mask = std::array::from_fn(|channel| channels.contains(&channel));
        }
        self.space();
        if self.accept("(") {
            instruction.test = Some(self.test()?);
            self.expect(")")?;
        }
        for _ in 0..opcode.row().operands {
            self.expect(",")?;
            self.space();
            let operand = self.operand(listing)?;
            instruction.operands.push(operand);
        }
        if opcode == Opcode::Tex {
            self.expect(",")?;
            self.expect("TEX")?;
            instruction.unit = self.number(16)?;
            for next in listing.streams.len()..=instruction.unit {
                listing.streams.push(format!("TEX{next}"));
            }
            self.expect(",")?;
            self.expect("RECT")?;
        }
        self.expect(";")?;
        Ok(instruction)
    }

    fn test(&mut self) -> Parsed<Test> {
        let Some(relation) = Relation::find(|name, _| self.rest().starts_with(name)) else {
            return self.fails("not a test of the condition code", "Use EQ, GE, GT, LE, LT or NE");
        };
        self.at += relation.name().len();
        let swizzle = self.swizzle()?;
        Ok(Test { relation, swizzle })
    }

    /// The channels after a point.
    fn channels(&mut self) -> Parsed<Option<Vec<usize>>> {
        if !self.accept(".") {
            return Ok(None);
        }
        let mut channels = Vec::new();
        while let Some(channel) = CHANNELS.iter().position(|&name| self.rest().starts_with(name)) {
            self.at += 1;
            channels.push(channel);
        }
        if (1..=4).contains(&channels.len()) {
            Ok(Some(channels))
        } else {
            self.fails("not one to four channels", "Use the letters x, y, z and w")
        }
    }

    fn swizzle(&mut self) -> Parsed<[usize; 4]> {
        match self.channels()?.as_deref() {
            None => Ok([0, 1, 2, 3]),
            Some([one]) => Ok([*one; 4]),
            Some([a, b, c, d]) => Ok([*a, *b, *c, *d]),
            Some(_) => {
                self.fails("a swizzle of two or three channels", "Name one channel, or four")
            }
        }
    }

    fn operand(&mut self, listing: &mut Listing) -> Parsed<Operand> {
        let negated = self.accept("-");
        let absolute = self.accept("|");
        let base = if self.accept("f[WPOS]") {
            Base::Position
        } else if self.accept("f[TEX") {
            let coordinate = self.number(8)?;
            self.expect("]")?;
            number(&mut listing.coordinates, coordinate);
            Base::Coordinate(coordinate)
        } else if self.accept("{") {
            let mut numbers = vec![self.float()?];
            while self.accept(",") {
                numbers.push(self.float()?);
            }
            self.expect("}")?;
            if numbers.len() > 4 {
                return self.fails("more than four numbers", "Use two constants");
            }
            Base::Literal(numbers)
        } else if self.rest().starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            Base::Literal(vec![self.float()?; 4])
        } else {
            let start = self.at;
            let name = self.word()?;
            let digits = name.strip_prefix('R').filter(|rest| !rest.is_empty());
            let declared = listing.parameters.iter().position(|one| one.name == name);
            match (declared, digits.map(str::parse::<usize>)) {
                (Some(parameter), _) => Base::Parameter(parameter),
                (None, Some(Ok(register))) if register < 32 => Base::Temporary(register),
                _ => {
                    self.at = start;
                    return self.fails(
                        "an unknown register or constant",
                        "Declare constants: `DECLARE name;`",
                    );
                }
            }
        };
        let swizzle = self.swizzle()?;
        if absolute {
            self.expect("|")?;
        }
        Ok(Operand { base, swizzle, absolute, negated })
    }

    fn float(&mut self) -> Parsed<f32> {
        self.space();
        let is_part = |c: char| c.is_ascii_digit() || ".+-eE".contains(c);
        let end = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let number = self.rest()[..end].parse();
        match number {
            Ok(number) => {
                self.at += end;
                self.space();
                Ok(number)
            }
            Err(_) => self.fails("not a number", "Write numbers as 0.5 or 1e-3"),
        }
    }
}
