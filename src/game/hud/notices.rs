//! Short notices, which disappear after a few seconds.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::notice::Notice;
use crate::game::world::open_map::OpenMap;
use crate::game::world::requested_endpoints::Endpoints;

use super::bottom_column::{BottomColumn, HudSystems};
use super::widgets::{GOLD, SMALL, panel, set_text, text, text_column};

/// Seconds for which a notice is shown.
const SECONDS: f32 = 4.0;

/// The current notice.
#[derive(Resource, Default)]
struct CurrentNotice {
    text: String,
    /// The seconds for which it is still shown.
    seconds_left: f32,
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

fn spawn(column: Res<BottomColumn>, mut commands: Commands) {
    let hidden = (Pickable::IGNORE, NoticePanel, Visibility::Hidden);
    commands.entity(column.0).with_children(|column| {
        column
            .spawn(panel(text_column(Node { display: Display::None, ..default() })))
            .insert(hidden)
            .with_child((text("", SMALL, GOLD), NoticeText));
    });
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

fn receive_notices(mut notices: MessageReader<Notice>, mut notice: ResMut<CurrentNotice>) {
    if let Some(Notice(text)) = notices.read().last() {
        *notice = CurrentNotice { text: text.clone(), seconds_left: SECONDS };
    }
}

fn show_notice(
    time: Res<Time<Real>>,
    mut notice: ResMut<CurrentNotice>,
    mut panel: Query<(&mut Visibility, &mut Node), With<NoticePanel>>,
    mut texts: Query<&mut Text, With<NoticeText>>,
) {
    if notice.seconds_left <= 0.0 {
        return;
    }
    notice.seconds_left -= time.delta_secs();
    for mut text in &mut texts {
        set_text(&mut text, &notice.text);
    }
    let visible = notice.seconds_left > 0.0;
    for (mut visibility, mut node) in &mut panel {
        visibility.set_if_neq(if visible { Visibility::Inherited } else { Visibility::Hidden });
        node.display = if visible { Display::Flex } else { Display::None };
    }
}
