//! Pastes text into the field of a dialog. The browser hands it over when its own key for that is pressed.

use std::cell::RefCell;

use bevy::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, Event};

use crate::game::dialog::Pasted;
use crate::game::frames::wake::Waker;

use super::listen::listen;

thread_local! {
    /// The texts that wait for the next frame.
    static PASTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_pasting).add_systems(PreUpdate, report);
}

fn listen_to_pasting(waker: Res<Waker>) {
    let Some(window) = web_sys::window() else { return };
    let waker = waker.clone();
    listen(&window, "paste", false, move |event: Event| {
        let data = js_sys::Reflect::get(&event, &"clipboardData".into()).ok();
        let data = data.and_then(|data| data.dyn_into::<DataTransfer>().ok());
        if let Some(text) = data.and_then(|data| data.get_data("text/plain").ok()) {
            PASTED.with_borrow_mut(|pasted| pasted.push(text));
            waker.wake();
        }
    });
}

fn report(mut pasted: MessageWriter<Pasted>) {
    pasted.write_batch(PASTED.take().into_iter().map(Pasted));
}
