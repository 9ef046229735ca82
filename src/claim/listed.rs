//! What a finding counts up.

use std::fmt::Display;

/// As in `33, 65, 129`.
pub fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    words.join(", ")
}
