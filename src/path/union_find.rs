//! Labels that may turn out to mean the same.

/// Labels from 1, in sets that only grow: a forest whose roots stand for the sets.
#[derive(Clone, Debug, Default)]
pub(super) struct UnionFind {
    /// The parent of each label; a root is its own. Label 0 is none.
    parents: Vec<u32>,
    /// The height of the tree under a root, at most.
    ranks: Vec<u8>,
}

impl UnionFind {
    /// How many labels there are, and one.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Forgets all labels.
    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.ranks.clear();
        self.parents.push(0);
        self.ranks.push(0);
    }

    /// A new label, in a set of its own.
    pub(super) fn add(&mut self) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        self.ranks.push(0);
        label
    }

    /// The label that stands for the set; O(log labels) as lower trees are hung under higher ones.
    pub(super) fn root(&self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            label = self.parents[label as usize];
        }
        label
    }

    /// Makes two sets one.
    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let (low, high) =
            if self.ranks[one as usize] < self.ranks[other as usize] { (one, other) } else { (other, one) };
        self.parents[low as usize] = high;
        if self.ranks[low as usize] == self.ranks[high as usize] {
            self.ranks[high as usize] += 1;
        }
    }

    /// Hangs every label right under its root.
    pub(super) fn flatten(&mut self) {
        for label in 0..self.parents.len() as u32 {
            self.parents[label as usize] = self.root(label);
        }
    }
}
