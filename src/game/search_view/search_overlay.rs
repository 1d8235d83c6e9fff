//! Shows the search on the map, as it was at the position that has been played.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::overlay::SearchOverlay;

use super::overlay_cells::OverlayCells;
use super::recorded_search::SearchView;

/// What the overlay shows.
#[derive(Resource, Default)]
struct Shown {
    /// The position; `None` if another overlay, another search or none is shown.
    position: Option<usize>,
    expanded: Option<Cell>,
    /// The search, by its number.
    generation: u64,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_systems(OnExit(SearchPage::Open), |mut shown: ResMut<Shown>| *shown = Shown::default())
        .add_systems(
            Update,
            show.run_if(in_state(SearchPage::Open).and_then(resource_changed::<SearchView>))
                .after(AppSystems::Walk)
                .before(AppSystems::Show),
        );
}

/// Updates the cells whose state is different from before.
fn show(view: Res<SearchView>, map: Res<OpenMap>, mut shown: ResMut<Shown>, mut cells: ResMut<OverlayCells>) {
    let Some(search) = view.search() else {
        if cells.is_shown() {
            cells.hide();
        }
        shown.position = None;
        return;
    };
    let (recording, position) = (&search.recording, view.position());
    let generation = view.generation();
    let overlay = SearchOverlay::new(recording, position);
    let expanded = overlay.expanded();
    match shown.position.filter(|_| shown.generation == generation && cells.size() == map.size()) {
        Some(before) if before == position => {}
        Some(before) => {
            let played = before.min(position)..before.max(position);
            let changed = played.filter_map(|event| recording.cell_of_event(event));
            cells.update(changed.chain(shown.expanded).chain(expanded), &overlay);
        }
        None => cells.show(map.size(), &overlay),
    }
    *shown = Shown { position: Some(position), expanded, generation };
}
