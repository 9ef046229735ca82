//! The memory that this process may still claim. Large allocations ask here first.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::base::error::WithKind;
use crate::base::failing::fails;

/// Maximum number of bytes of a text of the system.
const TEXT: u64 = 1 << 24;

/// A text about the system, as in `/proc`, or one of fragstream.
#[allow(clippy::disallowed_methods)]
pub(crate) fn system_text(path: impl AsRef<Path>) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(TEXT).read_to_string(&mut text).ok()?;
    Some(text)
}

/// More memory is needed than is free.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Shortage(String);

impl WithKind for Shortage {}

/// Address space of a graphics driver and its compiler, as Mesa's llvmpipe takes it on the calling thread,
/// mostly without memory behind it.
const DRIVER: u64 = 400 << 20;

/// Address space in which threads have room: each takes 128 MiB for its own heap.
const ROOMY: u64 = 1 << 31;

/// Checks that memory can hold `nodes` nodes (cells, entries) of `bytes` each. `dimensions` states whether they
/// form a line, a plane or a space.
#[track_caller]
pub fn check(what: impl Display, nodes: u64, bytes: u64, dimensions: u32) -> Result<(), Shortage> {
    check_against(available().unwrap_or(u64::MAX), what, nodes, bytes, dimensions)
}

fn check_against(
    free: u64,
    what: impl Display,
    nodes: u64,
    bytes: u64,
    dimensions: u32,
) -> Result<(), Shortage> {
    let need = nodes.saturating_mul(bytes);
    if need <= free {
        return Ok(());
    }
    let most = (free as f64 / bytes as f64).powf(1.0 / f64::from(dimensions)) as u64;
    let power = ["", "", "²", "³"].get(dimensions as usize).unwrap_or(&"");
    let remedy = match address_limit() {
        Some(limit) if free == 0 => format!(
            "The address space is limited to {}: allow more than {} (ulimit -v)",
            in_words(limit),
            in_words(limit.max(DRIVER).saturating_add(need))
        ),
        _ if most == 0 => "Free memory".to_owned(),
        _ => format!("Give at most about {most}{power}"),
    };
    let [need, free] = [need, free].map(in_words);
    Err(Shortage(format!("{what}: needs about {need} of memory, but {free} is free. {remedy}.")))
}

/// A number of bytes, such as `1.2 MB`.
pub fn in_words(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        0.0..1e3 => format!("{bytes} B"),
        1e3..1e6 => format!("{:.1} kB", 1e-3 * bytes),
        1e6..1e9 => format!("{:.1} MB", 1e-6 * bytes),
        _ => format!("{:.1} GB", 1e-9 * bytes),
    }
}

/// Bytes that this process can use without displacing others: the minimum over the machine, the limit on its
/// address space and its control groups. `None` if the system does not provide it; Linux does.
#[track_caller]
pub fn available() -> Option<u64> {
    if fails("memory") {
        return Some(0);
    }
    let free = system_text("/proc/meminfo");
    let free = free.and_then(|text| number_after(&text, "MemAvailable:"));
    let groups = system_text("/proc/self/cgroup").unwrap_or_default();
    let all = [
        free.map(|kilobytes| kilobytes << 10),
        addresses_left(),
        left_in_groups(&groups, Path::new("/sys/fs/cgroup")),
    ];
    all.into_iter().flatten().min()
}

/// Limit on the address space of this process (`ulimit -v`, RLIMIT_AS).
fn address_limit() -> Option<u64> {
    let limits = system_text("/proc/self/limits")?;
    number_after(&limits, "Max address space")
}

/// Tests whether the address space is too small for threads.
pub(crate) fn is_cramped() -> bool {
    address_limit().is_some_and(|limit| limit < ROOMY)
}

/// Address space left by the limit, minus the driver's.
fn addresses_left() -> Option<u64> {
    let limit = address_limit()?;
    let used = system_text("/proc/self/status")?;
    let used = number_after(&used, "VmSize:").unwrap_or(0) << 10;
    Some(limit.saturating_sub(used.max(DRIVER)))
}

/// Memory left by the control groups of a process, from the lines of its `cgroup` file. Files that can be
/// dropped from memory do not count.
fn left_in_groups(groups: &str, root: &Path) -> Option<u64> {
    let left = |folder: &Path, [limit, used, files]: [&str; 3]| -> Option<u64> {
        let read = |name: &str| system_text(folder.join(name));
        let number = |name| read(name)?.trim().parse::<u64>().ok();
        let files = read("memory.stat").and_then(|text| number_after(&text, files));
        let used = number(used)?.saturating_sub(files.unwrap_or(0));
        Some(number(limit)?.saturating_sub(used))
    };
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        let (root, names) = if controllers.is_empty() {
            let names = ["memory.max", "memory.current", "inactive_file"];
            (root.to_path_buf(), names)
        } else if controllers.split(',').any(|one| one == "memory") {
            let [limit, used] = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
            (root.join("memory"), [limit, used, "total_inactive_file"])
        } else {
            return None;
        };
        let folder = root.join(path);
        let within = folder.ancestors().take_while(|one| one.starts_with(&root));
        within.filter_map(|one| left(one, names)).min()
    };
    groups.lines().filter_map(of_line).min()
}

/// The number after a name at the beginning of a line.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines();
    let rest = lines.find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_shortage_names_the_need_and_the_largest_that_fits() {
        let refused = |nodes, bytes, dimensions| {
            check_against(1_000_000_000, "a grid", nodes, bytes, dimensions)
                .map_err(|error| error.to_string())
        };
        assert_eq!(refused(10_000_000, 100, 2), Ok(()));
        let expected =
            "a grid: needs about 2.5 GB of memory, but 1.0 GB is free. Give at most about ";
        assert_eq!(refused(25_000_000, 100, 2), Err(format!("{expected}3162².")));
        assert_eq!(refused(25_000_000, 100, 1), Err(format!("{expected}10000000.")));
        assert!(refused(u64::MAX, 100, 3).is_err());
    }

    #[test]
    fn the_tightest_of_nested_control_groups_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let left = |groups| left_in_groups(groups, root.path());
        write("a/b/memory.max", "max\n");
        write("a/b/memory.current", "100\n");
        write("a/memory.max", "1000\n");
        write("a/memory.current", "700\n");
        write("a/memory.stat", "anon 600\ninactive_file 100\n");
        assert_eq!(left("0::/a/b\n"), Some(400));
        assert_eq!(left("0::/\n"), None);
        write("memory/c/memory.limit_in_bytes", "50\n");
        write("memory/c/memory.usage_in_bytes", "20\n");
        assert_eq!(left("4:cpu,memory:/c\n1:cpu:/a\n0::/a/b\n"), Some(30));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells() {
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }
}
