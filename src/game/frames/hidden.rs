//! Notices when nothing of the window can be seen, and draws nothing then.

use bevy::prelude::*;
use bevy::render::camera::{SortedCameras, sort_cameras};
use bevy::render::extract_resource::{ExtractResource, ExtractResourcePlugin};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{PrimaryWindow, WindowOccluded};

#[cfg(all(unix, not(target_os = "macos")))]
use crate::game::x_server::XServer;

/// Whether the window is minimised or completely covered.
#[derive(Resource, ExtractResource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Hidden>()
        .add_plugins(ExtractResourcePlugin::<Hidden>::default())
        .add_systems(First, notice_whether_hidden);
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.add_systems(Render, draw_nothing_if_hidden.in_set(RenderSystems::CreateViews).after(sort_cameras));
    }
}

/// Reads only what was reported: a question to the system could take longer than a frame.
fn notice_whether_hidden(
    mut occlusions: MessageReader<WindowOccluded>,
    window: Query<&Window, With<PrimaryWindow>>,
    #[cfg(all(unix, not(target_os = "macos")))] server: Option<Res<XServer>>,
    mut occluded: Local<bool>,
    mut hidden: ResMut<Hidden>,
) {
    if let Some(last) = occlusions.read().last() {
        *occluded = last.occluded;
    }
    // Windows reports no occlusion, but gives a minimised window no size.
    let minimised = window.single().is_ok_and(|window| window.physical_size().min_element() == 0);
    #[cfg(all(unix, not(target_os = "macos")))]
    let minimised = minimised || server.is_some_and(|server| server.is_minimised());
    hidden.set_if_neq(Hidden(*occluded || minimised));
}

fn draw_nothing_if_hidden(hidden: Option<Res<Hidden>>, mut cameras: ResMut<SortedCameras>) {
    if hidden.is_some_and(|hidden| hidden.0) {
        cameras.0.clear();
    }
}
