//! The size of the tests that are too long for every commit: `tests/nightly.sh`.

use std::str::FromStr;

fn variable<T: FromStr>(name: &str, otherwise: T) -> T {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The number of cases out of so many: `SHARE` of them, from 0 to 1.
pub fn share(cases: usize) -> usize {
    (cases as f64 * variable("SHARE", 1.0)).ceil() as usize
}

/// The random seed, `SEED`.
pub fn seed() -> u64 {
    variable("SEED", 2)
}

/// Tests whether all presets, settings, links, films and lessons are tried in a browser, and not the sample of each commit.
pub fn all_pages() -> bool {
    std::env::var_os("FRAGSTREAM_ALL_PAGES").is_some()
}
