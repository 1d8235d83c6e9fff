//! The options of the watched searches, and their changes.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::preview::PreviewOptions;
use crate::game::screen::mode::{Screen, ScreenChanged, SearchPage};
use crate::game::world::pointed_cells::PointedHalf;
use emberwalk_path::{Algorithm, Options};

use super::own_search::OwnSearch;

/// The options of the search on the right half of a race. The left one uses the [`WatchedOptions`].
#[derive(Resource, Debug)]
pub(in crate::game) struct RivalOptions(pub Options);

impl Default for RivalOptions {
    fn default() -> Self {
        Self(Options::default().with_algorithm(Algorithm::Dijkstra))
    }
}

/// Whether the player has chosen to watch the automatic search itself. Otherwise textbook A* is shown instead: learners
/// have read about it, and it finds a route of the same cost.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchesAuto(pub bool);

/// The search of the comparison that the player has marked for a race.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct MarkedSearch(pub Option<Options>);

/// The options with which the window was opened.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
struct FirstOptions(Options);

/// The options of the watched searches.
#[derive(SystemParam)]
pub(in crate::game) struct WatchedOptions<'w> {
    planning: Res<'w, PlanningOptions>,
    watches_auto: Res<'w, WatchesAuto>,
    rival: Res<'w, RivalOptions>,
    first: Res<'w, FirstOptions>,
    /// A search of the player's own is played instead of the one on the left.
    pub own: Res<'w, OwnSearch>,
}

impl WatchedOptions<'_> {
    /// The options of the search on a half of the window: the left half unless there is a race.
    pub fn on(&self, half: Half) -> Options {
        match half {
            Half::Left => watched(self.planning.0, *self.watches_auto),
            Half::Right => self.rival.0,
        }
    }

    /// Whether the player has changed the traveller's options or the watched ones, so that there is something to
    /// [restore](Action::RestoreOptions).
    pub(in crate::game) fn can_be_restored(&self) -> bool {
        self.planning.0 != self.first.0 || self.watches_auto.0
    }
}

/// The options of the search on the left, if the traveller plans with these.
fn watched(planning: Options, watches_auto: WatchesAuto) -> Options {
    match planning.algorithm {
        Algorithm::Auto if !watches_auto.0 => planning.with_algorithm(Algorithm::AStar),
        _ => planning,
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RivalOptions>()
        .init_resource::<WatchesAuto>()
        .init_resource::<FirstOptions>()
        .init_resource::<MarkedSearch>()
        .add_systems(PreStartup, |planning: Res<PlanningOptions>, mut first: ResMut<FirstOptions>| first.0 = planning.0)
        .add_observer(choose_rival)
        .add_observer(take_mark_away)
        .add_systems(
            Update,
            (
                (mark, change_options).chain().in_set(AppSystems::Act),
                choose_previewed.after(AppSystems::Plan).before(AppSystems::Walk),
            ),
        );
}

/// Gives the rival search the same rules for steps as the search on the left, and keeps the two different.
fn choose_rival(
    changed: On<ScreenChanged>,
    planning: Res<PlanningOptions>,
    watches_auto: Res<WatchesAuto>,
    own: Res<OwnSearch>,
    mut rival: ResMut<RivalOptions>,
) {
    if !changed.now.is_race() || changed.before.is_race() {
        return;
    }
    let options = watched(planning.0, *watches_auto);
    if own.is_open() {
        // The player's own search runs against the planner's by the same rules.
        rival.0 = options;
        return;
    }
    let before = rival.0.with_rules(options.rules);
    let algorithm = match options.algorithm {
        Algorithm::Dijkstra => Algorithm::AStar,
        _ => Algorithm::Dijkstra,
    };
    rival.0 = if is_same_search(&before, &options) { options.with_algorithm(algorithm) } else { before };
}

/// A mark belongs to the comparison in which it was made.
fn take_mark_away(changed: On<ScreenChanged>, mut marked: ResMut<MarkedSearch>) {
    if changed.before.compares && !changed.now.compares {
        marked.set_if_neq(MarkedSearch(None));
    }
}

/// Marks a search for a race. As soon as two searches are marked, they race, the first one on the left, even if the
/// player's own search was open.
fn mark(
    mut actions: MessageReader<Action>,
    mut marked: ResMut<MarkedSearch>,
    mut screen: ResMut<Screen>,
    mut planning: ResMut<PlanningOptions>,
    mut watches_auto: ResMut<WatchesAuto>,
    mut rival: ResMut<RivalOptions>,
    mut own: ResMut<OwnSearch>,
) {
    for action in actions.read() {
        let Action::MarkForRace(options) = *action else { continue };
        match marked.0.take() {
            None => marked.0 = Some(options),
            Some(first) if first == options => {}
            Some(first) => {
                planning.0 = first;
                watches_auto.0 = first.algorithm == Algorithm::Auto;
                rival.0 = options;
                if own.is_open() {
                    own.close();
                }
                screen.compares = false;
                screen.search = SearchPage::Race;
            }
        }
    }
}

/// Makes the preview show the rival's route while the pointer is on the right half of a race.
fn choose_previewed(
    rival: Res<RivalOptions>,
    pointed: Res<PointedHalf>,
    screen: Res<Screen>,
    mut previewed: ResMut<PreviewOptions>,
) {
    let is_on_rival = screen.is_race() && pointed.0 == Half::Right;
    previewed.set_if_neq(PreviewOptions(is_on_rival.then_some(rival.0)));
}

/// Whether two searches with the same rules are identical.
fn is_same_search(one: &Options, other: &Options) -> bool {
    let is_same_estimate = (one.heuristic(), one.scale) == (other.heuristic(), other.scale);
    one.algorithm == other.algorithm && (is_same_estimate || !one.algorithm.uses_heuristic())
}

fn change_options(
    mut actions: MessageReader<Action>,
    first: Res<FirstOptions>,
    mut planning: ResMut<PlanningOptions>,
    mut watches_auto: ResMut<WatchesAuto>,
    mut rival: ResMut<RivalOptions>,
) {
    for action in actions.read() {
        let (half, options) = match *action {
            Action::PlanWith(half, options) => (half, options),
            Action::SetWeight(half, weight) => {
                let before = if half == Half::Left { watched(planning.0, *watches_auto) } else { rival.0 };
                (half, with_weight(before, weight))
            }
            Action::RestoreOptions => {
                planning.0 = first.0;
                watches_auto.0 = false;
                continue;
            }
            _ => continue,
        };
        match half {
            Half::Left => {
                planning.0 = options;
                watches_auto.0 = options.algorithm == Algorithm::Auto;
            }
            Half::Right => rival.0 = options,
        }
    }
}

/// The options with weighted A*, whose weight is rounded to tenths.
fn with_weight(options: Options, weight: f32) -> Options {
    let weight = (f64::from(weight) * 10.0).round() / 10.0;
    options.with_algorithm(Algorithm::Weighted { weight })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_in_tenths() {
        let weighted = Options::default().with_algorithm(Algorithm::Weighted { weight: 1.7 });
        assert_eq!(with_weight(Options::default(), 1.7), weighted, "the slider has fewer digits");
    }
}
