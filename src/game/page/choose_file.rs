//! Lets the player choose map and picture files.

use bevy::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlInputElement;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Waker;

use super::dropped_files::read_all;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, choose.in_set(AppSystems::Act));
}

fn choose(mut actions: MessageReader<Action>, waker: Res<Waker>) {
    if actions.read().filter(|action| **action == Action::ChooseFile).count() > 0
        && let Err(error) = open_chooser(waker.clone())
    {
        warn!("no file can be chosen: {error:?}");
    }
}

/// Opens the browser's file dialog. Chosen files open like dropped ones.
fn open_chooser(waker: Waker) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let input: HtmlInputElement = document.create_element("input")?.unchecked_into();
    input.set_type("file");
    input.set_accept(".ron,.tmx,.tsx,.tx,.map,.txt,.png,.bmp,.gif,.jpg,.jpeg,.json,.jsonl,.yaml,.yml");
    // A Tiled map may have its tilesets in other files.
    input.set_multiple(true);
    let chosen = input.clone();
    let read = Closure::once_into_js(move || {
        if let Some(files) = chosen.files() {
            read_all(&files, waker.clone());
        }
    });
    input.add_event_listener_with_callback("change", read.unchecked_ref())?;
    input.click();
    Ok(())
}
