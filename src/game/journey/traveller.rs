//! A traveller and where it is: in a cell, or on a step from one to the next.

use bevy::prelude::*;

use emberwalk_path::grid::{Cell, Direction};

/// Where a traveller is. It moves from the middle of a cell to the middle of a neighbour and never jumps, unless the
/// cell in which it stands becomes blocked.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct Traveller {
    /// `None` on a map without a passable cell.
    place: Option<Place>,
    /// The direction in which it looks; `None` before its first step.
    facing: Option<Direction>,
}

/// The traveller that the player sends, and that the camera and the panels show.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(Traveller)]
pub struct Player;

/// Whether a component of the player's traveller has changed since this condition was last asked.
pub(in crate::game) fn player_changed<C: Component>(player: Query<(), (With<Player>, Changed<C>)>) -> bool {
    !player.is_empty()
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    /// The cell in which it stands, or which it is leaving.
    cell: Cell,
    step: Option<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    /// The cell that it is entering.
    into: Cell,
    /// The finished share of the step, 0 to 1.
    done: f64,
    /// Whether it has turned round and goes back to the cell that it left.
    goes_back: bool,
}

impl Traveller {
    /// Creates a traveller that stands in a cell; with `None`, there is no traveller.
    pub fn standing(cell: Option<Cell>) -> Self {
        Self { place: cell.map(|cell| Place { cell, step: None }), facing: None }
    }

    /// The cell from which its route is planned: the one that it is entering, or the one in which it stands.
    pub fn origin(&self) -> Option<Cell> {
        self.place.map(|place| place.step.map_or(place.cell, |step| step.into))
    }

    /// The cell in which it stands; `None` during a step.
    pub fn standing_cell(&self) -> Option<Cell> {
        self.place.filter(|place| place.step.is_none()).map(|place| place.cell)
    }

    /// The cell that it is leaving, and the finished share of the step into [`origin`](Self::origin), 0 to 1.
    pub fn leaving(&self) -> Option<(Cell, f64)> {
        let place = self.place?;
        place.step.map(|step| (place.cell, step.done))
    }

    /// Whether there is a traveller at all.
    pub fn exists(&self) -> bool {
        self.place.is_some()
    }

    /// The position of its feet in columns and rows; `(0, 0)` without a traveller.
    pub fn feet(&self) -> (f64, f64) {
        let Some(place) = self.place else { return (0.0, 0.0) };
        let x = f64::from(place.cell.x);
        let y = f64::from(place.cell.y);
        let Some(step) = place.step else { return (x, y) };
        let (dx, dy) = step.into - place.cell;
        (x + f64::from(dx) * step.done, y + f64::from(dy) * step.done)
    }

    /// The direction in which it looks: the direction of its last step, or south-west, towards the player, before the
    /// first.
    pub fn facing(&self) -> Direction {
        self.facing.unwrap_or(Direction::SW)
    }

    /// Whether it is between two cells.
    pub(in crate::game) fn is_walking(&self) -> bool {
        self.place.is_some_and(|place| place.step.is_some())
    }

    /// Whether it has turned round in the middle of a step, and goes back.
    pub(super) fn goes_back(&self) -> bool {
        self.place.and_then(|place| place.step).is_some_and(|step| step.goes_back)
    }

    /// Starts a step into a neighbour of the cell in which it stands.
    pub(super) fn enter(&mut self, into: Cell) {
        if let Some(place) = &mut self.place
            && place.step.is_none()
        {
            self.facing = Direction::from_offset(into - place.cell);
            place.step = Some(Step { into, done: 0.0, goes_back: false });
        }
    }

    /// Continues the step for some seconds; `duration` gives the time of a whole step from one cell into another.
    /// Returns the seconds that are left when the step ends, `None` while it continues.
    pub(super) fn walk(&mut self, seconds: f64, duration: impl Fn(Cell, Cell) -> f64) -> Option<f64> {
        let place = self.place.as_mut()?;
        let Some(step) = &mut place.step else { return Some(seconds) };
        let whole = duration(place.cell, step.into).max(1e-3);
        step.done += seconds / whole;
        if step.done < 1.0 {
            return None;
        }
        let left = (step.done - 1.0) * whole;
        *place = Place { cell: step.into, step: None };
        Some(left)
    }

    /// Turns round in the middle of a step and goes back to the cell that it left.
    pub(super) fn turn_back(&mut self) {
        if let Some(place) = &mut self.place
            && let Some(step) = place.step
        {
            self.facing = Direction::from_offset(place.cell - step.into);
            let back = Step { into: place.cell, done: 1.0 - step.done, goes_back: !step.goes_back };
            *place = Place { cell: step.into, step: Some(back) };
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreStartup, spawn_player);
}

fn spawn_player(mut commands: Commands) {
    commands.spawn(Player);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_back_does_not_move_the_feet() {
        let mut traveller = Traveller::standing(Some(Cell::new(3, 3)));
        traveller.enter(Cell::new(4, 4));
        assert_eq!(traveller.walk(0.25, |_, _| 1.0), None);
        let feet = traveller.feet();
        traveller.turn_back();
        assert_eq!(traveller.feet(), feet);
        assert_eq!(traveller.origin(), Some(Cell::new(3, 3)));
        assert_eq!(traveller.facing(), Direction::NW);
        assert_eq!(traveller.walk(0.5, |_, _| 1.0), Some(0.25));
        assert_eq!(traveller.standing_cell(), Some(Cell::new(3, 3)));
    }
}
