//! Labels that may turn out to mean the same.

use crate::cost::cost_grid::capacity_bytes;

/// Marks a root; what is added to it is the height of its tree, at most.
const ROOT: u32 = 1 << 31;

/// Labels from 1, in sets that only grow: a forest whose roots stand for the sets. Four bytes a label.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnionFind {
    /// The parent of each label, or [`ROOT`] and a height. Label 0 is none.
    parents: Vec<u32>,
    most: usize,
}

impl UnionFind {
    /// Forgets all labels, and makes memory for `most`.
    pub(crate) fn begin(&mut self, most: usize) {
        self.parents.clear();
        self.parents.reserve(most + 1);
        self.parents.push(ROOT);
        self.most = most;
    }

    /// Makes room for `most` labels.
    pub(crate) fn reserve(&mut self, most: usize) {
        self.parents.reserve_exact((most + 1).saturating_sub(self.parents.len()));
    }

    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.parents)
    }

    /// All labels are below this one.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// How many labels more there is memory for.
    pub(crate) fn spare(&self) -> usize {
        (self.most + 1).saturating_sub(self.parents.len())
    }

    /// A new label, in a set of its own.
    pub(crate) fn add(&mut self) -> u32 {
        self.parents.push(ROOT);
        self.parents.len() as u32 - 1
    }

    /// The label that stands for the set; O(log labels) as lower trees are hung under higher ones.
    #[inline]
    pub(crate) fn root(&self, mut label: u32) -> u32 {
        loop {
            let parent = self.parents[label as usize];
            if parent >= ROOT {
                return label;
            }
            label = parent;
        }
    }

    /// Makes two sets one.
    pub(crate) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let height = |label: u32| self.parents[label as usize];
        let (low, high) = if height(one) < height(other) { (one, other) } else { (other, one) };
        if height(low) == height(high) {
            self.parents[high as usize] += 1;
        }
        self.parents[low as usize] = high;
    }

    /// Hangs every label right under its root.
    pub(crate) fn flatten(&mut self) {
        for label in 1..self.parents.len() as u32 {
            let root = self.root(label);
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
    fn joined_labels_have_one_root_and_others_another() {
        let mut same = UnionFind::default();
        same.begin(100);
        let labels: Vec<_> = (0..100).map(|_| same.add()).collect();
        assert_eq!(same.spare(), 0);
        for k in 0..98 {
            same.join(labels[k], labels[k + 2]);
            same.join(labels[k + 2], labels[k]);
        }
        for flat in [false, true] {
            for pair in labels.windows(3) {
                assert_eq!(same.root(pair[0]), same.root(pair[2]), "{flat}");
                assert_ne!(same.root(pair[0]), same.root(pair[1]), "{flat}");
            }
            same.flatten();
        }
    }
}
