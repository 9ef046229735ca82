//! A call that fails on purpose, to show that its error is handled. Only for tests.
//!
//! The variable `FRAGSTREAM_FAIL` holds a kind of call and a number, as in `write 3`: the third call of this kind fails.

/// Counts a call of a kind (`write`, `memory`, `pass`), and tests whether it has to fail. In that case a line is
/// written to standard error.
#[cfg(feature = "mutants")]
pub fn fails(kind: &str) -> bool {
    use std::io::Write;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    static CHOSEN: LazyLock<Option<(String, u64)>> = LazyLock::new(|| {
        let text = std::env::var("FRAGSTREAM_FAIL").ok()?;
        let (kind, number) =
            text.split_once(' ').expect("FRAGSTREAM_FAIL: give a kind and a number");
        Some((
            kind.to_owned(),
            number.parse().expect("FRAGSTREAM_FAIL: give a number after the kind"),
        ))
    });
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let is_hit = CHOSEN.as_ref().is_some_and(|(chosen, number)| {
        chosen == kind && CALLS.fetch_add(1, Ordering::Relaxed) + 1 == *number
    });
    if is_hit {
        let _ = writeln!(std::io::stderr(), "FRAGSTREAM_FAIL is hit");
    }
    is_hit
}

/// Outside of tests nothing fails on purpose.
#[cfg(not(feature = "mutants"))]
pub fn fails(_: &str) -> bool {
    false
}
