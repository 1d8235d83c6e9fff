//! The size of all text of the window.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::action::{Action, TextStep};
use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::Notice;

/// The sizes, in per cent.
const SIZES: [u32; 8] = [75, 100, 125, 150, 175, 200, 225, 250];

/// The size of all text, in per cent of the normal size.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextSize(u32);

impl Default for TextSize {
    fn default() -> Self {
        Self(100)
    }
}

impl TextSize {
    /// A size for projectors.
    pub const LARGE: Self = Self(150);
    /// The largest size.
    pub const LARGEST: Self = Self(SIZES[SIZES.len() - 1]);

    /// The size as a multiple of the normal one.
    pub fn factor(self) -> f32 {
        self.0 as f32 / 100.0
    }

    fn after(self, step: TextStep) -> Self {
        let next = match step {
            TextStep::Larger => SIZES.into_iter().find(|size| *size > self.0),
            TextStep::Smaller => SIZES.into_iter().rev().find(|size| *size < self.0),
            TextStep::Normal => return Self::default(),
        };
        Self(next.unwrap_or(self.0))
    }
}

/// The scale of everything that is not on the map.
#[derive(SystemParam)]
pub(in crate::game) struct InterfaceScale<'w, 's> {
    scale: Res<'w, UiScale>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl InterfaceScale<'_, '_> {
    /// The number of physical pixels per logical pixel, in each direction.
    pub fn factor(&self) -> f32 {
        self.scale.0 * self.window.single().map_or(1.0, Window::scale_factor)
    }

    /// Whether the size of the text has changed.
    pub fn is_changed(&self) -> bool {
        self.scale.is_changed()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TextSize>().add_systems(Update, size_text.in_set(AppSystems::Act));
}

fn size_text(mut actions: MessageReader<Action>, mut size: ResMut<TextSize>, mut notices: MessageWriter<Notice>) {
    for action in actions.read() {
        if let Action::SizeText(step) = *action {
            size.set_if_neq(size.after(step));
            notices.write(Notice(format!("Text: {} %", size.0)));
        }
    }
}
