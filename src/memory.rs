//! How much main memory is free.

use std::fs;

/// Bytes that a program can have without any other's being moved out, where the system tells: Linux.
pub fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = text.lines();
    let free = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = free.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
