//! Follows the browser's setting for reduced motion.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow.before(AppSystems::Act));
}

fn follow(reduced: Res<ReducedMotion>) {
    let asked = web_sys::window().and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok()?);
    reduced.system().set(asked.is_some_and(|answer| answer.matches()));
}
