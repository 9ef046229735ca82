//! `fragstream listing`: programs as the assembly of 2003.

mod catalogue;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::base::error::with_remedy;
use crate::base::nearest::suggestion;
use crate::batty2003::study::printed;
use crate::card::cost::{Area, CARDS, Demand};
use crate::card::count::{Count, count};
use crate::card::dialect::user_source;
use crate::io::names::system;
use crate::io::read_text;
use crate::program::{CountError, Listing, own_text};
use crate::stream::Limits;

use super::failure::Failure;
use super::output::UNLIMITED;
use super::printer;
use super::session::Session;
use catalogue::Variant;

/// Limits of a text that is only listed.
const UNUSED: Limits = Limits::none("the listing names the cards");

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
    /// Slots of pixel shader 2.0: arithmetic (it has 64) and texture (32).
    #[value(name = "ps2.0")]
    Ps2,
}

fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A define as a program reads it: loop bounds are floats, and in a condition of the preprocessor an integer stays one.
fn defined<'d>((name, value): &'d (String, String), text: &str) -> (&'d str, Cow<'d, str>) {
    let is_integer = !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    let is_name = |word: &str| word == name;
    let conditions = text.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        directive.strip_prefix("if ").or_else(|| directive.strip_prefix("elif "))
    });
    let of = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_name);
    let is_condition = conditions.into_iter().any(|line| !line.contains("defined") && of(line));
    match is_integer && !is_condition {
        true => (name, format!("{value}.0").into()),
        false => (name, value.into()),
    }
}

/// Prints the listings.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.names.is_empty() {
        return session.print(&(), &json!({ "programs": table()? }));
    }
    let mut listings = Vec::new();
    for name in &arguments.names {
        if name == "batty2003/printed" {
            listings.extend(next_to_the_printed()?);
        } else if system(Path::new(name)).is_file() {
            let text = read_text(Path::new(name))?;
            let defines = arguments.define.iter().map(|define| defined(define, &text));
            let defines: Vec<(&str, Cow<'_, str>)> = defines.collect();
            let defines: Vec<(&str, &str)> = defines.iter().map(|(n, v)| (*n, &**v)).collect();
            let source =
                user_source(name.as_str(), text.clone(), UNUSED).map_err(Failure::input)?;
            listings.push(one(name, &source.assemble(&defines), arguments.form)?);
        } else {
            let variant = variant(name, arguments)?;
            listings.push(one(&variant.label(), &variant.assembled()?, arguments.form)?);
        }
    }
    session.print_as(&json!({ "listings": listings }), |out| {
        let width = out.columns(UNLIMITED);
        listings.iter().try_for_each(|listing| match listing["assembly"].as_str() {
            Some(assembly) => write!(out, "{assembly}"),
            None => writeln!(out, "{}", printer::text(listing, width)),
        })
    })
}

/// A program of the table, with other parts and defines.
fn variant(name: &str, arguments: &Arguments) -> Result<Variant, Failure> {
    let all = catalogue::all();
    let Some(at) = all.iter().position(|variant| variant.program == name) else {
        let names: Vec<&str> = all.iter().map(|variant| variant.program).collect();
        let remedy = format!("{}`fragstream listing` lists them", suggestion(name, &names));
        return Err(Failure::input(with_remedy(format_args!("{name}: not a program"), &remedy)));
    };
    // A row of the table, if these are its parts and its defines.
    let text = all[at].assembled()?;
    let is_given = |(name, value): &(String, String)| {
        let mut given = arguments.define.iter().filter(|define| define.0 == *name);
        given.any(|define| define.1 == *value || defined(define, &text).1 == *value)
    };
    let is_row = |one: &&Variant| {
        one.program == name
            && (arguments.with.is_empty() || one.parts == arguments.with)
            && one.defines.len() == arguments.define.len()
            && one.defines.iter().all(is_given)
    };
    let is_changed = !arguments.define.is_empty() || !arguments.with.is_empty();
    if let Some(row) = all.iter().find(is_row).filter(|_| is_changed) {
        return Ok(row.clone());
    }
    let mut variant = all[at].clone();
    if !arguments.with.is_empty() {
        variant.parts.clone_from(&arguments.with);
    }
    let text = variant.assembled()?;
    for define in &arguments.define {
        let (name, value) = defined(define, &text);
        variant.defines.retain(|(known, _)| known != name);
        variant.defines.push((name.to_owned(), value.into_owned()));
    }
    Ok(variant)
}

fn listing(label: &str, text: &str) -> Result<Listing, Failure> {
    Listing::of(text).map_err(|error| Failure::input(format!("{label}: {error}")))
}

/// Names of the cards that can run a program.
fn cards(label: &str, count: &Count) -> String {
    let cards = [Limits::NV30, Limits::R300, Limits::ARB].into_iter();
    let cards = cards.filter(|limits: &Limits| limits.excesses_of(label, count).is_empty());
    let cards: Vec<&str> = cards.map(|limits| limits.card).collect();
    if cards.is_empty() { "none".into() } else { cards.join(", ") }
}

/// The shape and the cost of a program, and its instructions.
fn one(label: &str, text: &str, form: Form) -> Result<Value, Failure> {
    let listing = listing(label, text)?;
    listing.check().map_err(|error| Failure::input(format!("{label}: {error}")))?;
    if form == Form::Arb {
        let driver = listing.arb().map_err(|error| Failure::input(format!("{label}: {error}")))?;
        return Ok(json!({ "program": label, "assembly": driver.text }));
    }
    let count = Count::of(&listing, text);
    let demand = Demand::of(&count, |_| 16, 16.0);
    let costs = CARDS.map(|card| {
        let seconds = card.pass_seconds(&demand, Area::rectangle(1024, 1024));
        (card.device.name.to_owned(), Value::from(1e3 * seconds))
    });
    let mut record = json!({
        "program": label,
        "instructions": count.instructions,
        "fetches": count.fetches,
        "registers": count.registers,
        "constants": count.constants,
        "coordinates": count.coordinates,
        "phases": count.phases,
        "order": count.read_order,
        "fits": cards(label, &count),
        "model_ms_for_1024x1024": Value::from_iter(costs),
    });
    let texts: Vec<&str> = own_text(text).lines().collect();
    let mut last = 0;
    let mut beside = |line: u32| {
        let is_new = std::mem::replace(&mut last, line) != line;
        let text = texts.get((line as usize).wrapping_sub(1)).filter(|_| is_new);
        text.map_or("", |text| text.trim())
    };
    if form == Form::Ps2 {
        record["slots"] = match listing.slots() {
            Some(all) => json!({ "arithmetic": all.arithmetic, "texture": all.texture }),
            None => "none, because pixel shader 2.0 has no derivatives".into(),
        };
    }
    let lines = listing.instructions.iter().map(|instruction| {
        let slots = instruction.slots();
        let mut line = match form {
            Form::Ps2 => json!({
                "arithmetic": slots.map(|slots| slots.arithmetic),
                "texture": slots.map(|slots| slots.texture),
            }),
            _ => json!({ "line": instruction.line, "text": beside(instruction.line) }),
        };
        line["instruction"] = listing.line(instruction).into();
        line
    });
    record["lines"] = lines.collect();
    Ok(record)
}

/// All programs.
fn table() -> Result<Vec<Value>, Failure> {
    let row = |variant: Variant| {
        let (label, text) = (variant.label(), variant.assembled()?);
        let listing = Listing::of(&text);
        let count = match &listing {
            Ok(listing) => Count::of(listing, &text),
            // What has no listing is counted as if it were single.
            Err(CountError::Double) => (*count(&text).map_err(Failure::input)?).clone(),
            Err(error) => return Err(Failure::input(format!("{label}: {error}"))),
        };
        let fits = if listing.is_ok() { cards(&label, &count) } else { "none".to_owned() };
        Ok(json!({
            "program": label,
            "instructions": count.instructions,
            "fetches": count.fetches,
            "registers": count.registers,
            "phases": count.phases,
            "order": count.read_order,
            "fits": fits,
        }))
    };
    catalogue::all().into_iter().map(row).collect()
}

/// The paper's two listings next to fragstream's.
fn next_to_the_printed() -> Result<Vec<Value>, Failure> {
    let shown = |printed: printed::Printed| {
        let (paper, own) =
            (printed.listing().map_err(Failure::input)?, listing(printed.name, &printed.own())?);
        let both =
            |of: fn(&Listing) -> usize| json!({"batty2003": of(&paper), "fragstream": of(&own)});
        let line = |listing: &Listing, at: usize| {
            listing.instructions.get(at).map_or(String::new(), |one| listing.line(one))
        };
        let lines = (0..paper.instructions.len().max(own.instructions.len()))
            .map(|at| json!({"batty2003": line(&paper, at), "fragstream": line(&own, at)}));
        Ok(json!({
            "program": printed.name,
            "instructions": both(|one| one.instructions.len()),
            "registers": both(|one| one.registers()),
            "lines": lines.collect::<Vec<_>>(),
        }))
    };
    printed::all().into_iter().map(shown).collect()
}
