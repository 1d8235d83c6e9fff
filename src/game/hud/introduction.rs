//! The panel with what a map says about itself, which is shown for a while when the map is opened.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::action::Action;
use crate::game::mode::{GameMode, HelpPage};
use crate::game::world::live_reload::AwaitedMap;
use crate::game::world::open_map::{MapOpened, OpenMap};

use super::places::Places;
use super::scale::OnlyWithRoom;
use super::widgets::{TEXT, panel, printable, text_column, wrapped};

/// The maximum length of the text in characters; longer ones are cut.
const MAX_CHARS: usize = 400;

/// The time for which it is shown, unless the player takes a step before.
const SHOWN: Duration = Duration::from_secs(30);

/// The panel, until this time.
#[derive(Component)]
struct Introduction(Duration);

pub(super) fn plugin(app: &mut App) {
    app.add_observer(introduce)
        .add_systems(Update, remove.run_if(any_with_component::<Introduction>).in_set(AppSystems::Show));
}

fn introduce(_: On<MapOpened>, old: Query<Entity, With<Introduction>>, mut commands: Commands) {
    old.iter().for_each(|panel| commands.entity(panel).despawn());
    commands.run_system_cached(spawn);
}

fn spawn(
    map: Res<OpenMap>,
    awaited: Res<AwaitedMap>,
    mode: Res<State<GameMode>>,
    places: Res<Places>,
    time: Res<Time<Real>>,
    mut commands: Commands,
) {
    // While the player paints, it would be in the way.
    let is_wanted = !awaited.is_some() && *mode.get() == GameMode::Walking;
    let about = map.about().filter(|about| !about.trim().is_empty() && is_wanted);
    let Some(about) = about.map(|about| printable(about, MAX_CHARS)) else { return };
    // Narrow lines are easier to read, and leave the middle of the window to the map.
    let node = Node { max_width: px(400), ..text_column(default()) };
    commands
        .spawn((panel(node), Introduction(time.elapsed() + SHOWN), OnlyWithRoom, ChildOf(places.top_left)))
        .with_child(wrapped(about, TEXT));
}

/// Removes the panel after a while, when the player sends the traveller somewhere or does something else, and on
/// Escape.
fn remove(
    mut actions: MessageReader<Action>,
    page: Res<State<HelpPage>>,
    time: Res<Time<Real>>,
    panels: Query<(Entity, &Introduction)>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    let removes = |action: &Action| match action {
        Action::Go(_)
        | Action::GoToCursor
        | Action::GoToCastle
        | Action::ToggleSearchView
        | Action::ToggleRace
        | Action::TogglePainting
        | Action::OpenLesson(_) => true,
        // The first one closes the help page.
        Action::Escape => *page.get() == HelpPage::Closed,
        _ => false,
    };
    let removed = actions.read().any(removes);
    for (panel, Introduction(end)) in &panels {
        let left = end.saturating_sub(time.elapsed());
        if removed || left.is_zero() {
            commands.entity(panel).despawn();
        } else {
            wakes.write(Wake::After(left));
        }
    }
}
