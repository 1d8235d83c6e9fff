//! A world with its recording: orders at its end, and both ways before.

use std::sync::Arc;

use emberwalk_map::CellEdit;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Corners, Moves};
use emberwalk_testing::random_player::{RandomPlayer, open};
use emberwalk_world::{Entry, Order, OrderError, Paint, Position, Recording, Seconds, Steps, Timeline, VolcanoChoice};

use crate::support::{Random, bundled, tileset};
use crate::{assert_replays, seconds};

/// Some seconds at random in a town.
fn played(seed: u64) -> RandomPlayer {
    let mut player = RandomPlayer::new(&bundled("market"), seed);
    player.populate(30, seed);
    player.play(8.0, 0.5);
    player
}

#[test]
fn orders_are_given_at_the_end_and_never_before() {
    let mut player = played(1);
    let (end, text) = (player.timeline.end(), player.recording().to_ron());
    assert_eq!(end, seconds(8.0));
    // The end is not now any more, even where it was.
    for time in [7.3, 0.0, 8.0, 12.0] {
        player.timeline.go_to(seconds(time));
        let before = player.world().hash();
        let refused = player.timeline.push(Order::Go(None));
        assert!(matches!(refused, Err(OrderError::Recorded)), "at {time} s");
        player.timeline.advance(seconds(0.2));
        player.timeline.go_to(seconds(time));
        assert_eq!((player.world().hash(), player.timeline.end()), (before, end), "at {time} s");
    }
    assert_eq!(player.recording().to_ron(), text);
    player.timeline.truncate();
    player.give(Order::Go(None));
}

#[test]
fn the_traveller_keeps_its_step_and_its_place_when_people_come_and_go() {
    let map = bundled("market");
    let mut player = RandomPlayer::new(&map, 5);
    let start = map.tent();
    player.give(Order::Put(start.map(|cell| Position { cell, leaving: None })));
    player.walk();
    player.wait(4.0);
    while player.world().walker().unwrap().step().is_none() {
        player.walk();
        player.wait(0.1);
    }
    let travel = |number| Order::Travel { number, seed: 5, start, groups: Vec::new(), hour: None };
    let (before, facing) = (player.world().walker(), player.world().facing());
    player.give(travel(60));
    assert_eq!((player.world().walker(), player.world().facing()), (before, facing));
    let (entered, left) =
        before.map(|walker| (walker.entered(), walker.step().unwrap().end - player.world().clock())).unwrap();
    // Its route ends with the step, after which it takes a cell.
    player.timeline.advance(left - CrowdTime::from_ticks(1));
    assert_eq!(player.world().walker(), before);
    assert!(player.world().town().unwrap().player_joins());
    player.timeline.advance(CrowdTime::from_ticks(1));
    assert_eq!(player.world().walker().unwrap().standing_cell(), Some(entered));
    assert_eq!(player.world().facing(), facing);
    let town = player.world().town().unwrap();
    assert_eq!((town.player_joins(), town.crowd().agent_at(entered)), (false, town.player()));
    player.give(Order::Go(map.castle()));
    player.wait(0.3);
    let before = player.world().walker();
    assert!(before.unwrap().step().is_some());
    player.give(travel(1));
    assert_eq!((player.world().walker(), player.world().town().is_none()), (before, true));
    player.wait(60.0);
    assert_eq!(player.world().walker().unwrap().standing_cell(), map.castle(), "it is still led there");
    assert_replays(&player.recording());
}

#[test]
fn one_that_has_come_to_the_end_of_its_route_was_sent_there_also_after_a_change_of_the_map() {
    let mut player = RandomPlayer::new(&bundled("figures/road"), 1);
    let cell = player.world().map().tent().unwrap();
    player.give(Order::Put(Some(Position { cell, leaving: None })));
    let walk = |steps| Order::Walk { goal: Some(cell), route: Steps(steps), waits: Vec::new() };
    let east = vec![Direction::E];
    player.give(walk(east.clone()));
    player.wait(9.0);
    assert!(player.world().is_sent() && player.world().route() == [cell + Direction::E]);
    player.give(Order::Volcanoes(VolcanoChoice::Erupting));
    player.give(Order::Rules(Moves::Four, Corners::Never));
    assert!(player.world().is_sent() && player.world().route() == [cell + Direction::E]);
    player.give(walk(Vec::new()));
    assert!(!player.world().is_sent());
    player.give(walk(vec![Direction::W]));
    player.give(Order::Put(Some(Position { cell, leaving: None })));
    assert!(!player.world().is_sent());
}

#[test]
fn among_people_too_the_traveller_turns_back_from_a_new_wall_or_is_put_beside_it() {
    let map = bundled("valley");
    let mut player = RandomPlayer::new(&map, 6);
    player.populate(20, 6);
    let castle = map.castle().unwrap();
    player.give(Order::Go(Some(castle)));
    let wall = |cell| Order::Paint(Paint::of(&tileset(), &[CellEdit::overlay(cell, tileset().find('W'))]));
    let is_blocked = |player: &RandomPlayer, cell| {
        let world = player.world();
        !world.map().costs().is_passable(cell) && !world.town().unwrap().crowd().grid().is_passable(cell)
    };
    player.wait(3.1);
    let step = player.world().walker().unwrap().step().unwrap();
    player.give(wall(step.to));
    assert_eq!(player.world().walker().unwrap().step().map(|step| (step.from, step.to)), Some((step.to, step.from)));
    player.wait(1.0);
    assert!(is_blocked(&player, step.to));
    assert_ne!(player.world().walker().unwrap().entered(), step.to, "it is led there by another route");
    player.give(Order::Go(None));
    player.wait(2.0);
    let here = player.world().walker().unwrap().entered();
    player.give(wall(here));
    let beside = player.world().walker().unwrap().standing_cell().unwrap();
    assert!(beside != here && beside.distance_squared(here) <= 8, "{here} {beside}");
    player.wait(1.0);
    assert!(is_blocked(&player, here));
    assert_replays(&player.recording());
}

#[test]
fn among_people_the_traveller_takes_a_cell_at_once_if_its_step_ends_now() {
    let map = bundled("valley");
    let mut player = RandomPlayer::new(&map, 7);
    player.populate(20, 7);
    let cell = map.tent().unwrap();
    let time = Seconds(CrowdTime::SECOND);
    player.give(Order::Put(Some(Position { cell, leaving: Some((cell + Direction::W, time, time)) })));
    player.wait(2.0);
    assert!(!player.world().town().unwrap().player_joins());
    assert_replays(&player.recording());
}

#[test]
fn in_a_town_the_goal_may_be_another_cell_than_the_one_to_which_the_traveller_is_led() {
    let castle = bundled("market").castle().unwrap();
    let mut player = RandomPlayer::new(&bundled("market"), 4);
    player.populate(30, 4);
    assert!(!player.world().is_sent());
    let gate = Cell::new(28, 32);
    let led = |player: &RandomPlayer| {
        let world = player.world();
        (world.town().and_then(|town| town.player_state()).and_then(|state| state.goal), world.goal(), world.is_sent())
    };
    player.give(Order::Go(Some(gate)));
    assert_eq!(led(&player), (Some(gate), Some(gate), true));
    player.give(Order::Walk { goal: Some(castle), route: Steps::default(), waits: Vec::new() });
    player.wait(3.0);
    assert_eq!(led(&player), (Some(gate), Some(castle), true));
    assert_replays(&player.recording());
    player.give(Order::Go(None));
    assert!(!player.world().is_sent());
}

#[test]
fn an_order_that_is_not_possible_changes_nothing_and_is_not_recorded() {
    let mut player = played(2);
    let (hash, text) = (player.world().hash(), player.recording().to_ron());
    let off_the_map = Order::Go(Some((-1, 0).into()));
    assert!(matches!(player.timeline.push(off_the_map), Err(OrderError::Cell(_))));
    assert_eq!((player.world().hash(), player.recording().to_ron()), (hash, text));
}

#[test]
fn what_is_cut_off_is_forgotten_and_the_rest_goes_on_and_comes_true() {
    for seed in 0..6 {
        let mut player = played(seed);
        let whole = player.recording();
        let left = seconds(Random(seed).below(8_000) as f64 / 1000.0);
        player.timeline.go_to(left);
        let hash = player.world().hash();
        player.timeline.truncate();
        assert_eq!((player.world().hash(), player.timeline.end()), (hash, left), "seed {seed}");
        let kept = player.recording();
        assert!(whole.to_ron().starts_with(kept.to_ron().strip_suffix(Recording::END).unwrap()), "seed {seed}");
        player.play(5.0, 0.5);
        assert_eq!(player.timeline.end(), left + seconds(5.0));
        assert_replays(&player.recording());
        // Again, from the text.
        let mut again = Timeline::of(player.recording(), &tileset()).unwrap();
        again.go_to(left);
        assert_eq!(again.world().hash(), hash, "seed {seed}");
    }
}

#[test]
fn hashes_that_are_wrong_are_forgotten_where_it_goes_on() {
    let mut player = RandomPlayer::new(&bundled("market"), 3);
    player.keeps_its_town = true;
    player.populate(30, 3);
    player.play(8.0, 0.5);
    let mut recording = player.recording();
    let town = recording.entries.iter().position(|(_, entry)| matches!(entry, Entry::Order(Order::Travel { .. })));
    let start = bundled("market").tent();
    recording.entries[town.unwrap()].1 =
        Entry::Order(Order::Travel { number: 30, seed: 4, start, groups: Vec::new(), hour: None });
    let mut timeline = Timeline::of(recording, &tileset()).unwrap();
    timeline.go_to(seconds(4.5));
    assert!(timeline.difference().is_some());
    timeline.truncate();
    assert!(timeline.difference().is_none());
    assert_eq!(timeline.recording().hashes(), 0);
    timeline.advance(seconds(3.0));
    assert_eq!(timeline.recording().hashes(), 3);
    assert_replays(timeline.recording());
}

#[test]
fn frames_of_any_length_record_the_same() {
    let mut random = Random(4);
    let orders = played(4).recording();
    let play = |mut frame: Box<dyn FnMut() -> f64>| {
        let mut timeline = Timeline::new(open(&bundled("market")), &tileset()).unwrap();
        for (time, entry) in &orders.entries[1..] {
            while timeline.end() < *time {
                timeline.advance(seconds(frame()).min(*time - timeline.end()));
            }
            if let Entry::Order(order) = entry {
                timeline.push(order.clone()).unwrap();
            }
        }
        timeline.recording().to_ron()
    };
    let whole = play(Box::new(|| 60.0));
    assert_eq!(whole, orders.to_ron());
    assert_eq!(play(Box::new(move || (1 + random.below(90)) as f64 / 1000.0)), whole);
}

/// A copy would double the memory of a large map with its next edit.
#[test]
fn while_the_end_is_now_there_are_no_copies_of_the_world() {
    // The one of the world, and the one that is counted.
    let grids = |player: &RandomPlayer| Arc::strong_count(&player.world().map().shared_costs());
    let mut player = RandomPlayer::new(&bundled("valley"), 5);
    player.wait(9.0);
    assert_eq!(grids(&player), 2);
    player.timeline.go_to(CrowdTime::SECOND);
    assert!(grids(&player) > 2, "copies are kept on the way");
    player.timeline.truncate();
    assert_eq!(grids(&player), 2);
}

#[test]
fn what_is_chosen_for_volcanoes_is_not_painted() {
    let map = bundled("figures/snow");
    let volcano = map.edits_to_erupt()[0].cell;
    let (dormant, erupting) = (tileset().find('v'), tileset().find('V'));
    let paint = |edit: CellEdit| Order::Paint(Paint::of(&tileset(), &[edit]));
    let mut timeline = Timeline::on(map);
    timeline.push(Order::Volcanoes(VolcanoChoice::Erupting)).unwrap();
    let painted = Cell::new(0, 0);
    let undo = timeline.push(paint(CellEdit::overlay(painted, dormant))).unwrap();
    assert!(undo.iter().any(|edit| edit.cell == painted));
    let shown = |timeline: &Timeline| [volcano, painted].map(|cell| timeline.world().map().overlay_id(cell));
    assert_eq!(shown(&timeline), [erupting; 2], "it erupts, too");
    let drawn = timeline.world().map().content().edited(timeline.world().as_drawn());
    assert_eq!([volcano, painted].map(|cell| drawn.overlay_id(cell)), [dormant; 2]);
    timeline.push(paint(CellEdit::overlay(painted, erupting))).unwrap();
    timeline.push(Order::Volcanoes(VolcanoChoice::Calm)).unwrap();
    assert_eq!(shown(&timeline), [dormant; 2]);
    timeline.push(Order::Volcanoes(VolcanoChoice::AsDrawn)).unwrap();
    assert_eq!(shown(&timeline), [dormant, erupting]);
    assert_replays(timeline.recording());
}
