//! Undo and redo: the versions of a map.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::map::{Edges, MapContent};

/// The maximum memory for all versions together, in bytes.
const MAX_BYTES: usize = 96 << 20;

/// The versions of a map: they decide what can be undone and redone, and whether the map has unsaved changes.
///
/// Everything that changes the map as a user understands it makes a version. Changes that belong to the moment, such as
/// eruptions, do not: they must not be in a version.
///
/// A version shares the memory of each block of cells with the version before it if the block is the same in both. So a
/// stroke of a brush takes some ten kilobytes, and a fill two bytes per cell of the map or less. As many versions are
/// kept as fit into 96 MiB, and at least the last two.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::editing::{History, Step};
/// use emberwalk_map::terrain::Tileset;
/// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
/// let (mut history, before) = (History::new(map.content().clone()), map.content().clone());
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
    /// The index of the current one.
    current: usize,
    /// The id of the version that is saved; `None` if the map was never saved.
    saved: Option<u64>,
    /// The latest id that is in use.
    last_id: u64,
    /// Whether a stroke has begun whose version is not recorded yet.
    is_stroke_open: bool,
    /// The maximum for the memory of all versions but the oldest.
    max_bytes: usize,
}

/// A step in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the version before.
    Undo,
    /// To the version after.
    Redo,
}

/// A version of a map.
#[derive(Clone, Debug)]
struct Version {
    id: u64,
    content: Arc<MapContent>,
    /// How many strokes lead to it from the version before, and what they have added at the edges of the map.
    strokes: usize,
    added: Edges,
    /// The memory that it does not share with the version before.
    bytes: usize,
}

impl History {
    /// The history of a map that is saved.
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

    /// The history of a map that was never saved.
    pub fn never_saved(content: MapContent) -> Self {
        Self { saved: None, ..Self::new(content) }
    }

    /// The same history with another maximum for its memory, in bytes.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// Notes that the map has changed, and that more may follow before the change is [recorded](Self::record).
    pub fn open_stroke(&mut self) {
        self.is_stroke_open = true;
    }

    /// Whether a stroke is open.
    pub fn is_stroke_open(&self) -> bool {
        self.is_stroke_open
    }

    /// Makes `content` the current version if it differs from that; returns whether it does. What was undone can then no
    /// longer be redone.
    pub fn record(&mut self, content: &MapContent) -> bool {
        self.record_change(content, 1, Edges::default())
    }

    /// Like [`record`](Self::record), for several strokes that are undone together, or for a change of the size.
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

    /// The version to which a step leads, and what it adds at the edges of the map; `None` if there is none.
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

    /// Makes the version to which a step leads the current one, if there is one. `content` is the content of that
    /// version, perhaps with another tileset.
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

    /// The number of versions that can be undone, without a stroke that is open.
    pub fn len(&self) -> usize {
        self.current
    }

    /// Whether no version can be undone.
    pub fn is_empty(&self) -> bool {
        self.current == 0
    }

    /// Notes that the current version is saved.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.state());
    }

    /// Copies the saved version from another history with the same versions.
    pub fn mark_saved_as_in(&mut self, other: &Self) {
        self.saved = other.saved;
    }

    /// Whether the map differs from the saved one: the current version is another one, or the map was never saved.
    pub fn is_unsaved(&self) -> bool {
        self.strokes_to_save().is_some() || self.is_stroke_open
    }

    /// The number of strokes between the saved version and the current one; `None` if that is the saved one. If there is
    /// no saved version any more, these are the strokes that can be undone, and at least one. The number is 0 only if the
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

    /// The current version: the map as it is, but for a stroke that is open.
    pub fn content(&self) -> &Arc<MapContent> {
        &self.versions[self.current].content
    }

    /// The memory of all versions but the oldest, in bytes.
    pub fn bytes(&self) -> usize {
        self.versions.iter().skip(1).map(|version| version.bytes).sum()
    }

    /// The number of the current version. Two versions of one history have different numbers.
    pub fn state(&self) -> u64 {
        self.versions[self.current].id
    }
}
