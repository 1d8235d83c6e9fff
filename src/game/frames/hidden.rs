//! Notices when the window is invisible, and draws nothing then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::prelude::*;
use bevy::render::camera::{SortedCameras, sort_cameras};
use bevy::render::extract_resource::{ExtractResource, ExtractResourcePlugin};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{PrimaryWindow, WindowOccluded};

/// Whether the window is minimised or completely covered.
#[derive(Resource, ExtractResource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden(pub bool);

/// Whether the window is minimised, where the engine does not report it. Another thread sets it.
#[derive(Resource, Clone, Debug, Default)]
pub(in crate::game) struct Minimised(pub Arc<AtomicBool>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Hidden>()
        .init_resource::<Minimised>()
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
    minimised: Res<Minimised>,
    mut occluded: Local<bool>,
    mut hidden: ResMut<Hidden>,
) {
    if let Some(last) = occlusions.read().last() {
        *occluded = last.occluded;
    }
    // Windows reports no occlusion, but gives a minimised window no size.
    let has_no_size = window.single().is_ok_and(|window| window.physical_size().min_element() == 0);
    hidden.set_if_neq(Hidden(*occluded || has_no_size || minimised.0.load(Ordering::Relaxed)));
}

fn draw_nothing_if_hidden(hidden: Option<Res<Hidden>>, mut cameras: ResMut<SortedCameras>) {
    if hidden.is_some_and(|hidden| hidden.0) {
        cameras.0.clear();
    }
}
