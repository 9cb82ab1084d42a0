//! The sites that nobody has called: those that were called make themselves known.
//!
//! On Linux all sites lie in a section of their own, side by side, and the linker says where it begins
//! and ends. That costs the compiler nothing: a constructor a site, which `inventory` is made of,
//! took it as long as all else that is in an empty timed function (see `benches/build`). A section
//! shows the sites of the executable, or of the library, that the runtime is linked into.
//!
//! Elsewhere sections have other names and other gaps, and `inventory` knows what holds there.

use super::site::Site;

#[cfg(not(target_os = "linux"))]
pub use inventory::submit;

/// A site in the list of all sites.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub struct Listed(pub &'static Site);

#[cfg(not(target_os = "linux"))]
inventory::collect!(Listed);

/// All sites that the linker has kept, called or not.
#[cfg(not(target_os = "linux"))]
pub(crate) fn listed() -> impl Iterator<Item = &'static Site> {
    inventory::iter::<Listed>.into_iter().map(|listed| listed.0)
}

/// Makes the section exist where no function is timed: its bounds would otherwise be unknown to the
/// linker.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = "timed_sites_0_1")]
static NOBODY: Site = Site::off();

/// The section's name, here and in the macro `__timed_site`, has the version in it: a program may
/// contain two whose sites differ. Of those that agree in it Cargo chooses one.
#[cfg(target_os = "linux")]
const _: () = {
    assert!(matches!(env!("CARGO_PKG_VERSION_MAJOR").as_bytes(), b"0"), "rename the section");
    assert!(matches!(env!("CARGO_PKG_VERSION_MINOR").as_bytes(), b"1"), "rename the section");
};

/// In the place of `inventory::submit`: a site is where it is. (A call of a macro that is not there,
/// behind a `#[cfg]`, is an error to rust-analyzer.)
#[cfg(target_os = "linux")]
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_submit {
    ($($listed:tt)*) => {};
}

/// All sites that the linker has kept, called or not.
#[cfg(target_os = "linux")]
pub(crate) fn listed() -> impl Iterator<Item = &'static Site> {
    #[allow(improper_ctypes, reason = "both sides are this crate's")]
    unsafe extern "C" {
        #[link_name = "__start_timed_sites_0_1"]
        static START: [Site; 0];
        #[link_name = "__stop_timed_sites_0_1"]
        static STOP: [Site; 0];
    }
    let (start, stop) = (&raw const START, &raw const STOP);
    let count = (stop.addr() - start.addr()) / size_of::<Site>();
    // SAFETY: only `NOBODY` and the macro put anything into the section, whole sites, and a site's size
    // is a multiple of its alignment, so that linkers, which add what alignment asks for, leave no
    // gaps. They are statics, and what changes in them is atomic.
    let sites: &'static [Site] = unsafe { std::slice::from_raw_parts(start.cast(), count) };
    sites.iter().filter(|site| !std::ptr::eq(*site, &raw const NOBODY))
}
