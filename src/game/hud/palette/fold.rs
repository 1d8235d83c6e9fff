//! Folds the palette, and measures how much of the window it covers.

use bevy::prelude::*;
use bevy::ui::{UiGlobalTransform, UiSystems};

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::hud::scale::IsNarrow;
use crate::game::hud::widgets::set_shown;
use crate::game::input::action::Action;
use crate::game::mode::GameMode;
use crate::game::view::framing::Covered;

use super::parts::{Foldable, PalettePanel, any_added};

/// Whether the palette is folded: whether its tools and pictures are hidden.
#[derive(Resource, Default)]
struct Folded(bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Folded>()
        .add_systems(
            Update,
            (toggle.run_if(on_message::<Action>), fold.run_if(resource_changed::<Folded>.or_eager(any_added)))
                .chain()
                .run_if(in_state(GameMode::Painting))
                .in_set(AppSystems::Show),
        )
        .add_systems(PostUpdate, measure.after(UiSystems::Layout));
}

fn toggle(mut actions: MessageReader<Action>, mut folded: ResMut<Folded>) {
    for _ in actions.read().filter(|action| **action == Action::TogglePalette) {
        folded.0 = !folded.0;
    }
}

fn fold(folded: Res<Folded>, mut parts: Query<&mut Node, With<Foldable>>) {
    parts.iter_mut().for_each(|mut node| set_shown(&mut node, !folded.0));
}

/// Measures which part of the window the palette covers, so that it hides nothing that matters.
fn measure(
    folded: Res<Folded>,
    is_narrow: Res<IsNarrow>,
    panels: Query<(&ComputedNode, &UiGlobalTransform), With<PalettePanel>>,
    mut covered: ResMut<Covered>,
    mut wakes: MessageWriter<Wake>,
) {
    let rect = |(node, at): (&ComputedNode, &UiGlobalTransform)| Rect::from_center_size(at.translation, node.size);
    let rect = panels.iter().next().filter(|_| !folded.0).map(rect);
    // In a narrow window there is no room beside it.
    let rect = rect.filter(|_| !is_narrow.0).unwrap_or_default();
    if covered.set_if_neq(Covered(rect)) {
        wakes.write(Wake::NextFrame);
    }
}
