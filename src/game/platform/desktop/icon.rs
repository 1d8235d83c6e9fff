//! The window icon: the erupting volcano.

use bevy::ecs::system::NonSendMarker;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowCreated};
use bevy::winit::WINIT_WINDOWS;
use winit::window::Icon;

/// The icon of the desktop entry too.
const PICTURE: &[u8] = include_bytes!("../../../../packaging/emberwalk.png");

pub(in crate::game) fn plugin(app: &mut App) {
    app.add_systems(Update, set_icon.run_if(on_message::<WindowCreated>));
}

fn set_icon(window: Single<Entity, With<PrimaryWindow>>, _on_main_thread: NonSendMarker) {
    let icon = icon();
    WINIT_WINDOWS.with_borrow(|windows| {
        if let Some(window) = windows.get_window(*window) {
            window.set_window_icon(icon);
        }
    });
}

fn icon() -> Option<Icon> {
    let picture = image::load_from_memory(PICTURE).ok()?.to_rgba8();
    let (width, height) = picture.dimensions();
    Icon::from_rgba(picture.into_raw(), width, height).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_icon_can_be_made() {
        assert!(super::icon().is_some());
    }
}
