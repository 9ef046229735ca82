//! Signals: HUP, INT, QUIT, TERM and XCPU end a command with 128 and their number. What is finished is kept, and no
//! signal that can be handled leaves a part of a file.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::failure::Status;

/// The last thing that a command does when it is interrupted. If it continues, the command itself ends soon.
type Last = Box<dyn FnOnce() -> ControlFlow<()> + Send>;

static LAST: Mutex<Option<Last>> = Mutex::new(None);
/// The first signal, or 0.
static ARRIVED: AtomicI32 = AtomicI32::new(0);

/// Handles signals in a thread of its own. Without memory for a thread they end the process at once.
pub fn listen() {
    #[cfg(unix)]
    if !crate::base::memory::is_cramped() {
        unix::listen();
    }
}

#[cfg(unix)]
mod unix {
    use std::sync::PoisonError;
    use std::sync::atomic::Ordering;
    use std::thread::Builder;
    use std::time::{Duration, Instant};

    use signal_hook::consts::*;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::{emulate_default_handler, exit};

    use crate::gl::is_ignored;
    use crate::io::remove_parts;

    use super::{ARRIVED, LAST};

    /// Signals that ask a command to end.
    const REQUESTS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
    /// Other signals that end a process on all systems.
    const ENDS: [i32; 9] =
        [SIGABRT, SIGALRM, SIGBUS, SIGPROF, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM];

    /// Time in which a closed terminal sends HUP repeatedly, from the shell and from the system.
    const ECHO: Duration = Duration::from_millis(500);

    /// The signals that end a process on this system only.
    fn others() -> Vec<i32> {
        #[cfg(target_os = "linux")]
        return (libc::SIGRTMIN()..=libc::SIGRTMAX())
            .chain([libc::SIGIO, libc::SIGPWR, libc::SIGSTKFLT])
            .collect();
        #[cfg(not(target_os = "linux"))]
        Vec::new()
    }

    pub fn listen() {
        // `nohup` and batch systems ignore signals on purpose. A script does so with INT and QUIT of its background jobs.
        let is_ours =
            |signal: &i32| matches!(*signal, SIGINT | SIGQUIT | SIGTERM) || !is_ignored(*signal);
        let all = REQUESTS.into_iter().chain(ENDS).chain(others()).filter(is_ours);
        let all: Vec<i32> = all.collect();
        // The thread takes the signals over, so that they keep their effect if there is no thread.
        let wait = || Signals::new(all).map(|mut all| react(all.forever()));
        let _ = Builder::new().spawn(wait);
    }

    /// Handles each signal without waiting for the threads that compute and write.
    fn react(signals: impl Iterator<Item = i32>) {
        let mut first = None;
        for signal in signals {
            match first {
                _ if !REQUESTS.contains(&signal) => {
                    let _parts = remove_parts();
                    let _ = emulate_default_handler(signal);
                    end(signal);
                }
                None => {
                    first = Some(Instant::now());
                    ARRIVED.store(signal, Ordering::SeqCst);
                    if Builder::new().spawn(move || keep(signal)).is_err() {
                        keep(signal);
                    }
                }
                // The system sends XCPU once per second.
                Some(_) if signal == SIGXCPU => {}
                Some(start) if signal == SIGHUP && start.elapsed() < ECHO => {}
                Some(_) => end(signal),
            }
        }
    }

    /// Does the last thing of the command, which may take long.
    fn keep(signal: i32) {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        if last.is_none_or(|last| last().is_break()) {
            end(signal);
        }
    }

    fn end(signal: i32) -> ! {
        let _parts = remove_parts();
        exit(128 + signal)
    }
}

/// Sets what is done at the first signal. A second one ends the process at once.
pub fn before_end(last: impl FnOnce() -> ControlFlow<()> + Send + 'static) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(last));
}

/// The signal that has arrived, if any.
pub fn arrived() -> Option<Status> {
    use Status::{HungUp, Interrupted, OutOfTime, Quit, Terminated};
    let code = 128 + ARRIVED.load(Ordering::SeqCst);
    let all = [HungUp, Interrupted, Quit, Terminated, OutOfTime];
    all.into_iter().find(|status| *status as i32 == code)
}
