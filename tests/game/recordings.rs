//! What is recorded follows from its orders: the world without a window comes to the same states.

use std::path::Path;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emberwalk::game::action::half::Half;
use emberwalk::game::action::{Action, Playback, WalkSpeed};
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::people::selected::SelectedPeople;
use emberwalk::game::people::town::People;
use emberwalk::game::recording::Recorder;
use emberwalk::game::replay::WatchedReplay;
use emberwalk::game::world::open_map::OpenMap;
use emberwalk::recording::{Entry, Order, Recording, Replay, check};
use emberwalk_map::CellEdit;
use emberwalk_map::terrain::Layer;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Corners, Moves, Options, StepRules};
use fastrand::Rng;
use tempfile::TempDir;

use crate::play::{Game, at};

/// What was recorded, after it was written and read.
fn recording(game: &Game) -> Recording {
    let recording = game.app_ref().world().resource::<Recorder>().recording().expect("a map is open");
    Recording::parse(&recording.to_ron()).expect("what was written can be read")
}

/// Checks what was recorded, and returns it.
fn come_true(game: &Game) -> Recording {
    let recording = recording(game);
    let difference = check(&recording, game.map().tileset(), |_| {}).expect("it begins with a map");
    if let Some(difference) = difference {
        let before = recording.entries.iter().filter(|(time, _)| *time <= difference.time);
        let last: Vec<_> = before.filter(|(_, entry)| !matches!(entry, Entry::Order(Order::Open(_)))).collect();
        let last = &last[last.len().saturating_sub(25)..];
        panic!("{difference}\n{}", last.iter().map(|(time, entry)| format!("{time} {entry:?}\n")).collect::<String>());
    }
    recording
}

fn hashes(recording: &Recording) -> usize {
    recording.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Hash(_))).count()
}

/// Lets a frame last so long.
fn last(game: &mut Game, seconds: f64) {
    game.app().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
}

#[test]
fn a_walk_with_eruptions_comes_true() {
    let mut game = Game::on_bundled("valley");
    game.ask(Action::GoToCastle);
    game.advance(2.5);
    game.ask(Action::Erupt);
    game.advance(3.0);
    game.ask(Action::Go(at(3, 14)));
    game.advance(2.0);
    game.ask(Action::Erupt);
    game.advance(2.0);
    let recording = come_true(&game);
    assert!(hashes(&recording) >= 8, "{}", recording.to_ron());
}

#[test]
fn a_town_comes_true() {
    let mut game = Game::on_bundled("market");
    game.advance(4.0);
    game.ask(Action::GoToCastle);
    game.advance(3.0);
    let recording = come_true(&game);
    assert!(hashes(&recording) >= 6);
}

#[test]
fn a_recording_is_played_both_ways_and_can_be_left() {
    let mut game = Game::on_bundled("market");
    game.advance(1.0);
    game.ask(Action::GoToCastle);
    game.advance(3.0);
    game.ask(Action::Erupt);
    game.advance(3.0);
    let recording = come_true(&game);

    let mut game = Game::on_bundled("market");
    let tileset = game.map().tileset().clone();
    let mut straight = Replay::new(recording.clone(), &tileset).expect("it begins with a map");
    let watched = WatchedReplay::new(Replay::new(recording, &tileset).expect("it begins with a map"));
    watched.begin(game.app().world_mut());
    let end = straight.recording().duration();
    for share in [0.9, 0.2, 0.6, 0.59, 1.0, 0.0, 0.75] {
        game.ask_for(Action::Playback(Playback::Seek(share)));
        game.ask_for(Action::Erupt);
        let time = CrowdTime::from_seconds(f64::from(share) * end.seconds());
        straight.go_to(time);
        let world = straight.world();
        assert!(game.map().is_same(world.map()), "the map at {time}");
        let people = game.app_ref().world().resource::<People>();
        let here = people.town().map(|town| town.state_hash());
        assert_eq!(here, world.town().map(|town| town.state_hash()), "the people at {time}");
        let walker = world.walker(CrowdTime::from_whole_seconds(60)).expect("it is on the map");
        assert_eq!(game.traveller().origin(), Some(walker.entered()), "the traveller at {time}");
    }
    game.ask_for(Action::Playback(Playback::Toggle));
    game.advance_fast(0.5);
    game.ask_for(Action::PlayOn);
    assert!(game.map().any_dormant() || !game.map().erupting().is_empty());
    let before = game.traveller().feet();
    game.ask_for(Action::Go(at(10, 12)));
    game.advance_fast(3.0);
    assert_ne!(game.traveller().feet(), before, "the player plays on");
    assert!(game.app_ref().world().resource::<People>().len() > 200);
}

#[test]
fn what_led_to_a_panic_is_kept_and_told_at_the_next_start() {
    let folder = TempDir::new().expect("there is room for a folder");
    let state = folder.path().join("state");
    let begin = |map| {
        let mut game = Game::on_bundled(map);
        game.app().insert_resource(RecoveryFolder(Some(state.clone())));
        game.advance(0.1);
        game
    };
    let mut game = begin("valley");
    game.ask(Action::GoToCastle);
    game.advance(3.0);
    let steps = recording(&game).entries.len();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        game.app().add_systems(Update, || panic!("a test"));
        game.app().update();
    }));
    assert!(panicked.is_err());
    let kept = std::fs::read_to_string(state.join("crash.emberplay.ron")).expect("it is kept");
    let kept = Recording::parse(&kept).expect("it can be read");
    assert!(kept.entries.len() >= steps);
    let game = begin("market");
    assert!(check(&kept, game.map().tileset(), |_| {}).expect("it begins with a map").is_none());
    assert!(game.has_logged("recording of a panic found"));
    assert!(!state.join("crash.emberplay.ron").exists() && state.join("last-crash.emberplay.ron").exists());
    let game = begin("market");
    assert!(!game.has_logged("recording of a panic found"), "it is told once");
}

#[test]
fn random_play_at_odd_frame_rates_comes_true() {
    for seed in 0..16 {
        let mut random = Rng::with_seed(seed);
        let maps = ["valley", "figures/road", "figures/bridge", "market", "figures/snow"];
        let mut game = Game::on_bundled(maps[random.usize(..maps.len())]);
        // After every frame.
        game.app().world_mut().resource_mut::<Recorder>().between_hashes = CrowdTime::ZERO;
        for _ in 0..600 {
            last(&mut game, random.f64() * random.f64() * 0.3);
            act(&mut game, &mut random);
            game.app().update();
        }
        come_true(&game);
    }
}

/// Plays at odd frame rates, so many seconds, and does something in about every third of a second.
fn play(game: &mut Game, seconds: f64, random: &mut Rng, mut act: impl FnMut(&mut Game, &mut Rng)) {
    let mut time = 0.0;
    while time < seconds {
        let frame = random.f64() * random.f64() * 0.3;
        time += frame;
        last(game, frame);
        if random.f64() < 3.0 * frame {
            act(game, random);
        }
        game.app().update();
    }
}

/// The recordings in `tests/recordings`, from which other tests find out whether the rules of the world have changed.
/// If they have to, this plays and records them again.
#[test]
#[ignore = "writes the recordings that other tests check"]
fn the_long_recordings_are_made() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let mut random = Rng::with_seed(49);
    let write = |name: &str, game: &Game| {
        let recording = come_true(game);
        std::fs::write(folder.join(name).with_extension("emberplay.ron"), recording.to_ron())
            .expect("it can be written");
    };

    let mut game = Game::on_bundled("valley");
    play(&mut game, 600.0, &mut random, |game, random| match random.u8(..24) {
        0..4 => later(game, Action::Go(random_cell(game, random))),
        4 => later(game, Action::GoToCastle),
        5 => later(game, Action::Erupt),
        6 => later(game, Action::SetWalkSpeed(WalkSpeed::ALL[random.usize(..3)])),
        _ => {}
    });
    write("walk", &game);

    // As many strokes as in an hour, in a tenth of the time.
    let mut game = Game::on_bundled("highlands");
    play(&mut game, 360.0, &mut random, |game, random| match random.u8(..12) {
        0 => later(game, Action::Go(random_cell(game, random))),
        1 => later(game, Action::Erupt),
        _ => stroke(game, random),
    });
    write("painting", &game);

    let mut game = Game::on_bundled("market");
    play(&mut game, 300.0, &mut random, |game, random| match random.u8(..24) {
        0 => later(game, Action::Go(random_cell(game, random))),
        1 if random.u8(..4) == 0 => later(game, Action::Erupt),
        2 => stroke(game, random),
        3 => send_some(game, random),
        _ => {}
    });
    write("market", &game);
}

fn random_cell(game: &Game, random: &mut Rng) -> Cell {
    let size = game.map().size();
    Cell::new(random.i32(0..size.width as i32), random.i32(0..size.height as i32))
}

/// Paints a stroke of some cells with a random terrain, or raises or lowers them.
fn stroke(game: &mut Game, random: &mut Rng) {
    let map = game.map();
    let from = random_cell(game, random);
    let length = random.i32(1..12);
    let along = if random.bool() { (1, 0) } else { (0, 1) };
    let terrains: Vec<_> = map.tileset().iter().collect();
    let (id, terrain) = terrains[random.usize(..terrains.len())];
    let (layer, raises, level) = (terrain.layer, random.u8(..5) == 0, random.u8(..4));
    let cells = (0..length).map(|k| from + (k * along.0, k * along.1)).filter(|cell| map.size().contains(*cell));
    let edits: Vec<_> = cells
        .map(|cell| match layer {
            _ if raises => CellEdit::level(cell, level),
            Layer::Base => CellEdit::base(cell, id),
            Layer::Overlay => CellEdit::overlay(cell, Some(id).filter(|_| random.bool())),
        })
        .collect();
    let world = game.app().world_mut();
    // A second tent is not possible, for example.
    if let Ok(changed) = world.resource_mut::<OpenMap>().edit(&edits) {
        world.write_message(changed);
    }
}

fn later(game: &mut Game, action: Action) {
    game.app().world_mut().write_message(action);
}

/// Sends three of the people somewhere.
fn send_some(game: &mut Game, random: &mut Rng) {
    let town = game.app_ref().world().resource::<People>().town();
    let agents = town.into_iter().flat_map(|town| town.crowd().agents().map(move |(agent, _)| (town, agent)));
    let people: Vec<_> = agents.filter(|(town, agent)| town.person(*agent).is_some()).map(|(_, agent)| agent).collect();
    if !people.is_empty() {
        let some: Vec<_> = (0..3).map(|_| people[random.usize(..people.len())]).collect();
        let cell = random_cell(game, random);
        game.app().world_mut().resource_mut::<SelectedPeople>().select(some, false);
        later(game, Action::SendPeople(cell));
    }
}

/// Does something at random, mostly nothing.
fn act(game: &mut Game, random: &mut Rng) {
    let cell = random_cell(game, random);
    match random.u8(..60) {
        0..4 => later(game, Action::Go(cell)),
        4 => later(game, Action::GoToCastle),
        5 => later(game, Action::Erupt),
        6 => later(game, Action::Reset),
        7 => later(game, Action::SkipWalk),
        8..12 => {
            let tileset = game.map().tileset().clone();
            let ids: Vec<_> =
                tileset.iter().filter(|(_, terrain)| terrain.layer == Layer::Overlay).map(|(id, _)| id).collect();
            let id = if random.bool() { None } else { Some(ids[random.usize(..ids.len())]) };
            let here = game.traveller().origin().filter(|_| random.bool()).unwrap_or(cell);
            let world = game.app().world_mut();
            let changed = world.resource_mut::<OpenMap>().edit(&[CellEdit::overlay(here, id)]);
            if let Ok(changed) = changed {
                world.write_message(changed);
            }
        }
        12 => later(game, Action::LetTravel(Some([1, 2, 9, 40][random.usize(..4)]))),
        13 => {
            let moves = [Moves::Four, Moves::Six, Moves::Eight][random.usize(..3)];
            let corners = [Corners::Never, Corners::One, Corners::Always][random.usize(..3)];
            let options = Options::default().with_rules(StepRules::new(moves, corners));
            later(game, Action::PlanWith(Half::Left, options));
        }
        14..17 => send_some(game, random),
        17 => later(game, Action::SetWalkSpeed(WalkSpeed::ALL[random.usize(..3)])),
        18 if random.u8(..4) == 0 => later(game, Action::NextMap),
        _ => {}
    }
}
