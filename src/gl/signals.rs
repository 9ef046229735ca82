//! System signals: one that would end the process where an error is better, and those that are ignored.

/// Makes a write beyond the file size limit (`ulimit -f`) fail as if the disk were full. Otherwise SIGXFSZ ends
/// the process.
pub(crate) fn ignore_file_size_signal() {
    #[cfg(unix)]
    // SAFETY: no handler of ours runs, and the signal may be ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Tests whether the process was started with this signal ignored, as by `nohup`.
#[cfg(unix)]
pub(crate) fn is_ignored(signal: i32) -> bool {
    // SAFETY: zeros are a valid action, which is only written to; the signal's own action is left as it is.
    unsafe {
        let mut action = std::mem::zeroed::<libc::sigaction>();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
