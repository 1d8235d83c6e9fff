//! Toasts: short notices, one at a time, which disappear after a few seconds.

use std::time::Duration;

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::quit::QuitQuestion;
use crate::game::screen::notice::{Done, Notice};
use crate::game::ui::element::{Element, card, icon, row, spans, words};
use crate::game::ui::regions::Places;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{GOLD, GOOD, MEDIUM, Size, TEXT, TOAST_GLIDES};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Endpoints;

/// The time for which a notice is shown.
const SHOWN: Duration = Duration::from_secs(4);

/// The z-order of toasts, in front of everything else.
const LAYER: i32 = 60;

const QUIT_QUESTION: &str = "Press Esc again to quit.";

/// The current notice.
#[derive(Resource, Default)]
struct CurrentNotice {
    text: String,
    /// Whether it is about something that is done.
    is_done: bool,
    /// The time at which it disappears.
    end: Duration,
}

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().toasts;
    let show = toast.pipe(show_in(place));
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
            Action::Erupt | Action::Announce(_) | Action::ToggleAnnounced if !map.has_volcano() => {
                "This map has no volcano."
            }
            Action::GoToCastle if endpoints.goal().is_none() => "This map has no castle.",
            _ => continue,
        };
        notices.write(Notice(text.into()));
    }
}

/// Shows the last notice. If something else was done in the same frame, the notice tells more.
fn receive_notices(
    time: Res<Time<Real>>,
    mut notices: MessageReader<Notice>,
    mut done: MessageReader<Done>,
    mut notice: ResMut<CurrentNotice>,
) {
    let end = time.elapsed() + SHOWN;
    if let Some(Done(text)) = done.read().last() {
        *notice = CurrentNotice { text: text.clone(), is_done: true, end };
    }
    if let Some(Notice(text)) = notices.read().last() {
        *notice = CurrentNotice { text: text.clone(), is_done: false, end };
    }
}

/// The notice, or the question whether to quit.
fn toast(
    time: Res<Time<Real>>,
    notice: Res<CurrentNotice>,
    quit: Res<QuitQuestion>,
    mut wakes: MessageWriter<Wake>,
) -> Vec<Element> {
    let now = time.elapsed();
    let (content, left) = match quit.time_left(now) {
        Some(left) => (QUIT_QUESTION, left),
        None => (notice.text.as_str(), notice.end.saturating_sub(now)),
    };
    if left.is_zero() {
        return Vec::new();
    }
    wakes.write(Wake::After(left));
    let text = spans(vec![words(content, Size::Text, TEXT)]).with(|node| node.flex_shrink = 1.0);
    let symbol = match quit.time_left(now) {
        None if notice.is_done => icon(Icon::Check, 16, GOOD),
        _ => icon(Icon::Info, 16, GOLD),
    };
    let toast = card(vec![row(vec![symbol, text])]).gliding(TOAST_GLIDES);
    // In front of drawers, dialogs and questions.
    vec![toast.pad(MEDIUM, 8.0).with(|node| node.max_width = px(560)).layer(LAYER)]
}
