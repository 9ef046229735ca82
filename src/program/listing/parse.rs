//! A parser of `!!FP1.0`, for the papers' own listings.

use super::print::CHANNELS;
use super::{Base, Input, Instruction, Listing, Opcode, Operand, Relation, Target, Test};
use crate::base::error::WithKind;
use crate::program::front::{Token, tokens};

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

/// One line, read from left to right. The last token is its end.
struct Line {
    number: usize,
    tokens: Vec<Token>,
    at: usize,
}

type Parsed<T> = Result<T, ListingError>;

impl Listing {
    /// Parses `!!FP1.0`: comments from `#`, `DECLARE`, instructions, `END`. Texture unit `n` becomes stream
    /// `TEXn`, and coordinate `n` is called `TEXn`; both may be renamed.
    pub fn parse(text: &str) -> Result<Self, ListingError> {
        let mut listing = Listing { outputs: vec!["result".into()], ..Listing::default() };
        let mut last = Line::new(1, "")?;
        if !text.starts_with("!!FP1.0") {
            return last.fails("not a fragment program", "Begin with !!FP1.0");
        }
        let mut ends = false;
        for (number, text) in (1..).zip(text.lines()).skip(1) {
            let mut line = Line::new(number, text.split('#').next().unwrap_or(""))?;
            if line.is("\n") {
                continue;
            }
            if ends {
                return line.fails("text after END", "Remove it");
            }
            if line.accept("END") {
                ends = true;
            } else if line.accept("DECLARE") {
                let name = line.next().text.to_string();
                if !line.next().is_name() {
                    return line.fails("a name is missing", "Declare constants: `DECLARE name;`");
                }
                line.at += 1;
                listing.parameters.push(Input { name, channels: 4 });
                line.expect(";")?;
            } else {
                let instruction = line.instruction(&mut listing)?;
                listing.instructions.push(instruction);
            }
            if !line.is("\n") {
                return line.fails("text after an instruction", "Put it on a line of its own");
            }
            last.number = number;
        }
        if ends { Ok(listing) } else { last.fails("the listing has no end", "Write END last") }
    }
}

/// Adds things up to that of the name `TEXn`.
fn add_up_to<T>(number: usize, all: &mut Vec<T>, one: impl Fn(String) -> T) {
    all.extend((all.len()..=number).map(|next| one(format!("TEX{next}"))));
}

impl Line {
    fn new(number: usize, text: &str) -> Parsed<Self> {
        let tokens = tokens(text, 0).map_err(|fault| {
            let (column, what) = (fault.place.1 as usize, fault.found);
            ListingError { line: number, column, what, remedy: "Begin comments with #" }
        });
        Ok(Self { number, tokens: tokens?, at: 0 })
    }

    fn fails<T>(&self, what: impl Into<String>, remedy: &'static str) -> Parsed<T> {
        let column = self.next().place.1 as usize;
        Err(ListingError { line: self.number, column, what: what.into(), remedy })
    }

    fn next(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn is(&self, text: &str) -> bool {
        self.next().is(text)
    }

    fn accept(&mut self, text: &str) -> bool {
        let is_next = self.is(text);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.accept(text) {
            return Ok(());
        }
        self.fails(format!("`{text}` is missing"), "Write an instruction as `ADDR R0, R1, R2;`")
    }

    /// A word with a number below a limit, such as `R7`.
    fn numbered(&mut self, prefix: &str, limit: usize) -> Option<usize> {
        let number = self.next().text.strip_prefix(prefix)?.parse().ok();
        let number = number.filter(|&number| number < limit)?;
        self.at += 1;
        Some(number)
    }

    /// Opcode, precision, `C` and `_SAT`.
    fn opcode(&mut self) -> Parsed<(Opcode, bool, bool)> {
        let word = self.next().text.clone();
        let opcode = Opcode::find(|row| word.starts_with(row.name));
        let read = opcode.and_then(|opcode| {
            let rest = &word[opcode.name().len()..];
            let has_precision = !matches!(opcode, Opcode::Tex | Opcode::Kil);
            let rest = rest.strip_prefix(['R', 'H', 'X']).filter(|_| has_precision).unwrap_or(rest);
            let code = rest.strip_suffix("_SAT").unwrap_or(rest);
            matches!(code, "" | "C").then_some((opcode, code == "C", code != rest))
        });
        let remedy = "Use ADD, MUL, MAD, TEX and the like";
        let Some(read) = read else {
            return self.fails("not a supported instruction of NV_fragment_program", remedy);
        };
        self.at += 1;
        Ok(read)
    }

    fn instruction(&mut self, listing: &mut Listing) -> Parsed<Instruction> {
        let (opcode, sets_code, saturates) = self.opcode()?;
        let mut instruction = Instruction::new(opcode, self.number as u32);
        (instruction.sets_code, instruction.saturates) = (sets_code, saturates);
        if opcode == Opcode::Kil {
            instruction.mask = [false; 4];
            instruction.test = Some(self.test()?);
            self.expect(";")?;
            return Ok(instruction);
        }
        instruction.target = if self.accept("o") {
            ["[", "COLR", "]"].into_iter().try_for_each(|word| self.expect(word))?;
            Target::Output(0)
        } else if self.accept("RC") {
            Target::Code
        } else if let Some(register) = self.numbered("R", 32) {
            Target::Temporary(register)
        } else {
            let remedy = "Write R0 to R31, RC or o[COLR]";
            return self.fails("not a register that can be written", remedy);
        };
        let (what, remedy) = ("not a write mask", "Name channels once, in the order xyzw");
        let is_mask = |channels: &[usize]| channels.is_sorted_by(|a, b| a < b);
        if let Some(channels) = self.channels(is_mask, what, remedy)? {
            instruction.mask = std::array::from_fn(|channel| channels.contains(&channel));
        }
        if self.accept("(") {
            instruction.test = Some(self.test()?);
            self.expect(")")?;
        }
        for _ in 0..opcode.row().operands {
            self.expect(",")?;
            let operand = self.operand(listing)?;
            instruction.operands.push(operand);
        }
        if opcode == Opcode::Tex {
            self.expect(",")?;
            let Some(unit) = self.numbered("TEX", 16) else {
                return self.fails("not a texture unit", "Write TEX0 to TEX15");
            };
            instruction.unit = unit;
            add_up_to(unit, &mut listing.streams, |name| name);
            self.expect(",")?;
            self.expect("RECT")?;
        }
        self.expect(";")?;
        Ok(instruction)
    }

    fn test(&mut self) -> Parsed<Test> {
        let Some(relation) = Relation::find(|name, _| self.is(name)) else {
            return self.fails("not a test of the condition code", "Use EQ, GE, GT, LE, LT or NE");
        };
        self.at += 1;
        Ok(Test { relation, swizzle: self.swizzle()? })
    }

    /// The channels after a point, if they fit.
    fn channels(
        &mut self,
        fits: impl Fn(&[usize]) -> bool,
        what: &str,
        remedy: &'static str,
    ) -> Parsed<Option<Vec<usize>>> {
        if !self.accept(".") {
            return Ok(None);
        }
        let letters = self.next().text.chars();
        let channels = letters.map(|letter| CHANNELS.iter().position(|&name| name == letter));
        let channels = channels.collect::<Option<Vec<usize>>>().filter(|channels| fits(channels));
        if channels.is_none() {
            return self.fails(what, remedy);
        }
        self.at += 1;
        Ok(channels)
    }

    fn swizzle(&mut self) -> Parsed<[usize; 4]> {
        let fits = |channels: &[usize]| matches!(channels.len(), 1 | 4);
        let channels = self.channels(fits, "not a swizzle", "Name one channel, or four")?;
        let channels = channels.unwrap_or_else(|| vec![0, 1, 2, 3]);
        Ok(std::array::from_fn(|at| channels[at.min(channels.len() - 1)]))
    }

    fn operand(&mut self, listing: &mut Listing) -> Parsed<Operand> {
        let negated = self.accept("-");
        let absolute = self.accept("|");
        let declared = listing.parameters.iter().position(|one| self.is(&one.name));
        let is_input = self.is("f") && self.tokens[self.at + 1].is("[");
        let base = if is_input {
            self.at += 2;
            let base = if self.accept("WPOS") {
                Base::Position
            } else if let Some(coordinate) = self.numbered("TEX", 8) {
                let one = |name| Input { name, channels: 4 };
                add_up_to(coordinate, &mut listing.coordinates, one);
                Base::Coordinate(coordinate)
            } else {
                return self.fails("not a coordinate", "Write WPOS, or TEX0 to TEX7");
            };
            self.expect("]")?;
            base
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
        } else if self.next().is_number() {
            Base::Literal(vec![self.float()?; 4])
        } else if let Some(parameter) = declared {
            self.at += 1;
            Base::Parameter(parameter)
        } else if let Some(register) = self.numbered("R", 32) {
            Base::Temporary(register)
        } else {
            let remedy = "Declare constants: `DECLARE name;`";
            return self.fails("an unknown register or constant", remedy);
        };
        let swizzle = self.swizzle()?;
        if absolute {
            self.expect("|")?;
        }
        Ok(Operand { base, swizzle, absolute, negated })
    }

    fn float(&mut self) -> Parsed<f32> {
        let sign = if self.accept("-") { -1.0 } else { 1.0 };
        let is_number = self.next().is_number();
        let Some(number) = self.next().text.parse::<f32>().ok().filter(|_| is_number) else {
            return self.fails("not a number", "Write numbers as 0.5 or 1e-3");
        };
        self.at += 1;
        Ok(sign * number)
    }
}
