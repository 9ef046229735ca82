//! A call that fails on purpose, to show that its error is handled. Only for tests.
//!
//! The variable `FRAGSTREAM_FAIL` holds a kind of call and a number, as in `write 3`: the third call of this kind fails.

/// Counts a call of a kind (`write`, `memory`, `texture`, `pass`), and tests whether it has to fail. In that case a line
/// is written to standard error.
#[cfg(feature = "mutants")]
pub fn fails(kind: &str) -> bool {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    static CHOSEN: LazyLock<Option<(String, AtomicU64)>> = LazyLock::new(|| {
        let text = std::env::var("FRAGSTREAM_FAIL").ok()?;
        let (kind, number) = text.split_once(' ').expect("FRAGSTREAM_FAIL: a kind and a number");
        let number = number.parse().expect("FRAGSTREAM_FAIL: a number after the kind");
        Some((kind.to_owned(), AtomicU64::new(number)))
    });
    // The number of calls up to the one that fails.
    let is_hit = CHOSEN
        .as_ref()
        .is_some_and(|(chosen, left)| chosen == kind && left.fetch_sub(1, Ordering::Relaxed) == 1);
    if is_hit {
        eprintln!("FRAGSTREAM_FAIL is hit");
    }
    is_hit
}

/// Outside of tests nothing fails on purpose.
#[cfg(not(feature = "mutants"))]
pub fn fails(_: &str) -> bool {
    false
}
