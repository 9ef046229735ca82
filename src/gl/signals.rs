//! A system signal that would end the process where an error is better.

/// Makes a write beyond the file size limit (`ulimit -f`) fail as if the disk were full. Otherwise SIGXFSZ ends
/// the process.
pub(crate) fn ignore_file_size_signal() {
    #[cfg(unix)]
    // SAFETY: no handler of ours runs, and the signal may be ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
