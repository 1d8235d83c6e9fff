//! A soak: random actions of every kind on random maps, frame after frame, with checks of what must always hold.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use fastrand::Rng;
use tempfile::TempDir;

use emberwalk::game::action::{DialogInput, FieldId, FieldTyped, TextStep};
use emberwalk::game::dialog::OpenDialog;
use emberwalk::game::input::bindings::BINDINGS;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::world::open_map::MapOpened;
use emberwalk::lessons::LESSONS;
use emberwalk_generate::{MapKind, MapSpec, generate};
use emberwalk_map::MAX_LEVEL;
use emberwalk_path::{Field, FieldQuery, RouteCost};

use crate::prelude::*;

/// The number of frames if `EMBERWALK_SOAK_FRAMES` does not give one.
const FRAMES: u64 = 20_000;

/// How often the checks that take long are made.
const THOROUGH: u64 = 200;

/// How often another game begins, as if the program had crashed.
const CRASH: u64 = 5_000;

/// The longer side of large maps.
const LARGE: u32 = 260;

/// The sides of the largest maps, whose strokes may be painted in the background.
const LARGEST: RangeInclusive<u32> = 260..=400;

#[test]
#[ignore = "takes minutes; `cargo test --release --test game -- --ignored soak` runs it alone"]
fn soak() {
    let number = |name| env::var(name).ok().map(|text| text.parse().expect("a number"));
    let frames = number("EMBERWALK_SOAK_FRAMES").unwrap_or(FRAMES);
    let seed = number("EMBERWALK_SOAK_SEED").unwrap_or_else(|| fastrand::u64(..));
    // Shown if the test fails.
    println!("EMBERWALK_SOAK_SEED={seed} EMBERWALK_SOAK_FRAMES={frames}");
    let folder = TempDir::new().expect("there is room for a folder");
    // Maps that have no file are saved in the current folder.
    env::set_current_dir(folder.path()).expect("it is there");
    let mut player = RandomUser { random: Rng::with_seed(seed), folder: folder.path().to_owned() };
    let mut game = player.start();
    let mut memory = None;
    let mut left_at = None;
    let mut happened = BTreeMap::new();
    for frame in 1..=frames {
        let what = player.act(&mut game);
        let (is_coming, costs) = (game.map().world().coming().is_some(), game.map().costs().stamp());
        game.app().update();
        // A change that comes while time passes comes after routes have been planned in this frame.
        let has_come = is_coming && game.map().costs().stamp() != costs;
        let lines = game.log_lines();
        for line in &lines {
            let what = line.split([' ', '=']).take(2).collect::<Vec<_>>().join(" ");
            *happened.entry(what).or_insert(0_u64) += 1;
        }
        // A traveller that is put or pushed elsewhere again has left another route.
        let is_sent = lines.iter().any(|line| line.starts_with("goal set"));
        let leaves_at = is_pushed_aside(&game).then(|| game.traveller().origin());
        let is_planned = leaves_at.is_none() || is_sent || leaves_at != left_at;
        assert!(is_planned, "frame {frame}, after {what}: the route is not planned again\n{}", state(&game));
        left_at = leaves_at;
        check(&mut game, has_come, frame % THOROUGH == 0).unwrap_or_else(|wrong| {
            panic!("frame {frame}, after {what}: {wrong}\n{}\nlogged: {lines:#?}", state(&game))
        });
        if frame % CRASH == 0 {
            drop(game);
            game = player.start();
            player.remove_old_maps();
        }
        if frame == frames / 4 {
            memory = memory_in_use();
        }
    }
    println!("{happened:#?}");
    if let Some((before, after)) = memory.zip(memory_in_use()).filter(|_| frames >= 100_000) {
        assert!(after < before + 64 * 1024, "memory grew from {before} to {after} KiB");
    }
}

/// Describes the game, for a failure.
fn state(game: &Game) -> String {
    let options = game.get::<PlanningOptions>().0;
    let travellers = game.map().travellers();
    format!(
        "{travellers} travellers, {:?}, reach {:?}, arrived {}, {options:?}\n{}",
        game.traveller(),
        game.reach(),
        game.arrived(),
        game.map().to_ron()
    )
}

/// Whether a person has made the traveller leave its route, which is planned again in the next frame.
fn is_pushed_aside(game: &Game) -> bool {
    let is_in_crowd = game.map().travellers() > 1;
    let at = game.traveller().origin();
    is_in_crowd && !game.is_planning() && !game.route().is_empty() && at.is_some_and(|at| !game.route().contains(&at))
}

/// The memory of the process in KiB, where the system tells it.
fn memory_in_use() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Checks what must hold after every frame. `has_come` tells whether an announced change has come in this frame.
fn check(game: &mut Game, has_come: bool, is_thorough: bool) -> Result<(), String> {
    let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    let (map, traveller) = (game.map(), game.traveller());
    let grid = map.costs();
    let size = map.size();
    ensure(traveller.exists() == grid.min_cost().is_some(), "there is a traveller where there is passable ground")?;
    if let Some(at) = traveller.origin() {
        // An edit of a cell that it was about to enter waits until it has left it again.
        let waits = map.town().is_some_and(|town| town.crowd().has_waiting_edit(at));
        ensure(size.contains(at) && (grid.is_passable(at) || waits), "the traveller is on passable ground")?;
    }
    let count =
        |char| map.overlay().iter().filter(|(_, id)| id.is_some_and(|id| map.tileset()[id].char == char)).count();
    if is_thorough {
        ensure(count('1') <= 1 && count('2') <= 1, "there is at most one tent and one castle")?;
        let drawn = map.drawn();
        let again = Map::parse("again.ron", &drawn.to_ron(), map.tileset()).map_err(|errors| errors.to_string())?;
        ensure(drawn.is_same(&again), "the map can be written and read")?;
    }
    if game.is_planning() || !traveller.exists() {
        return Ok(());
    }
    let options = game.get::<PlanningOptions>().0;
    let rules = options.rules;
    let route = game.route();
    let steps = route.windows(2).map(|step| rules.step_cost(grid, step[0], step[1]));
    // If a change is announced, the cost of a step, and whether it is possible, depend on its time.
    let is_timed = has_come || game.timetable().is_some();
    let cost = steps.sum::<Option<RouteCost>>();
    if cost.is_none() && !is_timed {
        return Err(format!("every step of the route is possible: {route:?}"));
    }
    let is_sum = cost.is_some_and(|cost| (cost.tiles() - game.cost()).abs() < 1e-9);
    ensure(is_sum || is_timed || route.is_empty(), "the route costs what its steps cost")?;
    if is_pushed_aside(game) {
        return Ok(());
    }
    if let Some(at) = traveller.origin().filter(|at| !route.is_empty() && !route.contains(at)) {
        return Err(format!("the route leads past the traveller at {at}: {route:?}"));
    }
    if is_thorough
        && options.optimal()
        && !is_timed
        && game.reach() == Reach::Goal
        && let [from, .., to] = *route
    {
        let mut field = Field::new();
        field.compute(grid, &FieldQuery::routes_from(from).with_rules(rules)).map_err(|error| error.to_string())?;
        ensure(field.cost(to) == cost, "no route costs less")?;
    }
    Ok(())
}

/// Plays at random.
struct RandomUser {
    random: Rng,
    folder: PathBuf,
}

impl RandomUser {
    /// Opens the map file in a new game, with what the last game has left to recover.
    fn start(&mut self) -> Game {
        // A map that is in order; the file may be broken now.
        let text = self.map_text();
        fs::write(self.file(), text).expect("it can be written");
        let request = MapRequest::of_path(self.file());
        let mut game = Game::following(request);
        game.app().insert_resource(RecoveryFolder(Some(self.folder.join("state"))));
        game.app().world_mut().trigger(MapOpened);
        game.app().update();
        game
    }

    fn file(&self) -> PathBuf {
        self.folder.join("soak.ron")
    }

    /// Removes the maps that were saved under other names.
    fn remove_old_maps(&self) {
        let maps = fs::read_dir(&self.folder).expect("it is there").flatten().map(|entry| entry.path());
        for map in maps.filter(|path| path.is_file() && *path != self.file()) {
            fs::remove_file(map).expect("it can be removed");
        }
    }

    /// The text of a random map.
    fn map_text(&mut self) -> String {
        let random = &mut self.random;
        let side = |random: &mut Rng| match random.u8(..100) {
            0 => random.u32(100..=LARGE),
            1..40 => random.u32(1..8),
            _ => random.u32(5..40),
        };
        let size = match random.u16(..400) {
            0 => Size::new(random.u32(LARGEST), random.u32(LARGEST)),
            _ => Size::new(side(random), side(random)),
        };
        if random.bool() {
            let kind = random.choice(MapKind::NAMES).expect("there are kinds").1;
            let hills = if random.bool() { random.u8(..=MAX_LEVEL) } else { 0 };
            let spec = MapSpec { kind, size, seed: random.u64(..), hills, name: None };
            if let Ok(text) = generate(&spec, &mut |_| {}) {
                return text;
            }
        }
        let random_heights = random.bool();
        let mut rows = |chars: &[u8]| -> Vec<String> {
            let row = |random: &mut Rng| {
                (0..size.width).map(|_| *random.choice(chars).expect("there are some") as char).collect()
            };
            (0..size.height).map(|_| row(random)).collect()
        };
        let (base, overlay) = (rows(b"GGGSD~"), rows(b"......RBFTWMvVt"));
        let heights = if random_heights { format!(", heights: {:?}", rows(b"000.112239")) } else { String::new() };
        format!("// A map.\n(name: \"Soak\", base: {base:?}, overlay: {overlay:?}{heights})")
    }

    fn one_of<T: Copy>(&mut self, names: &[(&str, T)]) -> T {
        self.random.choice(names).expect("there are some").1
    }

    fn cell(&mut self, size: Size) -> Cell {
        let mut within = |side: u32| self.random.i32(-1..=side as i32);
        Cell::new(within(size.width), within(size.height))
    }

    /// Does something at random, and returns what.
    fn act(&mut self, game: &mut Game) -> String {
        // While a map is being saved, there is nothing to answer.
        let answers = game.get::<OpenQuestion>().answers();
        if !answers.is_empty() && self.random.u8(..4) == 0 {
            let (answer, _) = *self.random.choice(answers).expect("there are some");
            return self.ask(game, Action::Answer(answer));
        }
        if game.get::<OpenDialog>().get().is_some() && self.random.bool() {
            if self.random.u8(..4) == 0 {
                let field = FieldId::Dialog(self.random.usize(..8));
                let text = (*self.random.choice(&["", "1", "-3", "a", "ü", " "]).expect("there are some")).to_owned();
                game.app().world_mut().write_message(FieldTyped { field, text: text.clone() });
                return format!("{text:?} in {field:?}");
            }
            let input = self.dialog_input();
            return self.ask(game, Action::Dialog(input));
        }
        let size = game.map().size();
        let action = match self.random.u8(..100) {
            0..20 => return "nothing".to_owned(),
            20..30 => Action::Go(self.cell(size)),
            30..50 => {
                let cell = self.cell(size);
                Action::Stroke(match self.random.u8(..6) {
                    0..2 => Stroke::Begin { cell, straight: self.random.bool() },
                    2..4 => Stroke::To(cell),
                    4 => Stroke::Lift,
                    _ => Stroke::End,
                })
            }
            50..60 => Action::Brush(match self.random.u8(..6) {
                0..3 => BrushChange::Take(self.random.u8(..18)),
                3 => BrushChange::Pick(self.random.bool().then(|| self.cell(size))),
                4 => BrushChange::Tool(
                    *self
                        .random
                        .choice([Tool::Pencil, Tool::Line, Tool::Rectangle, Tool::Fill, Tool::Select].iter())
                        .expect("there are tools"),
                ),
                _ => BrushChange::Hold(
                    *self.random.choice(&[Brush::Eraser, Brush::Raise, Brush::Lower]).expect("there are some"),
                ),
            }),
            60..90 => match self.random.choice(BINDINGS).expect("there are keys").action {
                Action::Quit | Action::Screenshot { .. } => return "nothing".to_owned(),
                // So that a game continues for a while on a map.
                Action::NextMap | Action::PreviousMap if self.random.u8(..10) > 0 => Action::TogglePainting,
                action => action,
            },
            90 => Action::OpenLesson(self.random.usize(..LESSONS.len())),
            91 => Action::Playback(Playback::Seek(self.random.f32())),
            92 => {
                let half = if self.random.bool() { Half::Left } else { Half::Right };
                let options = Options::new()
                    .with_algorithm(self.one_of(Algorithm::NAMES))
                    .with_heuristic(self.random.bool().then(|| self.one_of(Heuristic::NAMES)))
                    .with_scale(self.one_of(HeuristicScale::NAMES))
                    .with_moves(self.one_of(Moves::NAMES))
                    .with_corners(self.one_of(Corners::NAMES));
                Action::PlanWith(half, options)
            }
            93 => Action::OpenCells,
            94 => Action::SizeText(TextStep::Larger),
            95 => return self.change_file(game),
            96 => {
                let (width, height) = (self.random.u32(1..1500), self.random.u32(1..1000));
                game.resize(width, height);
                return format!("a window of {width} x {height}");
            }
            97 => {
                let seconds = self.random.f64() * 5.0;
                game.long_frame(seconds);
                return format!("a frame of {seconds} s");
            }
            98 => Action::Zoom { zoom: if self.random.bool() { Zoom::In } else { Zoom::Out }, towards: None },
            _ => Action::LookAt(self.cell(size)),
        };
        self.ask(game, action)
    }

    /// The actions that a player can take in any dialog.
    fn dialog_input(&mut self) -> DialogInput {
        let field = self.random.usize(..8);
        match self.random.u8(..12) {
            0..3 => DialogInput::Dice,
            3..5 => DialogInput::Pick(self.random.usize(..20)),
            5..8 => DialogInput::Add { field, by: self.random.i32(-3..=3) },
            8..10 => DialogInput::Choose { field, value: self.random.usize(..8) },
            10 => DialogInput::Confirm,
            _ => DialogInput::Cancel,
        }
    }

    fn ask(&mut self, game: &mut Game, action: Action) -> String {
        game.app().world_mut().write_message(action);
        format!("{action:?}")
    }

    /// Changes the file of the map as another program would, or drops a file onto the window.
    fn change_file(&mut self, game: &mut Game) -> String {
        match self.random.u8(..4) {
            0 => {
                let text = self.map_text();
                let end = self.random.usize(..text.len());
                fs::write(self.file(), &text.as_bytes()[..end]).expect("it can be written");
                "a broken file".to_owned()
            }
            1 => {
                let _ = fs::remove_file(self.file());
                "a file that vanished".to_owned()
            }
            2 => {
                let text = self.map_text();
                let dropped = self.folder.join(format!("dropped-{}.ron", self.random.u8(..4)));
                fs::write(&dropped, text).expect("it can be written");
                game.drop_file(&dropped);
                "a dropped file".to_owned()
            }
            _ => {
                let text = self.map_text();
                fs::write(self.file(), text).expect("it can be written");
                "another version of the file".to_owned()
            }
        }
    }
}
