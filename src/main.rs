//! The program: the library's command.

use std::process::ExitCode;

fn main() -> ExitCode {
    fragstream::command::main()
}
