//! The processes of a full run: `reproduce` starts itself for the timed rows of a paper, and reads what they measure.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::random::SplitMix64;
use crate::claim::{Checker, Chosen, Run, twins};
use crate::stream::Machine;
use crate::timing::Samples;

use super::super::failure::Failure;
use super::super::output::note;

/// Processes for the timed rows of a paper.
pub const PROCESSES: usize = 6;

/// Starts processes one after the other, until an interrupt ends the present one.
#[derive(Clone, Default)]
pub struct Processes(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    child: Option<Child>,
    is_over: bool,
}

impl Processes {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a command to its end, and reads the samples that it prints. A process that fails leaves those that it has
    /// printed, and the reason. After an interrupt there are none.
    pub fn samples(&self, command: &mut Command) -> (Vec<Samples>, Option<String>) {
        let mut state = self.state();
        if state.is_over {
            return (Vec::new(), None);
        }
        let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(error) => return (Vec::new(), Some(format!("it did not start: {error}"))),
        };
        let output = child.stdout.take();
        state.child = Some(child);
        drop(state);
        let lines = output.into_iter().flat_map(|output| BufReader::new(output).lines());
        // The last line of a process that was killed may be a part.
        let samples = lines.map_while(Result::ok);
        let samples = samples.map_while(|line| serde_json::from_str(&line).ok()).collect();
        let child = self.state().child.take();
        let reason = match child.map(|mut child| child.wait()) {
            Some(Ok(status)) if status.success() => None,
            Some(Ok(status)) => Some(status.to_string()),
            Some(Err(error)) => Some(error.to_string()),
            None => None,
        };
        (samples, reason)
    }

    /// Ends the present process, and starts no other.
    pub fn end(&self) {
        let mut state = self.state();
        state.is_over = true;
        if let Some(mut child) = state.child.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Is one of these processes: races the works of rows, or the twins if there are none, in an order of its own, and prints
/// the samples of each race when it is done.
pub fn race(
    machine: &Machine,
    mut run: Run<'_>,
    mut rows: Vec<Chosen>,
    [seed, process]: [u64; 2],
) -> Result<(), Failure> {
    let mut random = SplitMix64::new(seed.wrapping_add(process));
    random.shuffle(&mut rows);
    run.random = RefCell::new(random);
    run.only_races = true;
    if rows.is_empty() {
        twins::race(&run).map_err(Failure::input)?;
    }
    let mut checker = Checker::new(run);
    let print = |check: &str, all: Vec<Samples>| {
        all.into_iter().try_for_each(|samples| {
            let samples = Samples { check: check.to_owned(), ..samples };
            let line = serde_json::to_string(&samples).map_err(io::Error::from)?;
            writeln!(io::stdout(), "{line}")
        })
    };
    print("", checker.sampled())?;
    for row in rows {
        let name = format!("{}/{}", row.0.id, row.1.id);
        // The run meets an error of the row itself, and reports it.
        if let Err(error) = checker.check(row) {
            note(format_args!("{name}: {error}"));
        }
        print(&name, checker.sampled())?;
    }
    machine.finish();
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const LINE: &str = r#"{"row":"a/b","programs":"","works":[["slow",[1.0,2.0]]]}"#;

    #[test]
    fn a_process_that_dies_leaves_what_it_has_finished() {
        let all = Processes::default();
        let (samples, reason) = all.samples(&mut shell(&format!("echo '{LINE}'")));
        assert_eq!((samples.len(), reason), (1, None));
        assert_eq!((&*samples[0].row, &samples[0].works[0].1), ("a/b", &vec![1.0, 2.0]));
        let script = format!("echo '{LINE}'; echo '{LINE}'; printf '%s' '{{\"row\":'; kill -9 $$");
        let (samples, reason) = all.samples(&mut shell(&script));
        assert_eq!(samples.len(), 2);
        assert!(reason.is_some_and(|reason| reason.contains('9')));
        let (samples, reason) = all.samples(&mut shell(&format!("echo '{LINE}'; exit 3")));
        assert!(samples.len() == 1 && reason.is_some_and(|reason| reason.contains('3')));
        let (samples, reason) = all.samples(&mut Command::new("/no/such/program"));
        assert!(samples.is_empty() && reason.is_some_and(|reason| reason.contains("start")));
    }

    #[test]
    fn an_interrupt_ends_the_present_process_and_keeps_its_samples() {
        let all = Processes::default();
        let other = all.clone();
        let script = format!("echo '{LINE}'; exec sleep 60");
        let reading = std::thread::spawn(move || other.samples(&mut shell(&script)));
        while all.state().child.is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        all.end();
        assert_eq!(reading.join().unwrap().0.len(), 1);
        let (samples, reason) = all.samples(&mut shell(&format!("echo '{LINE}'")));
        assert!(samples.is_empty() && reason.is_none());
    }
}
