//! A list, and a table of nodes, in memory that does not come from the allocator.
//!
//! A lane's cold paths may run in a signal handler that has come in the middle of the program's own
//! allocation: asking the allocator then would wait for ever. So what they need grows in mappings,
//! by doubling, and where the system has no more memory, the call at hand goes without.

use super::layout::Node;
use super::memory;
use std::ops::{Deref, DerefMut};
use std::ptr;

/// A growing row of plain values.
#[derive(Debug)]
pub(crate) struct List<T: Copy> {
    at: *mut T,
    len: usize,
    capacity: usize,
}

impl<T: Copy> List<T> {
    pub(crate) const fn new() -> Self {
        Self { at: ptr::null_mut(), len: 0, capacity: 0 }
    }

    /// Adds a value at the end; none, and nothing added, if the system has no memory.
    pub(crate) fn push(&mut self, value: T) -> Option<()> {
        if self.len == self.capacity {
            self.grow()?;
        }
        // SAFETY: `len` is below the capacity.
        unsafe { self.at.add(self.len).write(value) };
        self.len += 1;
        Some(())
    }

    /// Makes it at least `len` long, with `value` in the new places.
    pub(crate) fn lengthen(&mut self, len: usize, value: T) -> Option<()> {
        while self.len < len {
            self.push(value)?;
        }
        Some(())
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    fn grow(&mut self) -> Option<()> {
        let bytes = (self.capacity * size_of::<T>() * 2).max(memory::PAGE_BYTES);
        let fresh = memory::zeroed(bytes)?.cast::<T>();
        if self.capacity > 0 {
            // SAFETY: both hold at least `len` values, and the fresh one is nobody else's; the old
            // one is a mapping of this size, to which nothing points any more.
            unsafe {
                ptr::copy_nonoverlapping(self.at, fresh, self.len);
                memory::give_back(self.at.cast(), self.capacity * size_of::<T>());
            }
        }
        self.at = fresh;
        self.capacity = bytes / size_of::<T>();
        Some(())
    }
}

impl<T: Copy> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: `len` values have been written from `at` on.
        unsafe { std::slice::from_raw_parts(self.at, self.len) }
    }
}

impl<T: Copy> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as for `deref`; the list is borrowed for as long.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.len) }
    }
}

/// Nodes by caller and site: open addressing, at most half full.
#[derive(Debug)]
pub(crate) struct Nodes {
    places: List<Option<Known>>,
    len: usize,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    caller: u64,
    site: u32,
    node: &'static Node,
}

impl Nodes {
    pub(crate) const fn new() -> Self {
        Self { places: List::new(), len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Node> {
        self.places.iter().flatten().map(|known| known.node)
    }

    /// The node of `site` under the node at address `caller`.
    pub(crate) fn get(&self, caller: u64, site: u32) -> Option<&'static Node> {
        let place = self.place(caller, site)?;
        self.places[place].map(|known| known.node)
    }

    /// Adds a node that is not there yet; none if the system has no memory.
    pub(crate) fn insert(&mut self, caller: u64, site: u32, node: &'static Node) -> Option<()> {
        if self.len * 2 >= self.places.len() {
            self.grow()?;
        }
        let place = self.place(caller, site)?;
        self.places[place] = Some(Known { caller, site, node });
        self.len += 1;
        Some(())
    }

    /// Where a node is, or would be; none in a table that has never grown.
    fn place(&self, caller: u64, site: u32) -> Option<usize> {
        let mask = self.places.len().checked_sub(1)?;
        // Addresses are multiples of 64: the multiplication spreads them, its upper half is used.
        let key = (caller ^ u64::from(site)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let first = (key >> 32) as usize;
        (0..=mask).map(|step| (first + step) & mask).find(|place| {
            self.places[*place].is_none_or(|known| known.caller == caller && known.site == site)
        })
    }

    fn grow(&mut self) -> Option<()> {
        let mut fresh = Self::new();
        fresh.places.lengthen((self.places.len() * 2).max(64), None)?;
        for known in self.places.iter().flatten() {
            let place = fresh.place(known.caller, known.site)?;
            fresh.places[place] = Some(*known);
        }
        fresh.len = self.len;
        let old = std::mem::replace(self, fresh);
        old.places.discard();
        Some(())
    }
}

impl<T: Copy> List<T> {
    /// Gives the memory back: lists have no destructor, as lanes have no end.
    fn discard(self) {
        if self.capacity > 0 {
            // SAFETY: a mapping of this size, to which nothing points any more.
            unsafe { memory::give_back(self.at.cast(), self.capacity * size_of::<T>()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Block as _;
    use super::*;

    #[test]
    fn a_list_keeps_what_is_pushed() {
        let mut list = List::new();
        for value in 0..10_000_u64 {
            list.push(value).expect("memory");
        }
        assert!(list.iter().copied().eq(0..10_000));
        list.clear();
        assert!(list.is_empty());
        list.lengthen(3, 7).expect("memory");
        assert_eq!(&list[..], &[7, 7, 7]);
    }

    #[test]
    fn a_table_finds_its_nodes() {
        let node = |of: u64| -> &'static Node {
            let words = memory::words(Node::WORDS).expect("memory");
            // SAFETY: zeroed memory of a node's length, never given back.
            let node: &'static Node = unsafe { &*words.cast::<Node>() };
            crate::sync::Own::set(&node.salt, of);
            node
        };
        let mut nodes = Nodes::new();
        assert!(nodes.get(64, 1).is_none());
        for caller in 0..40 {
            for site in 1..40 {
                nodes
                    .insert(caller * 64, site, node(caller * 1000 + u64::from(site)))
                    .expect("memory");
            }
        }
        assert_eq!(nodes.len(), 40 * 39);
        assert_eq!(nodes.iter().count(), nodes.len());
        for caller in 0..40 {
            for site in 1..40 {
                let found = nodes.get(caller * 64, site).expect("inserted");
                assert_eq!(crate::sync::Own::get(&found.salt), caller * 1000 + u64::from(site));
            }
        }
        assert!(nodes.get(64, 40).is_none());
    }
}
