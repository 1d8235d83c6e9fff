//! Undo and redo: the versions of a map.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::map::{Edges, MapContent};

/// The maximum memory for all versions together, in bytes.
const MAX_BYTES: usize = 96 << 20;

/// The versions of a map, from which follow what can be undone and redone, and whether there are unsaved changes.
///
/// Every change that users regard as an edit makes a version. Temporary changes, such as eruptions, make none and must
/// not be in a version.
///
/// A version shares the memory of unchanged blocks of cells with the previous version. So a brush stroke takes some ten
/// kilobytes, and a fill at most two bytes per cell of the map. As many versions are kept as fit into 96 MiB, and at
/// least the last two.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::editing::{History, Step};
/// use emberwalk_map::terrain::Tileset;
/// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
/// let mut history = History::new(map.content().clone());
/// let before = map.content().clone();
/// map.set_overlay((4, 5).into(), map.tileset().find('W'))?;
/// assert!(history.record(map.content()) && history.is_unsaved());
/// let (version, _) = history.neighbour(Step::Undo).unwrap();
/// assert!(version.is_same(&before));
/// map.change_to(version)?;
/// history.go(Step::Undo, before);
/// assert!(!history.is_unsaved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    /// All versions, the oldest first; there is at least one.
    versions: VecDeque<Version>,
    /// The index of the current version.
    current: usize,
    /// The id of the saved version; `None` if the map was never saved.
    saved: Option<u64>,
    /// The latest id in use.
    last_id: u64,
    /// Whether a stroke has begun whose version is not recorded yet.
    is_stroke_open: bool,
    /// The maximum memory of all versions except the oldest.
    max_bytes: usize,
}

/// A step in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the previous version.
    Undo,
    /// To the next version.
    Redo,
}

/// A version of a map.
#[derive(Clone, Debug)]
struct Version {
    id: u64,
    content: Arc<MapContent>,
    /// How many strokes led to it from the previous version, and what they added at the edges of the map.
    strokes: usize,
    added: Edges,
    /// The memory that it does not share with the previous version.
    bytes: usize,
}

impl History {
    /// Creates the history of a saved map.
    pub fn new(content: MapContent) -> Self {
        let version = Version { id: 0, content: Arc::new(content), strokes: 0, added: Edges::default(), bytes: 0 };
        Self {
            versions: VecDeque::from([version]),
            current: 0,
            saved: Some(0),
            last_id: 0,
            is_stroke_open: false,
            max_bytes: MAX_BYTES,
        }
    }

    /// Creates the history of a map that was never saved.
    pub fn never_saved(content: MapContent) -> Self {
        Self { saved: None, ..Self::new(content) }
    }

    /// The same history with another maximum for its memory, in bytes.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// Marks the map as changed by a stroke that may continue until it is [recorded](Self::record).
    pub fn open_stroke(&mut self) {
        self.is_stroke_open = true;
    }

    /// Whether a stroke is open.
    pub fn is_stroke_open(&self) -> bool {
        self.is_stroke_open
    }

    /// If `content` differs from the current version, makes it the current one and drops the versions that could be
    /// redone. Returns whether it differs.
    pub fn record(&mut self, content: &MapContent) -> bool {
        self.record_change(content, 1, Edges::default())
    }

    /// Like [`record`](Self::record), for several strokes that are undone together, or for a resized map.
    pub fn record_change(&mut self, content: &MapContent, strokes: usize, added: Edges) -> bool {
        self.is_stroke_open = false;
        if added == Edges::default() && content.is_same(self.content()) {
            return false;
        }
        let mut content = content.clone();
        content.share_blocks_with(self.content());
        let bytes = size_of::<Version>() + content.bytes_beside(self.content());
        self.versions.truncate(self.current + 1);
        self.last_id += 1;
        self.versions.push_back(Version { id: self.last_id, content: Arc::new(content), strokes, added, bytes });
        self.current += 1;
        while self.bytes() > self.max_bytes && self.current > 1 {
            self.versions.pop_front();
            self.current -= 1;
        }
        true
    }

    /// Replaces the content of the current version: the same map with another tileset.
    pub fn replace_current(&mut self, content: MapContent) {
        self.versions[self.current].content = Arc::new(content);
    }

    /// The version that a step leads to, and what the step adds at the edges of the map; `None` if there is none.
    pub fn neighbour(&self, step: Step) -> Option<(&Arc<MapContent>, Edges)> {
        match step {
            Step::Undo => {
                let before = self.versions.get(self.current.checked_sub(1)?)?;
                Some((&before.content, self.versions[self.current].added.reversed()))
            }
            Step::Redo => {
                let after = self.versions.get(self.current + 1)?;
                Some((&after.content, after.added))
            }
        }
    }

    /// Takes a step, if possible. `content` is the content of the version that the step leads to, perhaps with another
    /// tileset.
    pub fn go(&mut self, step: Step, content: MapContent) {
        self.current = match step {
            Step::Undo => self.current.saturating_sub(1),
            Step::Redo => (self.current + 1).min(self.versions.len() - 1),
        };
        self.replace_current(content);
    }

    /// Whether something can be undone.
    pub fn can_undo(&self) -> bool {
        self.current > 0 || self.is_stroke_open
    }

    /// Whether something can be redone.
    pub fn can_redo(&self) -> bool {
        self.current + 1 < self.versions.len() && !self.is_stroke_open
    }

    /// The number of versions that can be undone, excluding an open stroke.
    pub fn len(&self) -> usize {
        self.current
    }

    /// Whether no version can be undone.
    pub fn is_empty(&self) -> bool {
        self.current == 0
    }

    /// Marks the current version as saved.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.state());
    }

    /// Copies the saved version from another history with the same versions.
    pub fn mark_saved_as_in(&mut self, other: &Self) {
        self.saved = other.saved;
    }

    /// Whether there are unsaved changes: the current version is not the saved one, or the map was never saved.
    pub fn is_unsaved(&self) -> bool {
        self.strokes_to_save().is_some() || self.is_stroke_open
    }

    /// The number of strokes between the saved version and the current one; `None` if the current version is saved. If
    /// the saved version was dropped, this is the number of strokes that can be undone, at least 1. It is 0 only if the
    /// map was never saved.
    pub fn strokes_to_save(&self) -> Option<usize> {
        if self.saved == Some(self.state()) {
            return None;
        }
        let saved = self.saved_index().unwrap_or(0);
        let between = self.versions.range(saved.min(self.current) + 1..=saved.max(self.current));
        let strokes: usize = between.map(|version| version.strokes).sum();
        Some(strokes.max(usize::from(self.saved.is_some())))
    }

    /// The saved version, if there is one and it was not dropped.
    pub fn saved_content(&self) -> Option<&MapContent> {
        self.saved_index().map(|index| &*self.versions[index].content)
    }

    fn saved_index(&self) -> Option<usize> {
        self.versions.iter().position(|version| Some(version.id) == self.saved)
    }

    /// The content of the current version: the map without an open stroke.
    pub fn content(&self) -> &Arc<MapContent> {
        &self.versions[self.current].content
    }

    /// The memory of all versions except the oldest, in bytes.
    pub fn bytes(&self) -> usize {
        self.versions.iter().skip(1).map(|version| version.bytes).sum()
    }

    /// The id of the current version, which is unique in this history.
    pub fn state(&self) -> u64 {
        self.versions[self.current].id
    }
}
