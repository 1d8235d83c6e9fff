//! The open list of consistent searches: buckets of keys, for keys that never decrease.

use crate::cost::cost_grid::capacity_bytes;

/// The number of buckets.
const COUNT: usize = 1 << 13;
/// The length of a piece of the pool. Its first number is where the bucket continues, the others are cells.
const PIECE: usize = 16;
/// Where an empty bucket ends: at the end of the first piece, which is not used.
const EMPTY: u32 = PIECE as u32 - 1;

/// A bucket holds the cells of a range of `2^shift` keys, last in, first out. The buckets form a ring that starts at
/// the bucket that is being emptied: a key more than `COUNT - 1` buckets ahead of it goes into the last bucket of the
/// ring, and a key before it goes into it.
///
/// All operations are O(1): one bit for each bucket and one for each word of these bits lead to the next bucket that is
/// not empty. Cells are kept in pieces of one pool, so that the cells of a bucket are next to each other. The piece
/// that was freed last is used first, while it is still in cache.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    /// Where the last cell of each bucket is in the pool.
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty.
    filled: [u64; COUNT / 64],
    /// A bit for each word of `filled` that is not 0.
    words: [u64; COUNT / 64 / 64],
    pool: Vec<u32>,
    /// The first unused piece, and in its first number the next one; 0 if there is none.
    unused: u32,
    shift: u32,
    /// The bucket that is being emptied, counted from key 0.
    current: u64,
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            heads: vec![EMPTY; COUNT],
            filled: [0; COUNT / 64],
            words: [0; COUNT / 64 / 64],
            pool: Vec::new(),
            unused: 0,
            shift: 0,
            current: 0,
        }
    }
}

impl Buckets {
    /// The exponent of the smallest bucket width, from `2^fine` to `2^coarse`, with which the ring holds keys
    /// up to `ahead` above the smallest one; `None` if there is none.
    pub(crate) fn shift_for(ahead: u64, fine: u32, coarse: u32) -> Option<u32> {
        (fine..=coarse).find(|shift| (ahead >> shift) + 2 < COUNT as u64)
    }

    /// Removes all entries, for keys from `first` in buckets of width `2^shift`; allocates memory for `capacity`
    /// entries.
    pub(crate) fn begin(&mut self, first: u64, shift: u32, capacity: usize) {
        for (k, word) in self.filled.iter_mut().enumerate() {
            while *word != 0 {
                self.heads[k * 64 + word.trailing_zeros() as usize] = EMPTY;
                *word &= *word - 1;
            }
        }
        self.words = [0; COUNT / 64 / 64];
        self.pool.clear();
        self.pool.reserve(pool_len(capacity));
        self.pool.resize(PIECE, 0);
        self.unused = 0;
        self.shift = shift;
        self.current = first >> shift;
    }

    /// Allocates memory for that many entries.
    pub(crate) fn reserve(&mut self, entries: usize) {
        self.pool.reserve_exact(pool_len(entries).saturating_sub(self.pool.len()));
    }

    /// How many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.heads) + capacity_bytes(&self.pool)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64, at: u32) {
        let bucket = (key >> self.shift).clamp(self.current, self.current + COUNT as u64 - 1);
        let slot = bucket as usize % COUNT;
        let mut place = self.heads[slot] as usize + 1;
        if place.is_multiple_of(PIECE) {
            place = self.new_piece(slot) + 1;
        }
        self.pool[place] = at;
        self.heads[slot] = place as u32;
    }

    /// Adds a piece to a bucket that has none, or whose last one is full.
    #[inline(never)]
    fn new_piece(&mut self, slot: usize) -> usize {
        self.filled[slot / 64] |= 1 << (slot % 64);
        self.words[slot / 4096] |= 1 << (slot / 64 % 64);
        let mut piece = self.unused as usize;
        if piece == 0 {
            piece = self.pool.len();
            self.pool.resize(piece + PIECE, 0);
        } else {
            self.unused = self.pool[piece];
        }
        self.pool[piece] = self.heads[slot];
        piece
    }

    /// Removes the last cell of the first bucket that is not empty; `None` if all keys of that bucket are `end` or
    /// more.
    #[inline(always)]
    pub(crate) fn pop(&mut self, end: u64) -> Option<u32> {
        let mut slot = self.current as usize % COUNT;
        if self.heads[slot] == EMPTY {
            let next = self.next_after(slot)?;
            self.current += (next.wrapping_sub(slot) % COUNT) as u64;
            slot = next;
        }
        if self.current << self.shift >= end {
            return None;
        }
        let place = self.heads[slot] as usize;
        let at = self.pool[place];
        self.heads[slot] = place as u32 - 1;
        if place % PIECE == 1 {
            self.free_piece(slot, place - 1);
        }
        Some(at)
    }

    /// Removes the last piece of a bucket.
    #[inline(never)]
    fn free_piece(&mut self, slot: usize, piece: usize) {
        self.heads[slot] = std::mem::replace(&mut self.pool[piece], self.unused);
        self.unused = piece as u32;
        if self.heads[slot] == EMPTY {
            self.filled[slot / 64] &= !(1 << (slot % 64));
            if self.filled[slot / 64] == 0 {
                self.words[slot / 4096] &= !(1 << (slot / 64 % 64));
            }
        }
    }

    /// The first bucket after `slot`, around the ring, that is not empty.
    fn next_after(&self, slot: usize) -> Option<usize> {
        let word = slot / 64;
        let rest = self.filled[word] & (!0 << (slot % 64));
        if rest != 0 {
            return Some(word * 64 + rest.trailing_zeros() as usize);
        }
        let (outer, inner) = (word / 64, word % 64);
        let after = if inner == 63 { 0 } else { self.words[outer] & (!0 << (inner + 1)) };
        let others = (1..=self.words.len()).map(|k| (outer + k) % self.words.len()).map(|k| (k, self.words[k]));
        let (outer, bits) = std::iter::once((outer, after)).chain(others).find(|(_, bits)| *bits != 0)?;
        let word = outer * 64 + bits.trailing_zeros() as usize;
        Some(word * 64 + self.filled[word].trailing_zeros() as usize)
    }
}

/// How long the pool is for that many entries at most, if each bucket has a piece that is not full.
fn pool_len(entries: usize) -> usize {
    (entries.div_ceil(PIECE - 1) + entries.min(COUNT) + 1) * PIECE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a plain list of keys, in steps of every size, several times around the ring.
    #[test]
    fn cells_come_out_by_bucket() {
        let mut buckets = Buckets::default();
        for (seed, shift) in [(1u64, 0), (2, 3), (3, 9)] {
            let first = seed << 40;
            buckets.begin(first, shift, 0);
            let mut state = seed;
            let mut random = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % below
            };
            let mut keys = vec![first];
            let mut inside = vec![0u32];
            buckets.push(first, 0);
            let (mut popped, mut last) = (0, 0);
            while let Some(at) = buckets.pop(u64::MAX) {
                let key = keys[at as usize];
                let least = inside.iter().map(|&at| keys[at as usize] >> shift).min();
                assert_eq!(Some(key >> shift), least, "seed {seed}");
                assert!(key >> shift >= last);
                last = key >> shift;
                inside.retain(|&other| other != at);
                popped += 1;
                for _ in 0..if popped < 3000 { random(4) } else { 0 } {
                    let far = [3, 70, 5000, COUNT as u64 - 1][random(4) as usize];
                    let at = keys.len() as u32;
                    keys.push(key + (random(far) << shift));
                    buckets.push(keys[at as usize], at);
                    inside.push(at);
                }
                if inside.is_empty() && popped < 3000 {
                    let at = keys.len() as u32;
                    keys.push(key + 1);
                    buckets.push(key + 1, at);
                    inside.push(at);
                }
            }
            assert!(inside.is_empty() && popped >= 3000);
        }
    }

    #[test]
    fn begin_removes_the_entries_of_the_last_search() {
        let mut buckets = Buckets::default();
        buckets.begin(0, 0, 0);
        for key in [0, 1, 64, 4095, 4096, 8000] {
            buckets.push(key, key as u32);
        }
        assert_eq!(buckets.pop(1), Some(0));
        assert_eq!(buckets.pop(1), None, "1 is not below 1");
        buckets.begin(5, 0, 0);
        assert_eq!(buckets.pop(u64::MAX), None);
    }
}
