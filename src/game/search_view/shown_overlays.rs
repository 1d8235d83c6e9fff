//! Shows the chosen overlay, or the played searches at their current position. During a stroke that raises or lowers
//! cells, the levels take their place.

use bevy::prelude::*;

use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::painting::brush::HeldBrush;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::screen::mode::Screen;
use crate::game::world::open_map::OpenMap;
use crate::traffic_overlay::TrafficOverlay;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::overlay::{CostOverlay, LevelOverlay, SearchOverlay};

use super::costs_to_goal::CostsToGoal;
use super::overlay_area::{MAX_CELLS, OverlayArea};
use super::overlay_cells::Overlays;
use super::recorded_search::SearchView;
use crate::game::action::OverlayChoice;

/// The colour scale of the shown overlay.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayScale {
    /// The kind of the overlay.
    pub shown: OverlayChoice,
    /// Whether the chosen overlay is still being computed.
    pub is_computing: bool,
    /// The costs at the two ends of the scale, in tiles; or the lowest and the highest level or number of entries.
    pub range: (f64, f64),
    /// The difference between two lines of equal cost, in tiles; `None` without lines.
    pub step: Option<f64>,
}

/// The last shown state of the search on a half of the window.
#[derive(Clone, Copy, PartialEq)]
struct ShownSearch {
    /// The search, by the number of its generation.
    generation: u64,
    position: usize,
    expanded: Option<Cell>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OverlayScale>().add_systems(Update, show.after(AppSystems::Walk).before(AppSystems::Show));
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn show(
    chosen: Res<OverlayChoice>,
    (stroke, held): (Res<OngoingStroke>, Res<HeldBrush>),
    map: Res<OpenMap>,
    area: Res<OverlayArea>,
    costs: Res<CostsToGoal>,
    view: Res<SearchView>,
    screen: Res<Screen>,
    mut sampled: Local<CrowdTime>,
    mut searches: Local<[Option<ShownSearch>; 2]>,
    mut before: Local<OverlayChoice>,
    mut scale: ResMut<OverlayScale>,
    mut overlays: ResMut<Overlays>,
) {
    let choice = if stroke.changes_levels(&held) { OverlayChoice::Levels } else { *chosen };
    let is_other = std::mem::replace(&mut *before, choice) != choice;
    if screen.plays_search() && choice == OverlayChoice::None {
        scale.set_if_neq(OverlayScale::default());
        for half in Half::BOTH {
            show_search(&view, half, *area, &mut searches[half as usize], &mut overlays);
        }
        return;
    }
    *searches = [None; 2];
    hide(&mut overlays, Half::Right);
    if choice == OverlayChoice::Traffic {
        let is_outdated = is_other || area.is_changed() || screen.is_changed();
        if let Some(town) = map.town().filter(|town| is_outdated || town.traffic().last_sample() != *sampled) {
            *sampled = town.traffic().last_sample();
            let overlay = TrafficOverlay::new(town);
            overlays[Half::Left].show(*area, &overlay);
            let range = (0.0, f64::from(overlay.most_entries()));
            scale.set_if_neq(OverlayScale { shown: OverlayChoice::Traffic, range, ..default() });
        }
    } else if is_other || map.is_changed() || area.is_changed() || costs.is_changed() || screen.is_changed() {
        show_costs(choice, &map, *area, &costs, &mut scale, &mut overlays);
    }
}

/// Shows the chosen overlay for the current map. Costs to the goal on large maps follow when they are computed.
fn show_costs(
    choice: OverlayChoice,
    map: &OpenMap,
    area: OverlayArea,
    costs: &CostsToGoal,
    scale: &mut ResMut<OverlayScale>,
    overlays: &mut ResMut<Overlays>,
) {
    scale.set_if_neq(match (choice, costs.overlay()) {
        (OverlayChoice::Cost, _) => {
            let overlay = CostOverlay::new(map.costs());
            overlays[Half::Left].show(area, &overlay);
            OverlayScale { shown: choice, range: overlay.range(), ..default() }
        }
        (OverlayChoice::Distance, Some(overlay)) => {
            overlays[Half::Left].show(area, &overlay);
            let range = (0.0, overlay.highest());
            // If only the goal has a cost, there are no lines.
            let step = (overlay.highest() > 0.0).then(|| overlay.step());
            OverlayScale { shown: choice, range, step, is_computing: false }
        }
        (OverlayChoice::Levels, _) => {
            overlays[Half::Left].show(area, &LevelOverlay::new(map));
            OverlayScale { shown: choice, range: (0.0, map.top().into()), ..default() }
        }
        (OverlayChoice::Distance, None) if costs.is_computing() => OverlayScale { is_computing: true, ..**scale },
        (OverlayChoice::None | OverlayChoice::Distance | OverlayChoice::Traffic, _) => {
            hide(overlays, Half::Left);
            OverlayScale::default()
        }
    });
}

/// Updates the cells whose state in the search has changed.
fn show_search(
    view: &SearchView,
    half: Half,
    area: OverlayArea,
    shown: &mut Option<ShownSearch>,
    overlays: &mut ResMut<Overlays>,
) {
    let Some(search) = view.search_on(half) else {
        *shown = None;
        return hide(overlays, half);
    };
    let recording = &search.recording;
    let position = view.position_on(half);
    let generation = view.generation();
    let before = shown.filter(|shown| shown.generation == generation && overlays[half].area() == area);
    if before.is_some_and(|before| before.position == position) {
        return;
    }
    let overlay = SearchOverlay::new(recording, position);
    let expanded = overlay.expanded();
    let played = before.map(|before| before.position.min(position)..before.position.max(position));
    // After a long jump it is faster to look at all squares than at all events.
    match played.filter(|played| played.len() <= MAX_CELLS) {
        Some(played) => {
            let changed = played.filter_map(|event| recording.cell_of_event(event));
            let marked = before.and_then(|before| before.expanded);
            overlays[half].update(changed.chain(marked).chain(expanded), &overlay);
        }
        None => overlays[half].show(area, &overlay),
    }
    *shown = Some(ShownSearch { generation, position, expanded });
}

fn hide(overlays: &mut ResMut<Overlays>, half: Half) {
    if overlays[half].is_shown() {
        overlays[half].hide();
    }
}
