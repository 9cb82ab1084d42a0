//! Signals after every single instruction, by the processor's trap flag.

use super::{
    AtomicBool, AtomicU64, Context, Future, HOPS, Ordering, POLLS, SIGNALS, Waker, alone, caller,
    calls, check, check_calls, check_calm, check_outermost, handler, hopping, install, later,
    seldom, site, two_polls, work,
};

static STEP: AtomicBool = AtomicBool::new(false);
/// Only so many signals, where there are more instructions.
static MOST: AtomicU64 = AtomicU64::new(u64::MAX);
const TRAP_FLAG: i64 = 1 << 8;

extern "C" fn step(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes a context to handlers with SA_SIGINFO.
    let flags = unsafe {
        &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_EFL as usize]
    };
    if !STEP.load(Ordering::Relaxed)
        || SIGNALS.load(Ordering::Relaxed) >= MOST.load(Ordering::Relaxed)
    {
        *flags &= !TRAP_FLAG;
        return;
    }
    *flags |= TRAP_FLAG;
    handler(0);
}

/// Runs `f` with a signal after each of its instructions; how many there were.
fn stepping(f: impl FnOnce()) -> u64 {
    install(libc::SIGTRAP, step as *const () as usize, libc::SA_SIGINFO);
    let before = SIGNALS.load(Ordering::Relaxed);
    STEP.store(true, Ordering::Relaxed);
    // SAFETY: the signal is handled.
    unsafe { libc::raise(libc::SIGTRAP) };
    f();
    STEP.store(false, Ordering::Relaxed);
    SIGNALS.load(Ordering::Relaxed) - before
}

alone! {
    fn of_ordinary_calls() {
        // Everything is known: no path is cold.
        (0..1000).for_each(|_| {
            caller();
            handler(0);
        });
        let outside = SIGNALS.load(Ordering::Relaxed);
        let steps = stepping(|| (0..60).for_each(|_| caller()));
        assert!(steps > 60 * 100, "{steps} instructions");
        let snapshot = timed::snapshot();
        check(&snapshot);
        check_calls(&snapshot, 1060, outside + steps);
        check_outermost(&snapshot, "caller");
        check_outermost(&snapshot, "handled");
        check_calm();
    }

    fn of_sampled_calls() {
        (0..1000).for_each(|_| {
            seldom();
            handler(0);
        });
        let outside = SIGNALS.load(Ordering::Relaxed);
        let steps = stepping(|| (0..300).for_each(|_| seldom()));
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "handled"), outside + steps);
        assert_eq!(calls(&snapshot, "seldom"), 1300 + outside + steps);
        check_calm();
    }

    fn of_polls() {
        POLLS.store(true, Ordering::Relaxed);
        (0..1000).for_each(|_| {
            two_polls();
            handler(0);
        });
        let outside = SIGNALS.load(Ordering::Relaxed);
        let steps = stepping(|| (0..40).for_each(|_| two_polls()));
        assert!(steps > 40 * 200, "{steps} instructions");
        let snapshot = timed::snapshot();
        check(&snapshot);
        let later = site(&snapshot, "later");
        assert_eq!((later.calls, later.in_flight), (1040 + outside + steps, 0), "{later:#?}");
        assert_eq!(calls(&snapshot, "work"), 1040 + 2 * (outside + steps));
        assert_eq!(calls(&snapshot, "handled"), outside + steps);
        check_calm();
    }

    fn of_futures_that_are_dropped_or_new() {
        POLLS.store(true, Ordering::Relaxed);
        MOST.store(300_000, Ordering::Relaxed);
        // The process's first calls, and a cancellation.
        let steps = stepping(|| {
            for _ in 0..3 {
                let mut future = Box::pin(later());
                let poll = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                assert!(poll.is_pending());
            }
            two_polls();
        });
        let snapshot = timed::snapshot();
        check(&snapshot);
        let later = site(&snapshot, "later");
        assert_eq!((later.calls, later.in_flight), (4 + steps, 0), "{later:#?}");
        assert_eq!(calls(&snapshot, "handled"), steps);
        check_calm();
    }

    fn of_hops() {
        HOPS.store(true, Ordering::Relaxed);
        (0..1000).for_each(|_| {
            hopping();
            handler(0);
        });
        let outside = SIGNALS.load(Ordering::Relaxed);
        let steps = stepping(|| (0..40).for_each(|_| hopping()));
        assert!(steps > 40 * 200, "{steps} instructions");
        let snapshot = timed::snapshot();
        check(&snapshot);
        let handled = outside + steps;
        assert_eq!(calls(&snapshot, "hop"), 2 * (1040 + handled));
        assert_eq!(calls(&snapshot, "hopping"), 1040 + handled);
        assert_eq!(calls(&snapshot, "work"), 1040 + 2 * handled);
        assert_eq!(snapshot.dropped, 0);
        check_outermost(&snapshot, "hopping");
        check_calm();
    }

    fn of_a_process_s_first_hops() {
        HOPS.store(true, Ordering::Relaxed);
        MOST.store(300_000, Ordering::Relaxed);
        let steps = stepping(hopping);
        assert!(steps > 1000);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "hop"), 2 * (1 + steps));
        assert_eq!(calls(&snapshot, "hopping"), 1 + steps);
        check_calm();
    }

    fn of_a_thread_s_first_calls() {
        // The process is at work; the thread is new.
        work();
        for _ in 0..5 {
            std::thread::spawn(|| {
                let steps = stepping(|| {
                    caller();
                    caller();
                });
                assert!(steps > 300, "{steps} instructions");
            })
            .join()
            .unwrap();
        }
        let steps = SIGNALS.load(Ordering::Relaxed);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "caller"), 10);
        assert_eq!(calls(&snapshot, "work"), 1 + 20 + steps);
        assert_eq!(calls(&snapshot, "handled"), steps);
        check_outermost(&snapshot, "caller");
        check_calm();
    }

    fn of_the_process_s_first_call() {
        MOST.store(300_000, Ordering::Relaxed);
        let steps = stepping(caller);
        assert!(steps > 1000);
        let snapshot = timed::snapshot();
        check(&snapshot);
        check_calls(&snapshot, 1, steps);
        check_calm();
    }

    fn of_resets_and_snapshots() {
        MOST.store(300_000, Ordering::Relaxed);
        (0..100).for_each(|_| {
            caller();
            handler(0);
        });
        let before = SIGNALS.load(Ordering::Relaxed);
        let steps = stepping(|| {
            caller();
            drop(timed::snapshot());
            caller();
        });
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "caller"), 102);
        assert_eq!(calls(&snapshot, "handled"), before + steps);
        MOST.store(u64::MAX, Ordering::Relaxed);
        stepping(|| {
            timed::pause();
            caller();
            timed::resume();
            caller();
            timed::reset();
            caller();
        });
        check(&timed::snapshot());
        check_calm();
    }
}
