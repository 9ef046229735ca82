//! What the tests of files share.

use std::path::{Path, PathBuf};

use fragstream::io::{Fault, Place};

/// A small file, ugly or bad.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// That a fault is at this place, says what is wrong in one line, and has a remedy.
pub fn assert_fault<T: std::fmt::Debug>(result: Result<T, Fault>, place: Place, what: &str) {
    let fault = result.unwrap_err();
    assert!(fault.place == place && fault.what.contains(what), "{fault}");
    assert!(!fault.to_string().contains('\n') && !fault.remedy.is_empty(), "{fault}");
}
