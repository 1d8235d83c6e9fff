//! The real window, end to end: the program on a screen of its own, with hands on the keyboard and the mouse.
//!
//! These tests need Xvfb and Mesa's software Vulkan driver. Where one is missing they are ignored and say why; with
//! `EMBERWALK_WINDOW_TESTS=1` they fail instead.

mod hands;
mod needs;
mod picture;
mod play;
mod program;
mod refusals;
mod reload;
mod screen;
#[path = "../it/scaled_tilesets.rs"]
mod set;
mod stills;

use libtest_mimic::{Arguments, Completion, Trial};

/// A test, and what it is called.
type Test = (String, Box<dyn FnOnce() + Send>);

/// A test of this name that is a function.
fn test(name: &str, run: fn()) -> Test {
    (name.to_owned(), Box::new(run))
}

/// A test as a trial that is ignored where what it needs is `missing`.
fn trial((name, run): Test, missing: Option<&'static str>) -> Trial {
    Trial::ignorable_test(name, move || match missing {
        Some(missing) if needs::must_run() => Err(missing.into()),
        Some(missing) => Ok(Completion::ignored_with(missing)),
        None => {
            run();
            Ok(Completion::Completed)
        }
    })
}

fn main() {
    let mut arguments = Arguments::from_args();
    // Windows one after another: a software driver takes every core that there is.
    arguments.test_threads = Some(1);
    let missing = needs::missing();
    let on_a_screen =
        [stills::tests(), hands::tests(), reload::tests(), refusals::with_a_screen()].into_iter().flatten();
    let trials = refusals::without_a_screen().into_iter().map(|test| trial(test, None));
    let trials = trials.chain(on_a_screen.map(|test| trial(test, missing))).collect();
    libtest_mimic::run(&arguments, trials).exit();
}
