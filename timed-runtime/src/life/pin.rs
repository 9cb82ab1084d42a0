//! Keeping the code loaded: a thread and handlers of ours must not outlive it.

use libc::{c_int, c_void};
use std::mem::MaybeUninit;

/// Of what is loaded already: keep it.
const FLAGS: c_int = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;

/// Whether this code stays loaded from now on. In the main executable that is so anyway; a
/// shared object that was loaded at run time is told to stay when it is closed.
pub(super) fn pin() -> bool {
    let Some(own) = object_of(pin as *const c_void) else {
        // A static program, whose C library knows nothing of objects.
        return true;
    };
    // SAFETY: asking is always allowed.
    let headers = unsafe { libc::getauxval(libc::AT_PHDR) };
    // The kernel tells where the program headers of the main executable are.
    let main = object_of(std::ptr::without_provenance(headers as usize));
    if main.is_some_and(|main| main.dli_fbase == own.dli_fbase) {
        return true;
    }
    // SAFETY: the name is the loader's own for a loaded object, so nothing is loaded and no
    // constructor runs. The handle is not closed: it holds the object too.
    !unsafe { libc::dlopen(own.dli_fname, FLAGS) }.is_null()
}

/// The object that an address lies in.
fn object_of(address: *const c_void) -> Option<libc::Dl_info> {
    let mut info = MaybeUninit::uninit();
    // SAFETY: any address may be asked about, and `info` has room for the answer.
    let found = unsafe { libc::dladdr(address, info.as_mut_ptr()) } != 0;
    // SAFETY: when it says that it has found one, it has filled the structure in.
    found.then(|| unsafe { info.assume_init() })
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_executable_is_pinned() {
        assert!(super::pin());
    }
}
