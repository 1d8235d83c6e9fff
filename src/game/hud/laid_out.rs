//! The HUD without a window, for tests of where its nodes are.

use bevy::asset::AssetPlugin;
use bevy::camera::{ComputedCameraValues, RenderTargetInfo};
use bevy::image::TextureAtlasLayout;
use bevy::input::InputPlugin;
use bevy::picking::DefaultPickingPlugins;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::text::TextPlugin;
use bevy::ui::{UiGlobalTransform, UiPlugin};

use crate::game::mode::SearchPage;

use super::font;
use super::scale::IsNarrow;

/// An app that lays nodes out for a window of some size, with the texts in the typeface of the game.
pub(super) struct LaidOut {
    pub app: App,
}

impl LaidOut {
    /// Returns it for a window of this size in pixels.
    pub fn new(size: UVec2) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), ImagePlugin::default(), InputPlugin));
        app.add_plugins(WindowPlugin { primary_window: None, ..default() });
        app.init_asset::<TextureAtlasLayout>();
        // What panels ask about.
        app.add_plugins(StatesPlugin).init_state::<SearchPage>().init_resource::<IsNarrow>();
        app.add_plugins((TextPlugin, DefaultPickingPlugins, UiPlugin, font::typeface));
        let target_info = Some(RenderTargetInfo { physical_size: size, scale_factor: 1.0 });
        let computed = ComputedCameraValues { target_info, ..default() };
        app.world_mut().spawn((Camera2d, Camera { computed, ..default() }));
        Self { app }
    }

    /// Returns the layout of a node, to change it.
    pub fn node(&mut self, entity: Entity) -> Mut<'_, Node> {
        self.app.world_mut().get_mut(entity).expect("it is a node")
    }

    /// Returns the place of a node in the window, in pixels.
    pub fn rect(&self, entity: Entity) -> Rect {
        let entity = self.app.world().entity(entity);
        let (node, at) = entity.components::<(&ComputedNode, &UiGlobalTransform)>();
        Rect::from_center_size(at.translation, node.size)
    }
}
