//! The order of a frame.

use bevy::prelude::*;

/// The steps of a frame, in their order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) enum AppSystems {
    /// Keys, clicks and buttons become [`Action`](super::action::Action)s.
    Listen,
    /// Actions change the map, the goal and the view.
    Act,
    /// The mode changes, and pages are opened and closed.
    Switch,
    /// Routes are planned again if the map or a goal has changed.
    Plan,
    /// The travellers walk.
    Walk,
    /// Images and texts are updated.
    Show,
}

/// Time passes in the world, and then the traveller is shown at its new place: in [`AppSystems::Walk`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct PassTime;

pub(super) fn plugin(app: &mut App) {
    use AppSystems::{Act, Listen, Plan, Show, Switch, Walk};
    app.configure_sets(Update, (Listen, Act, Switch, Plan, Walk, Show).chain());
    app.configure_sets(Update, PassTime.in_set(Walk));
}
