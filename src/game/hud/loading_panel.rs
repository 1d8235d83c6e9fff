//! The panel about what takes long: a map that is being read, with a bar for its progress, or very many cells that are
//! painted.

use std::time::Duration;

use bevy::picking::hover::Hovered;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::action::Action;
use crate::game::painting::large_change::LargeChange;
use crate::game::world::live_reload::AwaitedMap;
use crate::game::world::reader::{MapReader, PATIENCE};

use super::described::show_in;
use super::widgets::{
    BACKDROP, BUTTON, GOLD, TEXT, button_row, cover, key_button, lay_out, opaque_panel, printable, text, text_column,
};

/// The width of the bar in logical pixels.
const BAR_WIDTH: f32 = 260.0;

/// The maximum number of characters of the map's name.
const MAX_NAME: usize = 60;

/// The interval between two pictures of the bar.
const BEAT: Duration = Duration::from_millis(50);

/// The filled part of the bar.
#[derive(Component)]
struct Filled;

/// What the panel shows.
#[derive(Clone, PartialEq)]
struct Shown {
    /// What is done; empty if that did not take long yet.
    title: String,
    /// Whether it is known how much is done.
    has_bar: bool,
    can_stop: bool,
    hides_map: bool,
}

pub(super) fn plugin(app: &mut App) {
    let window = Node { position_type: PositionType::Absolute, width: percent(100), height: percent(100), ..default() };
    let window = app.world_mut().spawn((window, Pickable::IGNORE, GlobalZIndex(10))).id();
    app.add_systems(Update, update.pipe(show_in(window, spawn)).in_set(AppSystems::Show));
}

/// Shows the panel when the reading has taken a while.
fn update(
    reader: Option<Res<MapReader>>,
    awaited: Res<AwaitedMap>,
    large: Res<LargeChange>,
    mut bars: Query<&mut Node, With<Filled>>,
    mut wakes: MessageWriter<Wake>,
) -> Option<Shown> {
    let (load, change) = (reader.and_then(|reader| reader.load()), large.shown());
    let elapsed = load.as_ref().map(|load| load.elapsed).or(change.map(|(_, elapsed)| elapsed));
    if let Some(elapsed) = elapsed {
        wakes.write(Wake::After(BEAT.max(PATIENCE.saturating_sub(elapsed))));
    }
    // A map that hides the other one does so at once, and until it is there.
    let hides_map = awaited.hides_other();
    let is_late = elapsed.is_some_and(|elapsed| elapsed >= PATIENCE);
    let title = || match &load {
        Some(load) if load.is_new() => format!("Making {}", load.name),
        Some(load) => format!("Reading {}", printable(&load.name, MAX_NAME)),
        None => change.map(|(title, _)| title.to_owned()).unwrap_or_default(),
    };
    for mut node in &mut bars {
        lay_out(&mut node, |node| node.width = percent(100.0 * load.as_ref().map_or(1.0, |load| load.done)));
    }
    (is_late || hides_map).then(|| Shown {
        title: if is_late { title() } else { String::new() },
        has_bar: load.is_some(),
        can_stop: awaited.is_some() || load.is_none(),
        hides_map,
    })
}

fn spawn(window: &mut ChildSpawnerCommands, Shown { title, has_bar, can_stop, hides_map }: &Shown) {
    let mut window = window.spawn(cover());
    if *hides_map {
        // It is hovered like a panel, so that clicks do not reach the map.
        window.insert((BackgroundColor(BACKDROP), Hovered::default()));
    } else {
        window.insert(Pickable::IGNORE);
    }
    if title.is_empty() {
        return;
    }
    window.with_children(|window| {
        let column = Node { row_gap: px(8), ..text_column(default()) };
        window.spawn(opaque_panel(column)).with_children(|rows| {
            rows.spawn(text(title, TEXT));
            if *has_bar {
                let bar = Node { width: px(BAR_WIDTH), height: px(6), ..default() };
                rows.spawn((bar, BackgroundColor(BUTTON), Pickable::IGNORE)).with_children(|bar| {
                    let filled = Node { height: percent(100), ..default() };
                    bar.spawn((filled, BackgroundColor(GOLD), Filled, Pickable::IGNORE));
                });
            }
            if *can_stop {
                rows.spawn(button_row()).with_children(|row| {
                    row.spawn(key_button(Action::Stop, "Esc", "Stop"));
                });
            }
        });
    });
}
