//! The search view, and the overlays of costs.

use emberwalk::game::search_view::cell_figures::{CellFigures, Known, ToGoal};
use emberwalk::game::search_view::cells_to_open::CellsToOpen;
use emberwalk::game::search_view::comparison::ComparisonView;
use emberwalk::game::search_view::costs_to_goal::CostsToGoal;
use emberwalk::game::search_view::detour::Detour;
use emberwalk::game::search_view::overlay_cells::{OverlayCells, Overlays};
use emberwalk::game::search_view::recorded_search::{SearchView, TimeMark, TimeMarkKind};
use emberwalk::game::search_view::shown_overlays::OverlayScale;
use emberwalk::game::world::pointed_cells::PointedHalf;
use emberwalk_path::{Field, FieldQuery};
use emberwalk_picture::overlay::{Label, MarkStyle};

use crate::prelude::*;

pub fn view(game: &Game) -> &SearchView {
    game.get()
}

pub fn cells(game: &Game) -> &OverlayCells {
    &game.get::<Overlays>()[Half::Left]
}

/// Opens the search view of a game.
fn watch(game: &mut Game) {
    game.ask(Action::ToggleSearchView);
}

fn events(game: &Game) -> usize {
    view(game).search().expect("a search is recorded").recording.len()
}

fn count(game: &Game, style: MarkStyle) -> usize {
    cells(game).cells().iter().filter(|cell| cell.mark.style == style).count()
}

#[test]
fn the_search_is_played_while_the_traveller_stands() {
    let mut game = Game::on_bundled("figures/road");
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    watch(&mut game);
    let before = game.position();
    assert!(view(&game).is_playing());
    game.advance(20.0);
    assert_eq!((view(&game).position(), view(&game).is_playing()), (events(&game), false));
    assert_eq!(game.position(), before, "it stands");
    assert!(game.has_logged("search recorded algorithm=astar events="));
    let sizes = view(&game).search().unwrap().recording.at(usize::MAX).sizes();
    assert_eq!((count(&game, MarkStyle::Open), count(&game, MarkStyle::Closed)), (sizes.open, sizes.closed));
    game.ask_and_show(Action::ToggleSearchView);
    assert!(!cells(&game).is_shown());
    game.advance(0.5);
    assert_ne!(game.position(), before, "it walks on");
}

#[test]
fn the_overlay_follows_steps_in_both_directions() {
    let mut game = Game::on_bundled("figures/wall");
    watch(&mut game);
    game.ask(Action::Playback(Playback::Start));
    let mut seen = Vec::new();
    for _ in 0..events(&game) {
        seen.push(cells(&game).cells().to_vec());
        game.ask(Action::Playback(Playback::StepOn));
    }
    assert_eq!(view(&game).position(), events(&game));
    for expected in seen.iter().rev() {
        game.ask(Action::Playback(Playback::StepBack));
        assert_eq!(cells(&game).cells(), expected, "at {}", view(&game).position());
    }
    game.ask(Action::Playback(Playback::StepBack));
    assert_eq!(view(&game).position(), 0);
}

#[test]
fn a_jump_over_very_many_events_shows_what_steps_show() {
    // All cells are opened and closed: more events than there are squares in an overlay.
    let mut rows = vec![".".repeat(500); 500];
    rows[0].replace_range(..1, "1");
    rows[499].replace_range(499.., "2");
    let mut game = Game::on_grass(&rows);
    game.plan_with(Options::default().with_algorithm(Algorithm::Dijkstra));
    watch(&mut game);
    game.wait_until("the search", |game| view(game).search().is_some());
    game.ask(Action::Playback(Playback::Start));
    game.ask(Action::Playback(Playback::StepOn));
    let first = cells(&game).cells().to_vec();
    game.ask(Action::Playback(Playback::End));
    assert!(events(&game) > 400_000 && view(&game).position() == events(&game));
    let at_end = cells(&game).cells().to_vec();
    game.ask(Action::Playback(Playback::StepBack));
    game.ask(Action::Playback(Playback::StepOn));
    assert!(cells(&game).cells() == at_end, "steps show the same");
    let sizes = view(&game).search().expect("it is recorded").recording.at(usize::MAX).sizes();
    assert_eq!((count(&game, MarkStyle::Open), count(&game, MarkStyle::Closed)), (sizes.open, sizes.closed));
    game.ask(Action::Playback(Playback::Start));
    game.ask(Action::Playback(Playback::StepOn));
    assert!(cells(&game).cells() == first);
}

#[test]
fn terrain_goal_and_options_record_anew_and_keep_the_share() {
    let mut game = Game::on_bundled("figures/snow");
    watch(&mut game);
    game.ask(Action::Playback(Playback::End));
    let before = events(&game);
    game.ask(Action::Erupt);
    assert_ne!(events(&game), before);
    assert_eq!(view(&game).position(), events(&game), "a finished search stays finished");
    game.ask(Action::Go(at(3, 3)));
    assert_eq!(view(&game).search().unwrap().recording.query().to, at(3, 3));
    assert_eq!(view(&game).position(), events(&game));
    let options = Options::default().with_algorithm(Algorithm::Greedy);
    game.ask(Action::PlanWith(Half::Left, options));
    assert_eq!(planning(&game), options);
    assert_eq!(view(&game).search().unwrap().recording.query().options, options);
}

#[test]
fn after_the_arrival_the_search_for_the_walked_route_is_watched() {
    let mut game = Game::on_bundled("figures/snow");
    let route = game.route().to_vec();
    game.walk(Action::GoToCastle);
    watch(&mut game);
    let recording = &view(&game).search().expect("it is recorded").recording;
    assert_eq!((recording.result().cells().first(), recording.result().cells().last()), (route.first(), route.last()));
}

pub fn planning(game: &Game) -> Options {
    game.get::<PlanningOptions>().0
}

fn watched(game: &Game) -> Options {
    view(game).search().expect("it is recorded").recording.query().options
}

#[test]
fn textbook_astar_is_watched_until_the_player_chooses_and_the_traveller_plans_as_before() {
    let mut game = Game::on_bundled("figures/wall");
    let auto = Options::default();
    let astar = auto.with_algorithm(Algorithm::AStar);
    let greedy = auto.with_algorithm(Algorithm::Greedy);
    watch(&mut game);
    assert_eq!((watched(&game), planning(&game)), (astar, auto));
    let query = *view(&game).search().unwrap().recording.query();
    let expanded = Planner::new().plan(game.map().costs(), &query).unwrap().expanded;
    assert_eq!(view(&game).search().unwrap().recording.result().expanded, expanded, "as without a window");
    for chosen in [greedy, auto, astar] {
        game.ask(Action::PlanWith(Half::Left, chosen));
        assert_eq!((watched(&game), planning(&game)), (chosen, chosen), "the traveller uses these too");
    }
    game.ask(Action::PlanWith(Half::Left, auto));
    game.ask(Action::RestoreOptions);
    assert_eq!((watched(&game), planning(&game)), (astar, auto));
    game.ask(Action::ToggleSearchView);
    game.plan_with(greedy);
    watch(&mut game);
    assert_eq!(watched(&game), greedy, "the player's own choice is watched");
    game.ask(Action::RestoreOptions);
    assert_eq!(planning(&game), auto, "what the window began with");
}

#[test]
fn the_route_of_the_search_that_is_watched_is_shown_once_it_is_found() {
    let mut game = Game::on_bundled("figures/road");
    watch(&mut game);
    game.ask(Action::Playback(Playback::Start));
    assert_eq!(view(&game).found_route(Half::Left), []);
    game.ask(Action::Playback(Playback::End));
    let recording = &view(&game).search().unwrap().recording;
    assert_eq!(view(&game).found_route(Half::Left), recording.result().cells());
    assert_eq!(view(&game).found_route(Half::Right), []);
}

#[test]
fn any_search_is_played_within_twenty_seconds_and_play_at_the_end_starts_again() {
    for map in ["figures/snow", "valley", "realm"] {
        let mut game = Game::on_bundled(map);
        game.plan_with(Options::default().with_algorithm(Algorithm::Dijkstra));
        watch(&mut game);
        game.wait_until("the search", |game| view(game).search().is_some());
        game.ask(Action::Playback(Playback::Start));
        game.ask(Action::Playback(Playback::Toggle));
        game.advance(10.0);
        assert!(view(&game).is_playing() || view(&game).is_complete());
        game.advance(10.0);
        assert!(view(&game).is_complete() && !view(&game).is_playing(), "{map}");
        game.ask(Action::Playback(Playback::Toggle));
        assert!(view(&game).is_playing() && view(&game).position() < events(&game) / 4, "{map}");
    }
}

#[test]
fn the_goal_and_cells_that_are_opened_again_are_marked_on_the_time_line() {
    let marks = |game: &Game| {
        let search = view(game).search().expect("it is recorded");
        let reopened: Vec<_> = search.recording.reopenings().collect();
        (search.marks().to_vec(), reopened, search.recording.len())
    };
    // Where cells cost less than the heuristic counts, closed cells are opened again.
    let mut game = Game::on_bundled("realm");
    game.plan_with(Options::default().with_algorithm(Algorithm::AStar).with_scale(HeuristicScale::Classic));
    watch(&mut game);
    let (found, reopened, len) = marks(&game);
    assert!(!reopened.is_empty());
    let is_goal = |mark: &TimeMark| *mark == TimeMark { position: len, kind: TimeMarkKind::Goal };
    assert_eq!(found.iter().filter(|mark| is_goal(mark)).count(), 1);
    let shown: Vec<_> = found.iter().filter(|mark| !is_goal(mark)).map(|mark| mark.position).collect();
    assert!(shown.iter().all(|position| reopened.contains(position)) && found.len() <= 200);
    assert!(shown.len() == reopened.len() || shown.len() > 50, "{} of {}", shown.len(), reopened.len());
    assert!(found.is_sorted_by_key(|mark| mark.position));
    let mut game = Game::on(&["GG~G"], &["1..2"]);
    watch(&mut game);
    assert_eq!(marks(&game).0, [], "no goal is reached");
}

#[test]
fn a_route_that_is_not_the_cheapest_is_told() {
    let mut game = Game::on_bundled("figures/road");
    watch(&mut game);
    let proven = |game: &Game| {
        let search = view(game).search().unwrap();
        search.recording.result().cost() == search.lowest
    };
    assert!(proven(&game));
    game.ask(Action::PlanWith(Half::Left, planning(&game).with_algorithm(Algorithm::Greedy)));
    assert!(!proven(&game), "greedy search ignores the road");
}

#[test]
fn a_search_without_a_route_closes_everything_and_a_blocked_goal_has_none() {
    let mut game = Game::on(&["GG~G"], &["1..2"]);
    watch(&mut game);
    game.ask(Action::Playback(Playback::End));
    assert_eq!(count(&game, MarkStyle::Closed), 2);
    assert_eq!(view(&game).search().unwrap().lowest, None);
    game.ask(Action::Go(at(2, 0)));
    assert!(view(&game).search().is_none() && !cells(&game).is_shown());
    game.ask(Action::Playback(Playback::StepOn));
    game.ask(Action::Playback(Playback::Toggle));
    game.advance(1.0);
    assert_eq!(view(&game).position(), 0);
}

#[test]
fn another_map_is_searched_at_once() {
    let mut game = Game::on_bundled("figures/road");
    watch(&mut game);
    game.ask(Action::NextMap);
    game.wait_until("the next map", |game| game.map().name() == "The longer wall");
    game.frame();
    let search = view(&game).search().unwrap();
    assert_eq!(search.recording.query().from, game.map().start().unwrap());
    assert_eq!(cells(&game).size(), game.map().size());
}

#[test]
fn overlays_of_costs_follow_the_terrain() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::NextOverlay);
    let label = |game: &Game, x, y| cells(game).get(at(x, y)).unwrap().label.clone();
    assert_eq!(label(&game, 5, 5), Some(Label::Number(3.0)));
    game.ask(Action::Erupt);
    assert_ne!(label(&game, 5, 5), Some(Label::Number(3.0)));
    game.ask(Action::NextOverlay);
    let start = game.map().start().unwrap();
    assert_eq!(label(&game, start.x, start.y), Some(Label::Number(game.cost())), "the cost to the goal");
    game.ask(Action::Go(at(9, 9)));
    assert_eq!(label(&game, 9, 9), Some(Label::Number(0.0)));
    game.ask(Action::NextOverlay);
    assert!(!cells(&game).is_shown());
}

#[test]
fn overlays_of_costs_take_the_place_of_the_search_until_it_comes_round_again() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::NextOverlay);
    watch(&mut game);
    game.ask(Action::Playback(Playback::End));
    let search = cells(&game).cells().to_vec();
    assert!(count(&game, MarkStyle::Closed) > 0, "the search view shows its search, whatever was shown before");
    game.ask(Action::NextOverlay);
    assert_eq!(cells(&game).get(at(5, 5)).unwrap().label, Some(Label::Number(3.0)));
    game.ask(Action::Playback(Playback::StepBack));
    assert_eq!(count(&game, MarkStyle::Closed), 0, "the search goes on unseen");
    game.ask(Action::Playback(Playback::End));
    game.ask(Action::NextOverlay);
    assert_eq!(cells(&game).get(at(8, 5)).unwrap().label, Some(Label::Number(0.0)), "the cost to the goal");
    game.ask(Action::NextOverlay);
    assert_eq!(cells(&game).cells(), search);
    game.ask(Action::NextOverlay);
    game.ask_and_show(Action::ToggleSearchView);
    assert_eq!(cells(&game).get(at(5, 5)).unwrap().label, Some(Label::Number(3.0)), "what was seen last stays");
}

#[test]
fn breadth_first_search_counts_whole_steps() {
    let mut game = Game::on_grass(&["1...2"]);
    game.plan_with(Options::default().with_algorithm(Algorithm::BreadthFirst));
    game.inspect(at(3, 0));
    assert_eq!(figures(&game).search, Known::Steps(3), "on the route that a click would take");
    watch(&mut game);
    game.ask(Action::Playback(Playback::End));
    assert_eq!(figures(&game).search, Known::Steps(3));
    let label = cells(&game).get(at(3, 0)).unwrap().label.clone();
    assert_eq!(label, Some(Label::Steps { steps: 3, parent: Some((-1, 0)) }));
}

#[test]
fn algorithms_are_compared_even_where_there_is_no_route() {
    let mut game = Game::on(&["GGG~G"], &["1...2"]);
    game.ask_and_show(Action::ToggleComparison);
    let comparison = game.get::<ComparisonView>().comparison().cloned().unwrap();
    assert!(comparison.lowest.is_none());
    for search in comparison.searches {
        assert_eq!((search.expanded, search.route), (3, None), "{:?}", search.options);
    }
}

#[test]
fn all_algorithms_are_compared_and_one_is_chosen() {
    let mut game = Game::on_bundled("figures/road");
    game.ask_and_show(Action::ToggleComparison);
    let comparison = |game: &Game| game.get::<ComparisonView>().comparison().cloned();
    let before = comparison(&game).expect("it is compared");
    assert_eq!(before.lowest.unwrap().tiles(), game.cost());
    let greedy = before.searches.iter().find(|search| search.options.algorithm == Algorithm::Greedy).unwrap();
    game.ask(Action::PlanWith(Half::Left, greedy.options));
    assert_eq!(game.cost(), greedy.route.as_ref().unwrap().cost.tiles(), "the game plans with it");
    game.ask(Action::Go(at(2, 2)));
    assert_ne!(comparison(&game).unwrap().lowest, before.lowest, "it follows the goal");
    game.ask_and_show(Action::Escape);
    assert!(comparison(&game).is_none());
}

#[test]
fn cells_to_open_are_named_and_opened() {
    let mut game = Game::on(&["GGGGG", "GGGGG"], &["1.W.2", "..W.."]);
    let cells = |game: &Game| game.get::<CellsToOpen>().cells().to_vec();
    assert_eq!(cells(&game), [at(2, 0)]);
    game.ask(Action::OpenCells);
    assert_eq!((cells(&game), game.reach()), (vec![], Reach::Goal));
    assert!(game.map().costs().is_passable(at(2, 0)));
    game.ask(Action::OpenCells);
    assert!(!game.map().costs().is_passable(at(2, 1)), "nothing else is opened");
    game.ask(Action::Undo);
    assert!(!game.map().costs().is_passable(at(2, 0)), "it is one stroke");
    game.ask(Action::Redo);
    game.ask(Action::Go(at(2, 1)));
    assert!(cells(&game).is_empty(), "the goal itself is blocked");
}

#[test]
fn the_detour_through_the_inspected_cell_is_planned_while_the_player_asks() {
    let mut game = Game::on_grass(&["........", "1......2", "........", "........"]);
    let routes = |game: &Game| {
        let detour = game.get::<Detour>();
        let routes = detour.routes().map(|(cell, routes)| (cell, routes.free.clone(), routes.through.clone()));
        routes.map(|(cell, free, through)| (cell, free.unwrap().cost.tiles(), through.unwrap()))
    };
    game.ask(Action::MoveCursor(Direction::S));
    game.ask(Action::MoveCursor(Direction::S));
    assert!(routes(&game).is_none(), "nobody asks");
    game.ask(Action::ToggleWhy);
    let (cell, free, through) = routes(&game).expect("it is planned");
    assert_eq!(Some(cell), game.tile_cursor());
    assert_eq!(free, game.cost());
    assert!(through.cells.contains(&cell) && through.cost.tiles() > free);
    game.ask(Action::ToggleWhy);
    assert!(routes(&game).is_none());
}

fn figures(game: &Game) -> CellFigures {
    game.get::<CellFigures>().clone()
}

#[test]
fn the_figures_of_the_inspected_cell_are_real_costs_or_costs_of_the_search_that_is_played() {
    let mut game = Game::on_bundled("figures/road");
    assert_eq!(figures(&game), CellFigures::default(), "no cell is inspected");
    game.inspect(at(4, 3));
    let (start, goal) = (game.map().start().unwrap(), game.map().castle().unwrap());
    let cost = |game: &Game, from, to| {
        let mut planner = Planner::new();
        planner.plan(game.map().costs(), &RouteQuery::new(from, to)).unwrap().cost().unwrap()
    };
    let (g, rest) = (cost(&game, start, at(4, 3)), cost(&game, at(4, 3), goal));
    let CellFigures { search: Known::Costs { g: shown, h, f }, to_goal, .. } = figures(&game) else {
        panic!("{:?}", figures(&game))
    };
    assert_eq!((shown, to_goal, f), (g, ToGoal::Cost(rest), g + h));
    assert!(h <= rest && h.tiles() > 0.0, "{h}");

    watch(&mut game);
    game.ask(Action::Playback(Playback::Start));
    let unseen = CellFigures { search: Known::Unseen, to_goal: ToGoal::Cost(rest), ..CellFigures::default() };
    assert_eq!(figures(&game), unseen);
    game.ask(Action::Playback(Playback::End));
    game.inspect(at(start.x, start.y));
    let recording = &view(&game).search().unwrap().recording;
    let state = recording.at(recording.len()).state(start).unwrap();
    assert_eq!(figures(&game).search, Known::Costs { g: state.g, h: state.h, f: state.f });
    assert_eq!(figures(&game).to_goal, ToGoal::Cost(cost(&game, start, goal)));
}

#[test]
fn a_reopened_cell_shows_the_more_expensive_routes_that_were_known_before() {
    let mut game = Game::on_bundled("figures/eruption");
    game.plan_with(Options::default().with_algorithm(Algorithm::AStar).with_scale(HeuristicScale::Classic));
    watch(&mut game);
    game.ask(Action::Playback(Playback::End));
    let reopened = {
        let recording = &view(&game).search().unwrap().recording;
        let position = recording.reopenings().last().expect("the estimate is too high");
        recording.cell_of_event(position - 1).unwrap()
    };
    game.inspect(reopened);
    let CellFigures { search: Known::Costs { g, .. }, before, .. } = figures(&game) else { panic!("it was seen") };
    assert!(before.first().is_some_and(|(dearer, _)| *dearer > g), "{g} after {before:?}");
    assert!(before.iter().all(|(_, from)| from.distance_squared(reopened) <= 2), "each came from a neighbour");
    game.ask(Action::Playback(Playback::Start));
    assert_eq!(figures(&game).before, []);
}

#[test]
fn in_a_race_the_figures_belong_to_the_half_under_the_pointer() {
    let mut game = Game::on_bundled("figures/road");
    game.inspect(at(4, 3));
    game.ask_and_show(Action::ToggleRace);
    game.ask(Action::Playback(Playback::End));
    for half in Half::BOTH {
        game.app().insert_resource(PointedHalf(half));
        game.frame();
        let recording = &view(&game).search_on(half).unwrap().recording;
        let state = recording.at(recording.len()).state(at(4, 3));
        let expected = state.map_or(Known::Unseen, |state| Known::Costs { g: state.g, h: state.h, f: state.f });
        assert_eq!((figures(&game).half, figures(&game).search), (Some(half), expected));
        assert!(matches!(figures(&game).to_goal, ToGoal::Cost(_)), "{half:?}");
    }
    game.ask_and_show(Action::PlanWith(Half::Right, Options::default().with_moves(Moves::Four)));
    assert_eq!(figures(&game).to_goal, ToGoal::Unknown, "the costs follow the rules on the left");
}

#[test]
fn a_cell_from_which_no_route_leads_to_the_goal_says_so_and_a_blocked_one_has_no_figures() {
    let mut game = Game::on(&["GG~GG"], &["1...2"]);
    game.inspect(at(1, 0));
    assert_eq!(figures(&game).to_goal, ToGoal::Unreachable);
    assert!(matches!(figures(&game).search, Known::Costs { .. }));
    game.inspect(at(2, 0));
    assert_eq!(figures(&game), CellFigures::default());
    game.inspect(at(3, 0));
    let CellFigures { search, to_goal: ToGoal::Cost(rest), .. } = figures(&game) else {
        panic!("{:?}", figures(&game))
    };
    assert_eq!((search, rest.tiles()), (Known::Nothing, 1.0), "the traveller cannot get there");
    game.set_overlay('W', at(4, 0));
    assert_eq!(figures(&game), CellFigures::default(), "the goal is blocked");
}

#[test]
fn the_costs_to_the_goal_follow_the_terrain() {
    // The costs on the larger map are repaired in the background.
    for side in [9, 210] {
        let mut rows = vec![".".repeat(side); side];
        rows[1].replace_range(1..2, "1");
        rows[side - 2].replace_range(side - 2..side - 1, "2");
        let mut game = Game::on_grass(&rows);
        game.ask(Action::NextOverlay);
        game.ask(Action::NextOverlay);
        let goal = game.map().castle().expect("there is a castle");
        for (number, overlay) in "WTF.W".chars().enumerate() {
            game.set_overlay(overlay, goal + (-3, -3 - number as i32 % 2));
            game.wait_until("the costs", |game| costs_to_goal(game).field().is_some());
            let (mut field, map) = (Field::new(), game.map());
            field.compute(map.costs(), &FieldQuery::routes_to(goal)).expect("the goal is passable");
            let shown = costs_to_goal(&game).field().expect("they are known");
            assert!(map.size().cells().all(|cell| shown.cost(cell) == field.cost(cell)), "{overlay} on {side}");
            let scale = game.get::<OverlayScale>();
            assert_eq!((scale.shown, scale.is_computing), (OverlayChoice::Distance, false));
        }
    }
}

#[test]
fn lines_of_equal_cost_have_a_distance_only_where_there_are_some() {
    for (base, expected) in [("GGGGG", Some(0.5)), ("GGG~G", None)] {
        let mut game = Game::on(&[base], &["1...2"]);
        game.ask(Action::NextOverlay);
        game.ask(Action::NextOverlay);
        game.wait_until("the costs", |game| costs_to_goal(game).field().is_some());
        let scale = game.get::<OverlayScale>();
        assert_eq!((scale.shown, scale.step), (OverlayChoice::Distance, expected), "{base}");
    }
}

fn costs_to_goal(game: &Game) -> &CostsToGoal {
    game.get()
}

#[test]
fn a_search_that_is_opened_on_the_last_step_is_for_the_whole_route() {
    let mut game = Game::on_grass(&["......", "1....2"]);
    game.ask(Action::GoToCastle);
    game.advance(0.4);
    game.set_overlay('W', at(3, 1));
    while game.traveller().origin() != Some(at(5, 1)) {
        game.frame();
    }
    assert!(!game.arrived());
    watch(&mut game);
    let query = *view(&game).search().expect("a search is recorded").recording.query();
    assert_eq!((query.from, query.to), (at(0, 1), at(5, 1)));
    assert!(events(&game) > 5);
    game.ask(Action::ToggleSearchView);
    game.arrive();
    watch(&mut game);
    let query = *view(&game).search().expect("a search is recorded").recording.query();
    assert_eq!((query.from, query.to), (at(0, 1), at(5, 1)));
}

#[test]
fn a_walked_route_that_is_lost_is_searched_in_vain() {
    let mut game = Game::on_grass(&["1....2"]);
    game.walk(Action::GoToCastle);
    game.set_overlay('W', at(2, 0));
    watch(&mut game);
    let recording = &view(&game).search().expect("a search is recorded").recording;
    assert_eq!((recording.query().from, recording.result().found()), (at(0, 0), false));
}
