//! Sorting of lists that are short or sorted once. Each type and order of `slice::sort_by` takes 8 KB of code; here all
//! share the sort of their indices.

use std::cmp::Ordering;

/// Stable sorting with little code.
pub(crate) trait ShortSort<T> {
    /// Sorts, where equal elements keep their order.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key, where elements of equal keys keep their order.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> ShortSort<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let order = ordered(self.len(), &|a, b| compare(&self[a], &self[b]));
        permute(order, &mut |a, b| self.swap(a, b));
    }
}

/// The numbers of elements in their order.
fn ordered(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves element `order[k]` to place k, cycle by cycle.
fn permute(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while order[place] != start {
            let from = order[place];
            swap(place, from);
            order[place] = place;
            place = from;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_library(
            list in proptest::collection::vec((0..8_u8, any::<u8>()), 0..40),
        ) {
            let (mut own, mut standard) = (list.clone(), list);
            own.order_by_key(|(key, _)| *key);
            standard.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(own, standard);
        }
    }
}
