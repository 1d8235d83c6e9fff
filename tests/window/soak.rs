//! A soak: the real window goes through every view for minutes, and needs no more memory, handles or threads for it.

use std::time::{Duration, Instant};
use std::{env, fs, thread};

use libtest_mimic::Trial;

use crate::play::{FIRST_SIZE, Play};
use crate::requirements;
use crate::screen::{Button, Key};

/// How long views are watched in all if `EMBERWALK_SOAK_MINUTES` sets no other number, in minutes. The warm-up and the
/// changes of view take about a minute more.
const MINUTES: u32 = 2;

/// How long a view is watched in the first round, in which everything is used for the first time.
const WARM_UP: Duration = Duration::from_secs(1);

/// How long a view is watched before it is measured.
const SETTLING: Duration = Duration::from_millis(500);

/// By how much memory may grow, in KiB for each second.
const GROWTH: i64 = 15 * 1024 / 60;

/// The amount by which memory may differ between two rounds because some of it is only kept for a while, in KiB.
const NOISE: i64 = 8 * 1024;

/// The maximum number of rounds until a round needs no more than the round before.
const ROUNDS: u32 = 3;

/// How many handles and threads may be open for a while.
const FEW: i64 = 4;

/// The soak as a test that only runs when it is asked for.
pub fn trial() -> Trial {
    let on_linux = if cfg!(target_os = "linux") { None } else { Some("the soak reads /proc") };
    let missing = on_linux.or_else(requirements::missing);
    // `cargo test --release --test window -- --ignored soak` runs it alone.
    crate::trial(crate::test("soak", soak), missing).with_ignored_flag(true)
}

/// A view that is watched.
struct Stop {
    name: &'static str,
    /// Around where the pointer moves.
    pointer: (i32, i32),
    /// Goes there from the previous stop.
    go: fn(&mut Play),
}

const fn stop(name: &'static str, go: fn(&mut Play)) -> Stop {
    Stop { name, pointer: (640, 400), go }
}

impl Stop {
    const fn at(self, pointer: (i32, i32)) -> Self {
        Self { pointer, ..self }
    }
}

/// A round through the views. The last stop leads back to the first.
const ROUND: &[Stop] = &[
    stop("the map", |_| {}),
    stop("a walk", |play| play.key(Key::SPACE)),
    stop("an eruption", |play| {
        play.letter('r');
        play.letter('v');
        play.program.wait_for_line("eruption on");
    }),
    stop("the reach of a volcano", |_| {}).at((614, 290)),
    stop("the route that changed", |play| {
        play.letter('v');
        play.program.wait_for_line("eruption off");
    }),
    stop("why not here", |play| play.letter('y')).at((700, 330)),
    stop("the entry costs", |play| {
        play.letter('y');
        play.letter('o');
    }),
    stop("the costs to the goal", |play| play.letter('o')),
    stop("the numbers on the cells", |play| play.letter('=')),
    stop("the search, playing", |play| {
        play.letter('o');
        play.key(Key::TAB);
        play.program.wait_for_line("search recorded");
    }),
    stop("the search, paused", |play| {
        play.key(Key::HOME);
        (0..40).for_each(|_| play.letter('.'));
    }),
    stop("the search, seen as a whole", |play| {
        play.key(Key::END);
        play.letter('-');
    }),
    stop("the race, playing", |play| {
        play.key(Key::TAB);
        play.letter('b');
        play.program.wait_for_line("race recorded");
    }),
    stop("the race, at its end", |play| play.key(Key::END)),
    stop("the comparison", |play| {
        play.letter('b');
        play.letter('c');
    }),
    stop("the pencil", |play| {
        play.letter('c');
        play.letter('e');
    }),
    stop("a stroke", |play| {
        // Snow, where there is none.
        play.letter('2');
        play.drag(Button::Left, &[(560, 400), (660, 400)]);
        play.program.wait_for_line("painted");
        play.with_ctrl('z');
        play.program.wait_for_line("undone");
    }),
    stop("what would be filled", |play| play.letter('g')),
    stop("a selection", |play| {
        (0..4).for_each(|_| play.letter('u'));
        play.with_ctrl('a');
        play.with_ctrl('c');
        play.with_ctrl('v');
    }),
    stop("the help", |play| {
        play.key(Key::ESCAPE);
        play.letter('g');
        play.letter('g');
        play.letter('e');
        play.letter('h');
    }),
    stop("a lesson", |play| {
        play.key(Key::ESCAPE);
        play.key(Key::F8);
        play.program.wait_for_line("lesson opened");
    }),
    stop("the maps", |play| {
        // The search of the lesson, and the lesson.
        play.keys(&[Key::ESCAPE; 2]);
        play.program.wait_for_line("map loaded");
        play.with_ctrl('o');
    }),
    stop("a new map", |play| {
        play.key(Key::ESCAPE);
        play.letter('n');
    }),
    stop("the size and the name", |play| {
        play.key(Key::ESCAPE);
        play.with_ctrl('r');
    }),
    stop("larger text", |play| {
        play.key(Key::ESCAPE);
        play.with_ctrl('=');
    }),
    stop("a smaller window", |play| {
        play.with_ctrl('0');
        play.resize((900, 600));
    }),
    stop("a larger map", |play| {
        play.resize(FIRST_SIZE);
        turn_page(play, Key::PAGE_UP);
    }),
    stop("a larger map, zoomed out", |play| (0..4).for_each(|_| play.letter('-'))),
    stop("the costs of a larger map", |play| play.letter('o')),
    stop("the search on a larger map", |play| {
        play.key(Key::TAB);
        play.program.wait_for_line("search recorded");
    }),
    stop("hills", |play| {
        play.key(Key::TAB);
        turn_page(play, Key::PAGE_UP);
    }),
    stop("the costs of hills", |play| play.letter('o')),
    stop("the levels", |play| {
        play.letter('o');
        play.letter('o');
        play.letter('=');
    }),
    stop("the search on hills", |play| {
        play.letter('o');
        play.letter('f');
        play.key(Key::TAB);
        play.program.wait_for_line("search recorded");
    }),
    stop("the map again", |play| {
        play.key(Key::TAB);
        play.key(Key::F12);
        play.program.wait_for_line("screenshot saved");
        turn_page(play, Key::PAGE_DOWN);
        turn_page(play, Key::PAGE_DOWN);
    }),
];

fn turn_page(play: &mut Play, key: Key) {
    play.key(key);
    play.program.wait_for_line("map loaded");
}

/// The resources that a process uses now.
#[derive(Clone, Copy, Debug)]
struct Usage {
    /// Resident memory in KiB.
    memory: u64,
    handles: usize,
    threads: usize,
}

impl Usage {
    fn of(play: &mut Play) -> Self {
        assert!(play.program.is_running(), "{}", play.program.output());
        let process = format!("/proc/{}", play.program.id());
        let status = fs::read_to_string(format!("{process}/status")).expect("it is running");
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        let count = |what| fs::read_dir(format!("{process}/{what}")).expect("it is running").count();
        let memory = memory.and_then(|text| text.parse().ok()).expect("Linux tells the memory");
        Self { memory, handles: count("fd"), threads: count("task") }
    }
}

/// Moves the pointer around for some time, so that frames are drawn.
fn watch(play: &mut Play, (x, y): (i32, i32), time: Duration) {
    let end = Instant::now() + time;
    for step in 0.. {
        if Instant::now() >= end {
            break;
        }
        play.screen.point((x - 20 + 8 * (step % 6), y - 12 + 8 * (step % 4)));
        thread::sleep(Duration::from_millis(40));
    }
    play.program.unread_lines();
}

/// Goes through all views, and returns what each needs after this time.
fn round(play: &mut Play, measured: Duration) -> Vec<Usage> {
    let usage = |Stop { name, pointer, go }: &Stop| {
        go(play);
        watch(play, *pointer, SETTLING);
        let before = Usage::of(play);
        watch(play, *pointer, measured);
        let after = Usage::of(play);
        println!("{name}: from {before:?} to {after:?}");
        after
    };
    ROUND.iter().map(usage).collect()
}

/// The increase of something in most views in the second round. A growing amount stays, so it is the same in all later
/// views; the memory that a map prepares in the background comes and goes.
fn median_growth(first: &[Usage], second: &[Usage], of: impl Fn(&Usage) -> u64) -> i64 {
    let mut growth: Vec<_> = first.iter().zip(second).map(|(one, two)| of(two) as i64 - of(one) as i64).collect();
    growth.sort_unstable();
    growth[growth.len() / 2]
}

fn soak() {
    let minutes = env::var("EMBERWALK_SOAK_MINUTES").map_or(MINUTES, |text| text.parse().expect("a number of minutes"));
    let watched = Duration::from_secs(60) * minutes / (2 * ROUND.len() as u32);
    let measured = watched.saturating_sub(SETTLING).max(Duration::from_secs(1));
    let mut play = Play::with(&["valley"]);
    for Stop { pointer, go, .. } in ROUND {
        go(&mut play);
        watch(&mut play, *pointer, WARM_UP);
    }
    let mut before = round(&mut play, measured);
    let mut grown = String::new();
    // A leak grows in every round; a short peak grows once.
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let after = round(&mut play, measured);
        let time = begun.elapsed();
        let memory = median_growth(&before, &after, |usage| usage.memory);
        let handles = median_growth(&before, &after, |usage| usage.handles as u64);
        let threads = median_growth(&before, &after, |usage| usage.threads as u64);
        grown = format!("{memory} KiB, {handles} handles and {threads} threads more after a round of {time:?}");
        println!("{grown}");
        if memory <= NOISE + GROWTH * time.as_secs() as i64 && handles <= FEW && threads <= FEW {
            return;
        }
        before = after;
    }
    panic!("{grown}, and in the rounds before");
}
