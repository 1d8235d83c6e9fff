//! Copies the page address, which describes the current state.

use std::cell::Cell;

use bevy::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Waker;
use crate::game::screen::notice::Notice;

use super::address::{Address, Missing, show_state};

thread_local! {
    /// Whether the address was copied, until a notice shows it.
    static RESULT: Cell<Option<bool>> = const { Cell::new(None) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, copy.after(show_state)).add_systems(Update, report.in_set(AppSystems::Act));
}

fn copy(mut actions: MessageReader<Action>, waker: Res<Waker>) {
    let asked = actions.read().filter(|action| **action == Action::CopyLink).count();
    let Some(window) = web_sys::window().filter(|_| asked > 0) else { return };
    let waker = waker.clone();
    spawn_local(async move {
        let address = window.location().href().unwrap_or_default();
        let copied = JsFuture::from(window.navigator().clipboard().write_text(&address)).await;
        RESULT.set(Some(copied.is_ok()));
        waker.wake();
    });
}

fn report(address: Res<Address>, mut notices: MessageWriter<Notice>) {
    notices.write_batch(RESULT.take().map(|is_copied| {
        let copied = match (is_copied, address.missing()) {
            (true, Missing::Nothing) => "Link copied. It shows others what you see.",
            (true, Missing::Changes) => "Link copied without your changes: this map is too large for a link.",
            (true, Missing::Map) => {
                "Link copied without the map, which is too large for a link: save the map and share the file."
            }
            (true, Missing::Recording) => {
                "Link copied without the recording, which is too large for a link: share its file."
            }
            (false, _) => "The browser does not allow copying: copy the address instead.",
        };
        Notice(copied.into())
    }));
}
