//! Number of threads of Mesa's software rasteriser.
//!
//! llvmpipe distributes every pass over its threads and waits for all of them at the end. On two cores this
//! overhead equals the time in which one core draws ten thousand texels. Without threads a chained pass of 16 x
//! 16 texels takes 4 µs instead of 25. llvmpipe reads the number of threads once per process.

use std::thread::available_parallelism;

/// Variable with llvmpipe's number of threads. With 0, the calling thread draws.
pub(crate) const RASTERISER_THREADS: &str = "LP_NUM_THREADS";

/// Texels with four channels that one core draws in the time of distributing a pass. With two cores, passes of
/// twice that size take the same time with and without threads: the measured limits were between 18 000 (a
/// fluid) and 25 000 texels (equations on triangles). More cores were not measured.
const HANDED_OVER: usize = 12_000;

/// Makes the driver draw on the calling thread if passes of this size are faster that way. Has no effect once
/// the driver is loaded, or if the variable is set.
pub(super) fn without_threads_if_small(texels: usize) {
    let processors = available_parallelism().map_or(1, |processors| processors.get());
    if is_small(texels, processors) && std::env::var_os(RASTERISER_THREADS).is_none() {
        without_threads();
    }
}

/// Makes the driver draw on the calling thread, if it is not loaded yet.
pub(crate) fn without_threads() {
    // SAFETY: only the command calls this, and it is the whole process. Rust's readers of the environment wait
    // for each other; C's are in the driver, which the caller does not load meanwhile.
    unsafe { std::env::set_var(RASTERISER_THREADS, "0") };
}

/// Tests whether one core draws a pass of this size as fast as all `processors` do.
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
