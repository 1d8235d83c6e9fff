//! Pastes text into the focused field. The browser passes the text when its own paste key is pressed. If the engine
//! asked the browser for it, the browser might ask the player.

use std::cell::RefCell;

use bevy::input_focus::InputFocus;
use bevy::prelude::*;
use bevy::text::{EditableText, TextEdit};
use bevy::ui::UiSystems;
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, Event};

use crate::game::frames::wake::Waker;
use crate::game::screen::notice::Notice;
use crate::game::ui::pasting::{FieldLimits, insertion};

use super::listen::listen;

thread_local! {
    /// The texts that wait for the next frame.
    static PASTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_pasting)
        .add_systems(PostUpdate, (keep_engine_from_pasting, paste).chain().before(UiSystems::Content));
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

fn keep_engine_from_pasting(mut fields: Query<&mut EditableText, Changed<EditableText>>) {
    for mut field in &mut fields {
        if field.pending_edits.iter().any(|edit| matches!(edit, TextEdit::Paste)) {
            field.pending_edits.retain(|edit| !matches!(edit, TextEdit::Paste));
        }
    }
}

/// Inserts the pasted text as one line, or shows why that is not possible.
fn paste(
    focus: Option<Res<InputFocus>>,
    mut fields: Query<(&mut EditableText, &FieldLimits)>,
    mut notices: MessageWriter<Notice>,
) {
    for text in PASTED.take() {
        let focused = focus.as_ref().and_then(|focus| focus.get());
        if let Some(Ok((mut field, limits))) = focused.map(|focused| fields.get_mut(focused)) {
            match insertion(&field, *limits, &text) {
                Ok(insert) => field.queue_edit(insert),
                Err(refusal) => drop(notices.write(refusal)),
            }
        }
    }
}
