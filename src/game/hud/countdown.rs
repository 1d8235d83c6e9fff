//! Counts down above the volcanoes whose eruption is announced.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::screen::text_size::InterfaceScale;
use crate::game::ui::element::{Element, absolute, bold, boxed, card, spans};
use crate::game::ui::regions::Regions;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, SMALL, Size};
use crate::game::viewport::Viewport;
use crate::game::world::announced::{self, AnnouncedEruption};
use crate::game::world::open_map::OpenMap;

/// The maximum number of volcanoes with a label.
const MAX_LABELS: usize = 4;

/// How far above the middle of its cell a label is, in pixels of the map.
const ABOVE: f32 = 52.0;

/// The room that a label needs, in logical pixels.
const ROOM: Vec2 = Vec2::new(48.0, 26.0);

pub(super) fn plugin(app: &mut App) {
    let layer = app.world_mut().spawn((absolute(), GlobalZIndex(-1), Pickable::IGNORE)).id();
    app.add_systems(Update, countdown.pipe(show_in(layer)).in_set(AppSystems::Show));
}

fn countdown(
    eruption: Res<AnnouncedEruption>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    regions: Res<Regions>,
    scale: InterfaceScale,
) -> Vec<Element> {
    let Some(text) = announced::countdown(&map) else { return Vec::new() };
    let labels = eruption.volcanoes.iter().filter_map(|cell| {
        let (x, y) = map.projection().centre(*cell);
        let at = view.window_point(Vec2::new(x as f32, y as f32 - ABOVE)) / scale.factor() - ROOM / 2.0;
        if !regions.map.contains(at) || !regions.map.contains(at + ROOM) {
            return None;
        }
        let mut label = card(vec![spans(vec![bold(&text, Size::Text, EMBER)])]).pad(SMALL, 2.0);
        label.node.min_width = px(ROOM.x);
        label.node.align_items = AlignItems::Center;
        // It must not block clicks on the map.
        label.paint.covers = false;
        let place = Node { left: px(at.x), top: px(at.y), ..absolute() };
        Some(Element { children: vec![label], ..boxed(place) })
    });
    labels.take(MAX_LABELS).collect()
}
