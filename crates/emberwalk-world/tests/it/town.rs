//! People who walk on a map.

use std::collections::HashMap;

use emberwalk_crowd::{AgentId, CrowdEvent};
use emberwalk_map::terrain::Place;
use emberwalk_map::{CellEdit, Map};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::{CrowdTime, Step};
use emberwalk_path::{EntryCost, Planner, RouteQuery, StepRules};
use emberwalk_world::town::{Places, Town};

use crate::seconds;
use crate::support::bundled;

fn town(map: &Map, travellers: usize, seed: u64) -> Town {
    Town::new(map, Places::of(map, StepRules::default()), map.start(), travellers, &[], seed, map.day_time())
}

/// Erupts all volcanoes, or calms them, and lets a town follow.
fn erupt(map: &mut Map, town: &mut Town, erupts: bool) {
    let edits = if erupts { map.edits_to_erupt() } else { map.edits_to_calm() };
    let undo = map.apply(&edits).unwrap();
    assert!(!undo.is_empty());
    town.follow(map, undo.iter().map(|edit| edit.cell));
}

#[test]
fn nobody_meets_in_a_cell_while_volcanoes_erupt_and_walls_are_built() {
    for name in ["valley", "market"] {
        let mut map = bundled(name);
        let mut town = town(&map, 200, 3);
        let mut checker = town.checker().unwrap();
        let wall = map.tileset().find('W');
        let mut log = Vec::new();
        let mut random = fastrand::Rng::with_seed(5);
        for second in 0..90 {
            town.advance(seconds(1.0));
            if second % 20 == 10 {
                erupt(&mut map, &mut town, second % 40 == 10);
            }
            if second % 3 == 0 {
                let built = Cell::new(random.i32(0..map.size().width as i32), random.i32(0..map.size().height as i32));
                let is_free = map.overlay_id(built).is_none();
                if is_free {
                    map.apply(&[CellEdit::overlay(built, wall)]).unwrap();
                    town.follow(&map, [built]);
                }
            }
            log.extend(town.take_events());
        }
        let steps = log.iter().filter(|event| matches!(event, CrowdEvent::Step { .. })).count();
        assert!(steps > 5000, "{name}: {steps} steps");
        checker.add(&log);
        let found = checker.finish();
        assert!(found.is_empty(), "{name}: {:?}", &found[..1]);
    }
}

#[test]
fn the_length_of_frames_changes_nothing() {
    let map = bundled("valley");
    let hashes = |frame: f64| {
        let mut town = town(&map, 120, 7);
        let mut hashes = Vec::new();
        for second in 1..=30 {
            let end = CrowdTime::from_whole_seconds(second);
            while town.now() < end {
                town.advance(seconds(frame).min(end - town.now()));
            }
            hashes.push(town.state_hash());
        }
        hashes
    };
    let expected = hashes(1.0);
    for frame in [1.0 / 30.0, 1.0 / 144.0, 0.7] {
        assert_eq!(hashes(frame), expected, "frames of {frame} s");
    }
}

#[test]
fn the_seed_chooses_the_people() {
    let map = bundled("market");
    let hash = |seed: u64| {
        let mut town = town(&map, 100, seed);
        town.advance(seconds(20.0));
        town.state_hash()
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn people_do_errands_that_suit_them() {
    let map = bundled("market");
    let mut town = town(&map, 215, 1);
    let kinds = map.tileset().people().to_vec();
    assert!(kinds.len() >= 12);
    let mut seen = std::collections::HashSet::new();
    for _ in 0..60 {
        town.advance(seconds(1.0));
        for (agent, _) in town.crowd().agents() {
            let Some(person) = town.person(agent) else { continue };
            let Some(place) = person.errand().and_then(|errand| errand.place) else { continue };
            assert!(kinds[person.kind].errands.contains(&place), "{} at a {place:?}", kinds[person.kind].name);
            seen.insert(place);
        }
    }
    assert_eq!(seen.len(), Place::ALL.len(), "{seen:?}");
    assert!(town.traffic().arrivals() > 150, "{} arrivals in a minute", town.traffic().arrivals());
    let stretch = town.traffic().stretch().unwrap();
    assert!((1.0..3.0).contains(&stretch), "routes take {stretch} times as long as alone");
}

/// People make way by steps aside, and do not turn round all the time. Who is pushed off does not arrive once more.
#[test]
fn people_seldom_take_steps_back_and_arrive_once() {
    const SEEDS: u64 = 3;
    const MINUTES: u32 = 5;
    let (mut steps, mut back, mut arrivals, mut trips, mut stretch) = (0, 0, 0, 0, 0.0);
    for seed in 1..=SEEDS {
        let mut town = town(&bundled("market"), 215, seed);
        let mut last: HashMap<AgentId, Step> = HashMap::new();
        for _ in 0..MINUTES {
            town.advance(seconds(60.0));
            trips += town.traffic().arrivals();
            stretch += town.traffic().stretch().unwrap() / (SEEDS as f64 * f64::from(MINUTES));
            for event in town.take_events() {
                match event {
                    CrowdEvent::Arrived { .. } => arrivals += 1,
                    CrowdEvent::Step { agent, step } => {
                        steps += 1;
                        let before = last.insert(agent, step);
                        let takes_back =
                            |before: Step| before.from == step.to && step.start - before.end <= seconds(2.0);
                        back += usize::from(before.is_some_and(takes_back));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(20 * back <= steps, "{back} of {steps} steps are taken back");
    assert!(arrivals <= trips + 60, "{arrivals} arrivals for {trips} errands");
    assert!(stretch < 2.3, "routes take {stretch} times as long as alone");
}

/// The grid of the carts follows the map, and carts take other routes than walkers would, which are cheaper for them.
#[test]
fn carts_keep_to_the_roads() {
    let mut map = bundled("market");
    let mut town = town(&map, 215, 1);
    let is_road = |map: &Map, cell: Cell| {
        let chars =
            [map.base_at(cell), map.overlay_at(cell)].map(|terrain| terrain.map_or(' ', |terrain| terrain.char));
        chars.iter().any(|char| ['R', 'B', 'P', 'g'].contains(char))
    };
    let kinds = map.tileset().people().to_vec();
    let mut planners = [Planner::new(), Planner::new()];
    let (mut carts, mut others) = (0, 0);
    for minute in 0..4 {
        let road = map.tileset().find('R').filter(|_| minute % 2 == 0);
        let built = (20..36).map(|x| Cell::new(x, 41));
        map.apply(&built.clone().map(|cell| CellEdit::overlay(cell, road)).collect::<Vec<_>>()).unwrap();
        town.follow(&map, built);
        erupt(&mut map, &mut town, minute % 2 == 0);
        for _ in 0..20 {
            town.advance(seconds(1.0));
            for (agent, state) in town.crowd().agents() {
                let Some(person) = town.person(agent).filter(|person| kinds[person.kind].name == "merchant") else {
                    continue;
                };
                assert_eq!((kinds[person.kind].off_road, town.crowd().grids().len()), (1.5, 2));
                let Some(goal) = state.goal.filter(|_| !state.has_arrived && state.step.is_none()) else { continue };
                let crowd = town.crowd();
                let costs = crowd.grids().zip(&mut planners).map(|(grid, planner)| {
                    let plan = planner.plan(grid, &RouteQuery::new(state.cell, goal)).unwrap();
                    let cells = plan.route.unwrap().cells;
                    let cost = |step: &[Cell]| crowd.rules().step_cost(crowd.grids().last()?, step[0], step[1]);
                    cells.windows(2).map(|step| cost(step).unwrap().units()).sum::<u64>()
                });
                let [of_walkers, own] = costs.collect::<Vec<_>>().try_into().unwrap();
                assert!(own <= of_walkers);
                carts += 1;
                others += usize::from(own < of_walkers);
            }
        }
        let waiting: Vec<_> = town.crowd().waiting_edits().map(|edit| edit.cell).collect();
        for cell in map.size().cells().filter(|cell| !waiting.contains(cell)) {
            let factor = if is_road(&map, cell) { 1.0 } else { 1.5 };
            let expected = map.cost(cell).map(|cost| EntryCost::from_tiles(cost.tiles() * factor).unwrap());
            let found = town.crowd().grids().last().unwrap().get(cell);
            assert_eq!(found, expected, "{cell}");
        }
    }
    assert!(carts > 100 && others > carts / 20, "of {carts} routes of carts, {others} are not those of walkers");
}

#[test]
fn a_town_has_as_many_travellers_as_asked_for() {
    let map = bundled("figures/road");
    let room = Places::of(&map, StepRules::default()).room();
    for (asked, there) in [(1, 1), (2, 2), (10, 10), (100_000, room)] {
        assert_eq!(town(&map, asked, 1).agents(), there);
    }
}

#[test]
fn everybody_makes_way_for_the_players_traveller() {
    let map = bundled("market");
    let mut town = town(&map, 215, 1);
    let player = town.player().unwrap();
    let (tent, castle) = (map.tent().unwrap(), map.castle().unwrap());
    town.advance(seconds(10.0));
    assert_eq!(town.crowd().state(player).unwrap().cell, tent, "nobody pushes it aside");
    town.send_player(Some(castle));
    let free = town.crowd().remaining(player).unwrap().time.seconds();
    let start = town.now().seconds();
    while !town.crowd().state(player).unwrap().has_arrived {
        town.advance(seconds(0.25));
        assert!(town.now().seconds() < start + 2.0 * free, "it is held up for longer than it needs alone");
    }
}

#[test]
fn people_go_where_they_are_sent_and_then_on_with_their_errands() {
    let map = bundled("valley");
    let mut town = town(&map, 60, 1);
    let sent: Vec<_> = people(&town).into_iter().take(8).collect();
    let goal = map.castle().unwrap();
    town.send_people(&sent, goal);
    assert!(sent.iter().all(|agent| town.person(*agent).is_some_and(|person| person.is_sent())));
    town.advance(seconds(120.0));
    assert!(sent.iter().all(|agent| town.person(*agent).is_some_and(|person| !person.is_sent())));
}

#[test]
fn people_who_are_sent_to_a_wall_go_as_near_as_they_can() {
    let map = bundled("figures/road");
    let mut town = town(&map, 8, 1);
    let sent: Vec<_> = people(&town).into_iter().take(4).collect();
    let goal = Cell::new(7, 7);
    assert!(!map.costs().is_passable(goal));
    town.send_people(&sent, goal);
    let mut spots: Vec<_> = sent.iter().map(|agent| town.person(*agent).unwrap().errand().unwrap().spot).collect();
    town.advance(seconds(18.0));
    for (agent, spot) in sent.iter().zip(&spots) {
        let state = town.crowd().state(*agent).unwrap();
        assert_eq!((state.cell, state.unreachable, state.has_arrived), (*spot, Some(goal), true));
        assert!(town.person(*agent).unwrap().is_sent(), "{agent} has not given up");
    }
    spots.sort_unstable();
    spots.dedup();
    assert_eq!(spots.len(), sent.len());
}

/// The people of a town.
fn people(town: &Town) -> Vec<AgentId> {
    town.crowd().agents().map(|(agent, _)| agent).filter(|agent| town.person(*agent).is_some()).collect()
}

#[test]
fn people_who_were_sent_give_their_spots_back() {
    let map = bundled("market");
    let mut town = town(&map, 215, 1);
    let people = people(&town);
    // Those who go to some cell, because there is no place for them.
    let aimless = |town: &Town| {
        let people = people.iter().filter_map(|agent| town.person(*agent)).filter(|person| !person.is_sent());
        people.filter_map(|person| person.errand()).filter(|errand| errand.place.is_none()).count()
    };
    town.advance(seconds(30.0));
    let before = aimless(&town);
    for round in 0..8 {
        let goal = if round % 2 == 0 { map.tent() } else { map.castle() };
        town.send_people(&people, goal.unwrap());
        town.advance(seconds(90.0));
    }
    let after = aimless(&town);
    assert!(after < before + 5, "{after} people have nowhere to go, and {before} had before");
}

#[test]
fn nobody_chooses_a_spot_that_somebody_else_has_chosen() {
    let map = bundled("market");
    let mut town = town(&map, 400, 2);
    let people = people(&town);
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        for _ in 0..3 {
            // Where somebody else stands or is going to.
            let [sent, other] = [0; 2].map(|_| people[random.usize(..people.len())]);
            let errand = town.person(other).and_then(|person| person.errand());
            errand.into_iter().for_each(|errand| town.send_people(&[sent], errand.spot));
        }
        town.advance(seconds(1.0));
        let on_errands = people.iter().filter_map(|agent| town.person(*agent)).filter(|person| !person.is_sent());
        let mut spots: Vec<_> = on_errands.filter_map(|person| person.errand()).map(|errand| errand.spot).collect();
        let count = spots.len();
        spots.sort_unstable();
        spots.dedup();
        assert_eq!(spots.len(), count, "after {} s", town.now());
    }
}

#[test]
fn the_rest_before_an_order_is_no_waiting() {
    let map = bundled("valley");
    let mut town = town(&map, 2, 1);
    let person = people(&town)[0];
    let player = town.player().unwrap();
    let stays = |town: &Town| town.person(person).unwrap().stays();
    while !stays(&town) || town.now() < seconds(30.0) {
        town.advance(seconds(1.0));
    }
    let from = [player, person].map(|agent| town.crowd().state(agent).unwrap().cell);
    assert_ne!(from[0], from[1]);
    town.send_player(map.castle());
    town.send_people(&[person], map.castle().unwrap());
    town.advance(seconds(3.0));
    for cell in from {
        let flow = town.flow().at(cell);
        assert!(flow.left > 0 && flow.waited < seconds(1.5), "{cell}: {flow:?}");
    }
}

#[test]
fn steps_between_two_cells_are_counted_in_both_and_forgotten() {
    let map = bundled("market");
    let mut town = town(&map, 60, 3);
    for _ in 0..9 {
        town.advance(seconds(20.0));
        let flow = town.flow();
        assert!(flow.cells().count() > 100);
        for (cell, counted) in flow.cells() {
            assert_eq!(counted.steps.iter().sum::<u32>(), counted.entries + counted.left, "{cell}");
            for direction in Direction::ALL {
                let back = flow.at(cell + direction).steps[direction.opposite() as usize];
                assert_eq!(counted.steps[direction as usize], back, "{cell} {direction:?}");
            }
        }
    }
}

/// Builds walls, as with a brush: where something stands that a wall cannot replace, nothing is built.
fn build(map: &mut Map, town: &mut Town, cells: impl Iterator<Item = Cell>) -> Vec<CellEdit> {
    let wall = map.tileset().find('W');
    let mut undo = Vec::new();
    let mut built = Vec::new();
    for cell in cells.filter(|cell| map.size().contains(*cell)).collect::<Vec<_>>() {
        undo.extend(map.apply(&[CellEdit::overlay(cell, wall)]).unwrap_or_default());
        built.push(cell);
    }
    town.follow(map, built);
    undo
}

fn square(around: Cell, reach: i32) -> impl Iterator<Item = Cell> {
    (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| around + (dx, dy)))
}

/// Where the people of a town are, who all stand on ground of their own.
fn cells(town: &Town) -> Vec<Cell> {
    let cells: Vec<_> = town.crowd().positions().map(|(_, cell, _)| cell).collect();
    assert!(cells.iter().all(|cell| town.crowd().grid().is_passable(*cell)), "somebody is in a wall");
    cells
}

#[test]
fn people_who_are_walled_in_by_a_brush_are_put_beside_the_wall_whatever_the_length_of_frames() {
    let hashes = |frame: f64| {
        let mut map = bundled("market");
        let mut town = town(&map, 215, 1);
        let mut checker = town.checker().unwrap();
        town.advance(seconds(5.0));
        let mut random = fastrand::Rng::with_seed(11);
        let mut let_out = 0;
        let mut hashes = Vec::new();
        for stroke in 0..12 {
            let player = town.player_state().unwrap().cell;
            let all = cells(&town);
            // The player's traveller stays where it is until it is sent elsewhere.
            let all: Vec<_> = all.into_iter().filter(|cell| !square(*cell, 3).any(|near| near == player)).collect();
            let built = all[random.usize(..all.len())];
            build(&mut map, &mut town, square(built, 2));
            let walled_in: Vec<_> =
                town.crowd().agents().map(|(agent, _)| agent).filter(|agent| town.is_walled_in(*agent)).collect();
            let end = town.now() + seconds(6.0);
            while town.now() < end {
                town.advance(seconds(frame).min(end - town.now()));
            }
            let waiting: Vec<_> = town.crowd().waiting_edits().collect();
            assert_eq!(waiting, [], "stroke {stroke} around {built}: scaffolds for ever");
            for (agent, cell) in &town.let_out().people {
                assert!(town.crowd().grid().is_passable(*cell), "stroke {stroke}");
                assert!(town.person(*agent).is_some() && !town.is_walled_in(*agent), "stroke {stroke}");
            }
            let_out += walled_in.len();
            assert_eq!(cells(&town).len(), 215, "stroke {stroke}: everybody is there");
            checker.add(&town.take_events());
            hashes.push(town.state_hash());
        }
        assert!(let_out > 5, "{let_out}");
        assert_eq!(checker.finish(), []);
        hashes
    };
    let expected = hashes(1.0);
    assert_eq!(hashes(1.0 / 30.0), expected);
    assert_eq!(hashes(0.7), expected);
}

#[test]
fn a_wall_that_is_taken_away_soon_puts_nobody_elsewhere() {
    let mut map = bundled("market");
    let mut town = town(&map, 215, 1);
    town.advance(seconds(5.0));
    let standing = town
        .crowd()
        .agents()
        .find(|(agent, state)| town.person(*agent).is_some() && state.step.is_none() && state.has_arrived);
    let (agent, state) = standing.expect("somebody stands");
    let undo = build(&mut map, &mut town, square(state.cell, 2));
    assert!(town.is_walled_in(agent));
    town.advance(seconds(1.5));
    assert_eq!(town.crowd().state(agent).unwrap().cell, state.cell);
    let reverse: Vec<_> = undo.into_iter().rev().collect();
    map.apply(&reverse).unwrap();
    town.follow(&map, reverse.iter().map(|edit| edit.cell));
    assert!(!town.is_walled_in(agent));
    town.advance(seconds(3.0));
    assert_eq!(town.let_out().people, []);
}

#[test]
fn somebody_in_a_closed_yard_is_let_out_as_soon_as_they_want_to_go_on_and_keeps_an_order() {
    let mut map = bundled("valley");
    let mut town = town(&map, 60, 3);
    town.advance(seconds(5.0));
    let count = |town: &Town, cell: Cell| square(cell, 2).filter(|near| town.crowd().agent_at(*near).is_some()).count();
    let open = |town: &Town, cell: Cell| square(cell, 2).all(|near| town.crowd().grid().is_passable(near));
    let standing = |town: &Town| {
        town.crowd().agents().find(|(agent, state)| {
            town.person(*agent).is_some()
                && state.step.is_none()
                && count(town, state.cell) == 1
                && open(town, state.cell)
        })
    };
    let found = (0..600).find_map(|_| {
        town.advance(seconds(0.1));
        standing(&town)
    });
    let (agent, state) = found.expect("somebody stands in the open within a minute");
    let goal = map.castle().unwrap();
    build(
        &mut map,
        &mut town,
        square(state.cell, 2)
            .filter(|cell| {
                let (dx, dy) = *cell - state.cell;
                dx.abs().max(dy.abs()) == 2
            })
            .collect::<Vec<_>>()
            .into_iter(),
    );
    town.send_people(&[agent], goal);
    town.advance(seconds(45.0));
    let cell = town.crowd().state(agent).unwrap().cell;
    let (dx, dy) = cell - state.cell;
    assert!(dx.abs().max(dy.abs()) > 2, "{agent} is still at {cell}");
}

#[test]
fn where_no_cell_is_free_people_stay_walled_in_until_one_is() {
    let mut map = bundled("valley");
    let mut town = town(&map, 20, 3);
    let mut checker = town.checker().unwrap();
    town.advance(seconds(3.0));
    let all: Vec<_> = map.size().cells().collect();
    let undo = build(&mut map, &mut town, all.into_iter());
    town.advance(seconds(20.0));
    let before = cells(&town);
    assert_eq!(before.len(), 19);
    let walled_in = town.crowd().agents().filter(|(agent, _)| town.is_walled_in(*agent)).count();
    assert_eq!(walled_in, 19, "all but the player's traveller, which is nowhere");
    let reverse: Vec<_> = undo.into_iter().rev().collect();
    map.apply(&reverse).unwrap();
    town.follow(&map, reverse.iter().map(|edit| edit.cell));
    assert!(town.crowd().agents().all(|(agent, _)| !town.is_walled_in(agent)));
    town.advance(seconds(20.0));
    assert_ne!(cells(&town), before, "they go on");
    checker.add(&town.take_events());
    assert_eq!(checker.finish(), []);
}
