//! When the window sleeps, and what the sleep does not change.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::WindowResized;

use emberwalk::game::action::hour::HourChoice;
use emberwalk::game::frames::hidden::Hidden;
use emberwalk::game::frames::sleep::{self, Sleep};
use emberwalk::game::frames::wake::{Wake, Waker};

use crate::prelude::*;

/// A game with a tent in the west, in which nothing moves and the window sleeps.
fn asleep() -> Game {
    let mut game = Game::on_grass(&["1........."]);
    game.app().add_plugins(sleep::plugin);
    frames_until_sleep(&mut game);
    assert_eq!((sleep(&game), frames_until_sleep(&mut game)), (Sleep::UntilWoken, 0));
    game
}

fn sleep(game: &Game) -> Sleep {
    *game.get()
}

/// Runs frames until the window sleeps, and returns how many followed the first.
fn frames_until_sleep(game: &mut Game) -> u32 {
    const MANY: u32 = 10_000;
    for follow in 0..MANY {
        game.frame();
        if sleep(game) != Sleep::None {
            return follow;
        }
    }
    panic!("no sleep after {MANY} frames")
}

/// Lets the next frames begin this many seconds after each other.
fn set_frame_time(game: &mut Game, seconds: f64) {
    game.app().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
}

#[test]
fn a_walk_asks_for_every_frame_until_the_arrival() {
    let mut game = asleep();
    game.ask(Action::Go(at(3, 0)));
    while !game.arrived() {
        assert_eq!(sleep(&game), Sleep::None);
        game.frame();
    }
    frames_until_sleep(&mut game);
    assert_eq!(sleep(&game), Sleep::UntilWoken);
}

#[test]
fn time_asleep_is_not_walked() {
    let mut game = asleep();
    set_frame_time(&mut game, 10.0);
    game.ask(Action::Go(at(3, 0)));
    assert_eq!(game.traveller().feet(), (0.0, 0.0));
    set_frame_time(&mut game, FRAME);
    // Every frame checks that the feet do not jump.
    game.arrive();
}

#[test]
fn a_passing_day_asks_for_a_frame_when_its_light_changes_and_goes_on_in_the_sleep() {
    let mut game = asleep();
    game.ask(Action::SetHour(HourChoice::Night));
    game.ask(Action::SetHour(HourChoice::Passing));
    frames_until_sleep(&mut game);
    // A minute of a day of eight minutes takes a third of a second.
    for minute in 1..4 {
        let Sleep::For(time) = sleep(&game) else { panic!("{:?}", sleep(&game)) };
        assert!((0.02..0.35).contains(&time.as_secs_f64()), "{time:?}");
        set_frame_time(&mut game, time.as_secs_f64());
        game.frame();
        assert_eq!(game.map().day().start.to_string(), format!("0:0{minute}"));
    }
    // No more than the sleep counts that was asked for.
    set_frame_time(&mut game, 1000.0);
    game.frame();
    assert_eq!(game.map().day().start.to_string(), "0:04");
    game.ask(Action::SetHour(HourChoice::Noon));
    frames_until_sleep(&mut game);
    assert_eq!(sleep(&game), Sleep::UntilWoken);
}

#[test]
fn a_hidden_window_sleeps_and_its_traveller_walks_on_afterwards() {
    let mut game = asleep();
    game.ask(Action::Go(at(3, 0)));
    game.advance(0.25);
    game.app().insert_resource(Hidden(true));
    game.frame();
    assert_eq!(sleep(&game), Sleep::UntilWoken);
    let feet = game.traveller().feet();
    assert!(feet.0 > 0.25);
    set_frame_time(&mut game, 10.0);
    game.frame();
    game.app().insert_resource(Hidden(false));
    game.frame();
    assert_eq!((game.traveller().feet(), sleep(&game)), (feet, Sleep::None));
    set_frame_time(&mut game, FRAME);
    game.arrive();
}

#[test]
fn the_earliest_request_decides_and_holds_for_one_frame() {
    let mut game = asleep();
    let after = |millis| Wake::After(Duration::from_millis(millis));
    for (requests, expected) in [
        (vec![after(70)], Sleep::For(Duration::from_millis(70))),
        (vec![after(70), after(30), after(50)], Sleep::For(Duration::from_millis(30))),
        (vec![after(70), Wake::NextFrame], Sleep::None),
        (vec![], Sleep::UntilWoken),
    ] {
        game.app().world_mut().write_message_batch(requests);
        game.frame();
        assert_eq!(sleep(&game), expected);
    }
}

#[test]
fn frames_follow_a_call_from_another_thread() {
    let mut game = asleep();
    let waker = game.get::<Waker>().clone();
    std::thread::spawn(move || waker.wake()).join().expect("it does not panic");
    assert!(frames_until_sleep(&mut game) > 0);
}

#[test]
fn messages_are_forgotten_even_if_all_frames_are_far_apart() {
    let mut game = asleep();
    set_frame_time(&mut game, 10.0);
    // A time that no other system asks for: they may ask in any frame, for example when a job ends.
    let request = Wake::After(Duration::from_secs(4321));
    for _ in 0..10 {
        game.app().world_mut().write_message(request);
        game.frame();
    }
    let messages = game.get::<Messages<Wake>>();
    let kept = messages.get_cursor().read(messages).filter(|&&message| message == request).count();
    assert!(kept <= 2, "{kept} messages");
}

#[test]
fn a_resized_window_draws_again_until_its_size_has_settled() {
    let mut game = asleep();
    let resized = WindowResized { window: Entity::PLACEHOLDER, width: 800.0, height: 600.0 };
    game.app().world_mut().write_message(resized);
    frames_until_sleep(&mut game);
    assert!(matches!(sleep(&game), Sleep::For(time) if time < Duration::from_millis(100)), "{:?}", sleep(&game));
    set_frame_time(&mut game, 0.5);
    game.frame();
    assert!(matches!(sleep(&game), Sleep::For(_)));
    // Slow frames are drawn several times, too.
    let frames = (1..100).find(|_| {
        game.frame();
        sleep(&game) == Sleep::UntilWoken
    });
    assert!(frames.is_some_and(|frames| (2..6).contains(&frames)), "{frames:?}");
}
