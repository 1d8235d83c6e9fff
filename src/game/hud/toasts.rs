//! Toasts: short notices, one at a time, which disappear after a few seconds.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::quit::QuitQuestion;
use crate::game::screen::notice::{CurrentNotice, Hint, ReceiveNotices};
use crate::game::ui::element::{Element, card, icon, row, text};
use crate::game::ui::regions::Places;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{GOLD, GOOD, MEDIUM, TOAST_GLIDES};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Endpoints;

use super::stroke_label::Hand;

/// The z-order of toasts, in front of everything else.
const LAYER: i32 = 60;

const QUIT_QUESTION: &str = "Press Esc again to quit.";

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().toasts;
    let show = toast.pipe(show_in(place));
    let systems = (explain_ignored_actions.before(ReceiveNotices), show.after(ReceiveNotices));
    app.add_systems(Update, systems.in_set(AppSystems::Show));
}

/// Explains why an action has no effect.
fn explain_ignored_actions(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    mut hints: MessageWriter<Hint>,
) {
    for action in actions.read() {
        hints.write(match action {
            Action::Erupt | Action::Announce(_) | Action::ToggleAnnounced if !map.has_volcano() => Hint {
                text: "This map has no volcano.".into(),
                holds: |world| !world.resource::<OpenMap>().has_volcano(),
            },
            Action::GoToCastle if endpoints.goal().is_none() => Hint {
                text: "This map has no castle.".into(),
                holds: |world| world.resource::<OpenMap>().castle().is_none(),
            },
            _ => continue,
        });
    }
}

/// The notice, or the question whether to quit. A reason that stands beside the pointer is not said again.
fn toast(
    time: Res<Time<Real>>,
    notice: Res<CurrentNotice>,
    hand: Hand,
    quit: Res<QuitQuestion>,
    mut wakes: MessageWriter<Wake>,
) -> Vec<Element> {
    let now = time.elapsed();
    let shown = quit
        .time_left(now)
        .map(|left| (QUIT_QUESTION, left))
        .or(notice.shown(now).filter(|(text, _)| !hand.tells(text)));
    let Some((content, left)) = shown else { return Vec::new() };
    wakes.write(Wake::After(left));
    let symbol = match quit.time_left(now) {
        None if notice.is_done => icon(Icon::Check, 16, GOOD),
        _ => icon(Icon::Info, 16, GOLD),
    };
    let toast = card(vec![row(vec![symbol, text(content)])]).gliding(TOAST_GLIDES);
    // In front of drawers, dialogs and questions.
    vec![toast.pad(MEDIUM, 8.0).with(|node| node.max_width = px(560)).layer(LAYER)]
}
