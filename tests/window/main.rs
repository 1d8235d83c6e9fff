//! The real window, end to end: the program on its own screen, with a simulated keyboard and mouse.
//!
//! These tests need Xvfb and Mesa's software Vulkan driver. If one of these is missing, they are ignored and print the
//! reason; with `EMBERWALK_WINDOW_TESTS=1` they fail instead.

/// Tests that are functions, each with its name.
macro_rules! tests {
    ($($(#[$condition:meta])* $test:ident),+ $(,)?) => {
        vec![$($(#[$condition])* $crate::test(stringify!($test), $test)),+]
    };
}

mod accepted;
mod distant_display;
mod hills;
mod interrupt;
mod minimap;
mod overlays;
mod painting;
mod people;
mod picture;
mod play;
mod player_input;
mod program;
mod race;
mod record;
mod reload;
mod requirements;
mod screen;
mod seen_through;
mod sleep;
mod soak;
mod startup;
mod startup_errors;
mod still_pictures;

use emberwalk_testing::scaled_tilesets as set;
use libtest_mimic::{Arguments, Completion, Trial};

/// A test, and what it is called.
type Test = (String, Box<dyn FnOnce() + Send>);

/// A test of this name.
fn test(name: impl Into<String>, run: impl FnOnce() + Send + 'static) -> Test {
    (name.into(), Box::new(run))
}

/// A test as a trial that is ignored where what it needs is `missing`.
fn trial((name, run): Test, missing: Option<&'static str>) -> Trial {
    Trial::ignorable_test(name, move || match missing {
        Some(missing) if requirements::must_run() => Err(missing.into()),
        Some(missing) => Ok(Completion::ignored_with(missing)),
        None => {
            run();
            Ok(Completion::Completed)
        }
    })
}

fn main() {
    let mut arguments = Arguments::from_args();
    // The windows run one after another: a software driver uses every core.
    arguments.test_threads = Some(1);
    let missing = requirements::missing();
    let on_a_screen = [
        still_pictures::tests(),
        accepted::tests(),
        distant_display::tests(),
        hills::tests(),
        interrupt::tests(),
        minimap::tests(),
        overlays::tests(),
        painting::tests(),
        people::tests(),
        player_input::tests(),
        race::tests(),
        seen_through::tests(),
        reload::tests(),
        sleep::tests(),
        startup::tests(),
        startup_errors::with_a_screen(),
    ]
    .into_iter()
    .flatten();
    let trials = startup_errors::without_a_screen().into_iter().map(|test| trial(test, None));
    let trials =
        trials.chain(on_a_screen.map(|test| trial(test, missing))).chain([soak::trial(), record::trial()]).collect();
    libtest_mimic::run(&arguments, trials).exit();
}
