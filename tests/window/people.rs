//! The cards about people, while the town lives.

use crate::Test;
use crate::play::{Play, wait};

/// For how many frames the cards are watched. Cards that are rebuilt when a person starts or stops waiting do not stay
/// for ten.
const FRAMES: u64 = 40;

/// The cards have glided into their places if they are the same after so many frames.
const FRAMES_OF_REST: u64 = 8;

pub fn tests() -> Vec<Test> {
    tests![buttons_stay_while_the_town_lives]
}

/// Clicks about the middle of the window until somebody is selected.
fn select_somebody(play: &Play) {
    let mut points = (280..440).step_by(11).flat_map(|y| (560..800).step_by(17).map(move |x| (x, y)));
    let found = points.find(|point| {
        play.click(*point);
        play.settle();
        play.program.last_of("name=\"Let go\"").is_some_and(|line| !line.contains("control gone"))
    });
    assert!(found.is_some(), "nobody is in the middle of the market");
}

fn buttons_stay_while_the_town_lives() {
    let mut play = Play::with(&["market"]);
    play.press("RadioButton", "Traffic");
    select_somebody(&play);
    play.settle();
    let buttons = [("Button", "Let go"), ("Button", "Follow"), ("RadioButton", "Traffic"), ("RadioButton", "Costs")];
    let places = |play: &Play| buttons.map(|(role, name)| play.control(role, name));
    let let_pass = |play: &Play, frames: u64| {
        let first = play.program.frame().expect("frames are logged").number;
        wait("frames", || (play.program.frame()?.number > first + frames).then_some(()));
    };
    wait("the cards to glide into their places", || {
        let before = places(&play);
        let_pass(&play, FRAMES_OF_REST);
        (places(&play) == before).then_some(())
    });
    // A control that is rebuilt is logged again, even in the same place.
    let logged = |play: &mut Play| {
        buttons.map(|(role, name)| play.program.count(&format!("control role={role} name=\"{name}\"")))
    };
    let before = (places(&play), logged(&mut play));
    let_pass(&play, FRAMES);
    assert_eq!((places(&play), logged(&mut play)), before);
}
