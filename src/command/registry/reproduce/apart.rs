//! Experiments that time nothing, in processes of their own, side by side, before those that do.
//!
//! They are many small passes, which Mesa's software rasteriser hands over between its threads for
//! longer than it draws them. Without threads, which it asks for once a process, they are faster, and
//! two processes use two cores.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::claim::{
    Claim, Class, Experiment, Figure, Finding, Given, JudgedOn, Options, Program, Verdict,
};
use crate::gl::RASTERISER_THREADS;
use crate::stream::Machine;

use super::super::super::failure::Failure;
use super::super::super::session::Session;
use super::inspected;

/// A finding on its way from one process to the other.
#[derive(Serialize, Deserialize)]
struct Message {
    claim: String,
    measured: String,
    verdict: String,
    why: String,
    model: String,
    /// File, caption and picture of each.
    figures: Vec<(String, String, String)>,
    programs: Vec<Program>,
}

/// What experiments that time nothing find, in their places; nothing for the others, and for those
/// whose process did not do it: they can still be performed here.
pub fn findings(
    machine: &Machine,
    experiments: &[Experiment<Machine>],
    options: &Options,
    done: impl Fn() + Sync,
) -> Vec<Option<Vec<Finding>>> {
    let is_time = |claim: &Claim| claim.class == Class::Shape && claim.judged_on != JudgedOn::Count;
    let is_timed = |e: &Experiment<_>| e.claims.iter().any(is_time);
    let untimed = experiments.iter().enumerate().filter(|(_, e)| !is_timed(e));
    let queue: Mutex<Vec<_>> =
        Mutex::new(untimed.map(|(n, e)| (n, e.id, e.claims)).rev().collect());
    let found = Mutex::new(vec![None; experiments.len()]);
    let count = queue.lock().map_or(0, |queue| queue.len());
    let is_software = machine
        .context()
        .description()
        .renderer
        .contains("llvmpipe");
    // For one, another process is not worth its start; and what is wrong with an input is told by this one.
    if options.given != Given::default()
        || !is_software
        || count < 2
        || std::env::var_os(RASTERISER_THREADS).is_some()
    {
        return vec![None; experiments.len()];
    }
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let next = || queue.lock().ok()?.pop();
    let work = || {
        let Ok(mut worker) = Worker::start(options) else {
            return;
        };
        while let Some((place, id, claims)) = next() {
            // What is wrong with a process is seen when the experiment is performed in this one.
            let Some(findings) = worker.perform(id, claims) else {
                return;
            };
            if let Ok(mut found) = found.lock() {
                found[place] = Some(findings);
            }
            done();
        }
    };
    thread::scope(|scope| {
        for _ in 0..cores.min(count) {
            scope.spawn(work);
        }
    });
    let nothing = |_| vec![None; experiments.len()];
    found.into_inner().unwrap_or_else(nothing)
}

/// Another process of this program.
struct Worker {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Worker {
    fn start(options: &Options) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["reproduce", "--apart", "--out"]);
        command.arg(&options.out).env(RASTERISER_THREADS, "0");
        if options.quick {
            command.arg("--quick");
        }
        let mut process = (command.stdin(Stdio::piped()).stdout(Stdio::piped())).spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (to, from) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self {
            process,
            to,
            from: BufReader::new(from),
        })
    }

    fn perform(&mut self, id: &str, claims: &[Claim]) -> Option<Vec<Finding>> {
        writeln!(self.to, "{id}").ok()?;
        let mut line = String::new();
        self.from.read_line(&mut line).ok()?;
        let messages: Vec<Message> = serde_json::from_str(&line).ok()?;
        let findings = claims.iter().zip(messages);
        findings
            .map(|(claim, message)| message.finding(*claim))
            .collect()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It ends when its input does; whoever waits for an answer has had it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The other process: performs each experiment that standard input names, and writes its findings as
/// a line of JSON.
pub fn serve(
    experiments: &[Experiment<Machine>],
    options: &Options,
    session: &mut Session,
) -> Result<(), Failure> {
    let mut machine = session.machine()?;
    for line in io::stdin().lines() {
        let id = line?;
        let Some(experiment) = experiments.iter().find(|e| e.id == id) else {
            return Err(Failure::input(format_args!(
                "no experiment is named '{id}'"
            )));
        };
        let findings = inspected::perform(experiment, &mut machine, options)?;
        let messages: Vec<Message> = findings.iter().map(Message::new).collect();
        serde_json::to_writer(&mut session.out, &messages).map_err(io::Error::from)?;
        writeln!(session.out)?;
        session.flush()?;
    }
    Ok(())
}

impl Message {
    fn new(finding: &Finding) -> Self {
        let figures = finding.figures.iter();
        let figures = figures.map(|Figure { file, caption, png }| {
            (file.clone(), caption.clone(), STANDARD.encode(png))
        });
        Self {
            claim: finding.claim.id.to_owned(),
            measured: finding.measured.clone(),
            verdict: finding.verdict.name().to_owned(),
            why: finding.why.clone(),
            model: finding.model.clone(),
            figures: figures.collect(),
            programs: finding.programs.clone(),
        }
    }

    /// The finding on this claim, if it is one.
    fn finding(self, claim: Claim) -> Option<Finding> {
        let verdict = Verdict::ALL
            .into_iter()
            .find(|v| v.name() == self.verdict)?;
        let figures = self.figures.into_iter().map(|(file, caption, png)| {
            let png = STANDARD.decode(png).ok()?;
            Some(Figure { file, caption, png })
        });
        (self.claim == claim.id).then_some(Finding {
            claim,
            measured: self.measured,
            verdict,
            why: self.why,
            model: self.model,
            figures: figures.collect::<Option<_>>()?,
            programs: self.programs,
            inputs: String::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::claim::Variant;

    use super::*;

    #[test]
    fn a_finding_arrives_as_it_was_sent_and_only_for_its_claim() {
        let claim = Claim {
            id: "bolz2003/rectangle",
            class: Class::Exact,
            variant: Variant::Paper,
            judged_on: JudgedOn::Count,
            section: "§3.2.2",
            statement: "The best rectangle.",
            paper: "26x18",
        };
        let finding = (claim.judge(false, "25x18", "a \"reason\"\nof two lines")).with_figure(
            "bolz2003/fig3.png",
            "a caption",
            vec![0, 255, 10],
        );
        let line = serde_json::to_string(&Message::new(&finding)).unwrap();
        assert!(!line.contains('\n'));
        let sent = || serde_json::from_str::<Message>(&line).unwrap();
        assert_eq!(sent().finding(claim), Some(finding));
        let other = Claim {
            id: "bolz2003/entries",
            ..claim
        };
        assert_eq!(sent().finding(other), None);
    }
}
