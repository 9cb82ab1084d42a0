//! The system's clocks.

/// What the kernel keeps time by now, where it tells.
pub(crate) fn kernel_clocksource() -> Option<String> {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    std::fs::read_to_string(path).ok().map(|name| name.trim().to_owned())
}

/// Whether the kernel is one that says what it thinks of the counter.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) const IS_LINUX: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// What the kernel says of the first processor, where it tells: the whole file is long on large
/// machines.
pub(super) fn first_processor() -> Option<String> {
    use std::io::Read as _;
    let mut start = [0; 4096];
    let length = std::fs::File::open("/proc/cpuinfo").ok()?.read(&mut start).ok()?;
    Some(String::from_utf8_lossy(&start[..length]).into_owned())
}

#[cfg(unix)]
fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec to write to; a clock that is unknown leaves it at zero.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

/// The system's monotonic clock in nanoseconds, without NTP's steering where that can be had.
#[cfg(unix)]
pub(crate) fn monotonic_ns() -> u64 {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC_RAW;
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;
    read(CLOCK)
}

/// A clock that stands still: the standard library's would panic.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn monotonic_ns() -> u64 {
    0
}

/// The system's monotonic clock in nanoseconds since its first use here.
#[cfg(not(any(unix, all(target_family = "wasm", target_os = "unknown"))))]
pub(crate) fn monotonic_ns() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// For how long the machine has been suspended since it started, as far as the system tells: one of
/// its clocks stands still meanwhile, and one goes on.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn asleep_ns() -> u64 {
    // Not the raw clock, from which steering has moved both of these away. What comes between the
    // two reads counts as sleep, so the least of some is taken.
    (0..4)
        .map(|_| {
            let awake = read(libc::CLOCK_MONOTONIC);
            read(libc::CLOCK_BOOTTIME).saturating_sub(awake)
        })
        .min()
        .unwrap_or(0)
}

/// No clock here tells.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn asleep_ns() -> u64 {
    0
}
