//! Two rasterisers of Mesa's, which share no arithmetic of their own, and one without texture barriers: what is
//! computed is the same.

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

#[test]
fn without_a_texture_barrier_passes_read_copies_of_their_targets_and_a_note_says_so() {
    let lines = [
        ("heat --json --size 33x33 --out o.f32", "\"hazard\": \"copy\""),
        ("heat --json --size 33x33 --storage two --out o.f32", "\"hazard\": \"barrier\""),
        ("wing --size 33 --radius 10 --steps 1 --png o.png", ""),
        ("cycle --size 33 --steps 3 --png o.png", ""),
        ("jet --size 33x17 --steps 1 --png o.png", ""),
        ("solve bcsstk01 --method lu --rtol 1e-4 --out o.mtx", ""),
    ];
    for (line, method) in lines {
        let result = |extensions: &str| {
            let folder = tempdir().unwrap();
            let mut command = fragstream(&folder, line);
            let output = command.env("MESA_EXTENSION_OVERRIDE", extensions).output().unwrap();
            let notes = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(0), "{line}: {notes}");
            let file = line.rsplit(' ').next().unwrap();
            let bytes = fs::read(folder.path().join(file)).unwrap();
            (bytes, String::from_utf8(output.stdout).unwrap(), notes)
        };
        let (with, _, notes) = result("");
        let note = "lacks the texture barrier";
        assert!(!notes.contains(note), "{line}: {notes}");
        let (without, text, notes) = result("-GL_NV_texture_barrier -GL_ARB_texture_barrier");
        if !notes.contains(note) {
            // A driver that is not Mesa's, or whose OpenGL has barriers in its core.
            return;
        }
        assert_eq!(notes.matches(note).count(), 1, "{line}: {notes}");
        assert_says(&text, &[method]);
        assert!(with == without, "{line}: other values");
    }
}
