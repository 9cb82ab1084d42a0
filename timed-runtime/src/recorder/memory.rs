//! Zeroed memory that is never given back: the arena's and the lanes' own.

#[cfg(not(loom))]
use core::ffi::c_void;

/// Words of a page, as far as touching goes.
#[cfg(not(loom))]
pub(crate) const PAGE_BYTES: usize = 4096;

/// `bytes` of zeroed memory, aligned to a page, none if the system refuses.
///
/// A forked child finds it zeroed again (`MADV_WIPEONFORK`, also across raw `fork` system calls):
/// the recorder's hot words read as «nothing known» there, which sends the child's first call to
/// the cold path before it has counted anything. See `process` for kernels that cannot wipe.
#[cfg(all(unix, not(loom)))]
pub(crate) fn zeroed(bytes: usize) -> Option<*mut c_void> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new private anonymous mapping at an address of the kernel's choice touches nothing
    // that exists.
    let at = unsafe {
        libc::mmap(
            core::ptr::null_mut(),
            bytes,
            protection,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if at == libc::MAP_FAILED {
        return None;
    }
    #[cfg(any(target_os = "linux", target_os = "android"))]
    // SAFETY: advice about a mapping that is ours alone. Both are allowed to fail: without the
    // first, pages are merely larger than was asked for; the second is checked by `can_wipe`.
    unsafe {
        libc::madvise(at, bytes, libc::MADV_NOHUGEPAGE);
        libc::madvise(at, bytes, libc::MADV_WIPEONFORK);
    }
    Some(at)
}

/// Gives memory back that `zeroed` returned.
///
/// # Safety
/// It must have returned `at` for this many bytes, rounded up to pages, and nothing may use it.
#[cfg(all(unix, not(loom)))]
pub(crate) unsafe fn give_back(at: *mut c_void, bytes: usize) {
    // SAFETY: as for this function.
    unsafe { libc::munmap(at, bytes) };
}

/// Keeps memory that `zeroed` returned: little, and rarely.
///
/// # Safety
/// None is needed; other systems' counterparts have a condition.
#[cfg(all(not(unix), not(loom)))]
pub(crate) unsafe fn give_back(_at: *mut c_void, _bytes: usize) {}

/// Whether the kernel wipes what `zeroed` returns when the process forks.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(loom)))]
pub(crate) fn can_wipe() -> bool {
    let Some(page) = zeroed(PAGE_BYTES) else { return false };
    // SAFETY: advice about a page that is ours alone, which is unmapped right after.
    unsafe {
        let wiped = libc::madvise(page, PAGE_BYTES, libc::MADV_WIPEONFORK) == 0;
        libc::munmap(page, PAGE_BYTES);
        wiped
    }
}

/// Whether the kernel wipes what `zeroed` returns when the process forks.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn can_wipe() -> bool {
    false
}

/// `bytes` of zeroed memory, aligned to a page, none if the system refuses.
#[cfg(all(not(unix), not(loom)))]
pub(crate) fn zeroed(bytes: usize) -> Option<*mut c_void> {
    let layout = std::alloc::Layout::from_size_align(bytes.max(1), PAGE_BYTES).ok()?;
    // SAFETY: the layout's size is not zero.
    let at = unsafe { std::alloc::alloc_zeroed(layout) };
    (!at.is_null()).then_some(at.cast())
}

/// Zeroed words, none if the system refuses.
#[cfg(not(loom))]
pub(crate) fn words(count: usize) -> Option<*mut crate::sync::Word> {
    zeroed(count * 8).map(<*mut c_void>::cast)
}

/// Zeroed words: loom's atomics must be made one by one.
#[cfg(loom)]
pub(crate) fn words(count: usize) -> Option<*mut crate::sync::Word> {
    let words: Box<[crate::sync::Word]> = (0..count).map(|_| crate::sync::Word::new(0)).collect();
    Some(Box::leak(words).as_mut_ptr())
}
