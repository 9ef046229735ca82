//! Bad usage in one line; help and version as they are.

use std::process::ExitCode;

use clap::error::{Error, ErrorKind};

use super::super::failure::Failure;
use super::super::session::unwritable;

/// Prints help or version to standard output, or what is wrong with the arguments to standard
/// error, and gives the exit code.
pub fn report(error: &Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Failure::from(unwritable(error)).report()
            }
            _ => ExitCode::SUCCESS,
        },
        _ => Failure::input(one_line(&error.render().to_string())).report(),
    }
}

/// Clap's message, paragraphs of which are the error, tips, the usage and where help is, without
/// the usage.
fn one_line(message: &str) -> String {
    let paragraphs: Vec<String> = message
        .split("\n\n")
        .map(|paragraph| {
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            words.join(" ")
        })
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("Usage:"))
        .collect();
    let line = paragraphs.join("; ");
    line.strip_prefix("error: ")
        .unwrap_or(&line)
        .replace("For more information, try '--help'.", "see --help")
}
