//! The player's traveller, and where it is.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use emberwalk_path::grid::{Cell, Direction};
use emberwalk_picture::scene::feet;

/// The traveller that the player sends, and that the camera and the panels show.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(TravellerPlace, TravellerState)]
pub struct Player;

/// Where the player's traveller is in the world.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct TravellerPlace {
    /// The cell that it is entering, or in which it stands.
    pub(super) entered: Cell,
    /// The cell that it is leaving, and the finished share of the step, 0 to 1; `None` while it stands.
    pub(super) leaving: Option<(Cell, f64)>,
    /// The direction of its last step; `None` before the first.
    pub(super) facing: Option<Direction>,
}

/// The activity of the player's traveller.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TravellerState {
    /// There is no traveller: no cell of the map is passable.
    #[default]
    Missing,
    /// It stands, and has not arrived.
    Standing,
    /// It takes a step, or is about to.
    Walking,
    /// It stands at the end of its route.
    Arrived,
}

/// Whether a component of the player's traveller has changed since this condition was last asked.
pub(in crate::game) fn player_changed<C: Component>(player: Query<(), (With<Player>, Changed<C>)>) -> bool {
    !player.is_empty()
}

/// Where a traveller is.
#[derive(QueryData)]
#[query_data(derive(Clone, Copy, Debug))]
pub struct Traveller {
    pub(super) place: &'static TravellerPlace,
    pub(super) state: &'static TravellerState,
}

impl TravellerItem<'_, '_> {
    /// Its place; `None` on a map without a passable cell.
    fn place(&self) -> Option<&TravellerPlace> {
        Some(self.place).filter(|_| self.exists())
    }

    /// Whether there is a traveller at all.
    pub fn exists(&self) -> bool {
        *self.state != TravellerState::Missing
    }

    /// The cell from which its route is planned: the cell that it enters or stands in.
    pub fn origin(&self) -> Option<Cell> {
        self.place().map(|place| place.entered)
    }

    /// The cell in which it stands; `None` during a step.
    pub fn standing_cell(&self) -> Option<Cell> {
        self.origin().filter(|_| !self.is_walking())
    }

    /// The cell that it is leaving, and the finished share of the step into [`origin`](Self::origin), 0 to 1.
    pub fn leaving(&self) -> Option<(Cell, f64)> {
        self.place()?.leaving
    }

    /// Whether it is between two cells.
    pub(in crate::game) fn is_walking(&self) -> bool {
        self.leaving().is_some()
    }

    /// Whether it stands at the end of its route.
    pub fn has_arrived(&self) -> bool {
        *self.state == TravellerState::Arrived
    }

    /// The position of its feet in columns and rows; `(0, 0)` without a traveller.
    pub fn feet(&self) -> (f64, f64) {
        self.origin().map_or((0.0, 0.0), |cell| feet(cell, self.leaving()))
    }

    /// The direction in which it looks: the direction of its last step, or south-west, towards the player, before the
    /// first.
    pub fn facing(&self) -> Direction {
        self.place.facing.unwrap_or(Direction::SW)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreStartup, spawn_player);
}

fn spawn_player(mut commands: Commands) {
    commands.spawn(Player);
}
