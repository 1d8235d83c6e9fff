//! Lets screen readers say the inspected cell: the engine has no nodes for them in browsers, so the page has one.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::hud::spoken_cell::SpokenCell;

/// The element whose changes screen readers say.
const SPOKEN: &str = "spoken";

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, say.run_if(resource_exists_and_changed::<SpokenCell>).after(AppSystems::Show));
}

fn say(spoken: Res<SpokenCell>) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(element) = document.and_then(|document| document.get_element_by_id(SPOKEN)) {
        element.set_text_content(Some(spoken.text()));
    }
}
