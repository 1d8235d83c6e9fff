//! Follows the traveller when it comes near to the edge of the clear part of the view, beside the cards, until the
//! player moves the view elsewhere; in the search view, follows the steps that the player takes.

use bevy::prelude::*;

use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::{Player, Traveller, TravellerPlace};
use crate::game::people::selected::SelectedPeople;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::recorded_search::SearchView;
use crate::game::world::open_map::OpenMap;

use crate::game::viewport::layout::ClearPart;
use crate::game::viewport::{Viewport, cell_point, feet_point, figure_point};

/// A point counts as out of the view if it is closer than this to the edge of the part of the map area that is clear of cards,
/// as a fraction of the part's size.
const EDGE: f32 = 0.06;

/// The view moves until the point is this far from the edge of the part, as a fraction of its size.
const MARGIN: f32 = 0.2;

/// How high the traveller and the image at the end of its route are, in pixels of the map.
const HEIGHT: f32 = 40.0;

/// How much of the route ahead of the traveller is kept in the view, as a fraction of the size of the part.
const AHEAD: f32 = 0.25;

/// How fast the view approaches the point, as a fraction of the remaining distance per second.
const RATE: f32 = 6.0;

/// The longest time between two frames that counts, in seconds: longer than slow machines need for a frame, in which the
/// traveller walks on, too.
const LONGEST_FRAME: f32 = 0.25;

/// Tests of the rules add it too.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            follow_again.in_set(AppSystems::Act),
            follow_traveller.run_if(view_follows).in_set(AppSystems::Show),
            follow_person.in_set(AppSystems::Show),
            follow_step.run_if(|screen: Res<Screen>| screen.search == SearchPage::Open).in_set(AppSystems::Show),
        ),
    );
}

fn view_follows(view: Res<Viewport>, screen: Res<Screen>) -> bool {
    view.follows() && !screen.plays_search()
}

/// Follows the traveller again when the player sends it somewhere or asks where it is.
fn follow_again(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    clear: Res<ClearPart>,
    traveller: Single<Traveller, With<Player>>,
    mut view: ResMut<Viewport>,
) {
    for action in actions.read() {
        match action {
            action if action.begins_journey() => view.set_follows(true),
            Action::FindTraveller if traveller.exists() => {
                view.set_follows(true);
                view.centre_beside_cards(feet_point(traveller.feet(), &map), *clear, MARGIN);
            }
            _ => {}
        }
    }
}

/// Keeps the selected traveller in the middle of the view, until the player moves the view elsewhere.
fn follow_person(
    map: Res<OpenMap>,
    clear: Res<ClearPart>,
    mut selected: ResMut<SelectedPeople>,
    mut view: ResMut<Viewport>,
    mut left_at: Local<Option<IVec2>>,
) {
    let figure = selected.one().filter(|_| selected.is_followed).and_then(|agent| map.town()?.figure(agent));
    let Some(figure) = figure else {
        *left_at = None;
        return;
    };
    if left_at.is_some_and(|corner| corner != view.corner()) {
        selected.is_followed = false;
        return;
    }
    view.set_follows(false);
    view.centre_beside_cards(figure_point(&figure, &map), *clear, MARGIN);
    *left_at = Some(view.corner());
}

/// Moves the view a little towards a traveller that comes near to its edge, so that the view leads it by a part of its route. A
/// traveller that waits outside the view is not followed, so that the player can look at something else.
fn follow_traveller(
    time: Res<Time>,
    map: Res<OpenMap>,
    clear: Res<ClearPart>,
    player: Single<(ShownRoute, Traveller, Ref<TravellerPlace>), With<Player>>,
    mut view: ResMut<Viewport>,
    mut is_gliding: Local<bool>,
    mut wakes: MessageWriter<Wake>,
) {
    let (route, traveller, position) = &*player;
    let moves = traveller.exists() && (position.is_changed() || *is_gliding);
    let feet = feet_point(traveller.feet(), &map);
    let reach = view.clear_size(*clear) * AHEAD / view.zoom();
    let ahead = route.cells_to_go().iter().map(|cell| cell_point(*cell, &map));
    let ahead = ahead.take_while(|point| (*point - feet).abs().cmple(reach).all()).last().unwrap_or(feet);
    let mut shown = Rect::from_corners(feet, ahead);
    shown.min.y -= HEIGHT;
    *is_gliding = moves && glide(&mut view, shown, *clear, *is_gliding, &map, time.delta_secs());
    if *is_gliding {
        wakes.write(Wake::NextFrame);
    }
}

/// Moves the view towards the cell of the step to which the player has gone, until it is there or the player moves the
/// view. A search that plays is not followed: its steps are all over the map.
fn follow_step(
    mut actions: MessageReader<Action>,
    time: Res<Time>,
    (map, search): (Res<OpenMap>, Res<SearchView>),
    clear: Res<ClearPart>,
    mut view: ResMut<Viewport>,
    // Where the view was left while it glided.
    mut on_its_way: Local<Option<Viewport>>,
    mut wakes: MessageWriter<Wake>,
) {
    use Playback::{End, Seek, Start, StepBack, StepOn};
    let is_move = |action: &Action| matches!(action, Action::Playback(StepBack | StepOn | Start | End | Seek(_)));
    let has_moved = actions.read().filter(|action| is_move(action)).count() > 0;
    let is_gliding = *on_its_way == Some(*view);
    let cell = search.step_cell().filter(|_| (has_moved || is_gliding) && !search.is_playing());
    let glides = cell.is_some_and(|cell| {
        let shown = Rect::from_center_size(cell_point(cell, &map), Vec2::ZERO);
        glide(&mut view, shown, *clear, is_gliding, &map, time.delta_secs())
    });
    *on_its_way = glides.then_some(*view);
    if glides {
        wakes.write(Wake::NextFrame);
    }
}

/// Moves the view a little towards a rectangle of map points that is out of its clear part, or nearly if the view is gliding
/// already. Returns whether it has moved.
fn glide(
    view: &mut ResMut<Viewport>,
    shown: Rect,
    clear: ClearPart,
    is_gliding: bool,
    map: &OpenMap,
    seconds: f32,
) -> bool {
    let projection = map.projection();
    if view.shows_all(projection) {
        return false;
    }
    let margin = if is_gliding { MARGIN } else { EDGE };
    if view.distance_into_clear(shown, clear, margin) == Vec2::ZERO {
        return false;
    }
    // In the first frame after a sleep no time has passed, but the view has to set out.
    let part = (1.0 - (-RATE * seconds.min(LONGEST_FRAME)).exp()).max(f32::EPSILON);
    let distance = view.distance_into_clear(shown, clear, MARGIN);
    // Rounded away from zero, so that the view arrives.
    let by = (distance * part).abs().ceil().copysign(distance).as_ivec2();
    let before = **view;
    view.scroll(by, projection);
    // At the end of the map, the view stops even if the point is close to the edge.
    **view != before
}
