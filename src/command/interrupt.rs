//! Interrupts: Ctrl-C and TERM end a command with 130 and 143. What is finished is kept, and no part of a file is left.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::failure::Status;

/// The last thing that a command does when it is interrupted. If it continues, the command itself ends soon.
type Last = Box<dyn FnOnce() -> ControlFlow<()> + Send>;

static LAST: Mutex<Option<Last>> = Mutex::new(None);
/// The first signal, or 0.
static ARRIVED: AtomicI32 = AtomicI32::new(0);

/// Handles interrupts in a thread of its own. Without memory for a thread they end the process at once.
pub fn listen() {
    #[cfg(unix)]
    if !crate::memory::is_cramped() {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        // The thread takes the signals over, so that they keep their effect if there is no thread.
        let wait = || Signals::new([SIGINT, SIGTERM]).map(|mut all| all.forever().for_each(react));
        // Without it, an interrupt ends the process as usual.
        let _ = std::thread::Builder::new().spawn(wait);
    }
}

#[cfg(unix)]
fn react(signal: i32) {
    let is_first = ARRIVED.swap(signal, Ordering::SeqCst) == 0;
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
    if is_first && last.is_some_and(|last| last().is_continue()) {
        return;
    }
    let _parts = crate::io::remove_parts();
    signal_hook::low_level::exit(128 + signal);
}

/// Sets what is done at the first interrupt. A second one ends the process at once.
pub fn before_end(last: impl FnOnce() -> ControlFlow<()> + Send + 'static) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(last));
}

/// The interrupt that has arrived, if any.
pub fn arrived() -> Option<Status> {
    match ARRIVED.load(Ordering::SeqCst) {
        0 => None,
        15 => Some(Status::Terminated),
        _ => Some(Status::Interrupted),
    }
}
