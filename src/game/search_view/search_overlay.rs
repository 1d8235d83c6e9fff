//! Shows the searches on the map, as they were at the position that has been played.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::mode::{SearchPage, search_is_open};
use emberwalk_path::grid::Cell;
use emberwalk_picture::overlay::SearchOverlay;

use super::overlay_area::{MAX_CELLS, OverlayArea};
use super::overlay_cells::Overlays;
use super::overlay_choice::OverlayChoice;
use super::recorded_search::SearchView;

/// What the overlay of each half of the window shows.
#[derive(Resource, Default)]
struct Shown([ShownSearch; 2]);

#[derive(Clone, Copy, Default)]
struct ShownSearch {
    /// The position; `None` if another overlay, another search or none is shown.
    position: Option<usize>,
    expanded: Option<Cell>,
    /// The search, by the number of its generation.
    generation: u64,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shown>().add_systems(OnExit(SearchPage::Race), hide_right_half);
    for page in [SearchPage::Open, SearchPage::Race] {
        app.add_systems(OnExit(page), |mut shown: ResMut<Shown>| *shown = Shown::default());
    }
    app.add_systems(
        Update,
        show.run_if(
            search_is_open.and_then(
                resource_changed::<SearchView>
                    .or_eager(resource_changed::<OverlayChoice>)
                    .or_eager(resource_changed::<OverlayArea>),
            ),
        )
        .after(AppSystems::Walk)
        .before(AppSystems::Show),
    );
}

/// Nothing else is shown there.
fn hide_right_half(mut overlays: ResMut<Overlays>) {
    overlays[Half::Right].hide();
}

/// Updates the cells whose state is different from before, unless an overlay of costs is shown in their place.
fn show(
    view: Res<SearchView>,
    choice: Res<OverlayChoice>,
    area: Res<OverlayArea>,
    mut shown: ResMut<Shown>,
    mut overlays: ResMut<Overlays>,
) {
    if *choice != OverlayChoice::None {
        *shown = Shown::default();
        return;
    }
    for half in Half::BOTH {
        let shown = &mut shown.0[half as usize];
        let Some(search) = view.search_on(half) else {
            if overlays[half].is_shown() {
                overlays[half].hide();
            }
            shown.position = None;
            continue;
        };
        let (recording, position) = (&search.recording, view.position_on(half));
        let generation = view.generation();
        let is_same_search = shown.generation == generation && overlays[half].area() == *area;
        let before = shown.position.filter(|_| is_same_search);
        if before == Some(position) {
            continue;
        }
        let overlay = SearchOverlay::new(recording, position);
        let expanded = overlay.expanded();
        let played = before.map(|before| before.min(position)..before.max(position));
        // After a long jump it is faster to look at all squares than at all events.
        match played.filter(|played| played.len() <= MAX_CELLS) {
            Some(played) => {
                let changed = played.filter_map(|event| recording.cell_of_event(event));
                overlays[half].update(changed.chain(shown.expanded).chain(expanded), &overlay);
            }
            None => overlays[half].show(*area, &overlay),
        }
        *shown = ShownSearch { position: Some(position), expanded, generation };
    }
}
