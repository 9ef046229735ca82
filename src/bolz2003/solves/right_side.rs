//! The source of a right-hand side: a name, a formula, a picture, or raw numbers.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::base::formula::{Formula, FormulaError};
use crate::base::nearest::suggestion;
use crate::bolz2003::scenes::poisson::named::{NAMES, Named};
use crate::io::extension;

/// Source of g.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightSideSource {
    /// A name.
    Named(Named),
    /// A formula in x and y.
    Formula(Formula),
    /// The luminance of a picture, from 0 to 1.
    Picture(PathBuf),
    /// Numbers of single precision.
    Raw(PathBuf),
}

impl fmt::Display for RightSideSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RightSideSource::Named(named) => named.fmt(formatter),
            RightSideSource::Formula(formula) => formula.fmt(formatter),
            RightSideSource::Picture(path) | RightSideSource::Raw(path) => {
                path.display().fmt(formatter)
            }
        }
    }
}

impl FromStr for RightSideSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(named) = Named::of(text)? {
            return Ok(RightSideSource::Named(named));
        }
        match extension(text).as_str() {
            "png" | "gif" | "hdr" | "exr" => return Ok(RightSideSource::Picture(text.into())),
            "f32" => return Ok(RightSideSource::Raw(text.into())),
            _ => {}
        }
        text.parse().map(RightSideSource::Formula).map_err(|fault: FormulaError| {
            let place = match extension(text).as_str() {
                "" if is_word(text) && fault.column == 1 => format!("column 1: unknown name {text}: "),
                end if end.len() > 1 && is_word(end) => String::new(),
                _ => return fault.to_string(),
            };
            format!(
                "{place}{}give one of {}, a formula in x and y, a picture (.png, .gif, .hdr, .exr) or numbers \
                 (.f32)",
                suggestion(text, &NAMES),
                NAMES.join(", ")
            )
        })
    }
}

/// Tests whether a text is a name.
fn is_word(text: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_of_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_are_told_apart_and_slips_understood() {
        assert_eq!("sine".parse(), Ok(RightSideSource::Named(Named::Sine)));
        let formula: RightSideSource = "-x*y".parse().unwrap();
        assert!(matches!(&formula, RightSideSource::Formula(_)) && formula.to_string() == "-x*y");
        assert_eq!("a/sine.PNG".parse(), Ok(RightSideSource::Picture("a/sine.PNG".into())));
        assert_eq!("g.f32".parse(), Ok(RightSideSource::Raw("g.f32".into())));
        let slip = "cheker".parse::<RightSideSource>().unwrap_err();
        assert!(
            slip.starts_with("column 1: unknown name cheker: did you mean checker? "),
            "{slip}"
        );
        for bad in ["random:x", "g.jpg", "a/b-c.jpg"] {
            let fault = bad.parse::<RightSideSource>().expect_err(bad);
            assert!(fault.contains("give ") && !fault.contains("column"), "{bad}: {fault}");
        }
        for bad in [
            "",
            "z",
            "sin",
            "sinus/",
            "sin x",
            "2x",
            "x>0.5",
            "x²",
            "1 \u{2212} x",
            "x:y",
            "sin(x.y)",
        ] {
            let fault = bad.parse::<RightSideSource>().expect_err(bad);
            assert!(fault.starts_with("column "), "{bad}: {fault}");
        }
    }
}
