//! `fragstream listing`: programs as the assembly of 2003.

mod catalogue;

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};

use crate::batty2003::printed;
use crate::card::cost::{Area, CARDS, Demand};
use crate::card::count::count;
use crate::card::dialect::user_source;
use crate::program::listing::Shape;
use crate::program::{Listing, own_text};
use crate::stream::{Limits, STREAMS};

use super::failure::Failure;
use super::session::{Output, Session};
use catalogue::Variant;

/// Limits of a text that is only listed.
const UNUSED: Limits = Limits::none("the listing names the cards");

/// Width of the text next to a listing.
const TEXT: usize = 72;

/// Show programs as the assembly of 2003, next to their texts
///
/// NAME is a program below glsl/ (`bolz2003/sparse/spmv`), a file with a program of your own, or
/// `batty2003/printed` for the paper's two listings next to fragstream's. Without NAME: a table of all
/// programs. Loops are unrolled and functions inlined; the length is the number of instructions.
#[derive(Args)]
pub struct Arguments {
    /// Programs [default: a table of all programs]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Assembler to write for
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Fp1)]
    form: Form,

    /// Replace the default value of a define
    #[arg(long, value_name = "N=V", value_parser = definition)]
    define: Vec<(String, String)>,

    /// Replace the default parts in front of the text
    #[arg(long, value_name = "PART")]
    with: Vec<String>,
}

/// The assembler of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// NV_fragment_program, next to the text.
    #[value(name = "fp1.0")]
    Fp1,
    /// ARB_fragment_program, as a driver runs it.
    #[value(name = "arb")]
    Arb,
    /// Slots of pixel shader 2.0: arithmetic and texture.
    #[value(name = "ps2.0")]
    Ps2,
}

fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    // Loop bounds are floats.
    let is_integer = !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    let value = if is_integer { format!("{value}.0") } else { value.to_owned() };
    Ok((name.to_owned(), value))
}

/// Prints the listings.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.names.is_empty() {
        return table(&mut session.out);
    }
    for name in &arguments.names {
        if name == "batty2003/printed" {
            next_to_the_printed(&mut session.out)?;
        } else if Path::new(name).is_file() {
            let text = std::fs::read_to_string(name)
                .map_err(|error| Failure::in_file(Path::new(name), error))?;
            let source = user_source(name.as_str(), text, UNUSED).map_err(Failure::input)?;
            let defines = arguments.define.iter();
            let defines: Vec<(&str, &str)> = defines.map(|(n, v)| (&**n, &**v)).collect();
            let text = source.assemble(&defines);
            one(name, &text, arguments.form, &mut session.out)?;
        } else {
            let variant = variant(name, arguments)?;
            one(&variant.label(), &variant.assembled()?, arguments.form, &mut session.out)?;
        }
    }
    Ok(())
}

/// A program of the table, with other parts and defines.
fn variant(name: &str, arguments: &Arguments) -> Result<Variant, Failure> {
    let all = catalogue::all();
    let mut variant = all.into_iter().find(|variant| variant.program == name).ok_or_else(|| {
        Failure::input(format!("{name}: not a program. `fragstream listing` lists them."))
    })?;
    for (name, value) in &arguments.define {
        variant.defines.retain(|(known, _)| known != name);
        variant.defines.push((name.clone(), value.clone()));
    }
    if !arguments.with.is_empty() {
        variant.parts.clone_from(&arguments.with);
    }
    Ok(variant)
}

fn listing(label: &str, text: &str) -> Result<Listing, Failure> {
    Listing::of(text).map_err(|error| Failure::input(format!("{label}: {error}")))
}

/// Names of the cards that can run a program.
fn cards(text: &str) -> Result<String, Failure> {
    let count = count(text).map_err(Failure::input)?;
    let cards = [Limits::NV30, Limits::R300, Limits::ARB].into_iter();
    let cards: Vec<&str> = cards
        .filter(|limits: &Limits| limits.excesses(&count).is_empty())
        .map(|limits| limits.card)
        .collect();
    Ok(if cards.is_empty() { "none".into() } else { cards.join(", ") })
}

fn one(label: &str, text: &str, form: Form, out: &mut Output) -> Result<(), Failure> {
    let listing = listing(label, text)?;
    if form == Form::Arb {
        let driver = listing.arb().map_err(|error| Failure::input(format!("{label}: {error}")))?;
        write!(out, "{}", driver.text)?;
        return Ok(());
    }
    let count = count(text).map_err(Failure::input)?;
    let Shape { phases, read_order, constants, coordinates, .. } = listing.shape();
    writeln!(out, "{label}")?;
    writeln!(
        out,
        "{} instructions, {} of them fetches; {} registers, {constants} constants, {coordinates} coordinates",
        count.instructions, count.fetches, count.registers
    )?;
    writeln!(out, "{phases} phases, dependent reads of order {read_order}; fits {}", cards(text)?)?;
    let demand = Demand::of(&count, &[16; STREAMS], 16.0);
    let costs = CARDS.map(|card| {
        let seconds = card.pass_seconds(&demand, Area::rectangle(1024, 1024));
        format!("{} {:.2} ms", card.device.name, 1e3 * seconds)
    });
    writeln!(out, "pass over 1024x1024 (model): {}", costs.join(", "))?;
    if form == Form::Ps2 {
        return slots(&listing, out);
    }
    let lines: Vec<&str> = own_text(text).lines().collect();
    writeln!(out, "\n{:TEXT$}  !!FP1.0", "")?;
    let mut last = 0;
    for instruction in &listing.instructions {
        let text = match instruction.line {
            line if line == last => "",
            line => lines.get((line as usize).wrapping_sub(1)).map_or("", |text| text.trim()),
        };
        last = instruction.line;
        let text: String = text.chars().take(TEXT).collect();
        writeln!(out, "{text:TEXT$}  {}", listing.line(instruction))?;
    }
    writeln!(out, "{:TEXT$}  END\n", "")?;
    Ok(())
}

/// Each instruction with its slots.
fn slots(listing: &Listing, out: &mut Output) -> Result<(), Failure> {
    match listing.slots() {
        Some(all) => writeln!(
            out,
            "{} arithmetic slots of 64, {} texture slots of 32",
            all.arithmetic, all.texture
        )?,
        None => writeln!(out, "pixel shader 2.0 has no derivatives")?,
    }
    writeln!(out, "\narithmetic  texture")?;
    for instruction in &listing.instructions {
        let [arithmetic, texture] = match instruction.slots() {
            Some(slots) => [slots.arithmetic, slots.texture].map(|n| n.to_string()),
            None => ["-", "-"].map(str::to_owned),
        };
        writeln!(out, "{arithmetic:>10}  {texture:>7}  {}", listing.line(instruction))?;
    }
    writeln!(out)?;
    Ok(())
}

/// Prints one line per program.
fn table(out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "instructions fetches registers phases order  fits             program")?;
    for variant in catalogue::all() {
        let text = variant.assembled()?;
        let listing = listing(&variant.label(), &text)?;
        let shape = listing.shape();
        writeln!(
            out,
            "{:>12} {:>7} {:>9} {:>6} {:>5}  {:<16} {}",
            listing.instructions.len(),
            listing.fetches(),
            listing.registers(),
            shape.phases,
            shape.read_order,
            cards(&text)?,
            variant.label()
        )?;
    }
    Ok(())
}

/// The paper's two listings next to fragstream's.
fn next_to_the_printed(out: &mut Output) -> Result<(), Failure> {
    for printed in printed::all() {
        let paper = printed.listing().map_err(Failure::input)?;
        let own = listing(printed.name, &printed.own())?;
        writeln!(out, "{}", printed.name)?;
        let heads = ["batty2003", "fragstream"];
        let lengths = [&paper, &own].map(|one| (one.instructions.len(), one.registers()));
        let heads = [0, 1].map(|at| {
            let (instructions, registers) = lengths[at];
            format!("{}: {instructions} instructions, {registers} registers", heads[at])
        });
        writeln!(out, "{:52}  {}", heads[0], heads[1])?;
        for at in 0..paper.instructions.len().max(own.instructions.len()) {
            let line = |listing: &Listing| {
                let instruction = listing.instructions.get(at);
                instruction.map_or(String::new(), |one| listing.line(one))
            };
            writeln!(out, "{:52}  {}", line(&paper), line(&own))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
