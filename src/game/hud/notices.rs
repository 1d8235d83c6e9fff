//! Short notices, which disappear after a few seconds.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::action::Action;
use crate::game::notice::Notice;
use crate::game::world::asked_endpoints::Endpoints;
use crate::game::world::open_map::OpenMap;

use super::{Foot, GOLD, HudSystems, SMALL, lines, panel, text, write};

/// Seconds for which a notice is shown.
const SECONDS: f32 = 4.0;

/// The notice that is shown, and the seconds for which it still is.
#[derive(Resource, Default)]
struct Shown {
    words: String,
    seconds_left: f32,
}

#[derive(Component)]
struct NoticePanel;

#[derive(Component)]
struct NoticeText;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Notice>().init_resource::<Shown>().add_systems(Startup, spawn.in_set(HudSystems::Notices));
    app.add_systems(
        Update,
        (explain_refusals.run_if(on_message::<Action>), take_notices, show).chain().in_set(AppSystems::Show),
    );
}

fn spawn(foot: Res<Foot>, mut commands: Commands) {
    let hidden = (Pickable::IGNORE, NoticePanel, Visibility::Hidden);
    commands.entity(foot.0).with_children(|foot| {
        foot.spawn(panel(lines(Node { display: Display::None, ..default() })))
            .insert(hidden)
            .with_child((text("", SMALL, GOLD), NoticeText));
    });
}

/// Says why nothing happens.
fn explain_refusals(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let words = match action {
            Action::Erupt if !map.has_volcano() => "There is no volcano on this map.",
            Action::GoToCastle if endpoints.goal().is_none() => "There is no castle on this map.",
            _ => continue,
        };
        notices.write(Notice(words.into()));
    }
}

fn take_notices(mut notices: MessageReader<Notice>, mut shown: ResMut<Shown>) {
    if let Some(Notice(words)) = notices.read().last() {
        *shown = Shown { words: words.clone(), seconds_left: SECONDS };
    }
}

fn show(
    time: Res<Time<Real>>,
    mut shown: ResMut<Shown>,
    mut panel: Query<(&mut Visibility, &mut Node), With<NoticePanel>>,
    mut texts: Query<&mut Text, With<NoticeText>>,
) {
    if shown.seconds_left <= 0.0 {
        return;
    }
    shown.seconds_left -= time.delta_secs();
    for mut text in &mut texts {
        write(&mut text, &shown.words);
    }
    let visible = shown.seconds_left > 0.0;
    for (mut visibility, mut node) in &mut panel {
        visibility.set_if_neq(if visible { Visibility::Inherited } else { Visibility::Hidden });
        node.display = if visible { Display::Flex } else { Display::None };
    }
}
