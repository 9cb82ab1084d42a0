//! An activation in its frame, and the one whose reading is still to be added.

use crate::sync::{Own as _, Word};

/// One activation: open while `start` is not 0.
///
/// The owner writes `what` with Release and then `start` with Release, and clears `start` when the
/// activation ends. A reader loads `start`, `what`, and `start` again: unchanged and not 0, the
/// two belong together. The four sums are zero while the frame is free: they are cleared behind
/// the second reading, where it costs nothing, and not in front of the first.
#[repr(C)]
#[derive(Debug)]
pub struct Frame {
    /// The first reading.
    pub(crate) start: Word,
    /// Address of the site; once its place in the tree is known, of the node, and `frame::NODE`; 0
    /// while the frame is free.
    pub(crate) what: Word,
    /// Address of the lane's pending words, and `frame` flags.
    pub(crate) how: Word,
    /// Address of the caller's frame, also while this one is free: the one below, but where a row
    /// begins, or a guard has outlived what it was opened in.
    pub(crate) parent: Word,
    /// Of this activation's finished callees: as in [`Sums`], but for `charge`, which leaves out the
    /// callees' own probes. They are added when the activation ends: all at the same price. Of its
    /// stamps and hops the first has the price as well: they are not its own time.
    pub(crate) child_raw: Word,
    pub(crate) callees: Word,
    pub(crate) charge: Word,
    /// Ticks of cold paths inside it.
    pub(crate) lost: Word,
}

/// The words [`Frame::what`] and [`Frame::how`].
pub(crate) mod frame {
    /// In `what`: it is a node's address.
    pub(crate) const NODE: u64 = 1;
    /// In `what`, of a site's address: stamps or hops are charged to the activation, so that its end is
    /// not a leaf's, whose sums are zero.
    pub(crate) const CHARGED: u64 = 2;

    /// The address in `what`.
    #[inline(always)]
    pub(crate) fn address(what: u64) -> u64 {
        what & !(NODE | CHARGED)
    }

    /// In `how`: a frame that may be used. The one behind a row's last has not got it, nor have
    /// frames that a fork has wiped, nor the one that a thread at work shows.
    pub(crate) const READY: u64 = 1;
    /// In `how`: the site was open already.
    pub(crate) const INNER: u64 = 2;
    /// In `how`: a future's first poll, whose call no slot knows of yet.
    pub(crate) const FIRST: u64 = 4;
    /// In `how`: the poll that it was opened in has ended without it. It is on nobody's path, and may
    /// not be used until its guard has closed it.
    pub(crate) const STRANDED: u64 = 8;
    /// The flags in `how`: the address is a multiple of 64.
    pub(crate) const FLAGS: u64 = 63;
}

/// The last activation that ended in a lane, whose reading is still to be added.
///
/// Adding takes a chain of some 25 cycles behind the second fence, all of them paid for; in the
/// next end's shadow it is free. Readers add what is here to what they have read.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Pending {
    /// The second reading; 0 when nothing is pending.
    pub(crate) end: Word,
    /// The first one, and the ticks of cold paths inside.
    pub(crate) base: Word,
    /// What the probes inside took.
    pub(crate) charge: Word,
    /// Address of the node's `Sums`.
    pub(crate) sums: Word,
    /// Address of the slot.
    pub(crate) slot: Word,
    /// Address of the caller's frame.
    pub(crate) parent: Word,
    /// Not of this reading: the lane's stamps and ends of hops. (It is a word that is left.)
    pub(crate) halves: Word,
    spare: Word,
}

/// Words of a frame.
pub(crate) const FRAME_WORDS: usize = size_of::<Frame>() / size_of::<Word>();

impl Frame {
    /// A frame that is not ready, for good.
    #[cfg(not(loom))]
    pub(crate) const fn unready() -> Self {
        Self {
            start: Word::new(0),
            what: Word::new(0),
            how: Word::new(0),
            parent: Word::new(0),
            child_raw: Word::new(0),
            callees: Word::new(0),
            charge: Word::new(0),
            lost: Word::new(0),
        }
    }

    /// Clears it for the next activation.
    #[inline(always)]
    pub(crate) fn clear(&self) {
        self.how.set(self.how.get() & !(frame::INNER | frame::FIRST));
        self.child_raw.set(0);
        self.callees.set(0);
        self.charge.set(0);
        self.lost.set(0);
    }
}
