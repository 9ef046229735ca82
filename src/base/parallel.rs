//! Loops over arrays on all cores.
//!
//! The work on a part is called through a pointer: Rayon's machinery is compiled once for each type of element,
//! not for each loop, and the loop in a part is as fast as inlined.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

use crate::base::memory;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Elements of a part, if each is little work.
pub const PART: usize = 1 << 12;

/// Calls `work` with each part of `part` elements (the last may be shorter) and the index of its first element.
pub fn parts<T: Send>(values: &mut [T], part: usize, work: &(dyn Fn(usize, &mut [T]) + Sync)) {
    let part = part.max(1);
    if values.len() <= part {
        work(0, values);
    } else {
        let parts = values.par_chunks_mut(part).enumerate();
        parts.for_each(|(number, values)| work(number * part, values));
    }
}

/// Calls `work` with the index of each element, and the element: each is much work.
pub fn each<T: Send>(values: &mut [T], work: &(dyn Fn(usize, &mut T) + Sync)) {
    parts(values, 1, &|first, values| {
        for (place, value) in (first..).zip(values) {
            work(place, value);
        }
    });
}

/// f(0), f(1), … f(length − 1)
pub fn collect<T: Clone + Default + Send>(length: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut values = vec![T::default(); length];
    parts(&mut values, PART, &|first, values| {
        for (place, value) in (first..).zip(values) {
            *value = f(place);
        }
    });
    values
}

/// Tests whether the system provides enough threads, and address space for them, for this process and a
/// software renderer. If not, all loops run on the calling thread.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub(crate) fn has_threads() -> bool {
    let processors = available_parallelism().map_or(1, |processors| processors.get());
    let gate = Mutex::new(());
    let has_threads = !memory::is_cramped()
        && scope(|scope| {
            // They wait, so that all of them exist at the same time.
            let _closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = || drop(gate.lock());
            // The driver has the same number, and two for its cache of programs.
            (0..2 * processors + 2).all(|_| Builder::new().spawn_scoped(scope, wait).is_ok())
        });
    if !has_threads {
        // Rayon creates its pool only once, and panics later if that failed. A pool with only this thread
        // always works.
        let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        let _ = alone.build_global();
    }
    has_threads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_reached_once_and_knows_its_place() {
        for length in [0, 1, PART, PART + 1, 3 * PART - 1] {
            let places = collect(length, |place| place);
            assert_eq!(places, (0..length).collect::<Vec<_>>());
            let mut doubled = places.clone();
            each(&mut doubled, &|place, value| *value += place);
            assert!(doubled.iter().zip(places).all(|(&value, place)| value == 2 * place));
        }
        for part in [0, 1, 7, 100] {
            let mut values = vec![1; 100];
            parts(&mut values, part, &|first, values| {
                for (place, value) in (first..).zip(values) {
                    *value += place;
                }
            });
            assert_eq!(values, (1..=100).collect::<Vec<_>>());
        }
    }
}
