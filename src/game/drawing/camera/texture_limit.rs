//! Keeps the window as small as the largest texture of the graphics device: the engine cannot draw a larger one, and
//! would end.

use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;
use bevy::window::PrimaryWindow;

use super::framing;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(First, limit_window.before(framing::follow_window));
}

/// Makes a window that has become too large smaller. The engine then asks the display for this size.
fn limit_window(device: Res<RenderDevice>, mut window: Query<&mut Window, (With<PrimaryWindow>, Changed<Window>)>) {
    if let Ok(mut window) = window.single_mut()
        && let Some(limited) = limited(window.physical_size(), device.limits().max_texture_dimension_2d)
    {
        window.resolution.set_physical_resolution(limited.x, limited.y);
    }
}

/// The size to which a window is made smaller, if textures have at most this side. One pixel less is allowed, because
/// the image that is averaged below zoom 1 is larger by that.
fn limited(size: UVec2, max_side: u32) -> Option<UVec2> {
    let most = UVec2::splat(max_side.saturating_sub(1).max(1));
    size.cmpgt(most).any().then(|| size.min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_window_that_is_larger_than_a_texture_is_made_smaller() {
        assert_eq!(limited(UVec2::new(16_383, 720), 16_384), None);
        assert_eq!(limited(UVec2::new(16_385, 720), 16_384), Some(UVec2::new(16_383, 720)));
        assert_eq!(limited(UVec2::new(400, 40_000), 8192), Some(UVec2::new(400, 8191)));
    }
}
