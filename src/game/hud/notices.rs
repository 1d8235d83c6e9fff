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

use super::described::{Lines, show_in, spawn_lines, spawn_panel};
use super::places::Places;
use super::widgets::GOLD;

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

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().above_bars;
    let panel = spawn_panel(app, place, Node { max_width: percent(96), ..default() });
    let show = shown_notice.pipe(show_in(panel, spawn_lines));
    app.init_resource::<CurrentNotice>()
        .add_systems(Update, (explain_ignored_actions, receive_notices, show).chain().in_set(AppSystems::Show));
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

/// The notice, or the question whether to quit.
fn shown_notice(
    time: Res<Time<Real>>,
    notice: Res<CurrentNotice>,
    quit: Res<QuitQuestion>,
    mut wakes: MessageWriter<Wake>,
) -> Option<Lines> {
    let now = time.elapsed();
    let (content, left) = match quit.time_left(now) {
        Some(left) => (QUIT_QUESTION, left),
        None => (notice.text.as_str(), notice.end.saturating_sub(now)),
    };
    if left.is_zero() {
        return None;
    }
    wakes.write(Wake::After(left));
    Some(vec![(content.to_owned(), GOLD)])
}
