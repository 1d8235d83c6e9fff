//! The numbers of an overlay on the cell under the pointer and on the cell of the current step, in readable size, where
//! numbers do not fit on the cells.

use bevy::prelude::*;

use crate::game::action::half::Half;
use crate::game::drawing::marks::overlay_layer::{CellNumbers, LABEL_ZOOM};
use crate::game::screen::mode::Screen;
use crate::game::screen::text_size::InterfaceScale;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::ui::element::{Element, bold, boxed, card, column, spans};
use crate::game::ui::regions::Regions;
use crate::game::ui::theme::{F, G, H, Size, TEXT, TIGHT};
use crate::game::viewport::{Viewport, cell_point};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_path::grid::Cell;
use emberwalk_picture::overlay::{Label, short_number};

/// The size of the numbers with their frame, in logical pixels.
const ROOM: Vec2 = Vec2::new(96.0, 44.0);

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn cell_numbers(
    screen: Res<Screen>,
    inspected: Res<InspectedCell>,
    search: Res<SearchView>,
    overlays: Res<Overlays>,
    numbers: Res<CellNumbers>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    regions: Res<Regions>,
    scale: InterfaceScale,
) -> Vec<Element> {
    if screen.is_race() || view.zoom() < LABEL_ZOOM {
        return Vec::new();
    }
    let mut cells: Vec<Cell> = search.step_cell().into_iter().chain(inspected.0).collect();
    cells.dedup();
    let shown = cells.into_iter().filter_map(|cell| {
        let label = overlays[Half::Left].get(cell)?.label.as_ref()?;
        let point = cell_point(cell, &map);
        if numbers.have_room(label) || !view.visible_rect().contains(point) {
            return None;
        }
        let number = |number: f64, colour| bold(short_number(number), Size::Caption, colour);
        let lines = match *label {
            Label::Search { f, g, h, .. } => {
                let space = bold("  ", Size::Caption, TEXT);
                vec![spans(vec![number(f, F)]), spans(vec![number(g, G), space, number(h, H)])]
            }
            Label::Intervals { g: [first, last], .. } => {
                vec![spans(vec![number(first, G), bold("  ", Size::Caption, TEXT), number(last, G)])]
            }
            Label::Number(alone) => vec![spans(vec![number(alone, TEXT)])],
            Label::Count(count) => vec![spans(vec![bold(count.to_string(), Size::Caption, TEXT)])],
            Label::Steps { steps, .. } => vec![spans(vec![bold(steps.to_string(), Size::Caption, TEXT)])],
        };
        let lines = column(lines).with(|node| node.align_items = AlignItems::Center);
        let at = view.window_point(point) / scale.factor() - regions.map.min;
        let corner = (at - ROOM / 2.0).clamp(Vec2::ZERO, (regions.map.size() - ROOM).max(Vec2::ZERO));
        let mut frame = card(vec![lines]).pad(TIGHT, 2.0);
        // Clicks belong to the map.
        frame.paint.covers = false;
        frame.paint.glides = None;
        Some(Element { children: vec![frame], ..boxed(Node::default()).at(Rect::from_corners(corner, corner + ROOM)) })
    });
    shown.collect()
}
