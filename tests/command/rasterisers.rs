//! Two rasterisers of Mesa's, which share no arithmetic of their own: what is computed is the same.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

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

/// How many threads llvmpipe has when a run of water of this size has drawn its first picture; the run is
/// then ended.
#[cfg(target_os = "linux")]
fn rasteriser_threads(size: &str) -> usize {
    let folder = tempdir().unwrap();
    let line = format!("water --steps 1000000 --frames . --every 1 --size {size}");
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_fragstream"))
        .args(line.split(' '))
        .current_dir(&folder)
        .env_remove("LP_NUM_THREADS")
        .spawn()
        .unwrap();
    let first = folder.path().join("frame-0000.png");
    while !first.exists() && run.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(20));
    }
    let tasks = fs::read_dir(format!("/proc/{}/task", run.id()))
        .unwrap()
        .flatten();
    let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    let count = names.filter(|name| name.starts_with("llvmpipe-")).count();
    run.kill().unwrap();
    run.wait().unwrap();
    count
}

#[cfg(target_os = "linux")]
#[test]
fn small_grids_are_drawn_without_the_rasterisers_threads_and_large_ones_with_them() {
    assert_eq!(rasteriser_threads("32x32"), 0);
    let renderer = fragstream(&tempdir().unwrap(), "info").output().unwrap();
    let is_llvmpipe = String::from_utf8_lossy(&renderer.stdout).contains("llvmpipe");
    let processors = std::thread::available_parallelism().unwrap().get();
    if is_llvmpipe && processors > 1 {
        assert!(rasteriser_threads("512x512") > 0);
    }
}
