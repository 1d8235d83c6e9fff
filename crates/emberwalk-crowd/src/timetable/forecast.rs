//! The announced changes, for the planner that knows the future.

use std::collections::BTreeMap;

use super::Timetable;
use crate::land::Land;
use crate::{Announced, AnnouncedChange};
use emberwalk_path::RouteCost;
use emberwalk_path::ahead::Forecast;
use emberwalk_path::time::{CrowdTime, Pace};

impl Timetable {
    /// Whether something is announced for agents of a kind. O(changes).
    pub(crate) fn has_changes_for(&self, kind: usize) -> bool {
        self.iter().any(|announced| announced.is_for(kind))
    }

    /// The announced changes for agents of a kind, in their pace, on a clock that begins at `since`. `None` if no
    /// forecast can express them: classes that change with a period, for agents that take up several cells, and changes
    /// of one cell with different periods that coincide.
    pub(super) fn forecast(&self, kind: usize, pace: Pace, land: &Land) -> Option<Forecast> {
        let of_classes = land.classes().and_then(|classes| Some((classes, classes.kinds().get(kind)?)));
        let is_large = land.side(kind) > 1;
        let mut forecast = Forecast::new();
        let mut classes = Vec::new();
        for changes in self.by_cells(kind).into_values() {
            let changes = what_counts(&changes)?;
            // A forecast assumes that repeating changes have always repeated. Until the first time, cells keep their
            // current costs.
            let repeats = |announced: &&Announced| announced.period().is_some();
            let is_now = |announced: &Announced| pace.cost_in(announced.at - self.since) == RouteCost::ZERO;
            let mut repeated = changes.iter().map(|&(announced, _)| announced).filter(repeats).peekable();
            if let Some(first) = repeated.peek().copied()
                && !repeated.any(is_now)
            {
                forecast.change(first.cell, RouteCost::ZERO, land.grid(kind).get(first.cell));
            }
            for (announced, ends_opening) in changes {
                let (cell, after) = (announced.cell, announced.at - self.since);
                let cost = match announced.change {
                    AnnouncedChange::Cost(cost) | AnnouncedChange::CostFor(_, cost) => cost,
                    AnnouncedChange::Class(_) if is_large && announced.period().is_some() => return None,
                    AnnouncedChange::Class(class) if is_large => {
                        classes.push((pace.cost_in(after), cell, class));
                        continue;
                    }
                    AnnouncedChange::Class(class) => of_classes.and_then(|(_, kind)| kind.cost(class)),
                };
                let every = announced.period().unwrap_or_default();
                let at = in_pace(pace, after, cost.is_some() || ends_opening);
                forecast.change_every(pace.cost_in(every), cell, at, cost);
            }
        }
        if let Some((all, _)) = of_classes.filter(|_| !classes.is_empty()) {
            forecast.change_classes(all, kind, &classes);
        }
        Some(forecast)
    }

    /// The changes for agents of a kind, by their cells, and for each cell in the order in which they were announced.
    fn by_cells(&self, kind: usize) -> BTreeMap<(i32, i32), Vec<(u64, &Announced)>> {
        let mut cells: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (&(_, number), announced) in self.list.iter().filter(|(_, announced)| announced.is_for(kind)) {
            cells.entry((announced.cell.y, announced.cell.x)).or_default().push((number, announced));
        }
        cells.values_mut().for_each(|changes| changes.sort_unstable_by_key(|&(number, _)| number));
        cells
    }
}

/// A time in a pace, rounded so that nothing opens earlier in the forecast than on the grid, and nothing shuts later.
fn in_pace(pace: Pace, after: CrowdTime, opens: bool) -> RouteCost {
    let at = pace.cost_in(after);
    let is_early = opens && pace.time_of(at) < after;
    RouteCost::from_units(at.units().saturating_add(is_early.into()))
}

/// The changes of one cell that have an effect: of several changes at the same time the one announced last, and whether
/// it blocks what another change opens at that time. `None` if this differs from time to time.
fn what_counts<'a>(changes: &[(u64, &'a Announced)]) -> Option<Vec<(&'a Announced, bool)>> {
    let mut counting = Vec::new();
    for (k, &(_, announced)) in changes.iter().enumerate() {
        let later = || changes[k + 1..].iter().filter(|(_, other)| coincide(announced, other));
        if later().any(|(_, other)| announced.period().is_none() || announced.period() == other.period()) {
            continue;
        }
        if later().any(|(_, other)| other.period().is_some()) {
            return None;
        }
        let is_in_place_of = |other: &Announced| other.period().is_some() && coincide(announced, other);
        let is_once = announced.period().is_none();
        let ends_opening = is_once && changes[..k].iter().any(|(_, other)| is_in_place_of(other));
        counting.push((announced, ends_opening));
    }
    Some(counting)
}

/// Whether two changes of one cell ever coincide.
fn coincide(one: &Announced, other: &Announced) -> bool {
    let [(first, every), (second, other_every)] =
        [one, other].map(|announced| (announced.at.ticks(), announced.period().map_or(0, CrowdTime::ticks)));
    let apart = first.abs_diff(second);
    match (every, other_every) {
        (0, 0) => apart == 0,
        (0, every) => first >= second && apart.is_multiple_of(every),
        (every, 0) => second >= first && apart.is_multiple_of(every),
        (every, other) => apart.is_multiple_of(greatest_common_divisor(every, other)),
    }
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::EntryCost;
    use emberwalk_path::grid::Cell;

    /// Of several changes at the same time, the one announced last counts, even a single change over a daily one.
    #[test]
    fn changes_at_one_time_count_as_they_are_made() {
        let [one, two, three] = [1, 2, 3].map(CrowdTime::from_whole_seconds);
        let gate = Cell::new(1, 1);
        let open = Some(EntryCost::TILE);
        let counting = |changes: &[Announced]| {
            let changes: Vec<_> = (0..).zip(changes).collect();
            what_counts(&changes).map(|counting| counting.iter().map(|&(&change, _)| change).collect::<Vec<_>>())
        };
        let (opens, closes) = (Announced::cost(gate, open, two), Announced::cost(gate, None, two));
        assert_eq!(counting(&[opens, closes]), Some(vec![closes]));
        assert_eq!(counting(&[opens.every(three), closes.every(three)]), Some(vec![closes.every(three)]));
        assert_eq!(counting(&[closes, opens.every(three)]), Some(vec![opens.every(three)]));
        assert_eq!(counting(&[opens.every(three), closes]), Some(vec![opens.every(three), closes]));
        // Every two and every three seconds: both coincide every six seconds.
        assert_eq!(counting(&[opens.every(three), closes.every(two)]), None);
        let later = Announced::cost(gate, None, one).every(two);
        let never_together = opens.every(two);
        assert_eq!(counting(&[later, never_together]), Some(vec![later, never_together]));
    }
}
