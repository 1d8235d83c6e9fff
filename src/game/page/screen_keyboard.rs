//! Brings up the keyboard of a touch screen for text fields. Browsers do this only for their own fields, so an
//! invisible one covers the focused field.

use std::cell::RefCell;

use bevy::input_focus::InputFocus;
use bevy::prelude::*;
use bevy::text::{EditableText, TextEdit};
use bevy::ui::{UiGlobalTransform, UiSystems};
use bevy::window::PrimaryWindow;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

use crate::game::frames::wake::Waker;
use crate::game::input::touch::UsesFingers;

use super::listen::listen;

/// The invisible field.
const FIELD: &str = "field";

thread_local! {
    /// The new text of the field, if it has changed since the last frame.
    static TYPED: RefCell<Option<String>> = const { RefCell::new(None) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_input)
        .add_systems(PreUpdate, type_text)
        .add_systems(PostUpdate, place_field.after(UiSystems::Layout).run_if(resource_equals(UsesFingers(true))));
}

fn field() -> Option<HtmlInputElement> {
    web_sys::window()?.document()?.get_element_by_id(FIELD)?.dyn_into().ok()
}

fn listen_to_input(waker: Res<Waker>) {
    let Some(field) = field() else { return };
    let waker = waker.clone();
    let input = field.clone();
    listen(&field, "input", false, move |_: Event| {
        TYPED.replace(Some(input.value()));
        waker.wake();
    });
}

/// Replaces the text of the field that has the focus. The browser may have corrected any part of it.
fn type_text(focus: Option<Res<InputFocus>>, mut fields: Query<&mut EditableText>) {
    let Some(text) = TYPED.take() else { return };
    let focused = focus.and_then(|focus| focus.get());
    if let Some(Ok(mut field)) = focused.map(|focused| fields.get_mut(focused)) {
        for edit in [TextEdit::SelectAll, TextEdit::Backspace, TextEdit::Insert(text.into())] {
            field.queue_edit(edit);
        }
    }
}

/// Moves the invisible field over the focused one and copies its text, or hides it if no field has the focus.
fn place_field(
    focus: Option<Res<InputFocus>>,
    fields: Query<(&EditableText, &ComputedNode, &UiGlobalTransform)>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut shown: Local<Option<Rect>>,
) {
    let focused = focus.and_then(|focus| focus.get()).and_then(|focused| fields.get(focused).ok());
    let place = focused.map(|(_, node, at)| Rect::from_center_size(at.translation, node.size));
    if place.is_none() && shown.is_none() {
        return;
    }
    let Some(field) = field() else { return };
    let text = focused.map(|(text, ..)| text.value().to_string());
    if let Some(text) = text.filter(|text| field.value() != *text) {
        field.set_value(&text);
    }
    if *shown == place {
        return;
    }
    *shown = place;
    let style = place.map_or_else(String::new, |place| {
        let [left, top] = (place.min / window.scale_factor()).to_array();
        let [width, height] = (place.size() / window.scale_factor()).to_array();
        format!("display: block; left: {left}px; top: {top}px; width: {width}px; height: {height}px")
    });
    // This cannot fail: it is a valid attribute name.
    let _ = field.set_attribute("style", &style);
}
