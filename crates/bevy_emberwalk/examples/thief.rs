//! Guards walk their rounds with lanterns, and a thief who knows their rounds fetches treasure after treasure: it waits
//! in doors, and follows behind their backs. Press K, and it knows nothing about the rounds: then it sees only the
//! current light.

use std::ops::Range;

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::emberwalk_crowd::Crowd;
use bevy_emberwalk::emberwalk_path::{CostGrid, Diagonal, StepRules};
use bevy_emberwalk::prelude::*;

const TILE: f32 = 44.0;
const HALL: [&str; 13] = [
    "###########################",
    "#........#.......#........#",
    "#........#.......#........#",
    "#..####..#..###..#..####..#",
    "#..####..#..###..#..####..#",
    "#..####..#..###..#..####..#",
    "...####.....###.....####...",
    "#..####..#..###..#..####..#",
    "#..####..#..###..#..####..#",
    "#..####..#..###..#..####..#",
    "#........#.......#........#",
    "#........#.......#........#",
    "###########################",
];
const SIZE: Size = Size::new(27, 13);
const HIDING_PLACE: Cell = Cell::new(0, 6);
const TREASURE: Cell = Cell::new(26, 6);
/// The kinds, by their indices: only the thief minds the light.
const GUARD: usize = 0;
const THIEF: usize = 1;
/// How fast guards walk, in cells per second.
const SPEED: f64 = 2.0;

fn main() {
    let window = WindowPlugin { primary_window: Some(Window::default()), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.add_systems(Startup, setup)
        .add_systems(FixedUpdate, walk_rounds.before(EmberwalkSystems::Sync))
        .add_systems(Update, (press_k, draw_ground, draw_route, write_title));
}

/// The corners of a round. Guards walk straight from one to the next.
#[derive(Component, Clone, Copy)]
struct Round([Cell; 4]);

/// The thief: how many treasures it has fetched, and whether it knows the rounds.
#[derive(Component)]
struct Thief {
    treasures: u32,
    is_informed: bool,
}

/// The sprite of a cell.
#[derive(Component)]
struct Ground(Cell);

/// A dot of the thief's route.
#[derive(Component)]
struct Dot;

impl Round {
    /// The legs of the round, and when each begins, in seconds.
    fn legs(self) -> impl Iterator<Item = ([Cell; 2], f64)> {
        let mut start = 0.0;
        (0..4).map(move |k| {
            let leg = [self.0[k], self.0[(k + 1) % 4]];
            let begins = start;
            start += steps(leg).len() as f64 / SPEED;
            (leg, begins)
        })
    }

    /// How long a round takes.
    fn period(self) -> f64 {
        self.legs().map(|(leg, _)| steps(leg).len() as f64 / SPEED).sum()
    }

    /// The cells in the light of the lantern, with the times: the cells around the current step of the guard.
    fn lit(self) -> impl Iterator<Item = (Cell, Range<CrowdTime>)> {
        self.legs().flat_map(|(leg, start)| {
            steps(leg).into_iter().enumerate().flat_map(move |(k, step)| {
                let [from, until] = [k, k + 1].map(|k| CrowdTime::from_seconds(start + k as f64 / SPEED));
                step.into_iter().flat_map(light).map(move |cell| (cell, from..until))
            })
        })
    }
}

/// The steps of a leg, from cell to cell.
fn steps([from, to]: [Cell; 2]) -> Vec<[Cell; 2]> {
    let (dx, dy) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let count = (to.x - from.x).abs().max((to.y - from.y).abs());
    (0..count).map(|k| [k, k + 1].map(|k| from + (k * dx, k * dy))).collect()
}

/// The cells that a lantern lights.
fn light(cell: Cell) -> impl Iterator<Item = Cell> {
    Size::new(3, 3).cells().map(move |offset| cell + (offset.x - 1, offset.y - 1))
}

fn setup(mut commands: Commands) {
    let cost = |cell: Cell| (HALL[cell.y as usize].as_bytes()[cell.x as usize] == b'.').then_some(EntryCost::TILE);
    let grids = [GUARD, THIEF].map(|_| CostGrid::from_fn(SIZE, Diagonal::GAME, cost).expect("the size is in range"));
    let crowd = Crowd::with_grids(grids, StepRules::default(), Pace::default()).expect("there are kinds");
    let mut grid = NavGrid::on(crowd).with_layout(CellLayout::orthogonal(TILE, TILE));
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((13, 6)).extend(0.0))));
    for cell in SIZE.cells() {
        let sprite = Sprite::from_color(Color::BLACK, Vec2::splat(TILE - 1.0));
        commands.spawn((Ground(cell), sprite, Transform::from_translation(grid.to_world(cell).extend(-1.0))));
    }
    let rounds = [
        [(2, 2), (7, 2), (7, 10), (2, 10)],
        [(15, 10), (15, 2), (11, 2), (11, 10)],
        [(19, 10), (24, 10), (24, 2), (19, 2)],
    ];
    for corners in rounds {
        let round = Round(corners.map(Cell::from));
        // The thief needs to know only this. It plans with it, and waits where that is quicker.
        grid.announce_closed(THIEF, CrowdTime::from_seconds(round.period()), round.lit());
        let body =
            (Sprite::from_color(Color::srgb(0.3, 0.4, 0.7), Vec2::splat(28.0)), Transform::from_xyz(0.0, 0.0, 2.0));
        commands.spawn((NavAgent::at(round.0[0].x, round.0[0].y).with_speed(SPEED as f32), round, body));
    }
    commands.spawn(grid);
    let agent =
        NavAgent::at(HIDING_PLACE.x, HIDING_PLACE.y).with(AgentSettings::new().with_kind(THIEF)).with_speed(3.0);
    let body = (Sprite::from_color(Color::srgb(0.9, 0.3, 0.3), Vec2::splat(24.0)), Transform::from_xyz(0.0, 0.0, 3.0));
    let thief = Thief { treasures: 0, is_informed: true };
    commands.spawn((thief, agent, Goal::Cell(TREASURE), body)).observe(turn_round);
}

/// Each leg begins at its time, so that no guard is ever late.
fn walk_rounds(grid: Single<&NavGrid>, mut guards: Query<(&Round, &mut Goal)>) {
    for (round, mut goal) in &mut guards {
        let time = grid.now().seconds() % round.period();
        if let Some(([_, to], _)) = round.legs().take_while(|(_, start)| *start <= time).last() {
            goal.set_if_neq(Goal::Cell(to));
        }
    }
}

/// Goes back with the treasure, or fetches the next one.
fn turn_round(arrived: On<Arrived>, mut thief: Single<(&mut Thief, &mut Goal)>) {
    let (thief, goal) = &mut *thief;
    if arrived.cell == TREASURE {
        thief.treasures += 1;
    }
    **goal = Goal::Cell(if arrived.cell == TREASURE { HIDING_PLACE } else { TREASURE });
}

/// Only agents that pass through others plan with announced changes. Solid agents see only the current map.
fn press_k(keys: Res<ButtonInput<KeyCode>>, mut thief: Single<(Entity, &mut Thief)>, mut commands: Commands) {
    let (entity, thief) = &mut *thief;
    if keys.just_pressed(KeyCode::KeyK) {
        thief.is_informed = !thief.is_informed;
        match thief.is_informed {
            true => commands.entity(*entity).remove::<Solid>(),
            false => commands.entity(*entity).insert(Solid),
        };
    }
}

fn draw_ground(grid: Single<&NavGrid, Changed<NavGrid>>, mut ground: Query<(&Ground, &mut Sprite)>) {
    let is_dark = |cell| grid.crowd().grids().nth(THIEF).is_some_and(|costs| costs.is_passable(cell));
    for (&Ground(cell), mut sprite) in &mut ground {
        sprite.color = match cell {
            TREASURE => Color::srgb(0.8, 0.65, 0.1),
            _ if !grid.is_passable(cell) => Color::srgb(0.12, 0.12, 0.14),
            _ if is_dark(cell) => Color::srgb(0.25, 0.25, 0.32),
            _ => Color::srgb(0.75, 0.7, 0.45),
        };
    }
}

/// Draws the route of the thief when it has changed. Where the thief will wait, the dot is larger.
fn draw_route(
    nav: Nav,
    thief: Single<(Entity, &Thief)>,
    dots: Query<Entity, With<Dot>>,
    mut drawn: Local<Vec<AgentStop>>,
    mut commands: Commands,
) {
    let (entity, thief) = *thief;
    let route = nav.route_of(entity).filter(|_| thief.is_informed);
    let stops = route.map(|route| route.stops).unwrap_or_default();
    let Some(grid) = nav.grid().filter(|_| !drawn.ends_with(&stops) || !thief.is_informed) else { return };
    dots.iter().for_each(|dot| commands.entity(dot).despawn());
    for stop in &stops {
        let waits = stop.departure > stop.arrival;
        let (color, side) = if waits { (Color::srgb(1.0, 0.6, 0.2), 14.0) } else { (Color::WHITE, 6.0) };
        let at = Transform::from_translation(grid.to_world(stop.cell).extend(1.0));
        commands.spawn((Dot, Sprite::from_color(color, Vec2::splat(side)), at));
    }
    *drawn = stops;
}

fn write_title(
    nav: Nav,
    thief: Single<(Entity, &Thief, &NavState)>,
    mut window: Single<&mut Window, With<PrimaryWindow>>,
) {
    let (entity, thief, state) = *thief;
    let now = nav.grid().map(NavGrid::now).unwrap_or_default();
    let plan = match nav.route_of(entity).and_then(|route| route.arrival()).filter(|_| thief.is_informed) {
        Some(arrival) => format!("arrives in {:.0} s", arrival - now),
        None => "knows nothing about the rounds".into(),
    };
    let waits = if matches!(state, NavState::Waiting { .. }) { ", waits" } else { "" };
    let title = format!("{} treasures. The thief {plan}{waits}. Press K to tell it all or nothing", thief.treasures);
    if window.title != title {
        window.title = title;
    }
}
