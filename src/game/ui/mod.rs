//! The building blocks of the window's panels: a theme, elements, and the regions that contain them. The widgets come
//! from the engine.

use bevy::input_focus::InputFocus;
use bevy::picking::input::PointerInputSettings;
use bevy::prelude::*;
use bevy::ui_widgets::UiWidgetsPlugins;

pub(in crate::game) mod card_heights;
pub(in crate::game) mod controls;
pub(in crate::game) mod element;
pub(in crate::game) mod focus;
pub(in crate::game) mod fold;
pub(in crate::game) mod font;
mod identity;
pub(in crate::game) mod inventory;
mod key_events;
pub(in crate::game) mod menu;
pub(in crate::game) mod motion;
pub(in crate::game) mod pasting;
mod press;
mod refused;
pub(in crate::game) mod regions;
pub(in crate::game) mod show;
pub(in crate::game) mod theme;
mod tooltip;

pub(super) fn plugin(app: &mut App) {
    if !app.is_plugin_added::<bevy::ui_widgets::ButtonPlugin>() {
        app.add_plugins(UiWidgetsPlugins);
    }
    // Fingers become the mouse in the input of the game.
    app.insert_resource(PointerInputSettings { is_touch_enabled: false, is_mouse_enabled: true })
        .init_resource::<InputFocus>()
        .add_plugins((
            font::plugin,
            regions::plugin,
            card_heights::plugin,
            controls::plugin,
            menu::plugin,
            motion::plugin,
            focus::plugin,
            key_events::plugin,
            fold::plugin,
            pasting::plugin,
            press::plugin,
            tooltip::plugin,
        ));
}
