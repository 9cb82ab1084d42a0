//! Which clock this process measures with, and why.
//!
//! What the processor and the kernel say is one thing, what follows from it another: [`judge`] is a
//! pure function, so that every machine can be tried on any. What neither of them notices, a counter
//! that does not count, shows in a few reads.

use super::{arch, kernel_clocksource, monotonic_ns, now};
use std::fmt;

/// Why the processor's counter is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// No counter is known for this architecture.
    Architecture,
    /// Whether the counter can be trusted is known on Linux alone.
    OperatingSystem,
    /// The target has no clock at all: what is read in its place stands still, at 0.
    NoClock,
    /// The program was built to do without (`--cfg system_clock`).
    BuiltWithout,
    /// The processor cannot read the counter and the CPU in one instruction.
    NoRdtscp,
    /// The counter stops or changes its rate with the processor's power states.
    NotInvariant,
    /// The kernel keeps time by another clock, which it names.
    KernelDistrusts(String),
    /// The counter reads the same again and again.
    StandsStill,
    /// The counter counts downwards.
    RunsBackwards,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Architecture => f.write_str("no counter is known for this architecture"),
            Self::OperatingSystem => {
                f.write_str("whether the counter can be trusted is known on Linux alone")
            }
            Self::NoClock => f.write_str("this target has no clock: it stands still"),
            Self::BuiltWithout => f.write_str("built for it"),
            Self::NoRdtscp => f.write_str("the processor has no RDTSCP"),
            Self::NotInvariant => f.write_str("the processor's counter is not invariant"),
            Self::KernelDistrusts(other) => {
                write!(f, "the kernel keeps time by {other}, not by the counter")
            }
            Self::StandsStill => f.write_str("the processor's counter stands still"),
            Self::RunsBackwards => f.write_str("the processor's counter runs backwards"),
        }
    }
}

/// What CPUID and the kernel say of the time stamp counter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(not(any(target_arch = "x86_64", driven_clock)), allow(dead_code))]
#[allow(clippy::struct_excessive_bools, reason = "four answers to four questions")]
pub(crate) struct TscFacts {
    /// CPUID says that it is invariant.
    pub(crate) invariant: bool,
    /// RDTSCP is there.
    pub(crate) rdtscp: bool,
    /// The system is one that says what it thinks of the counter. Elsewhere nobody says whether those of
    /// all cores agree, and RDTSCP's word is not known to be the CPU.
    pub(crate) linux: bool,
    /// This is a guest of a hypervisor.
    pub(crate) hypervisor: bool,
    /// What the kernel keeps time by, where it tells.
    pub(crate) clocksource: Option<String>,
}

/// Whether a clock that the kernel names is the processor's counter, perhaps scaled.
pub(crate) fn follows_counter(clocksource: &str) -> bool {
    let scaled = ["kvm-clock", "hyperv_clocksource_tsc_page", "xen"];
    ["tsc", "arch_sys_counter"].contains(&clocksource) || scaled.contains(&clocksource)
}

/// Whether the time stamp counter can be used, and the reason either way.
#[cfg_attr(not(any(target_arch = "x86_64", driven_clock)), allow(dead_code))]
pub(crate) fn judge(facts: &TscFacts) -> Result<String, Unavailable> {
    if !facts.rdtscp {
        return Err(Unavailable::NoRdtscp);
    }
    if !facts.linux {
        return Err(Unavailable::OperatingSystem);
    }
    match (facts.invariant, facts.clocksource.as_deref()) {
        // A hypervisor may hide the CPUID bit, and yet its guest kernel keeps time by the counter.
        (_, Some("tsc")) => Ok(String::from("the kernel keeps time by it")),
        (false, _) => Err(Unavailable::NotInvariant),
        (true, Some(other)) if follows_counter(other) => {
            Ok(format!("invariant; the kernel's {other} is derived from it"))
        }
        (true, Some(other)) => Err(Unavailable::KernelDistrusts(other.to_owned())),
        (true, None) if facts.hypervisor => {
            Ok(String::from("the hypervisor's CPUID says that it is invariant"))
        }
        (true, None) => Ok(String::from("CPUID says that it is invariant")),
    }
}

/// Readings of a counter whose direction is to be known.
const READINGS: usize = 16;
/// Readings after which a counter that has not moved is given up: a millisecond's worth, in which
/// one of 32 kHz has moved thirty times.
const PATIENCE: usize = 1 << 16;

/// Whether the clock that `read` reads goes on, forwards.
fn goes_on(mut read: impl FnMut() -> u64) -> Result<(), Unavailable> {
    let first = read();
    let mut last = first;
    for reading in 0..PATIENCE {
        if reading >= READINGS && last != first {
            break;
        }
        last = read();
    }
    match last.wrapping_sub(first) as i64 {
        0 => Err(Unavailable::StandsStill),
        ..0 => Err(Unavailable::RunsBackwards),
        1.. => Ok(()),
    }
}

/// The clock that this process measures with.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// Whether it is the processor's counter; else the system's monotonic clock.
    pub(crate) counter: bool,
    /// Why.
    pub(crate) reason: String,
    /// What speaks against the counter, where it is not used.
    pub(crate) why_not: Option<Unavailable>,
    /// What the kernel kept time by when the choice was made, where it tells.
    pub(crate) clocksource: Option<String>,
}

impl Choice {
    pub(crate) fn make() -> Self {
        let clocksource = kernel_clocksource();
        let judged = if cfg!(system_clock) {
            // For the tests of what otherwise only machines without a usable counter do.
            Err(Unavailable::BuiltWithout)
        } else {
            arch::available().and_then(|reason| goes_on(arch::start).map(|()| reason))
        };
        match judged {
            Ok(reason) => Self { counter: true, reason, why_not: None, clocksource },
            Err(why) => {
                Self { counter: false, reason: why.to_string(), why_not: Some(why), clocksource }
            }
        }
    }

    /// Whether the counter, if it is that, still counts. Some readings; a millisecond's worth if it does
    /// not. (The system's clock may be coarser than that.)
    pub(crate) fn goes_on(&self) -> Result<(), Unavailable> {
        if self.counter { goes_on(arch::start) } else { Ok(()) }
    }

    /// A reading of it, unfenced: for intervals far above a read's cost.
    pub(crate) fn now(&self) -> u64 {
        now(self.counter)
    }

    /// A reading of it, fenced where that means something.
    pub(crate) fn start(&self) -> u64 {
        if self.counter { arch::start() } else { monotonic_ns() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of what can be said.
    fn all() -> Vec<TscFacts> {
        let sources = [
            None,
            Some("tsc"),
            Some("kvm-clock"),
            Some("hyperv_clocksource_tsc_page"),
            Some("xen"),
            Some("hpet"),
            Some("acpi_pm"),
            Some("refined-jiffies"),
            Some(""),
        ];
        let mut all = Vec::new();
        for bits in 0..8 {
            for source in sources {
                all.push(TscFacts {
                    invariant: bits & 1 != 0,
                    rdtscp: bits & 2 != 0,
                    linux: true,
                    hypervisor: bits & 4 != 0,
                    clocksource: source.map(str::to_owned),
                });
            }
        }
        all
    }

    #[test]
    fn nothing_is_used_without_rdtscp() {
        for facts in all().iter().filter(|facts| !facts.rdtscp) {
            assert_eq!(judge(facts), Err(Unavailable::NoRdtscp), "{facts:?}");
        }
    }

    #[test]
    fn where_no_kernel_vouches_for_it_it_is_not_used() {
        for facts in all().into_iter().filter(|facts| facts.rdtscp) {
            let elsewhere = TscFacts { linux: false, ..facts };
            assert_eq!(judge(&elsewhere), Err(Unavailable::OperatingSystem), "{elsewhere:?}");
        }
    }

    #[test]
    fn the_kernel_has_the_last_word() {
        for facts in all().iter().filter(|facts| facts.rdtscp) {
            let judged = judge(facts);
            match facts.clocksource.as_deref() {
                Some("tsc") => assert!(judged.is_ok(), "{facts:?}"),
                _ if !facts.invariant => {
                    assert_eq!(judged, Err(Unavailable::NotInvariant), "{facts:?}");
                }
                None | Some("kvm-clock" | "hyperv_clocksource_tsc_page" | "xen") => {
                    assert!(judged.is_ok(), "{facts:?}");
                }
                Some(other) => {
                    let distrusts = Unavailable::KernelDistrusts(other.to_owned());
                    assert_eq!(judged, Err(distrusts), "{facts:?}");
                }
            }
        }
    }

    #[test]
    fn reasons_name_their_witness() {
        let facts = |hypervisor, source: Option<&str>| TscFacts {
            invariant: true,
            rdtscp: true,
            linux: true,
            hypervisor,
            clocksource: source.map(str::to_owned),
        };
        let reason = |hypervisor, source| judge(&facts(hypervisor, source)).expect("usable");
        assert!(reason(false, Some("tsc")).contains("the kernel"));
        assert!(reason(true, Some("kvm-clock")).contains("kvm-clock"));
        assert!(reason(false, None).starts_with("CPUID"));
        assert!(reason(true, None).contains("hypervisor"));
    }

    #[test]
    fn a_counter_must_count() {
        let mut n = 100_u64;
        let mut counting = |step: i64, every: u64| {
            let mut reads = 0_u64;
            goes_on(|| {
                reads += 1;
                n = if reads.is_multiple_of(every) { n.wrapping_add_signed(step) } else { n };
                n
            })
        };
        assert_eq!(counting(1, 1), Ok(()));
        assert_eq!(counting(1, 3000), Ok(()), "a slow one");
        assert_eq!(counting(-1, 1), Err(Unavailable::RunsBackwards));
        assert_eq!(counting(1, u64::MAX), Err(Unavailable::StandsStill));
        assert_eq!(goes_on(|| 0), Err(Unavailable::StandsStill));
        let mut around = u64::MAX - 3;
        let over_the_top = goes_on(|| {
            around = around.wrapping_add(1);
            around
        });
        assert_eq!(over_the_top, Ok(()));
    }
}
