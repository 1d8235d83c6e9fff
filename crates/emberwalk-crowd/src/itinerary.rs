//! Routes that are handed to agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

/// A route that a game has planned itself, for [`Crowd::walk`](super::Crowd::walk): its cells, and where the agent waits on it.
/// A copy shares the cells.
///
/// ```
/// use emberwalk_crowd::Itinerary;
/// use emberwalk_path::time::CrowdTime;
/// use emberwalk_path::grid::Cell;
/// let cells = [0, 1, 2].map(|x| Cell::new(x, 0));
/// let itinerary = Itinerary::new(cells).with_waits([(1, CrowdTime::SECOND)]);
/// assert_eq!(itinerary.ahead(), cells);
/// assert_eq!(itinerary.waits_ahead().collect::<Vec<_>>(), [(1, CrowdTime::SECOND)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Itinerary {
    cells: Arc<[Cell]>,
    /// The cells where the agent waits, by their index, and until when.
    waits: BTreeMap<usize, CrowdTime>,
    /// The index of the cell where it stands, or which it enters.
    index: usize,
}

impl Itinerary {
    /// A route of these cells. The first is the cell where the agent stands or which it enters. Each step leads to a
    /// neighbour, or along a link.
    pub fn new(cells: impl Into<Arc<[Cell]>>) -> Self {
        Self { cells: cells.into(), ..Self::default() }
    }

    /// The same route with waits: the indices of cells [ahead](Self::ahead), and the times of the crowd before which the agent
    /// does not leave them.
    #[must_use]
    pub fn with_waits(self, waits: impl IntoIterator<Item = (usize, CrowdTime)>) -> Self {
        let waits = waits.into_iter().map(|(at, until)| (self.index + at, until)).collect();
        Self { waits, ..self }
    }

    /// The rest of the cells, from the cell where the agent stands or which it enters.
    pub fn ahead(&self) -> &[Cell] {
        self.cells.get(self.index..).unwrap_or_default()
    }

    /// The waits, by the index of the cell [ahead](Self::ahead). The first one may be where the agent stands, and may be over.
    pub fn waits_ahead(&self) -> impl Iterator<Item = (usize, CrowdTime)> {
        self.waits.range(self.index..).map(|(at, &until)| (at - self.index, until))
    }

    /// Until when the agent waits in a cell [ahead](Self::ahead).
    pub(crate) fn wait_at(&self, at: usize) -> Option<CrowdTime> {
        self.waits.get(&(self.index + at)).copied()
    }

    /// Notes that the agent enters the next cell.
    pub(crate) fn go_on(&mut self) {
        self.index += 1;
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Itinerary {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.ahead(), self.waits_ahead().collect::<Vec<_>>()).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Itinerary {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (cells, waits) = <(Vec<Cell>, Vec<(usize, CrowdTime)>)>::deserialize(deserializer)?;
        Ok(Self::new(cells).with_waits(waits))
    }
}
