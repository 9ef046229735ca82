//! A call that fails on purpose, to show that its error is handled. Only for tests.
//!
//! The variable `FRAGSTREAM_FAIL` holds a kind of call and a number, as in `pass 3`: the third call of this kind fails.
//! Of writes and looks at the memory, places in the code are counted, not calls: a hundred files that one line writes
//! fail in one way. With `count 0` none fails, and each call that is counted is a line of standard error.

use std::panic::Location;

/// Counts a call of a kind (`write`, `memory`, `texture`, `pass`), and tests whether it has to fail. In that case a line
/// is written to standard error.
#[cfg(feature = "mutants")]
#[track_caller]
pub fn fails(kind: &str) -> bool {
    use std::collections::HashSet;
    use std::sync::{LazyLock, Mutex, PoisonError};
    type Place = (&'static Location<'static>, Option<&'static Location<'static>>);
    type Chosen = (String, usize, Mutex<(usize, HashSet<Place>)>);
    static CHOSEN: LazyLock<Option<Chosen>> = LazyLock::new(|| {
        let text = std::env::var("FRAGSTREAM_FAIL").ok()?;
        let (kind, number) = text.split_once(' ').expect("FRAGSTREAM_FAIL: a kind and a number");
        let number = number.parse().expect("FRAGSTREAM_FAIL: a number after the kind");
        Some((kind.to_owned(), number, Mutex::default()))
    });
    let is_chosen = |chosen: &&Chosen| chosen.0 == kind || chosen.0 == "count";
    let Some((chosen, number, counted)) = CHOSEN.as_ref().filter(is_chosen) else {
        return false;
    };
    let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
    let (calls, places) = &mut *counted;
    let is_new = places.insert((Location::caller(), OUTER.get()));
    if !is_new && ["write", "memory"].contains(&kind) {
        return false;
    }
    if chosen == "count" {
        eprintln!("FRAGSTREAM_FAIL counts {kind}");
        return false;
    }
    *calls += 1;
    if calls == number {
        eprintln!("FRAGSTREAM_FAIL is hit");
    }
    calls == number
}

#[cfg(feature = "mutants")]
std::thread_local! {
    /// The place in the code on whose behalf calls are made.
    static OUTER: std::cell::Cell<Option<&'static Location<'static>>> = const { std::cell::Cell::new(None) };
}

/// Counts the calls of `work` as those of a place in the code.
#[cfg(feature = "mutants")]
pub fn on_behalf_of<T>(place: &'static Location<'static>, work: impl FnOnce() -> T) -> T {
    let before = OUTER.replace(Some(place));
    let done = work();
    OUTER.set(before);
    done
}

/// Outside of tests nothing fails on purpose.
#[cfg(not(feature = "mutants"))]
pub fn fails(_: &str) -> bool {
    false
}

/// Outside of tests nothing is counted.
#[cfg(not(feature = "mutants"))]
pub fn on_behalf_of<T>(_: &'static Location<'static>, work: impl FnOnce() -> T) -> T {
    work()
}
