//! Disjoint sets of labels (union-find).

use crate::cost::cost_grid::capacity_bytes;

/// Marks a root; the number added to it is at least the height of its tree.
const ROOT: u32 = 1 << 31;

/// Sets of labels that can only be united: a forest with a tree for each set. Labels count from 1; four bytes per
/// label.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnionFind {
    /// The parent of each label, or [`ROOT`] plus a height. Label 0 does not exist.
    parents: Vec<u32>,
    max_labels: usize,
}

impl UnionFind {
    /// Removes all labels, and allocates memory for `max_labels`.
    pub(crate) fn begin(&mut self, max_labels: usize) {
        self.parents.clear();
        self.parents.reserve(max_labels + 1);
        self.parents.push(ROOT);
        self.max_labels = max_labels;
    }

    /// Allocates memory for `labels`.
    pub(crate) fn reserve(&mut self, labels: usize) {
        self.parents.reserve_exact((labels + 1).saturating_sub(self.parents.len()));
    }

    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.parents)
    }

    /// An exclusive upper bound on the labels.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// How many more labels fit into the memory.
    pub(crate) fn spare(&self) -> usize {
        (self.max_labels + 1).saturating_sub(self.parents.len())
    }

    /// Adds a label, in a new set.
    pub(crate) fn add(&mut self) -> u32 {
        self.parents.push(ROOT);
        self.parents.len() as u32 - 1
    }

    /// The root of the set of `label`; O(log labels), because the shallower of two trees is attached
    /// to the deeper one.
    #[inline]
    pub(crate) fn find(&self, mut label: u32) -> u32 {
        loop {
            let parent = self.parents[label as usize];
            if parent >= ROOT {
                return label;
            }
            label = parent;
        }
    }

    /// Unites the sets of two labels.
    pub(crate) fn union(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        if one == other {
            return;
        }
        let height = |label: u32| self.parents[label as usize];
        let (shallow, deep) = if height(one) < height(other) { (one, other) } else { (other, one) };
        if height(shallow) == height(deep) {
            self.parents[deep as usize] += 1;
        }
        self.parents[shallow as usize] = deep;
    }

    /// Attaches every label directly to its root.
    pub(crate) fn flatten(&mut self) {
        for label in 1..self.parents.len() as u32 {
            let root = self.find(label);
            if root != label {
                self.parents[label as usize] = root;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn united_labels_have_one_root_and_others_another() {
        let mut sets = UnionFind::default();
        sets.begin(100);
        let labels: Vec<_> = (0..100).map(|_| sets.add()).collect();
        assert_eq!(sets.spare(), 0);
        for k in 0..98 {
            sets.union(labels[k], labels[k + 2]);
            sets.union(labels[k + 2], labels[k]);
        }
        for flat in [false, true] {
            for triple in labels.windows(3) {
                assert_eq!(sets.find(triple[0]), sets.find(triple[2]), "{flat}");
                assert_ne!(sets.find(triple[0]), sets.find(triple[1]), "{flat}");
            }
            sets.flatten();
        }
    }
}
