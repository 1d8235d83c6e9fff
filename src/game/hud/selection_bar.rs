//! The buttons for the selection and for what was copied, above the other buttons while there is something of this, or
//! the selection is the tool.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, SelectionChange, Tool};
use crate::game::input::bindings::binding_of;
use crate::game::mode::GameMode;
use crate::game::painting::brush::HeldBrush;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::painting::selection::Selection;

use super::places::{Places, spawn_now};
use super::widgets::{TEXT, button_row, key_button, panel, set_shown, text};

#[derive(Component)]
struct SelectionBar;

/// What must be there for a button.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Nothing hangs at the pointer.
    FreeHand,
    /// A part of the map is selected.
    Area,
    /// Something was copied.
    Copied,
    /// What was copied hangs at the pointer.
    Pasting,
}

pub(super) fn plugin(app: &mut App) {
    spawn_now(app, spawn);
    app.add_systems(Update, update.in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let node = Node { padding: UiRect::all(px(5)), display: Display::None, ..default() };
    let bar = (panel(node), SelectionBar, ChildOf(places.bottom));
    commands.spawn(bar).with_children(|bar| {
        bar.spawn(button_row()).with_children(|row| {
            use SelectionChange::{All, Copy, Cut, Delete, Nothing, Paste};
            for (change, needs) in [
                (All, Needs::FreeHand),
                (Cut, Needs::Area),
                (Copy, Needs::Area),
                (Paste, Needs::Copied),
                (Delete, Needs::Area),
            ] {
                if let Some(binding) = binding_of(Action::Selection(change)) {
                    row.spawn((key_button(binding.action, binding.key_name, binding.label), needs));
                }
            }
            row.spawn((key_button(Action::Selection(Nothing), "Esc", "Deselect"), Needs::Area));
            let how = (text("Click or tap the place, or press Enter.", TEXT), Needs::Pasting);
            row.spawn(how);
            row.spawn((key_button(Action::Escape, "Esc", "Drop"), Needs::Pasting));
        });
    });
}

/// Shows what can be done now.
fn update(
    mode: Res<State<GameMode>>,
    held: Res<HeldBrush>,
    selection: Res<Selection>,
    stroke: Res<OngoingStroke>,
    mut bars: Query<&mut Node, (With<SelectionBar>, Without<Needs>)>,
    mut parts: Query<(&Needs, &mut Node)>,
) {
    let is_painting = *mode.get() == GameMode::Painting;
    let is_pasting = stroke.is_pasting();
    let has = |needs: Needs| match needs {
        Needs::FreeHand => !is_pasting,
        Needs::Area => selection.area.is_some() && !is_pasting,
        Needs::Copied => selection.copied.is_some() && !is_pasting,
        Needs::Pasting => is_pasting,
    };
    let is_of_use = held.tool == Tool::Select || [Needs::Area, Needs::Copied, Needs::Pasting].into_iter().any(has);
    let is_shown = is_painting && is_of_use;
    bars.iter_mut().for_each(|mut bar| set_shown(&mut bar, is_shown));
    for (needs, mut node) in &mut parts {
        set_shown(&mut node, has(*needs));
    }
}
