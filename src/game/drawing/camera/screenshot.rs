//! Saves screenshots in the current folder, each in a new file.

use std::io;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::ui::{UiTransform, Val2};
use tracing::{error, info};

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::screen::notice::{Done, Notice, name_and_folder};
use emberwalk_map::output_file::{reason, write_new};
use emberwalk_picture::png;

/// The highest number in a file name.
const MAX_NUMBER: u32 = 100_000;

/// A position outside any window, in logical pixels.
const OUTSIDE: f32 = -1e6;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, take_screenshot.in_set(AppSystems::Act))
        .add_systems(Update, wait_for_picture.run_if(any_with_component::<Screenshot>).in_set(AppSystems::Show));
}

/// Takes screenshots of this frame. For a screenshot without panels, the panels are moved out of the window until the
/// next frame, because hiding them would lose the focus.
fn take_screenshot(
    mut actions: MessageReader<Action>,
    mut panels: Query<&mut UiTransform, (With<Node>, Without<ChildOf>)>,
    mut commands: Commands,
) {
    let mut place = UiTransform::IDENTITY;
    for action in actions.read() {
        let Action::Screenshot { with_panels } = *action else { continue };
        if !with_panels {
            place = UiTransform::from_translation(Val2::px(OUTSIDE, 0.0));
        }
        commands.spawn(Screenshot::primary_window()).observe(save);
    }
    for mut panel in &mut panels {
        panel.set_if_neq(place);
    }
}

/// The graphics card delivers the picture a few frames later.
fn wait_for_picture(mut wakes: MessageWriter<Wake>) {
    wakes.write(Wake::NextFrame);
}

/// Writes the screenshot to a new file; existing files are never overwritten.
fn save(captured: On<ScreenshotCaptured>, mut done: MessageWriter<Done>, mut notices: MessageWriter<Notice>) {
    let written = captured.image.clone().try_into_dynamic().map_err(io::Error::other).and_then(|picture| {
        let paths = (1..=MAX_NUMBER).map(|number| PathBuf::from(format!("emberwalk-{number:03}.png")));
        let path = write_new(paths, &png::encode(&picture.to_rgb8())?)?;
        path.ok_or_else(|| io::Error::other("this folder has too many screenshots"))
    });
    match written {
        Ok(path) => {
            info!(file = ?path, "screenshot saved");
            done.write(Done(format!("Saved {}.", name_and_folder(&path))));
        }
        Err(error) => {
            let reason = reason(&error);
            error!(reason, "screenshot not saved");
            notices.write(Notice(format!("Could not save the screenshot: {reason}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panels_are_out_of_the_window_for_one_frame_if_the_picture_is_of_the_map_alone() {
        let mut app = App::new();
        app.add_message::<Action>().add_systems(Update, take_screenshot);
        let panel = app.world_mut().spawn(Node::default()).id();
        let mut frame = |action: Option<Action>| {
            app.world_mut().write_message_batch(action);
            app.update();
            let pictures = app.world_mut().query::<&Screenshot>().iter(app.world()).count();
            (pictures, app.world().get::<UiTransform>(panel) == Some(&UiTransform::IDENTITY))
        };
        assert_eq!(frame(Some(Action::Screenshot { with_panels: true })), (1, true));
        assert_eq!(frame(Some(Action::Screenshot { with_panels: false })), (2, false));
        assert_eq!(frame(None), (2, true));
    }
}
