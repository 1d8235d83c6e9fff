//! Listens to events of the browser.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::convert::FromWasmAbi;
use web_sys::EventTarget;

/// Calls `listener` for all events of this name, as long as the page is open. If it is to come `first`, it may stop an
/// event before other listeners know of it.
pub(super) fn listen<E: FromWasmAbi + 'static>(
    target: &EventTarget,
    name: &str,
    first: bool,
    listener: impl Fn(E) + 'static,
) {
    let listener = Closure::<dyn Fn(E)>::new(listener);
    // This cannot fail: these are names of events.
    let _ = target.add_event_listener_with_callback_and_bool(name, listener.as_ref().unchecked_ref(), first);
    listener.forget();
}
