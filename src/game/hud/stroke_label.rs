//! Shows beside the pointer by how much a stroke has changed the cost of the route, and why some or all of its cells
//! cannot be painted.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::mouse::Mouse;
use crate::game::journey::route_change::RouteChange;
use crate::game::painting::ghost::Ghost;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::screen::mode::Screen;
use crate::game::screen::text_size::InterfaceScale;
use crate::game::ui::element::{Element, absolute, bold, boxed, card, column, spans, words};
use crate::game::ui::font::text_width::{fitted_lines, width};
use crate::game::ui::regions::Regions;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, SMALL, Size};
use crate::game::viewport::{Viewport, cell_point};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::{InspectedCell, PointedCell};

use super::signed;

/// How long the change of the cost stays after the stroke.
const SHOWN: Duration = Duration::from_secs(3);

/// The distance from the pointer, in logical pixels.
const DISTANCE: Vec2 = Vec2::new(16.0, 16.0);

/// The padding, and the width and the number of lines of a long reason.
const PADDING: Vec2 = Vec2::new(SMALL, 2.0);
const WIDEST: f32 = 330.0;
const MAX_LINES: usize = 3;

/// The height of a line.
const LINE: f32 = 20.0;

pub(super) fn plugin(app: &mut App) {
    let layer = app.world_mut().spawn((absolute(), GlobalZIndex(5), Pickable::IGNORE)).id();
    app.add_systems(Update, stroke_label.pipe(show_in(layer)).in_set(AppSystems::Show));
}

/// Where the player paints: at the pointer, or at the tile cursor.
#[derive(SystemParam)]
pub(super) struct Hand<'w, 's> {
    screen: Res<'w, Screen>,
    ghost: Res<'w, Ghost>,
    mouse: Res<'w, Mouse>,
    pointed: Res<'w, PointedCell>,
    inspected: Res<'w, InspectedCell>,
    view: Res<'w, Viewport>,
    map: Res<'w, OpenMap>,
    regions: Res<'w, Regions>,
    scale: InterfaceScale<'w, 's>,
}

impl Hand<'_, '_> {
    /// Whether the label tells this reason, so that nobody else has to.
    pub(super) fn tells(&self, reason: &str) -> bool {
        self.ghost.refusal.as_deref() == Some(reason) && self.place().is_some()
    }

    /// The place on the map in logical pixels; `None` while the player does not paint.
    fn place(&self) -> Option<Vec2> {
        let cell = self.inspected.filter(|_| self.pointed.0 != self.inspected.0);
        let at = cell.map(|cell| self.view.window_point(cell_point(cell, &self.map))).or(self.mouse.position());
        let at = at.filter(|_| self.screen.is_painting())? / self.scale.factor();
        self.regions.map.contains(at).then_some(at)
    }
}

fn stroke_label(
    hand: Hand,
    stroke: Res<OngoingStroke>,
    change: Res<RouteChange>,
    time: Res<Time<Real>>,
    mut end: Local<Duration>,
    mut wakes: MessageWriter<Wake>,
) -> Vec<Element> {
    let now = time.elapsed();
    if stroke.is_painting() || change.is_changed() {
        *end = now + SHOWN;
    }
    let Some(at) = hand.place() else { return Vec::new() };
    let Hand { ghost, regions, .. } = &hand;
    let left = end.saturating_sub(now);
    let mut lines = Vec::new();
    let mut widest: f32 = 0.0;
    if let Some(difference) = change.difference().filter(|_| !left.is_zero() && !ghost.is_refused()) {
        wakes.write(Wake::After(left));
        let (text, colour) = signed(difference);
        widest = width(&text, Size::Text, true);
        lines.push(bold(text, Size::Text, colour));
    }
    for line in ghost.refusal.iter().flat_map(|refusal| fitted_lines(refusal, Size::Text, WIDEST, MAX_LINES)) {
        widest = widest.max(width(&line, Size::Text, false));
        lines.push(words(line, Size::Text, EMBER));
    }
    if lines.is_empty() {
        return Vec::new();
    }
    let room = Vec2::new(widest, LINE * lines.len() as f32) + 2.0 * PADDING + 2.0;
    let at = (at + DISTANCE).min(regions.map.max - room).max(regions.map.min);
    let lines = column(lines.into_iter().map(|line| spans(vec![line])).collect()).gap(0.0);
    let mut label = card(vec![lines]).pad(PADDING.x, PADDING.y);
    let place = Node { left: px(at.x), top: px(at.y), ..absolute() };
    // It is beside the pointer, so it must not block clicks on the map.
    label.paint.covers = false;
    vec![Element { children: vec![label], ..boxed(place) }]
}
