//! The panel with a question about unsaved changes. It covers the window, so that it is answered first.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::question::OpenQuestion;

use super::widgets::{TEXT, cover, key_button, opaque_panel, text_column, wrapped};

/// The largest width of the panel in logical pixels.
const WIDTH: f32 = 460.0;

#[derive(Component)]
struct QuestionPanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show.run_if(resource_changed::<OpenQuestion>).in_set(AppSystems::Show));
}

fn show(question: Res<OpenQuestion>, old: Query<Entity, With<QuestionPanel>>, mut commands: Commands) {
    old.iter().for_each(|panel| commands.entity(panel).despawn());
    if *question == OpenQuestion::None {
        return;
    }
    let answers = question.answers();
    let shade = BackgroundColor(Color::BLACK.with_alpha(0.45));
    // The engine would measure the height of a panel before it limits its width: so a column of a grid limits it.
    let column = RepeatedGridTrack::minmax(1, MinTrackSizingFunction::Px(0.0), MaxTrackSizingFunction::Px(WIDTH));
    let cover = Node { display: Display::Grid, grid_template_columns: vec![column], ..cover() };
    // It is hovered like a panel, so that clicks do not reach the map.
    commands.spawn((cover, shade, Hovered::default(), GlobalZIndex(20), QuestionPanel)).with_children(|cover| {
        let column = Node { row_gap: px(8), ..text_column(default()) };
        cover.spawn(opaque_panel(column)).with_children(|rows| {
            rows.spawn(wrapped(question.text(), TEXT));
            let row = Node { flex_wrap: FlexWrap::Wrap, column_gap: px(6), row_gap: px(6), ..default() };
            rows.spawn((row, Pickable::IGNORE)).with_children(|row| {
                for (index, (answer, label)) in answers.iter().enumerate() {
                    let key = match index {
                        0 => "Enter",
                        _ if index == answers.len() - 1 => "Esc",
                        _ => ["", "2", "3", "4"].get(index).copied().unwrap_or_default(),
                    };
                    row.spawn(key_button(Action::Answer(*answer), key, *label));
                }
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::hud::laid_out::LaidOut;
    use crate::game::input::mouse::ActionButton;
    use crate::game::question::RestoredOn;

    #[test]
    fn the_panel_is_around_its_text_and_its_buttons_in_any_window() {
        let restore = OpenQuestion::Restore { strokes: 2, on: RestoredOn::OtherVersion };
        for question in [OpenQuestion::FileChanged, restore, OpenQuestion::Replace("home/mine.ron".into())] {
            for size in [UVec2::new(1280, 720), UVec2::new(427, 320), UVec2::new(366, 274)] {
                let mut hud = LaidOut::new(size);
                hud.app.insert_resource(question.clone()).add_systems(Update, show);
                hud.app.update();
                hud.app.update();
                let world = hud.app.world_mut();
                let cover = world.query_filtered::<Entity, With<QuestionPanel>>().single(world).expect("it is open");
                let panel = world.get::<Children>(cover).expect("it has a panel")[0];
                let parts = world.query_filtered::<Entity, Or<(With<Text>, With<ActionButton>)>>();
                let parts: Vec<_> = { parts }.iter(world).collect();
                let panel = hud.rect(panel);
                assert!(panel.width() <= WIDTH && panel.center().distance(size.as_vec2() / 2.0) < 2.0, "{panel:?}");
                for part in parts.into_iter().map(|part| hud.rect(part)) {
                    let inside = panel.inflate(-4.0);
                    assert!(inside.union(part) == inside, "{question:?} in {size}: {part:?} in {panel:?}");
                }
            }
        }
    }
}
