//! The options of the searches that are watched, and their changes.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::input::action::{Action, SearchOption};
use crate::game::input::inspected_cell::PointedHalf;
use crate::game::journey::preview::PreviewOptions;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::mode::SearchPage;
use emberwalk_path::{Algorithm, Corners, Heuristic, Moves, Options, Scale};

/// The weights that weighted A* goes through.
const WEIGHTS: [f64; 5] = [1.0, 1.5, 2.0, 3.0, 5.0];

/// How the search on the right half of a race searches. The left one has the [`WatchedOptions`].
#[derive(Resource, Debug)]
pub struct RivalOptions(pub Options);

impl Default for RivalOptions {
    fn default() -> Self {
        Self(Options { algorithm: Algorithm::Dijkstra, ..Options::default() })
    }
}

/// Whether the player has chosen to watch the automatic search itself. Otherwise textbook A* is watched in its place: it
/// does what learners have read about, and finds a route of the same cost.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchesAuto(pub bool);

/// The options with which the window was opened.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
struct FirstOptions(Options);

/// The options of the searches that are watched.
#[derive(SystemParam)]
pub struct WatchedOptions<'w> {
    planning: Res<'w, PlanningOptions>,
    watches_auto: Res<'w, WatchesAuto>,
    rival: Res<'w, RivalOptions>,
    first: Res<'w, FirstOptions>,
}

impl WatchedOptions<'_> {
    /// The options of the search on a half of the window. Without a race it is the left one.
    pub fn on(&self, half: Half) -> Options {
        match half {
            Half::Left => watched(self.planning.0, *self.watches_auto),
            Half::Right => self.rival.0,
        }
    }

    /// Whether the player has changed how the traveller plans, or chosen what is watched, so that there is something to
    /// [restore](Action::RestoreOptions).
    pub fn can_be_restored(&self) -> bool {
        self.planning.0 != self.first.0 || self.watches_auto.0
    }
}

/// The options of the search on the left, if the traveller plans with these.
fn watched(planning: Options, watches_auto: WatchesAuto) -> Options {
    match planning.algorithm {
        Algorithm::Auto if !watches_auto.0 => Options { algorithm: Algorithm::AStar, ..planning },
        _ => planning,
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RivalOptions>()
        .init_resource::<WatchesAuto>()
        .init_resource::<FirstOptions>()
        .add_systems(PreStartup, |planning: Res<PlanningOptions>, mut first: ResMut<FirstOptions>| first.0 = planning.0)
        .add_systems(OnEnter(SearchPage::Race), choose_rival)
        .add_systems(
            Update,
            (change_options.in_set(AppSystems::Act), choose_previewed.after(AppSystems::Plan).before(AppSystems::Walk)),
        );
}

/// Lets the rival search by the rules of the search on the left, and differ from it.
fn choose_rival(planning: Res<PlanningOptions>, watches_auto: Res<WatchesAuto>, mut rival: ResMut<RivalOptions>) {
    let options = watched(planning.0, *watches_auto);
    let before = rival.0.with_rules(options.rules());
    let algorithm = match options.algorithm {
        Algorithm::Dijkstra => Algorithm::AStar,
        _ => Algorithm::Dijkstra,
    };
    rival.0 = if is_same_search(&before, &options) { Options { algorithm, ..options } } else { before };
}

/// Lets the preview show the route of the rival while the pointer is on the right half of a race.
fn choose_previewed(
    rival: Res<RivalOptions>,
    pointed: Res<PointedHalf>,
    page: Res<State<SearchPage>>,
    mut previewed: ResMut<PreviewOptions>,
) {
    let is_on_rival = *page.get() == SearchPage::Race && pointed.0 == Half::Right;
    previewed.set_if_neq(PreviewOptions(is_on_rival.then_some(rival.0)));
}

/// Whether two searches by the same rules do the same.
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
        let left = match *action {
            Action::NextOption(Half::Left, option) => with_next(watched(planning.0, *watches_auto), option),
            Action::PlanWith(Half::Left, options) => options,
            Action::SetWeight(Half::Left, weight) => with_weight(watched(planning.0, *watches_auto), weight),
            Action::NextOption(Half::Right, option) => {
                rival.0 = with_next(rival.0, option);
                continue;
            }
            Action::SetWeight(Half::Right, weight) => {
                rival.0 = with_weight(rival.0, weight);
                continue;
            }
            Action::PlanWith(Half::Right, options) => {
                rival.0 = options;
                continue;
            }
            Action::RestoreOptions => {
                (planning.0, watches_auto.0) = (first.0, false);
                continue;
            }
            _ => continue,
        };
        (planning.0, watches_auto.0) = (left, left.algorithm == Algorithm::Auto);
    }
}

/// The options with weighted A*, whose weight is rounded to tenths.
fn with_weight(options: Options, weight: f32) -> Options {
    let weight = (f64::from(weight) * 10.0).round() / 10.0;
    Options { algorithm: Algorithm::Weighted { weight }, ..options }
}

/// The options with the next value of one of them; the first one follows the last one.
fn with_next(options: Options, option: SearchOption) -> Options {
    let Options { moves, corners, algorithm, scale, .. } = options;
    match option {
        SearchOption::Algorithm => Options { algorithm: next(Algorithm::NAMES, algorithm.as_str()), ..options },
        SearchOption::Heuristic => {
            // The default for the moves is not asked for, so that it follows them.
            let heuristic = next(Heuristic::NAMES, options.heuristic().as_str());
            Options { heuristic: Some(heuristic).filter(|next| *next != Heuristic::default_for(moves)), ..options }
        }
        SearchOption::Scale => Options { scale: next(Scale::NAMES, scale.as_str()), ..options },
        SearchOption::Moves => Options { moves: next(Moves::NAMES, moves.as_str()), ..options },
        SearchOption::Corners => Options { corners: next(Corners::NAMES, corners.as_str()), ..options },
        SearchOption::Weight => match algorithm {
            Algorithm::Weighted { weight } => {
                let heavier = WEIGHTS.into_iter().find(|next| *next > weight);
                Options { algorithm: Algorithm::Weighted { weight: heavier.unwrap_or(WEIGHTS[0]) }, ..options }
            }
            _ => options,
        },
    }
}

/// The value after the one of this name.
fn next<T: Copy>(names: &[(&str, T)], name: &str) -> T {
    let at = names.iter().position(|(known, _)| *known == name).map_or(0, |at| at + 1);
    names[at % names.len()].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_an_option_follows_and_then_the_first_again() {
        let mut options = Options::default();
        for option in [
            SearchOption::Algorithm,
            SearchOption::Heuristic,
            SearchOption::Scale,
            SearchOption::Moves,
            SearchOption::Corners,
        ] {
            let before = options;
            let mut count = 0;
            while count == 0 || options != before {
                options = with_next(options, option);
                count += 1;
                assert!(count < 10, "{option:?}");
            }
            assert!(count > 1, "{option:?}");
        }
    }

    #[test]
    fn six_moves_follow_four_and_bring_their_heuristic() {
        let mut options = Options::default();
        let mut moves = || {
            options = with_next(options, SearchOption::Moves);
            (options.moves.as_str(), options.heuristic())
        };
        assert_eq!(moves(), ("4", Heuristic::Octile));
        assert_eq!(moves(), ("6", Heuristic::Hex));
        assert_eq!(moves(), ("8", Heuristic::Octile));
    }

    #[test]
    fn a_weight_is_in_tenths() {
        let weighted = Options { algorithm: Algorithm::Weighted { weight: 1.7 }, ..Options::default() };
        assert_eq!(with_weight(Options::default(), 1.7), weighted, "the slider has fewer digits");
    }

    #[test]
    fn weights_go_round() {
        let weighted = |weight| Options { algorithm: Algorithm::Weighted { weight }, ..Options::default() };
        assert_eq!(with_next(weighted(1.5), SearchOption::Weight), weighted(2.0));
        assert_eq!(with_next(weighted(7.0), SearchOption::Weight), weighted(1.0));
        assert_eq!(with_next(Options::default(), SearchOption::Weight), Options::default());
    }
}
