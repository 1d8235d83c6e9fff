//! Whether panels and the view glide to their places: by the setting of the system, until the player chooses.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;

/// Whether everything is to be in its place immediately.
#[derive(Resource, Clone, Debug, Default)]
pub(in crate::game) struct ReducedMotion {
    /// The player's choice.
    chosen: Option<bool>,
    system: SystemMotion,
}

/// The setting of the system, as far as it is known. Threads can change it.
#[derive(Clone, Debug, Default)]
pub(in crate::game) struct SystemMotion(Arc<AtomicBool>);

impl ReducedMotion {
    pub fn is_on(&self) -> bool {
        self.chosen.unwrap_or_else(|| self.system.0.load(Ordering::Relaxed))
    }

    /// The setting of the system.
    pub fn system(&self) -> &SystemMotion {
        &self.system
    }
}

impl SystemMotion {
    /// Notes the setting.
    pub fn set(&self, is_reduced: bool) {
        self.0.store(is_reduced, Ordering::Relaxed);
    }
}

pub(in crate::game) fn plugin(app: &mut App) {
    app.init_resource::<ReducedMotion>().add_systems(Update, toggle.in_set(AppSystems::Act));
}

fn toggle(mut actions: MessageReader<Action>, mut reduced: ResMut<ReducedMotion>) {
    for _ in actions.read().filter(|action| **action == Action::ToggleReducedMotion) {
        reduced.chosen = Some(!reduced.is_on());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_is_reduced_as_the_system_is_set_until_the_player_chooses() {
        let mut app = App::new();
        app.add_message::<Action>().add_plugins(plugin);
        let is_on = |app: &App| app.world().resource::<ReducedMotion>().is_on();
        let system = app.world().resource::<ReducedMotion>().system().clone();
        assert!(!is_on(&app));
        system.set(true);
        assert!(is_on(&app));
        app.world_mut().write_message(Action::ToggleReducedMotion);
        app.update();
        assert!(!is_on(&app), "the player has turned it off");
        system.set(false);
        system.set(true);
        assert!(!is_on(&app), "the player's choice stays");
    }
}
