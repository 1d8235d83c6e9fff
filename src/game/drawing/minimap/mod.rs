//! The minimap: its visibility, and the positions of things on it.

pub mod overview;

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::Hint;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::iso::Projection;

use crate::game::viewport::Viewport;

/// Whether the player wants the minimap.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minimap {
    is_hidden: bool,
}

impl Minimap {
    /// Whether the player wants it.
    pub(in crate::game) fn is_wanted(self) -> bool {
        !self.is_hidden
    }

    /// Whether it is shown: if the player wants it and a part of the map is outside the view.
    pub fn is_shown(self, view: &Viewport, map: Projection) -> bool {
        self.is_wanted() && !view.shows_all(map)
    }
}

/// Converts map points to places on the minimap, from 0,0 at the upper left to 1,1 at the lower right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimapScale(Rect);

impl MinimapScale {
    /// The scale of a minimap that shows this rectangle of map points.
    pub fn new(shown: Rect) -> Self {
        Self(shown)
    }

    /// The place of a map point.
    pub fn place_of(self, map_point: Vec2) -> Vec2 {
        (map_point - self.0.min) / self.0.size()
    }

    /// The map point at a place.
    pub fn map_point(self, place: Vec2) -> Vec2 {
        self.0.min + place * self.0.size()
    }

    /// The rectangle of the view, clipped to the map's picture.
    pub fn frame(self, view: &Viewport) -> Rect {
        let shown = view.visible_rect();
        let clamped = |point: Vec2| self.place_of(point).clamp(Vec2::ZERO, Vec2::ONE);
        Rect::from_corners(clamped(shown.min), clamped(shown.max))
    }
}

/// Adds the parts that need no images.
pub(super) fn rules(app: &mut App) {
    app.init_resource::<Minimap>().add_systems(Update, toggle.in_set(AppSystems::Act));
}

/// Adds the picture of the map.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins(overview::plugin);
}

fn toggle(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    mut minimap: ResMut<Minimap>,
    mut hints: MessageWriter<Hint>,
) {
    for _ in actions.read().filter(|action| **action == Action::ToggleMinimap) {
        if view.shows_all(map.projection()) {
            hints.write(Hint {
                text: "The minimap appears when the window does not show the whole map.".into(),
                holds: |world| world.resource::<Viewport>().shows_all(world.resource::<OpenMap>().projection()),
            });
        } else {
            minimap.is_hidden = !minimap.is_hidden;
        }
    }
}
