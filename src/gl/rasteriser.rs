//! How many threads Mesa's software rasteriser draws with.
//!
//! llvmpipe hands every pass over between its threads and waits for all of them at its end. On two
//! processors that takes as long as one of them draws ten thousand texels and more; without threads a
//! chained pass of 16 x 16 texels takes 4 µs instead of 25. It asks for their number once a process.

use std::thread::available_parallelism;

/// The variable that tells llvmpipe how many threads it may have. With 0 the calling one draws.
pub(crate) const RASTERISER_THREADS: &str = "LP_NUM_THREADS";

/// Texels of four numbers that one processor draws while a pass is handed over. With two of them, passes of
/// twice as many take as long with threads as without: between 18 000 (a fluid) and 25 000 (equations on
/// triangles). With more of them it was not measured.
const HANDED_OVER: usize = 12_000;

/// Has all that this process draws drawn by the thread that calls, if passes of so many texels take less
/// time so. It changes nothing once the driver is loaded, nor where the variable is set.
pub(super) fn without_threads_if_small(texels: usize) {
    let processors = available_parallelism().map_or(1, |processors| processors.get());
    if is_small(texels, processors) && std::env::var_os(RASTERISER_THREADS).is_none() {
        without_threads();
    }
}

/// Has all that this process draws drawn by the thread that calls, if the driver is not loaded yet.
pub(crate) fn without_threads() {
    // SAFETY: the command alone calls this, which is the whole process. Readers in Rust wait for each other;
    // those in C are the driver's, which the caller keeps from being loaded meanwhile.
    unsafe { std::env::set_var(RASTERISER_THREADS, "0") };
}

/// Tests whether one of so many processors draws a pass of so many texels as fast as all of them do.
fn is_small(texels: usize, processors: usize) -> bool {
    // t = t / p + c, in texels.
    texels.saturating_mul(processors - 1) <= HANDED_OVER * processors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_processor_needs_no_threads_and_many_are_handed_less() {
        assert!(is_small(usize::MAX, 1));
        let largest = |processors| (0..100_000).rfind(|&texels| is_small(texels, processors));
        assert_eq!(largest(2), Some(24_000));
        assert_eq!(largest(16), Some(12_800));
        assert!(!is_small(usize::MAX, 2));
    }
}
