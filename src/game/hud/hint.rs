//! What to do first, until the first click; and short notices.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::action::Action;
use crate::game::world::open_map::Land;

use super::{Foot, GOLD, HudSystems, SMALL, lines, panel, text};

/// Seconds that a notice stays.
const NOTICE_SECONDS: f32 = 4.0;

/// Something to tell the player for a moment.
#[derive(Resource, Default)]
pub struct Notice {
    words: String,
    left: f32,
}

impl Notice {
    /// Shows these words for some seconds.
    pub fn say(&mut self, words: String) {
        *self = Self { words, left: NOTICE_SECONDS };
    }
}

#[derive(Component)]
struct Hint;

#[derive(Component)]
struct NoticePanel;

#[derive(Component)]
struct NoticeText;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Hint))
        .add_systems(Update, ((take_away, say_why_not).run_if(on_message::<Action>), notify).in_set(AppSystems::Show));
}

fn spawn(foot: Res<Foot>, mut commands: Commands) {
    commands.entity(foot.0).with_children(|foot| {
        let node = Node { margin: UiRect::left(px(10)), align_self: AlignSelf::FlexStart, ..default() };
        foot.spawn(panel(lines(node))).insert((Pickable::IGNORE, Hint)).with_children(|rows| {
            for words in ["Click a tile: the traveller walks there.", "V: the volcano erupts.", "H: all keys."] {
                rows.spawn((text(words, SMALL, GOLD), Pickable::IGNORE));
            }
        });
        let notice = (Pickable::IGNORE, NoticePanel, Visibility::Hidden);
        foot.spawn(panel(lines(Node { display: Display::None, ..default() })))
            .insert(notice)
            .with_child((text("", SMALL, GOLD), NoticeText));
    });
}

/// The first click ends the hint, and so does whoever goes or lets the volcano erupt by a key.
fn take_away(mut actions: MessageReader<Action>, hint: Query<Entity, With<Hint>>, mut commands: Commands) {
    if actions
        .read()
        .any(|action| matches!(action, Action::Go(_) | Action::GoToCursor | Action::GoToCastle | Action::Erupt))
    {
        hint.iter().for_each(|hint| commands.entity(hint).despawn());
    }
}

/// Says why nothing happens.
fn say_why_not(mut actions: MessageReader<Action>, land: Res<Land>, mut notice: ResMut<Notice>) {
    for action in actions.read() {
        match action {
            Action::Erupt if !land.has_volcano() => notice.say("There is no volcano on this map.".into()),
            Action::GoToCastle if land.first_goal().is_none() => notice.say("There is no castle on this map.".into()),
            _ => {}
        }
    }
}

fn notify(
    time: Res<Time<Real>>,
    mut notice: ResMut<Notice>,
    mut panel: Query<(&mut Visibility, &mut Node), With<NoticePanel>>,
    mut texts: Query<&mut Text, With<NoticeText>>,
) {
    if notice.left <= 0.0 {
        return;
    }
    notice.left -= time.delta_secs();
    for mut text in &mut texts {
        super::write(&mut text, &notice.words);
    }
    let shown = notice.left > 0.0;
    for (mut visibility, mut node) in &mut panel {
        visibility.set_if_neq(if shown { Visibility::Inherited } else { Visibility::Hidden });
        node.display = if shown { Display::Flex } else { Display::None };
    }
}
