//! A work confined to one core, timed together with works on all cores.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

use rayon::ThreadPoolBuilder;

use crate::base::error::BoxedError;

use super::rig::Work;

/// Runs requested from a work on one core.
pub struct Runs {
    asked: Receiver<usize>,
    done: Sender<Result<(), BoxedError>>,
}

impl Runs {
    /// Performs each run when it is requested.
    pub fn each<E: Into<BoxedError>>(
        &self,
        mut work: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), BoxedError> {
        for run in &self.asked {
            work(run).map_err(Into::into)?;
            self.done.send(Ok(())).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// A work in a thread of its own, in which parallel loops have no other threads. `work` prepares its data, and
/// then performs [each](Runs::each) of its runs.
pub fn one_core<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce(&Runs) -> Result<(), BoxedError> + Send + 'scope,
) -> Work<'scope> {
    confined(work, |thread| Builder::new().spawn_scoped(scope, thread).map(drop))
}

/// Runs a work that owns its data on one core. The thread ends with the work.
pub fn own_core(
    work: impl FnOnce(&Runs) -> Result<(), BoxedError> + Send + 'static,
) -> Work<'static> {
    confined(work, |thread| Builder::new().spawn(thread).map(drop))
}

/// Performs the runs of a work in a thread that `spawn` starts.
fn confined<'w, 't>(
    work: impl FnOnce(&Runs) -> Result<(), BoxedError> + Send + 't,
    spawn: impl FnOnce(Box<dyn FnOnce() + Send + 't>) -> io::Result<()>,
) -> Work<'w> {
    let (ask, asked) = channel();
    let (done, answered) = channel();
    let spawned = spawn(Box::new(move || {
        let runs = Runs { asked, done };
        // A pool with only this thread.
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        let result = pool.build().map_err(|error| error.to_string().into());
        if let Err(reason) = result.and_then(|_pool| work(&runs)) {
            // If the receiver is gone, the result is not needed.
            let _ = runs.done.send(Err(reason));
        }
    }));
    if let Err(error) = spawned {
        let why = format!("no thread for one core: {error}. Allow more (ulimit -u).");
        return Box::new(move |_| Err(why.as_str().into()));
    }
    Box::new(move |run| {
        // A thread that has ended has sent its error.
        let _ = ask.send(run);
        answered.recv().map_err(|_| "its thread has ended")?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_parallel_loops_have_one_thread_and_its_errors_are_told() {
        let one_thread = |run: usize| match (run, rayon::current_num_threads()) {
            (0, 1) => Ok(()),
            (run, threads) => Err(format!("run {run} on {threads}")),
        };
        std::thread::scope(|scope| {
            let mut work = one_core(scope, move |runs| runs.each(one_thread));
            assert!(work(0).is_ok());
            assert_eq!(work(7).unwrap_err().to_string(), "run 7 on 1");
            let mut refused = one_core(scope, |_| Err("no".into()));
            assert_eq!(refused(0).unwrap_err().to_string(), "no");
        });
        assert!(own_core(move |runs| runs.each(one_thread))(0).is_ok());
    }
}
