//! Shows the overlay of the entry costs, that of the costs to the goal, or that of the levels.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::overlay::{CostOverlay, LevelOverlay};

use super::costs_to_goal::CostsToGoal;
use super::overlay_area::OverlayArea;
use super::overlay_cells::Overlays;
use super::overlay_choice::OverlayChoice;

/// The colour scale of the overlay that is shown.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayScale {
    /// Which overlay that is.
    pub shown: OverlayChoice,
    /// Whether the one that is chosen is still computed.
    pub is_computing: bool,
    /// The costs at the two ends of the scale, in tiles; or the lowest and the highest level.
    pub range: (f64, f64),
    /// The difference between two lines of equal cost, in tiles; `None` without lines.
    pub step: Option<f64>,
}

pub(super) fn plugin(app: &mut App) {
    let inputs_changed = resource_changed::<OverlayChoice>
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(resource_changed::<CostsToGoal>)
        .or_eager(resource_changed::<OverlayArea>)
        .or_eager(state_changed::<SearchPage>);
    app.init_resource::<OverlayScale>().add_systems(
        Update,
        show.run_if(inputs_changed).run_if(not(in_state(SearchPage::Race))).in_set(AppSystems::Walk),
    );
}

/// Shows the overlay that is chosen, as the map is now. Costs to the goal on large maps follow when they are computed.
fn show(
    choice: Res<OverlayChoice>,
    map: Res<OpenMap>,
    area: Res<OverlayArea>,
    costs: Res<CostsToGoal>,
    page: Res<State<SearchPage>>,
    mut scale: ResMut<OverlayScale>,
    mut overlays: ResMut<Overlays>,
) {
    match (*choice, costs.overlay()) {
        (OverlayChoice::Cost, _) => {
            let overlay = CostOverlay::new(map.costs());
            overlays[Half::Left].show(*area, &overlay);
            scale.set_if_neq(OverlayScale { shown: *choice, range: overlay.range(), ..default() });
        }
        (OverlayChoice::Distance, Some(overlay)) => {
            overlays[Half::Left].show(*area, &overlay);
            let range = (0.0, overlay.highest());
            // Where only the goal has a cost, there is nothing between which a line would be.
            let step = (overlay.highest() > 0.0).then(|| overlay.step());
            scale.set_if_neq(OverlayScale { shown: *choice, range, step, is_computing: false });
        }
        (OverlayChoice::Levels, _) => {
            overlays[Half::Left].show(*area, &LevelOverlay::new(&map));
            scale.set_if_neq(OverlayScale { shown: *choice, range: (0.0, map.top().into()), ..default() });
        }
        (OverlayChoice::Distance, None) if costs.is_computing() => {
            let computing = OverlayScale { is_computing: true, ..*scale };
            scale.set_if_neq(computing);
        }
        // The search view shows its search.
        (OverlayChoice::None, _) if *page.get() == SearchPage::Open => drop(scale.set_if_neq(OverlayScale::default())),
        (OverlayChoice::None | OverlayChoice::Distance, _) => {
            scale.set_if_neq(OverlayScale::default());
            if overlays[Half::Left].is_shown() {
                overlays[Half::Left].hide();
            }
        }
    }
}
