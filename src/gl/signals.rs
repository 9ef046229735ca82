//! A signal of the system that would end the process where an error serves.

/// Makes a write beyond the limit on the size of files (`ulimit -f`) fail as on a full disk. Otherwise SIGXFSZ ends
/// the process.
pub(crate) fn ignore_file_size_signal() {
    #[cfg(unix)]
    // SAFETY: no handler of ours runs, and the number is that of a signal which may be ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
