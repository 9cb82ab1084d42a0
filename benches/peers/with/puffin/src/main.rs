//! puffin: scopes on, a frame for each unit of work with a scope around it, and the view that its viewers
//! show, which keeps the last thousand frames.

use common::{Mean, Peer, typical_of};
use puffin::{GlobalFrameView, GlobalProfiler, Reader, ScopeId, Stream};
use std::collections::HashMap;
use std::sync::OnceLock;

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            puffin::profile_function!();
            $body
        }
    };
}

static VIEW: OnceLock<GlobalFrameView> = OnceLock::new();

struct Puffin;

impl Peer for Puffin {
    fn start() {
        VIEW.get_or_init(GlobalFrameView::default);
        puffin::set_scopes_on(true);
    }

    fn task(work: impl FnOnce()) {
        GlobalProfiler::lock().new_frame();
        puffin::profile_scope!("task");
        work();
    }

    fn flush() {
        GlobalProfiler::lock().new_frame();
    }

    fn means() -> Vec<Mean> {
        let view = VIEW.get().expect("it was started").lock();
        let mut durations = HashMap::new();
        for frame in view.recent_frames() {
            let Ok(frame) = frame.unpacked();
            for thread in frame.thread_streams.values() {
                collect(&thread.stream, 0, &mut durations);
            }
        }
        durations
            .into_iter()
            .map(|(scope, mut durations)| Mean {
                site: view
                    .scope_collection()
                    .fetch_by_id(&scope)
                    .map_or_else(String::new, |details| details.name().to_string()),
                calls: durations.len() as u64,
                nanoseconds: typical_of(&mut durations),
            })
            .collect()
    }

    fn whole(work: fn()) {
        Self::start();
        work();
        Self::flush();
    }
}

/// The durations of all scopes in a stream, from `at` on, and of those in them.
fn collect(stream: &Stream, at: u64, durations: &mut HashMap<ScopeId, Vec<u64>>) {
    let Ok(reader) = Reader::with_offset(stream, at) else { return };
    for scope in reader.flatten() {
        durations.entry(scope.id).or_default().push(scope.record.duration_ns.max(0) as u64);
        if scope.child_begin_position < scope.child_end_position {
            collect(stream, scope.child_begin_position, durations);
        }
    }
}

common::program!(Puffin, measured);
