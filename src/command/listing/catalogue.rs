//! Every program of `glsl/`, with its parts and defines.

use crate::base::order::ShortSort;
use crate::program::front::is_whole;
use crate::stream::{Part, Source};

use super::super::failure::Failure;

/// The texts below `glsl/`, by their paths there.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// One program per line: `program + parts in front @ vertex program: settings`; settings in capitals are
/// defines.
const PROGRAMS: &str = include_str!("../../../glsl/programs.txt");

/// A program with its parts and defines.
#[derive(Clone, Debug)]
pub struct Variant {
    pub program: &'static str,
    pub parts: Vec<String>,
    pub defines: Vec<(String, String)>,
}

impl Variant {
    fn of(line: &'static str) -> Self {
        let (head, settings) = line.split_once(": ").unwrap_or((line, ""));
        let head = head.split(" @ ").next().unwrap_or(head);
        let (program, parts) = head.split_once(" + ").unwrap_or((head, ""));
        let settings = settings.split("; ").filter_map(|one| one.split_once('='));
        let is_define = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        Self {
            program,
            parts: parts.split_whitespace().map(str::to_owned).collect(),
            defines: settings
                .filter(|(name, _)| is_define(name))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        }
    }

    /// Program, parts and defines as they are printed.
    pub fn label(&self) -> String {
        let parts = if self.parts.is_empty() {
            String::new()
        } else {
            format!(" with {}", self.parts.join(", "))
        };
        let defines = self.defines.iter().map(|(name, value)| format!("  {name}={value}"));
        format!("{}{parts}{}", self.program, defines.collect::<String>())
    }

    /// The whole text that the driver sees.
    pub fn assembled(&self) -> Result<String, Failure> {
        let own = text(self.program, &format!("{}.frag", self.program))?;
        let parts = self.parts.iter().map(|name| {
            let text = text(self.program, &format!("{name}.glsl"))?;
            Ok(Part { name: "", text })
        });
        let parts = parts.collect::<Result<Vec<Part>, Failure>>()?;
        let defines: Vec<(&str, &str)> =
            (self.defines.iter()).map(|(name, value)| (&**name, &**value)).collect();
        let source = Source::new(self.program, own, &[], super::UNUSED).with(parts);
        // Programs with a vertex program of their own have their own prelude, too.
        Ok(if is_whole(own) { own.to_owned() } else { source.assemble(&defines) })
    }
}

/// A text by its path below `glsl/`, or by its name alone below the folder of a program's paper.
fn text(program: &str, name: &str) -> Result<&'static str, Failure> {
    let paper = program.split('/').next().unwrap_or("");
    let is_named = |file: &str| {
        if name.contains('/') {
            file == name
        } else {
            file.starts_with(&format!("{paper}/")) && file.ends_with(&format!("/{name}"))
        }
    };
    let found = TEXTS.iter().find(|(file, _)| is_named(file));
    found.map(|&(_, text)| text).ok_or_else(|| {
        Failure::input(format!(
            "{name}: not a text below glsl/. `fragstream listing` lists the programs."
        ))
    })
}

/// All programs, with all variants of the table.
pub fn all() -> Vec<Variant> {
    let lines = PROGRAMS.lines().filter(|line| !line.is_empty());
    let mut variants: Vec<Variant> = lines.map(Variant::of).collect();
    for (file, _) in TEXTS {
        if let Some(name) = file.strip_suffix(".frag")
            && !variants.iter().any(|variant| variant.program == name)
        {
            variants.push(Variant::of(name));
        }
    }
    variants.order_by_key(|variant| variant.program);
    variants
}
