//! The bundled files (`figures/input`).

use std::path::{Path, PathBuf};

/// Where a bundled file lies: in the working folder's repository, or in the one that this program
/// was built from.
pub fn bundled(name: &str) -> PathBuf {
    let here = Path::new("figures/input").join(name);
    if here.exists() {
        return here;
    }
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("figures/input")
        .join(name)
}
