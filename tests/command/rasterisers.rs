//! Two rasterisers of Mesa's, which share no arithmetic of their own: what is computed is the same.

use std::fs;

use crate::command::support::*;
use tempfile::tempdir;

#[test]
fn conjugate_gradients_on_softpipe_are_those_on_llvmpipe_bit_by_bit() {
    let history = |rasteriser: &str| {
        let folder = tempdir().unwrap();
        fs::copy(bundled("bcsstk01.mtx"), folder.path().join("a.mtx")).unwrap();
        let line = "solve a.mtx --method cg --maxiter 12 --history h.csv";
        let mut command = fragstream(&folder, line);
        let output = command.env("GALLIUM_DRIVER", rasteriser).output().unwrap();
        // Twelve iterations are not enough, and more show nothing else.
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(3) => Some(fs::read_to_string(folder.path().join("h.csv")).unwrap()),
            // A driver that is not Mesa's, or that lacks this rasteriser.
            Some(4) => None,
            code => panic!("{rasteriser}: {code:?}: {said}"),
        }
    };
    let (Some(llvmpipe), Some(softpipe)) = (history("llvmpipe"), history("softpipe")) else {
        return;
    };
    assert!(llvmpipe.lines().count() > 12, "{llvmpipe}");
    assert_eq!(llvmpipe, softpipe);
}
