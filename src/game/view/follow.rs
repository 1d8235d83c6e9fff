//! Follows the traveller when it walks out of the view, until the player moves the view elsewhere.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::action::Action;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;

use crate::game::camera::View;
use crate::game::camera::feet_point;

/// The traveller counts as out of the view if it is closer than this to the edge of the map area, as a fraction of the
/// area's size.
const EDGE: f32 = 0.06;

/// The view moves until the traveller is this far from the edge of the map area, as a fraction of the area's size.
const MARGIN: f32 = 0.2;

/// How fast the view approaches the traveller, as a fraction of the remaining distance per second.
const RATE: f32 = 4.0;

/// Tests of the rules add it too.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            follow_again.in_set(AppSystems::Act),
            glide.run_if(view_follows.and_then(in_state(SearchPage::Closed))).in_set(AppSystems::Show),
        ),
    );
}

fn view_follows(view: Res<View>) -> bool {
    view.follows()
}

/// Follows the traveller again when the player sends it somewhere or asks where it is.
fn follow_again(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    traveller: Single<&Traveller, With<Player>>,
    mut view: ResMut<View>,
) {
    for action in actions.read() {
        match action {
            action if action.begins_journey() => view.set_follows(true),
            Action::FindTraveller if traveller.exists() => {
                view.set_follows(true);
                view.centre_on(feet_point(traveller.feet(), &map));
            }
            _ => {}
        }
    }
}

/// Moves the view a little towards a traveller that has walked out of it. A traveller that waits outside the view is
/// not followed, so that the player can look at something else.
fn glide(
    time: Res<Time>,
    map: Res<OpenMap>,
    traveller: Single<Ref<Traveller>, With<Player>>,
    mut view: ResMut<View>,
    mut is_gliding: Local<bool>,
    mut wakes: MessageWriter<Wake>,
) {
    let projection = map.projection();
    if !(traveller.is_changed() || *is_gliding) || !traveller.exists() || view.shows_all(projection) {
        *is_gliding = false;
        return;
    }
    let margin = if *is_gliding { MARGIN } else { EDGE };
    let (feet, area) = (feet_point(traveller.feet(), &map), view.area().as_vec2());
    let by = if view.distance_into_view(feet, area * margin) == Vec2::ZERO {
        IVec2::ZERO
    } else {
        // The time step is limited, so that a slow frame does not move the map far.
        let part = 1.0 - (-RATE * time.delta_secs().min(0.1)).exp();
        let distance = view.distance_into_view(feet, area * MARGIN);
        // Rounded away from zero, so that the view arrives.
        (distance * part).abs().ceil().copysign(distance).as_ivec2()
    };
    let before = *view;
    if by != IVec2::ZERO {
        view.scroll(by, projection);
    }
    // At the end of the map, the view stops even if the traveller is close to the edge.
    *is_gliding = *view != before;
    if *is_gliding {
        wakes.write(Wake::NextFrame);
    }
}
