//! The window icon: the erupting volcano.

use bevy::ecs::system::NonSendMarker;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowCreated};
use bevy::winit::WINIT_WINDOWS;
use image::imageops::crop_imm;
use winit::window::Icon;

const TILE: &[u8] = include_bytes!("../../../../assets/tiles/L2_MountainBigVolcanoErupt01.png");

/// The square of the tile that shows the mountain: its left and upper edge, and its side.
const SQUARE: (u32, u32, u32) = (48, 22, 88);

/// The colour that means transparent in a tile.
const KEY: [u8; 3] = [255, 0, 255];

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
    let (left, top, side) = SQUARE;
    let tile = image::load_from_memory(TILE).ok()?.to_rgba8();
    let mut picture = crop_imm(&tile, left, top, side, side).to_image();
    for pixel in picture.pixels_mut().filter(|pixel| pixel.0[..3] == KEY) {
        pixel.0 = [0; 4];
    }
    Icon::from_rgba(picture.into_raw(), side, side).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_icon_can_be_made() {
        assert!(super::icon().is_some());
    }
}
