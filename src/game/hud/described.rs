//! Panels that show what a system describes. They are spawned at the start and hidden while there is nothing to show.

use bevy::prelude::*;

use super::widgets::{panel, set_shown, text_column, wrapped};

/// Lines of text with their colours. Empty ones are left out, because they would leave a gap.
pub(super) type Lines = Vec<(String, Color)>;

/// Spawns a hidden panel at the end of a place: the panels of a place are in the order of the plugins.
pub(super) fn spawn_panel(app: &mut App, place: Entity, node: Node) -> Entity {
    let node = Node { display: Display::None, ..text_column(node) };
    app.world_mut().spawn((panel(node), Pickable::IGNORE, ChildOf(place))).id()
}

/// A system that takes a description from the one before it, and spawns what is in `panel` again if it differs from the
/// last one.
pub(super) fn show_in<D: PartialEq + Send + Sync + 'static>(
    panel: Entity,
    spawn: fn(&mut ChildSpawnerCommands, &D),
) -> impl FnMut(In<Option<D>>, Query<&mut Node>, Commands) {
    let mut shown = None;
    move |In(wanted), mut nodes, mut commands| {
        if shown == wanted {
            return;
        }
        if let Ok(mut node) = nodes.get_mut(panel) {
            set_shown(&mut node, wanted.is_some());
        }
        let mut panel = commands.entity(panel);
        panel.despawn_children();
        if let Some(wanted) = &wanted {
            panel.with_children(|rows| spawn(rows, wanted));
        }
        shown = wanted;
    }
}

/// Spawns lines below each other.
pub(super) fn spawn_lines(rows: &mut ChildSpawnerCommands, lines: &Lines) {
    for (content, colour) in lines.iter().filter(|(content, _)| !content.is_empty()) {
        rows.spawn(wrapped(content, *colour));
    }
}
