//! Short notices, which disappear after a few seconds.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::action::Action;
use crate::game::notice::Notice;
use crate::game::quit::QuitQuestion;
use crate::game::world::open_map::OpenMap;
use crate::game::world::requested_endpoints::Endpoints;

use super::places::{HudSystems, Places};
use super::widgets::{GOLD, SMALL, panel, set_text, text, text_column, wrapping};

/// The time for which a notice is shown.
const SHOWN: Duration = Duration::from_secs(4);

const QUIT_QUESTION: &str = "Press Esc again to quit.";

/// The current notice.
#[derive(Resource, Default)]
struct CurrentNotice {
    text: String,
    /// The time at which it disappears.
    end: Duration,
}

#[derive(Component)]
struct NoticePanel;

#[derive(Component)]
struct NoticeText;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CurrentNotice>().add_systems(Startup, spawn.in_set(HudSystems::Notices));
    app.add_systems(
        Update,
        (explain_ignored_actions.run_if(on_message::<Action>), receive_notices, show_notice)
            .chain()
            .in_set(AppSystems::Show),
    );
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let node = Node { display: Display::None, max_width: percent(96), ..default() };
    commands
        .spawn((panel(text_column(node)), ChildOf(places.above_bars)))
        .insert((Pickable::IGNORE, NoticePanel))
        .with_child((text("", SMALL, GOLD), wrapping(), NoticeText));
}

/// Explains why an action has no effect.
fn explain_ignored_actions(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let text = match action {
            Action::Erupt if !map.has_volcano() => "This map has no volcano.",
            Action::GoToCastle if endpoints.goal().is_none() => "This map has no castle.",
            _ => continue,
        };
        notices.write(Notice(text.into()));
    }
}

fn receive_notices(time: Res<Time<Real>>, mut notices: MessageReader<Notice>, mut notice: ResMut<CurrentNotice>) {
    if let Some(Notice(text)) = notices.read().last() {
        *notice = CurrentNotice { text: text.clone(), end: time.elapsed() + SHOWN };
    }
}

/// Shows the notice, or the question whether to quit.
fn show_notice(
    time: Res<Time<Real>>,
    notice: Res<CurrentNotice>,
    quit: Res<QuitQuestion>,
    mut panel: Query<&mut Node, With<NoticePanel>>,
    mut texts: Query<&mut Text, With<NoticeText>>,
    mut wakes: MessageWriter<Wake>,
) {
    let now = time.elapsed();
    let (content, left) = match quit.time_left(now) {
        Some(left) => (QUIT_QUESTION, left),
        None => (notice.text.as_str(), notice.end.saturating_sub(now)),
    };
    let display = if left.is_zero() { Display::None } else { Display::Flex };
    for mut node in &mut panel {
        if node.display != display {
            node.display = display;
        }
    }
    if !left.is_zero() {
        wakes.write(Wake::After(left));
        texts.iter_mut().for_each(|mut text| set_text(&mut text, content));
    }
}
