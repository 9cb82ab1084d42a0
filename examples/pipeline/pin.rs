//! Keeping a thread on one CPU.

/// Two CPUs that this process may use; none where there is one, or no way to choose.
#[cfg(target_os = "linux")]
pub(crate) fn two_cpus() -> Option<[usize; 2]> {
    // SAFETY: a set of no CPUs is all zeroes; the call writes at most its size, and it is read within.
    let allowed = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) != 0 {
            return None;
        }
        (0..libc::CPU_SETSIZE as usize)
            .filter(|cpu| libc::CPU_ISSET(*cpu, &set))
            .collect::<Vec<_>>()
    };
    allowed.first_chunk().copied()
}

/// Keeps the calling thread on this CPU, if there is one to keep it on.
#[cfg(target_os = "linux")]
pub(crate) fn to(cpu: Option<usize>) {
    let Some(cpu) = cpu else { return };
    // SAFETY: a set of no CPUs is all zeroes, and `cpu` is one that was found in such a set.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        // Where it is refused by now, the thread runs where it may.
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set);
    }
}

/// None: this system has other ways.
#[cfg(not(target_os = "linux"))]
pub(crate) fn two_cpus() -> Option<[usize; 2]> {
    None
}

/// Leaves the thread where it is.
#[cfg(not(target_os = "linux"))]
pub(crate) fn to(_: Option<usize>) {}
