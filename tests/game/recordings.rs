//! A recording follows from its orders: the world without a window comes to the same states.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emberwalk::game::action::WalkSpeed;
use emberwalk::game::frames::wake::Wake;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::people::selected::SelectedPeople;
use emberwalk::game::recording::RecordFile;
use emberwalk::game::replay::{WatchedReplay, watch};
use emberwalk::game::world::file_errors::FileErrors;
use emberwalk_map::terrain::Layer;
use emberwalk_path::StepRules;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{Entry, MapSource, Order, Recording, Timeline, check};
use fastrand::Rng;

use crate::play::tiles;
use crate::prelude::*;

/// The recording, after it was written and read.
fn recording(game: &Game) -> Recording {
    let recording = game.get::<OpenMap>().recording();
    Recording::parse(&recording.to_ron()).expect("what was written can be read")
}

/// Checks what was recorded, and returns it.
fn check_replay(game: &Game) -> Recording {
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

/// Lets a frame last so long.
fn last(game: &mut Game, seconds: f64) {
    game.app().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
}

#[test]
fn people_who_are_walled_in_replay_identically() {
    let mut game = Game::on_bundled("market");
    let mut random = Rng::with_seed(3);
    let (mut rounds, mut let_out) = (0, 0);
    // Many come out before they are walled in.
    while rounds < 4 || let_out == 0 {
        rounds += 1;
        assert!(rounds < 30, "nobody had to be let out");
        game.advance(1.3);
        let town = game.map().town().expect("there are people");
        let people: Vec<_> = town.crowd().agents().filter(|(agent, _)| town.person(*agent).is_some()).collect();
        let around = people[random.usize(..people.len())].1.cell;
        let wall = game.map().tileset().find('W');
        let cells = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| around + (dx, dy)));
        for cell in cells.filter(|cell| game.map().size().contains(*cell)).collect::<Vec<_>>() {
            if game.map().overlay_id(cell).is_none() && game.map().costs().is_passable(cell) {
                game.edit(&[CellEdit::overlay(cell, wall)]);
            }
        }
        game.advance(3.7);
        let town = game.map().town().expect("there are people");
        let_out += town.let_out().people.len();
    }
    check_replay(&game);
}

#[test]
fn a_recording_is_played_in_both_directions_and_can_be_left() {
    let mut game = Game::on_bundled("market");
    game.advance(1.0);
    game.ask(Action::GoToCastle);
    game.advance(3.0);
    game.ask(Action::Erupt);
    game.advance(3.0);
    let recording = check_replay(&game);

    let mut game = Game::on_bundled("market");
    let tileset = game.map().tileset().clone();
    let mut straight = Timeline::of(recording.clone(), &tileset).expect("it begins with a map");
    play_recording(&mut game, recording);
    game.app().update();
    let end = straight.recording().duration();
    for share in [0.9, 0.2, 0.6, 0.59, 1.0, 0.0, 0.75] {
        game.ask_for(Action::Playback(Playback::Seek(share)));
        game.ask_for(Action::Erupt);
        let time = CrowdTime::from_seconds(f64::from(share) * end.seconds());
        straight.go_to(time);
        let world = straight.world();
        assert!(game.map().is_same(world.map()), "the map at {time}");
        let here = game.map().town().map(|town| town.state_hash());
        assert_eq!(here, world.town().map(|town| town.state_hash()), "the people at {time}");
        let walker = world.walker().expect("it is on the map");
        assert_eq!(game.traveller().origin(), Some(walker.entered()), "the traveller at {time}");
    }
    game.ask_for(Action::Playback(Playback::Toggle));
    game.advance_fast(0.5);
    play_on(&mut game);
    assert!(game.map().any_dormant() || !game.map().erupting().is_empty());
    let before = game.traveller().feet();
    game.ask_for(Action::Go(at(10, 12)));
    game.advance_fast(3.0);
    assert_ne!(game.traveller().feet(), before, "the player plays on");
    assert!(game.map().travellers() > 200);
}

/// A game that plays on at the end of another game's recording: after a jump there, or after all of it was shown.
fn played_on(game: &Game, map: impl Fn() -> Game, jumps: bool) -> Game {
    let recording = check_replay(game);
    let seconds = recording.duration().seconds();
    let mut game = map();
    play_recording(&mut game, recording);
    game.app().update();
    if jumps {
        seek(&mut game, 1.0);
    } else {
        game.advance_fast(seconds + 0.1);
    }
    game.wait_until("the end of the recording", |game| {
        replay(game).time() == replay(game).asked() && !game.is_planning()
    });
    play_on(&mut game);
    game.app().update();
    game
}

#[test]
fn a_traveller_who_waits_at_a_gate_still_goes_to_the_castle_after_play_on() {
    let alone = || Game::on_grass_with("hour: 22.0, day: 48,", &["1...g..2"]);
    let maps: [(&str, &dyn Fn() -> Game); 2] = [("alone", &alone), ("in a town", &Game::on_evening_market)];
    for (name, map) in maps {
        let mut game = map();
        let castle = game.map().castle();
        game.ask(Action::GoToCastle);
        let seconds = if name == "alone" { 10.0 } else { 14.0 };
        game.advance(seconds);
        let waits = |game: &Game| {
            let times = game.timetable().expect("a gate will open");
            let now = game.map().world().clock();
            let left: Vec<_> = times.waits_from(0).map(|(_, [_, until])| until).filter(|until| *until > now).collect();
            (left, times.arrival().seconds())
        };
        let ((waits_before, arrival), cost) = (waits(&game), game.cost());
        assert!(waits_before.len() == 1 && !game.arrived(), "{name}: {waits_before:?}");
        for jumps in [false, true] {
            let mut game = played_on(&game, map, jumps);
            let name = format!("{name}, after a jump: {jumps}");
            assert_eq!((game.map().world().goal(), game.route().last().copied()), (castle, castle), "{name}");
            let (waits_now, arrives) = waits(&game);
            assert!(waits_now == waits_before && (arrives - arrival).abs() < 0.1, "{name}: {waits_now:?}, {arrives}");
            // Its first step is over before it is planned, and after a jump all of them are.
            assert!(jumps || (game.cost() - cost).abs() <= 1.0, "{name}: {} and {cost}", game.cost());
            game.advance_fast(40.0);
            assert_eq!((game.arrived(), game.traveller().origin()), (true, castle), "{name}");
        }
    }
}

#[test]
fn a_goal_that_is_unreachable_and_an_arrival_stay_after_play_on() {
    let island = || Game::on(&["GGGG~G", "GGGG~G"], &["1.....", ".....2"]);
    let (town, meadow) = (|| Game::on_bundled("market"), || Game::on_grass(&["1....2"]));
    let map = town();
    let is_wall = |cell: &Cell| map.map().overlay_at(*cell).is_some_and(|terrain| terrain.char == 'W');
    let in_a_wall = map.map().size().cells().find(is_wall).expect("the town has a wall");
    let journeys: [(&dyn Fn() -> Game, Action, f64); 4] = [
        (&island, Action::GoToCastle, 0.7),
        (&island, Action::GoToCastle, 5.0),
        (&town, Action::Go(in_a_wall), 2.0),
        (&meadow, Action::GoToCastle, 5.0),
    ];
    for (map, action, seconds) in journeys {
        let mut game = map();
        game.ask(action);
        game.advance(seconds);
        let (goal, reach, description) = (game.map().world().goal(), game.reach(), game.description());
        let mut played_on = played_on(&game, map, true);
        let after = (played_on.map().world().goal(), played_on.reach(), played_on.description());
        assert_eq!(after, (goal, reach, description));
    }
}

#[test]
fn a_traveller_who_was_not_sent_yet_is_not_sent_by_play_on() {
    let mut game = Game::on_evening_market();
    game.advance(3.0);
    let (description, cost) = (game.description(), game.cost());
    let mut played_on = played_on(&game, Game::on_evening_market, true);
    assert_eq!((played_on.description(), played_on.cost()), (description, cost));
    let before = played_on.traveller().feet();
    played_on.advance(2.0);
    assert_eq!(played_on.traveller().feet(), before);
}

/// The file of the recording of a walk.
const WALK: &str = "walk.emberplay.ron";

/// A recording in its file: a walk on the road with an eruption on the way, and people who come and go.
fn walk() -> (Files, Recording) {
    let mut game = Game::on_bundled("market");
    game.ask(Action::GoToCastle);
    game.advance(3.0);
    game.ask(Action::Go(at(10, 12)));
    game.advance(4.0);
    let recording = check_replay(&game);
    assert!(recording.hashes() >= 6, "its state is checked about once a second");
    (Files::with(WALK, recording.to_ron()), recording)
}

/// A game on a bundled map onto which a file was dropped.
fn dropped_on(map: &str, file: &Path) -> Game {
    let mut game = Game::following(MapRequest::of_path(map));
    game.drop_file(file);
    game
}

fn is_watched(game: &Game) -> bool {
    game.find::<WatchedReplay>().is_some()
}

fn replay(game: &Game) -> &WatchedReplay {
    game.get()
}

/// Lets a game play a recording.
fn play_recording(game: &mut Game, recording: Recording) {
    watch(recording.into(), game.app().world_mut());
}

/// A game on a bundled map that plays a recording after a jump to this share of it.
fn playing_from(map: &str, recording: Recording, share: f32) -> Game {
    let mut game = Game::on_bundled(map);
    play_recording(&mut game, recording);
    seek(&mut game, share);
    game
}

fn seek(game: &mut Game, share: f32) {
    game.ask_for(Action::Playback(Playback::Seek(share)));
}

/// Leaves the recording to the player, as soon as the time that was asked for is there.
fn play_on(game: &mut Game) {
    game.ask_for(Action::PlayOn);
    game.wait_until("the player's turn", |game| !is_watched(game));
}

#[test]
fn a_recording_that_is_dropped_is_played_and_checked_until_another_map_is_opened() {
    let (files, recording) = walk();
    let text = recording.to_ron();
    let paths = [files.path(WALK), files.write("named.ron", &text), files.write("named.txt", &text)];
    let mut game = Game::following(MapRequest::of_path("valley"));
    for file in paths {
        game.log_lines();
        game.drop_file(&file);
        game.wait_until("the end of the check", |game| game.has_logged("recording checked"));
        let seconds = recording.duration().seconds();
        let checked = format!("recording checked seconds={seconds:?} hashes={}", recording.hashes());
        assert!(game.has_logged(&checked), "{:?}", game.log_lines());
        assert_eq!(game.map().name(), "The market");
        seek(&mut game, 1.0);
        assert!(game.map().travellers() > 200);
        assert!(is_watched(&game));
    }
    let map = files.write("map.ron", "(name: \"Meadow\", base: [\"GGGG\"], overlay: [\"1..2\"])");
    game.drop_file(&map);
    game.wait_until("the meadow", |game| game.map().name() == "Meadow");
    assert!(!is_watched(&game));
    game.ask_for(Action::GoToCastle);
    game.advance(3.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 0)));
    check_replay(&game);
}

#[test]
fn actions_that_would_change_a_recording_are_refused_with_a_notice_and_another_map_ends_it() {
    let (files, _) = walk();
    let mut game = Game::following(MapRequest::of_path("figures/road"));
    game.ask(Action::PlanWith(Half::Left, Options::default().with_moves(Moves::Six)));
    // A lesson has rules of its own, until the recording closes it.
    game.ask_for(Action::OpenLesson(0));
    game.app().update();
    game.drop_file(&files.path(WALK));
    game.wait_until("the recording", is_watched);
    seek(&mut game, 0.5);
    for action in [Action::Erupt, Action::Reset, Action::LetTravel(Some(9)), Action::TogglePainting] {
        // Nothing is left of the recording before, and it is refused once.
        game.app().update();
        game.ask_for(action);
        let told = "This is a recording. To change something, play on from here.";
        assert_eq!(game.told(), [told], "{action:?}");
    }
    game.ask_for(Action::NextMap);
    assert!(!is_watched(&game));
    game.app().update();
    game.ask_for(Action::GoToCastle);
    game.advance_fast(2.0);
    let rules = game.get::<PlanningOptions>().0.rules;
    assert_eq!(rules.moves, Moves::Six, "the rules of the player are back");
    check_replay(&game);
}

#[test]
fn a_recording_with_an_error_is_refused_at_its_place_and_the_map_stays() {
    let (files, recording) = walk();
    let text = recording.to_ron();
    let lines = text.lines().count();
    let bad_entry = text.replace("])\n", "    (9, order(put((cell: 3)))),\n])\n");
    let bad_map = text.replacen("base: [", "base: [\"~\", ", 1);
    let line_of_map = 1 + text.lines().take_while(|line| !line.contains("base: [")).count();
    for (text, line, words) in [
        (bad_entry.as_str(), Some(lines), ""),
        (bad_map.as_str(), Some(line_of_map), "in a map: "),
        ("(format: 1, program: \"\", tileset: \"\", entries: [])", None, "a recording begins with"),
        ("", None, "the file is empty"),
    ] {
        let mut game = Game::following(MapRequest::of_path("valley"));
        let file = files.write("bad.emberplay.ron", text);
        game.drop_file(&file);
        game.wait_until("errors", |game| !game.errors().is_empty());
        let shown = game.get::<FileErrors>().shown().expect("there are errors");
        let first = &shown.list()[0];
        assert_eq!(first.location.as_ref().map(|at| at.line), line, "{shown:?}");
        assert!(first.message.contains(words), "{}", first.message);
        assert_eq!(game.map().name(), "The valley");
        assert!(!is_watched(&game));
        // As soon as it is corrected, it is played.
        files.write("bad.emberplay.ron", recording.to_ron());
        game.wait_until("the recording", is_watched);
    }
}

#[test]
fn unsaved_work_is_asked_about_before_a_recording_is_played() {
    let (files, _) = walk();
    let mut game = Game::following(MapRequest::of_path("valley"));
    game.set_overlay('W', at(1, 1));
    game.ask_for(Action::TogglePainting);
    game.drop_file(&files.path(WALK));
    assert!(matches!(game.question(), OpenQuestion::Leave(_)));
    game.ask_for(Action::Answer(Answer::Discard));
    game.wait_until("the recording", is_watched);
    assert!(!game.get::<Screen>().is_painting());
}

#[test]
fn a_recording_that_is_cut_off_is_played_as_far_as_it_is_whole() {
    let (files, recording) = walk();
    let text = recording.to_ron();
    let mut game = dropped_on("valley", &files.write("cut.emberplay.ron", &text[..text.len() - 60]));
    let told =
        |game: &Game| game.told().iter().any(|notice| notice.starts_with("The end of this recording is missing"));
    game.wait_until("the notice", told);
    game.wait_until("the check", |game| game.has_logged("recording checked"));
}

#[test]
fn a_recording_of_another_tileset_is_refused_and_the_map_stays() {
    let (files, mut recording) = walk();
    recording.tileset = "0123456789abcdef".into();
    let file = files.write("other.emberplay.ron", recording.to_ron());
    let meadow = files.write("map.ron", "(name: \"Meadow\", base: [\"GGGG\"], overlay: [\"1..2\"])");
    let mut game = Game::following(MapRequest::of_path(&meadow));
    game.drop_file(&file);
    let refusal = "other.emberplay.ron was recorded with another tileset";
    game.wait_until(refusal, |game| game.told().iter().any(|notice| notice.starts_with(refusal)));
    assert_eq!(game.map().name(), "Meadow");
    assert!(!is_watched(&game));
    // The file of the map is still followed.
    files.write("map.ron", "(name: \"Pasture\", base: [\"GGGG\"], overlay: [\"1..2\"])");
    game.wait_until("the pasture", |game| game.map().name() == "Pasture");
}

#[test]
fn a_recording_in_which_an_order_was_changed_is_told_with_the_second_and_both_states() {
    let (files, mut recording) = walk();
    let sent = recording.entries.iter().position(|(time, entry)| {
        *time > CrowdTime::from_whole_seconds(1) && matches!(entry, Entry::Order(Order::Go(Some(_))))
    });
    recording.entries[sent.expect("the traveller is sent")].1 = Entry::Order(Order::Go(Some(at(2, 2))));
    let expected = check(&recording, &tiles().0, |_| {}).expect("it begins with a map");
    let expected = expected.expect("it is different").to_string();
    let mut game = dropped_on("valley", &files.write("walk.emberplay.ron", recording.to_ron()));
    game.wait_until("the notice", |game| game.told().contains(&expected));
    let first = expected.lines().next().expect("a line");
    assert!(game.has_logged(&format!("recording is {first}, recorded: ")), "{:?}", game.log_lines());
    assert!(!game.has_logged("recording checked"));
}

#[test]
fn a_jump_beyond_the_played_part_shows_its_last_time_and_moves_on() {
    let (_, recording) = walk();
    let now = |game: &Game| replay(game).time();
    // No machine plays a day between two frames.
    let day = lengthened(recording.clone(), 86_400);
    let mut game = Game::on_bundled("valley");
    game.wait_for_no_job();
    play_recording(&mut game, day.clone());
    seek(&mut game, 1.0);
    let shown = now(&game);
    assert!(shown < day.duration(), "the frame waits for the whole day");
    game.wait_until("a later time", |game| now(game) > shown);
    assert!(now(&game) < day.duration());

    let recording = lengthened(recording, 300);
    play_recording(&mut game, recording.clone());
    seek(&mut game, 1.0);
    game.wait_until("the end", |game| now(game) == recording.duration());
    let shown = |game: &Game| game.map().town().map(|town| town.state_hash());
    let mut straight = Timeline::of(recording.clone(), game.map().tileset()).expect("it begins with a map");
    straight.go_to(recording.duration());
    assert_eq!(shown(&game), straight.world().town().map(|town| town.state_hash()));
    // All times are there now, and nothing moves while it stands still.
    for share in [0.1, 0.9, 0.4, 0.7, 0.2] {
        seek(&mut game, share);
        let asked = CrowdTime::from_seconds(f64::from(share) * recording.duration().seconds());
        game.wait_until("the time", |game| now(game) == asked);
    }
    last(&mut game, 0.1);
    for _ in 0..5 {
        game.app().update();
    }
    let wakes = game.get::<Messages<Wake>>();
    let wakes: Vec<_> = wakes.iter_current_update_messages().filter(|wake| **wake == Wake::NextFrame).collect();
    assert!(wakes.is_empty(), "{wakes:?}");
}

#[test]
fn the_first_goal_of_a_town_is_recorded_before_the_traveller_is_sent_there() {
    let mut game = Game::on_bundled("market");
    game.advance(1.5);
    let goal = game.map().castle();
    assert!(goal.is_some() && game.map().town().is_some_and(|town| !town.player_joins()));
    let recording = check_replay(&game);
    play_recording(&mut game, recording);
    seek(&mut game, 1.0);
    game.app().update();
    assert_eq!(game.map().world().goal(), goal);
    assert_eq!(game.route().last().copied(), goal);
}

#[test]
fn the_route_that_is_shown_begins_where_the_traveller_is_also_after_a_jump_back() {
    let mut game = Game::on_bundled("figures/road");
    game.ask(Action::GoToCastle);
    game.advance(2.0);
    let recording = check_replay(&game);
    play_recording(&mut game, recording);
    for share in [0.9, 0.3, 0.6, 0.1] {
        seek(&mut game, share);
        game.app().update();
        let world = game.map().world();
        let cost =
            |step: &[Cell]| world.rules().step_cost(world.map().costs(), step[0], step[1]).expect("it is possible");
        let rest: f64 = world.route().windows(2).map(|step| cost(step).tiles()).sum();
        let figures = game.figures();
        assert!(figures.contains(&format!("{rest:.2} to go")), "at {share}: {rest} to go, {figures}");
    }
}

#[test]
fn a_recording_that_is_paused_or_played_stays_so() {
    let (_, recording) = walk();
    let mut game = playing_from("valley", recording, 0.2);
    let time = |game: &Game| replay(game).time();
    // Space does the same as the button.
    for (toggle, plays) in [(Action::GoToCastle, true), (Action::Playback(Playback::Toggle), false)] {
        game.ask_for(toggle);
        for _ in 0..6 {
            let before = time(&game);
            game.app().update();
            assert_eq!(time(&game) > before, plays, "{toggle:?}");
        }
    }
}

#[test]
fn a_recording_that_is_played_on_is_recorded_to_its_end() {
    let (_, recording) = walk();
    for (share, is_paused) in [(0.0, true), (0.3, false), (0.55, true), (0.8, false), (1.0, true)] {
        let mut game = Game::on_bundled("valley");
        game.advance(2.0);
        play_recording(&mut game, recording.clone());
        seek(&mut game, share);
        if !is_paused && share < 1.0 {
            game.ask_for(Action::Playback(Playback::Toggle));
            game.advance_fast(0.3);
        }
        let left = replay(&game).time();
        play_on(&mut game);
        game.advance_fast(1.5);
        game.ask_for(Action::Go(at(5, 9)));
        game.edit_overlay('W', at(12, 3));
        game.advance_fast(2.5);
        let both = check_replay(&game);
        assert!(both.duration().seconds() > left.seconds() + 3.0, "{} s after {left} s", both.duration());
        assert!(both.hashes() >= left.seconds() as usize + 3);
        // The new recording can be played and left again.
        play_recording(&mut game, both);
        seek(&mut game, 0.9);
        play_on(&mut game);
        game.ask_for(Action::Go(at(2, 2)));
        game.advance_fast(1.5);
        check_replay(&game);
    }
}

/// The file has two walks, one after the other, and between them the recording that was played.
#[test]
fn a_recording_into_a_file_continues_after_playing_on_from_a_recording_and_on_another_map() {
    let (files, recording) = walk();
    let path = files.path("all.emberplay.ron");
    let mut game = Game::on_bundled("figures/road");
    game.app().insert_resource(RecordFile::new(&path).expect("there is a folder"));
    game.plan_with(Options::default().with_rules(StepRules::new(Moves::Four, Corners::Never)));
    game.ask(Action::GoToCastle);
    game.advance(2.5);
    play_recording(&mut game, recording);
    seek(&mut game, 0.6);
    play_on(&mut game);
    game.ask_for(Action::Go(at(5, 9)));
    game.advance_fast(2.5);
    game.ask(Action::NextMap);
    game.ask(Action::GoToCastle);
    game.advance(2.5);
    let tileset = game.map().tileset().clone();
    drop(game);
    let all = Recording::parse(&files.text("all.emberplay.ron")).expect("it is whole");
    let difference = check(&all, &tileset, |_| {}).expect("it begins with a map");
    assert!(difference.is_none(), "{}", difference.unwrap());
    let maps = all.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Order(Order::Open(_)))).count();
    assert_eq!(maps, 3);
    assert!(all.duration().seconds() > 8.0, "{}", all.duration());
}

#[test]
fn a_recording_with_which_the_window_opens_is_recorded_on() {
    let (files, recording) = walk();
    let mut game = Game::following(MapRequest::of_path(files.path(WALK)));
    play_recording(&mut game, recording);
    seek(&mut game, 0.5);
    play_on(&mut game);
    game.ask_for(Action::Go(at(5, 9)));
    game.advance_fast(2.0);
    check_replay(&game);
}

/// The same recording with an order after so many seconds.
fn lengthened(mut recording: Recording, seconds: u32) -> Recording {
    let order = Entry::Order(Order::Go(None));
    recording.entries.push((CrowdTime::from_whole_seconds(seconds), order));
    recording
}

#[test]
fn steps_begin_at_the_time_that_was_asked_for_whatever_is_computed() {
    let (_, recording) = walk();
    let now = |game: &Game| replay(game).time().seconds();
    let asked = |game: &Game| replay(game).asked().seconds();
    let mut game = Game::on_bundled("valley");
    game.wait_for_no_job();
    // A day is not computed while the keys are pressed.
    play_recording(&mut game, lengthened(recording.clone(), 86_400));
    let step = |game: &mut Game, playback| {
        game.app().world_mut().write_message(Action::Playback(playback));
    };
    for (jump, back, time) in [(1.0, 6, 86_394.0), (0.5, 1, 43_199.0), (0.25, -3, 21_603.0)] {
        seek(&mut game, jump);
        // In one frame, and in one each.
        for one_by_one in [false, true] {
            for _ in 0..i32::abs(back) {
                step(&mut game, if back > 0 { Playback::StepBack } else { Playback::StepOn });
                if one_by_one {
                    game.app().update();
                }
            }
            game.app().update();
        }
        let twice = time - f64::from(back);
        assert_eq!(asked(&game), twice);
        // Playing goes on from there, once it is reached.
        step(&mut game, Playback::Toggle);
        last(&mut game, 0.1);
        game.app().update();
        game.app().update();
        assert_eq!(asked(&game), twice, "it goes on from {} s", now(&game));
    }
    // Where it is left, too.
    play_recording(&mut game, lengthened(recording, 120));
    seek(&mut game, 1.0);
    (0..6).for_each(|_| step(&mut game, Playback::StepBack));
    game.ask_for(Action::PlayOn);
    game.wait_until("the player's turn", |game| !is_watched(game));
    assert!(game.has_logged("played on seconds=114"), "{:?}", game.log_lines());
}

#[test]
fn eruptions_by_v_in_a_recording_that_is_played_on_are_neither_painted_nor_saved() {
    let volcano = at(14, 6);
    let played = |act: fn(&mut Game)| {
        let mut game = Game::on_bundled("valley");
        game.advance(1.0);
        act(&mut game);
        game.advance(1.0);
        let recording = check_replay(&game);
        let mut game = playing_from("figures/road", recording, 1.0);
        play_on(&mut game);
        game
    };
    let state = |game: &Game| (game.map().erupting().to_vec(), game.map().drawn().overlay_id(volcano));
    let terrain = |game: &Game, char| game.map().tileset().find(char);
    let mut game = played(|game| game.ask(Action::Erupt));
    let calm = terrain(&game, 'v');
    let erupts = (vec![volcano], calm);
    assert_eq!(state(&game), erupts);
    assert!(!game.map().is_unsaved() && !game.map().history().can_undo(), "nothing was painted");
    game.set_overlay('W', at(3, 3));
    game.ask(Action::Undo);
    assert_eq!(state(&game), erupts, "it still erupts");
    assert!(game.map().overlay_at(at(3, 3)).is_none());
    game.ask(Action::Redo);
    game.ask(Action::Erupt);
    assert_eq!(state(&game), (vec![], calm));
    assert!(game.map().overlay_at(at(3, 3)).is_some());
    check_replay(&game);

    // The changes painted in the recording are one step, and unsaved.
    let mut game = played(|game| {
        game.set_overlay('W', at(3, 3));
        game.ask(Action::Erupt);
        game.set_overlay('W', at(4, 3));
        game.ask(Action::Erupt);
        game.ask(Action::Erupt);
    });
    assert_eq!(state(&game).0, [volcano]);
    assert!(game.map().is_unsaved() && game.map().history().len() == 1);
    game.set_overlay('W', at(5, 3));
    game.ask(Action::Undo);
    assert!(game.map().overlay_at(at(4, 3)).is_some() && game.map().overlay_at(at(5, 3)).is_none());
    game.ask(Action::Undo);
    assert!([3, 4].iter().all(|x| game.map().overlay_at(at(*x, 3)).is_none()));
    assert_eq!(state(&game), erupts);
    assert!(!game.map().is_unsaved());
    check_replay(&game);

    // An eruption that a brush has painted is saved.
    let game = played(|game| {
        game.set_overlay('V', at(3, 3));
        game.ask(Action::Erupt);
    });
    assert_eq!(game.map().drawn().overlay_id(at(3, 3)), terrain(&game, 'V'));
    assert_eq!(game.map().drawn().overlay_id(volcano), calm);

    // So is a change that looks like an eruption by V.
    let game = played(|game| game.set_overlay('V', at(14, 6)));
    assert_eq!(game.map().drawn().overlay_id(volcano), terrain(&game, 'V'));
    assert!(game.map().is_unsaved());
}

#[test]
fn a_recorded_map_of_the_same_size_has_its_own_name() {
    let mut recording = Recording::new(&tiles().0);
    for (seconds, name) in [(0, "One"), (2, "Two")] {
        let text = format!("(name: {name:?}, base: [\"GGG\"], overlay: [\"1.2\"])");
        let order = Entry::Order(Order::Open(MapSource::Text(text)));
        recording.entries.push((CrowdTime::from_whole_seconds(seconds), order));
    }
    let recording = lengthened(recording, 4);
    let mut game = Game::on_bundled("valley");
    play_recording(&mut game, recording);
    for (share, name) in [(0.25, "One"), (0.75, "Two"), (0.0, "One"), (1.0, "Two")] {
        seek(&mut game, share);
        assert_eq!(game.map().name(), name);
    }
    play_on(&mut game);
    assert!(game.map().name() == "Two" && !game.map().is_unsaved());
    // It is the player's own map now, to which the pages lead back.
    game.ask_for(Action::NextMap);
    assert_eq!(game.map().name(), "The valley");
    game.ask_for(Action::PreviousMap);
    assert_eq!(game.map().name(), "Two");
}

#[test]
fn the_view_of_a_recording_is_changed_once_by_each_action() {
    let (_, recording) = walk();
    let mut game = Game::on_bundled("market");
    let actions =
        [Action::Pan(Direction::E), Action::Zoom { zoom: Zoom::In, towards: None }, Action::Pan(Direction::S)];
    let look = |game: &mut Game| {
        for action in actions {
            game.ask_for(action);
            // No earlier action is done again, whatever is refused.
            game.ask_for(Action::Erupt);
            game.ask_for(Action::ToggleMinimap);
        }
        (game.view().zoom(), game.view().visible_rect())
    };
    let expected = {
        let mut game = Game::on_bundled("market");
        look(&mut game)
    };
    play_recording(&mut game, recording);
    game.app().update();
    assert_eq!(look(&mut game), expected);
}

#[test]
fn no_person_is_selected_in_a_recording_who_was_another_person_before() {
    let (files, _) = walk();
    let mut game = Game::following(MapRequest::of_path("market"));
    game.advance_fast(1.0);
    let somebody = |game: &Game| {
        let town = game.map().town().expect("there are people");
        town.crowd().agents().map(|(agent, _)| agent).find(|agent| town.person(*agent).is_some()).expect("a person")
    };
    let select = |game: &mut Game| {
        let person = somebody(game);
        game.get_mut::<SelectedPeople>().select([person], false);
        game.app().update();
    };
    let selected = |game: &Game| game.get::<SelectedPeople>().one();
    select(&mut game);
    assert!(selected(&game).is_some());
    game.drop_file(&files.path(WALK));
    game.wait_until("the recording", is_watched);
    seek(&mut game, 0.5);
    assert_eq!(selected(&game), None);
    select(&mut game);
    seek(&mut game, 0.9);
    assert!(selected(&game).is_some(), "it is the same town");
    play_on(&mut game);
    game.advance_fast(0.5);
    assert!(selected(&game).is_some(), "and still is");
}

#[test]
fn as_many_people_come_again_after_a_recording_as_were_there() {
    let mut game = Game::on_bundled("figures/road");
    game.ask(Action::LetTravel(Some(12)));
    game.advance_fast(1.0);
    let recording = check_replay(&game);
    let mut game = playing_from("valley", recording, 1.0);
    assert_eq!(game.map().travellers(), 12);
    play_on(&mut game);
    game.plan_with(Options::default().with_moves(Moves::Four));
    game.advance_fast(1.0);
    assert_eq!(game.map().travellers(), 12);
    game.ask_for(Action::OpenLesson(0));
    game.app().update();
    check_replay(&game);
}

#[test]
fn remarks_in_a_recording_are_kept_when_it_is_played_on_and_saved() {
    let mut game = Game::on_bundled("figures/road");
    game.advance(0.5);
    game.ask(Action::GoToCastle);
    game.advance(3.5);
    let text = check_replay(&game).to_ron();
    let lines: Vec<_> = text.lines().collect();
    // Above everything, before the first entry, and before, behind and after others.
    let walk = lines.iter().position(|line| line.contains("order(walk") && line.contains('E')).expect("it walks");
    let mut written: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
    written[walk].push_str(" // here it jams");
    written.insert(walk, "    /* before\n       the walk */".into());
    written.insert(0, "// seen on Tuesday".into());
    let last = written.len() - 1;
    written.insert(last, "    // the end".into());
    let remarks = |text: &str| {
        let is_remark = |line: &&str| {
            ["// seen", "// here", "/* before", "the walk */", "// the end"].iter().any(|part| line.contains(part))
        };
        text.lines().filter(is_remark).map(str::to_owned).collect::<Vec<_>>()
    };
    let written = written.join("\n");
    let recording = Recording::parse(&written).expect("remarks are allowed");
    for (share, kept) in [(1.0, 5), (0.9, 4)] {
        let mut game = playing_from("valley", recording.clone(), share);
        play_on(&mut game);
        game.ask_for(Action::Go(at(5, 9)));
        game.advance_fast(2.0);
        let saved = check_replay(&game).to_ron();
        assert_eq!(remarks(&saved), remarks(&written)[..kept], "{saved}");
        assert!(saved.starts_with("// seen on Tuesday\n// A recording of Emberwalk"));
        // Once more.
        play_recording(&mut game, Recording::parse(&saved).expect("it was written"));
        seek(&mut game, 1.0);
        play_on(&mut game);
        assert_eq!(remarks(&check_replay(&game).to_ron()), remarks(&saved));
    }
}

#[test]
fn a_file_to_record_in_is_always_a_new_one() {
    let files = Files::new();
    let names = || {
        let folder = fs::read_dir(files.folder()).expect("it is there");
        folder.map(|file| file.expect("it is there").file_name()).collect::<BTreeSet<_>>()
    };
    let record = |name: &str| {
        let before = names();
        let file = RecordFile::new(&files.path(name)).expect("there is a folder");
        assert_eq!(names(), before, "nothing is touched before something happens");
        let mut game = Game::on_bundled("figures/road");
        game.app().insert_resource(file);
        game.app().update();
        let told = game.told();
        game.ask(Action::GoToCastle);
        game.advance(2.0);
        told
    };
    assert_eq!(record(WALK), [""; 0]);
    let first = files.text(WALK);
    let recording = Recording::parse(&first).expect("it is whole");
    assert!(check(&recording, &tiles().0, |_| {}).expect("it begins with a map").is_none());
    // Again and again with the same command.
    for number in 2..4 {
        let name = format!("walk-{number}.emberplay.ron");
        let told = format!("There is a file walk.emberplay.ron already. This is recorded in {name}.");
        assert_eq!(record(WALK), [told]);
        assert_eq!((files.text(WALK), files.text(&name).is_empty()), (first.clone(), false));
    }
    files.write("notes", "mine");
    record("notes");
    assert_eq!((files.text("notes"), files.text("notes-2").is_empty()), ("mine".into(), false));
    assert_eq!(names().len(), 5);
    // A file that cannot be written is reported before there is a window.
    for path in ["", "no/walk.ron", "walk.emberplay.ron/walk.ron", "new/"] {
        assert!(RecordFile::new(&files.path(path)).is_err(), "{path}");
    }
}

/// A game on one of several maps, whose state is hashed after every frame.
fn at_random(random: &mut Rng) -> Game {
    let maps = ["valley", "figures/road", "figures/bridge", "market", "figures/snow"];
    let mut game = Game::on_bundled(maps[random.usize(..maps.len())]);
    game.get_mut::<OpenMap>().record_hashes_every(CrowdTime::from_seconds(1.0 / 64.0));
    game
}

fn play_at_random(game: &mut Game, random: &mut Rng, frames: u32) {
    for _ in 0..frames {
        last(game, random.f64() * random.f64() * 0.3);
        act(game, random);
        game.app().update();
    }
}

#[test]
fn the_recording_of_a_panic_is_kept_and_offered_at_the_next_start() {
    let files = Files::new();
    let state = files.path("state");
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
    let kept = Recording::parse(&files.text("state/crash.emberplay.ron")).expect("it can be read");
    assert!(kept.entries.len() >= steps);
    let game = begin("market");
    assert!(check(&kept, &tiles().0, |_| {}).expect("it begins with a map").is_none());
    assert!(game.has_logged("recording of a panic found"));
    assert!(!state.join("crash.emberplay.ron").exists() && state.join("last-crash.emberplay.ron").exists());
    let game = begin("market");
    assert!(!game.has_logged("recording of a panic found"), "it is told once");
}

#[test]
fn random_play_at_odd_frame_rates_replays_identically() {
    for seed in 0..16 {
        let mut random = Rng::with_seed(seed);
        let mut game = at_random(&mut random);
        play_at_random(&mut game, &mut random, 600);
        check_replay(&game);
    }
}

#[test]
fn random_play_replays_identically_even_where_a_recording_is_left() {
    for seed in 100..112 {
        println!("seed {seed}");
        let mut random = Rng::with_seed(seed);
        let mut game = at_random(&mut random);
        for _ in 0..3 {
            play_at_random(&mut game, &mut random, 150);
            let recording = check_replay(&game);
            if random.bool() {
                game = at_random(&mut random);
            }
            play_recording(&mut game, recording);
            seek(&mut game, random.f32());
            if random.bool() {
                game.ask_for(Action::Playback(Playback::Toggle));
                (0..random.u8(1..9)).for_each(|_| game.app().update());
            }
            play_on(&mut game);
            check_replay(&game);
        }
        play_at_random(&mut game, &mut random, 150);
        check_replay(&game);
    }
}

/// Plays at odd frame rates for a number of seconds, and acts about every third of a second.
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
/// If the rules have to change, this test plays and records them again.
#[test]
#[ignore = "writes the recordings that other tests check"]
fn the_long_recordings_are_made() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut random = Rng::with_seed(49);
    let write = |name: &str, game: &Game| {
        let recording = check_replay(game);
        fs::write(folder.join(name).with_extension("emberplay.ron"), recording.to_ron()).expect("it can be written");
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
    edit_if_possible(game, &edits);
}

/// Edits the map; a second tent is not possible, for example.
fn edit_if_possible(game: &mut Game, edits: &[CellEdit]) {
    let changed = game.get_mut::<OpenMap>().edit(edits);
    if let Ok(changed) = changed {
        game.app().world_mut().write_message(changed);
    }
}

fn later(game: &mut Game, action: Action) {
    game.app().world_mut().write_message(action);
}

/// Sends three of the people somewhere.
fn send_some(game: &mut Game, random: &mut Rng) {
    let town = game.map().town();
    let agents = town.into_iter().flat_map(|town| town.crowd().agents().map(move |(agent, _)| (town, agent)));
    let people: Vec<_> = agents.filter(|(town, agent)| town.person(*agent).is_some()).map(|(_, agent)| agent).collect();
    if !people.is_empty() {
        let some: Vec<_> = (0..3).map(|_| people[random.usize(..people.len())]).collect();
        let cell = random_cell(game, random);
        game.get_mut::<SelectedPeople>().select(some, false);
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
            edit_if_possible(game, &[CellEdit::overlay(here, id)]);
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
